# The types of decode.py.

from morphtree._kernels.parser cimport Parser
from morphtree._kernels.sums cimport Batch

cdef Py_ssize_t place_for(
    double score, int[::1] order, double[::1] scores, int[::1] forms
) noexcept nogil
cdef double decode_word(
    Parser p, Batch b, Py_ssize_t w, double[::1] log_edits, int[::1] order, int[::1] forms, double[::1] scores,
    int[:, :, ::1] nodes, int[::1] counts
) noexcept nogil
cdef double log_plus(double a, double b) noexcept nogil
