# The functions of constituents.py that other kernels call.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void find_spans(SpanTables tables, Spans s, long long[::1] form) noexcept nogil
cpdef void align(long long[::1] word, long long[::1] form, int[:, ::1] steps, int[::1] position) noexcept nogil
