# The functions of bases.py that other kernels call.

from morphtree._kernels.parts cimport Parts, Spans

cdef unsigned long long spelling(Spans s, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j) noexcept nogil
cdef int kinship(Parts parts, Spans s, unsigned long long word, unsigned long long base) noexcept nogil
cdef int kin_of_whole(Parts parts, Spans s, unsigned long long base) noexcept nogil
cdef int better(int one, int two) noexcept nogil
cdef int suffixed(Parts parts, Spans s, unsigned long long h, Py_ssize_t p, Py_ssize_t end) noexcept nogil
cdef int prefixed(Parts parts, Spans s, unsigned long long h, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j) noexcept nogil
cpdef unsigned long long link_hash(unsigned long long word, unsigned long long base) noexcept nogil
