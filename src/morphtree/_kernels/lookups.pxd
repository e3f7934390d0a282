# The functions of lookups.py that other kernels call.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef Py_ssize_t held(SpanTables tables, Spans s, unsigned long long h) noexcept nogil
cdef int facts_of(SpanTables tables, Spans s, unsigned long long h) noexcept nogil
cpdef bint is_ordinary(int facts) noexcept nogil
cdef bint is_known(SpanTables tables, Spans s, unsigned long long h, Py_ssize_t size) noexcept nogil
