# The types of spans.py.

from morphtree._kernels.span_tables cimport Spans, SpanTables, SpanWeights

cdef void start_word(SpanTables tables, Spans s, long long[::1] word) noexcept nogil
cdef void clear_rows(Spans s) noexcept nogil
cdef void open_form(SpanTables tables, Spans s, long long[::1] form) noexcept nogil
cdef unsigned long long value_of(Spans s, Py_ssize_t a) noexcept nogil
cdef void prepare(SpanTables tables, Spans s, long long[::1] form, double[::1] weights) noexcept nogil
cdef void score_form(
    SpanTables tables, Spans s, long long[::1] form, SpanWeights weights
) noexcept nogil
cdef int find_row(
    SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j, int labels, double[::1] weights
) noexcept nogil
cdef unsigned long long context(SpanTables tables, Spans s, Py_ssize_t t) noexcept nogil
cdef void match(
    SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j, int labels, double[::1] weights
) noexcept nogil
