# The types of queries.py.

from morphtree._kernels.arcs cimport Arcs

cdef double scale(int a, int b, double log_total) noexcept nogil
cdef bint expect_written(
    Arcs arcs, double[:, :, ::1] alpha, int[:, ::1] a_exp, double[:, :, ::1] beta,
    int[:, ::1] b_exp, double log_total, Py_ssize_t i, Py_ssize_t target, double[:, ::1] letters,
    double[:, :, ::1] table, Py_ssize_t x, double[::1] factors, double[:, :, ::1] out
) noexcept nogil
cdef void add_four(
    double[:, :, ::1] alpha, double[:, :, ::1] beta, Py_ssize_t i, Py_ssize_t j, Py_ssize_t c,
    Py_ssize_t target, double[::1] factors, double[:, :, ::1] out
) noexcept nogil
cdef void add_logs(
    Arcs arcs, double[:, :, ::1] alpha, double[:, :, ::1] beta, double log_total, Py_ssize_t i,
    Py_ssize_t j, Py_ssize_t c, Py_ssize_t target, double[:, ::1] letters, double[:, :, ::1] table,
    Py_ssize_t x, double[:, :, ::1] out
) noexcept nogil
cdef bint expect_deleted(
    Arcs arcs, double[:, :, ::1] alpha, int[:, ::1] a_exp, double[:, :, ::1] beta,
    int[:, ::1] b_exp, double log_total, Py_ssize_t i, double[:, ::1] out
) noexcept nogil
cdef double edit_weight(
    Arcs arcs, double letter, double bigram, double after, double base, int shift
) noexcept nogil
cdef double next_weights(
    Arcs arcs, double[:, :, ::1] beta, int[:, ::1] b_exp, Py_ssize_t i, Py_ssize_t j, Py_ssize_t c,
    double[::1] out
) noexcept nogil
