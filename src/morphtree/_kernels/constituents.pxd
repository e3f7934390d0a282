# The function of constituents.py that other kernels call.

from morphtree._kernels.parts cimport Parts, Spans

cdef void find_spans(Parts parts, Spans s, long long[::1] form) noexcept nogil
