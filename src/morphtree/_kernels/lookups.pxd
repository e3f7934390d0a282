# The functions of lookups.py that other kernels call.

from morphtree._kernels.span_tables cimport Spans, SpanTables

cdef int facts_of(SpanTables tables, unsigned long long h) noexcept nogil
cdef void hash_word(Spans s) noexcept nogil
cdef void look_up_form(SpanTables tables, Spans s) noexcept nogil
cpdef bint is_ordinary(int facts) noexcept nogil
cdef bint is_known(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
