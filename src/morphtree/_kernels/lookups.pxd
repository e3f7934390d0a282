# The functions of lookups.py that other kernels call.

from morphtree._kernels.parts cimport Parts, Spans

cdef Py_ssize_t held(Parts parts, Spans s, unsigned long long h) noexcept nogil
cdef int facts_of(Parts parts, Spans s, unsigned long long h) noexcept nogil
cdef int seen_in(Parts parts, Spans s, unsigned long long h, Py_ssize_t kind) noexcept nogil
cdef bint is_known(Parts parts, Spans s, unsigned long long h, Py_ssize_t size) noexcept nogil
