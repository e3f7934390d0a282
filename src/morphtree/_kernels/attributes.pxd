# The functions of attributes.py that other kernels call.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void fill_attributes(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_bases(SpanTables tables, Spans s) noexcept nogil
