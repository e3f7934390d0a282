# The types of columns.py.

from morphtree._kernels.rows cimport Writer

cdef class Morphemes:
    cdef int[::1] labels
    cdef int[::1] starts, ends  # places in the word
    cdef int[::1] used  # (morphemes + 1,)  bytes of the strings of all up to each
    cdef public Py_ssize_t count

cdef void write_reading(
    Writer trees, Writer strings, Morphemes found, long long[::1] word, long long[::1] form,
    int[:, ::1] nodes
) noexcept nogil
cpdef void write_columns(
    Writer trees, Writer strings, Morphemes found, long long[::1] word_codes, int[::1] word_start,
    long long[:, ::1] forms, int[::1] lengths, int[:, :, ::1] nodes, int[::1] counts,
    int[::1] tree_ends, int[::1] ends
)
