# The types of lattice.py.

from morphtree._kernels.arcs cimport Arcs

cdef void transfer(Arcs arcs, double[:, :, ::1] table, Py_ssize_t x) noexcept nogil
cdef int close_cell(
    Arcs arcs, double[:, :, ::1] cells, int[:, ::1] exponents, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t lo, Py_ssize_t hi
) noexcept nogil
cdef void open_cell(
    double[:, :, ::1] cells, int[:, ::1] exponents, Py_ssize_t i, Py_ssize_t j, Py_ssize_t step,
    double zero
) noexcept nogil
cdef void add_delete(
    Arcs arcs, double[:, :, ::1] cells, int[:, ::1] exponents, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t source, Py_ssize_t at
) noexcept nogil
cdef void add_written(
    Arcs arcs, double[:, :, ::1] cells, int[:, ::1] exponents, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t source, double[:, ::1] letters, Py_ssize_t at, double[:, :, ::1] table, Py_ssize_t x
) noexcept nogil
cdef void add_to_write(
    Arcs arcs, double[:, :, ::1] cells, int[:, ::1] exponents, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t target, double[:, ::1] letters, Py_ssize_t at, double[:, :, ::1] table, Py_ssize_t x
) noexcept nogil
