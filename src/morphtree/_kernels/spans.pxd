# The functions of spans.py that other kernels call.

from morphtree._kernels.parts cimport Parts, Spans

cdef void start_word(Parts parts, Spans s, long long[::1] word) noexcept nogil
cdef void clear_rows(Spans s) noexcept nogil
cdef void prepare(Parts parts, Spans s, long long[::1] form, double[::1] weights) noexcept nogil
