# The types of parser.py.

from morphtree._kernels.chart cimport Chart
from morphtree._kernels.span_tables cimport Spans, SpanTables, SpanWeights

cdef class Parser:
    cdef public SpanTables tables
    cdef public Spans spans
    cdef public SpanWeights weights
    cdef public Chart chart

cdef double leaf_log(SpanTables tables, Spans s, Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef double span_log(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef void load_scores(SpanTables tables, Spans s, Chart chart, bint logs) noexcept nogil
cdef bint load_stored(SpanTables tables, Spans s, Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void load_span(SpanTables tables, Spans s, Chart chart, Py_ssize_t i, Py_ssize_t j, int spelt) noexcept nogil
cdef double open_form(Parser p, long long[::1] form, double sharpness) noexcept nogil
cdef Py_ssize_t rank_trees(Parser p, Py_ssize_t n) noexcept nogil
