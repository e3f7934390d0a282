# The types of hashing.py, so that the other kernels can call it without going through Python.

from morphtree._kernels.mixing cimport Table

cdef unsigned long long BOUNDARY

cdef unsigned long long letter(long long[::1] codes, Py_ssize_t place) noexcept nogil
cpdef unsigned long long with_context(
    unsigned long long h, long long[::1] codes,
    Py_ssize_t start, Py_ssize_t end, Py_ssize_t left, Py_ssize_t right
) noexcept nogil

cdef class EditTemplates:
    cdef unsigned long long[::1] seeds  # (T,)
    cdef int[:, ::1] shapes  # (T, 3)  names the edit?, letters to the left, to the right
    cdef Table table
    cdef int[::1] ends  # (F,)  where the features of the same context end
    cdef int[::1] outcomes  # write d: d; insert d: A+d; delete: 2A; copy, change, insert: 2A+1..3
    cdef public Py_ssize_t known  # A: letters that the model knows

cdef Py_ssize_t match_edits(
    EditTemplates templates, long long[::1] codes, int[::1] letters, Py_ssize_t size,
    int[::1] cells, int[::1] features
) noexcept nogil
cdef Py_ssize_t emit(
    int[::1] cells, int[::1] features, Py_ssize_t count, Py_ssize_t cell, Py_ssize_t feature
) noexcept nogil
cdef unsigned long long edit_context(
    EditTemplates templates, long long[::1] codes, Py_ssize_t i, Py_ssize_t t, Py_ssize_t reads
) noexcept nogil
cdef Py_ssize_t emit_edit(
    int[::1] cells, int[::1] features, Py_ssize_t count, Py_ssize_t i, Py_ssize_t read,
    Py_ssize_t known, Py_ssize_t size, Py_ssize_t outcome, Py_ssize_t feature
) noexcept nogil
