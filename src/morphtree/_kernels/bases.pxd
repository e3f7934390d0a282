# The functions of bases.py that other kernels call.

from morphtree._kernels.span_tables cimport Spans, SpanTables

cdef unsigned long long spelling(Spans s, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j) noexcept nogil
cdef int kinship(
    SpanTables tables, unsigned long long word, int whole, unsigned long long base, int part
) noexcept nogil
cdef int kin_of_whole(SpanTables tables, Spans s, unsigned long long base, int part) noexcept nogil
cdef int kin_of_span(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int better(int one, int two) noexcept nogil
cdef int suffixed(
    SpanTables tables, Spans s, unsigned long long h, int facts, Py_ssize_t p, Py_ssize_t end
) noexcept nogil
cdef int prefixed(
    SpanTables tables, Spans s, unsigned long long h, int facts, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j
) noexcept nogil
cpdef unsigned long long link_hash(unsigned long long word, unsigned long long base) noexcept nogil
cdef int base_of(
    SpanTables tables, unsigned long long word, int facts, unsigned long long base, int part
) noexcept nogil
