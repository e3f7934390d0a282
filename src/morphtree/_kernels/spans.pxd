# The types of spans.py.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void start_word(SpanTables tables, Spans s, long long[::1] word) noexcept nogil
cdef void clear_rows(Spans s) noexcept nogil
cdef void prepare(SpanTables tables, Spans s, long long[::1] form, double[::1] weights) noexcept nogil
cdef int find_row(SpanTables tables, Spans s, int labels, double[::1] weights) noexcept nogil
cdef unsigned long long context(SpanTables tables, Spans s, Py_ssize_t t) noexcept nogil
cdef void match(SpanTables tables, Spans s, int labels, double[::1] weights) noexcept nogil
