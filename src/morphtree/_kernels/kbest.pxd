# The types of kbest.py.

from morphtree._kernels.chart cimport Chart

cdef Py_ssize_t rank(Chart chart, Py_ssize_t k) noexcept nogil
cdef double score_of(Chart chart, Py_ssize_t number) noexcept nogil
cdef Py_ssize_t derive(Chart chart, Py_ssize_t number, int[:, ::1] nodes) noexcept nogil
cdef Py_ssize_t cell_of(Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef bint offer(
    Chart chart, Py_ssize_t k, Py_ssize_t cell, double score, Py_ssize_t production,
    Py_ssize_t split, Py_ssize_t left, Py_ssize_t right
) noexcept nogil
cdef void offer_pairs(
    Chart chart, Py_ssize_t k, Py_ssize_t cell, double weight, Py_ssize_t production,
    Py_ssize_t split, Py_ssize_t left, Py_ssize_t right
) noexcept nogil
cdef void offer_splits(
    Chart chart, Py_ssize_t k, Py_ssize_t i, Py_ssize_t j, Py_ssize_t cell, double weight, Py_ssize_t r
) noexcept nogil
cdef void rank_cell(
    Chart chart, Py_ssize_t k, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a
) noexcept nogil
