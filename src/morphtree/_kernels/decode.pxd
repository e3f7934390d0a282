# The types of decode.py.

from morphtree._kernels.sums cimport Batch, Workspace

cdef Py_ssize_t heaviest(Workspace s, Py_ssize_t forms, double least) noexcept nogil
cdef Py_ssize_t place_for(
    double score, int[::1] order, double[::1] scores, int[::1] forms
) noexcept nogil
cdef void rank_forms(
    Workspace s, Batch b, Py_ssize_t w, int[::1] order, int[::1] forms, double[::1] scores,
    int[:, :, ::1] nodes, int[::1] counts
) noexcept nogil
