# The functions of spans.py that other kernels call.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void start_word(SpanTables tables, Spans s, long long[::1] word) noexcept nogil
cdef void clear_rows(Spans s) noexcept nogil
cdef void prepare(SpanTables tables, Spans s, long long[::1] form, double[::1] weights) noexcept nogil
