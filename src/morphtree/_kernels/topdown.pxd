# The types of topdown.py.

from morphtree._kernels.chart cimport Chart

cdef void expect(Chart chart, double scale, double faint) noexcept nogil
cdef Py_ssize_t expand(
    Chart chart, int[:, ::1] nodes, Py_ssize_t count, Py_ssize_t height, Py_ssize_t production,
    Py_ssize_t split, int left, int right
) noexcept nogil
cdef double leaf_share(Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef double unary_share(Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t r) noexcept nogil
cdef double binary_share(
    Chart chart, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j, Py_ssize_t r
) noexcept nogil
cdef void expect_span(Chart chart, Py_ssize_t i, Py_ssize_t j, double faint) noexcept nogil
cdef void expect_splits(Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t r) noexcept nogil
cdef void set_node(
    int[:, ::1] nodes, Py_ssize_t place, int a, Py_ssize_t i, Py_ssize_t j, int last
) noexcept nogil
cdef Py_ssize_t choose(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a, double uniform
) noexcept nogil
