# The types of matching.py.

from morphtree._kernels.span_tables cimport SpanIndex, Spans, SpanWeights

cdef int BEFORE, HEAD, REST, TAIL, CHANGE

cdef void keep_room(SpanIndex index, Spans s) noexcept nogil
cdef unsigned long long key_of(SpanIndex index, Spans s, Py_ssize_t q) noexcept nogil
cdef Py_ssize_t look_up_keys(SpanIndex index, Spans s, Py_ssize_t first, Py_ssize_t end) noexcept nogil
cdef unsigned long long key_at_start(Spans s, Py_ssize_t g, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef unsigned long long key_at_end(Spans s, Py_ssize_t g, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef Py_ssize_t list_of(
    SpanIndex index, Spans s, SpanWeights weights, Py_ssize_t place, unsigned long long key, Py_ssize_t q
) noexcept nogil
cdef void list_rows(
    SpanIndex index, Spans s, SpanWeights weights, Py_ssize_t number, Py_ssize_t first, Py_ssize_t end
) noexcept nogil
cdef Py_ssize_t gather(
    SpanIndex index, Spans s, int[:, ::1] rows, Py_ssize_t first, Py_ssize_t end, Py_ssize_t count
) noexcept nogil
cdef void add_listed(
    Spans s, SpanWeights weights, int stride, Py_ssize_t number, Py_ssize_t lane
) noexcept nogil
cdef void add_rows(
    SpanIndex index, Spans s, SpanWeights weights, Py_ssize_t first, Py_ssize_t end, Py_ssize_t lane
) noexcept nogil
cdef void place_tables(Spans s, SpanWeights weights, Py_ssize_t g, Py_ssize_t lanes) noexcept nogil
cdef void add_tables(Spans s, SpanWeights weights, Py_ssize_t g, Py_ssize_t lane) noexcept nogil
cdef int dot(Spans s, int[::1] attributes, int[::1] strides, Py_ssize_t row) noexcept nogil
cdef void fill_numbers(SpanIndex index, Spans s, Py_ssize_t first, Py_ssize_t end) noexcept nogil
cdef Py_ssize_t open_span(
    SpanIndex index, Spans s, SpanWeights weights, Py_ssize_t g, Py_ssize_t i, Py_ssize_t j
) noexcept nogil
cdef Py_ssize_t match_group(
    SpanIndex index, Spans s, Py_ssize_t g, Py_ssize_t i, Py_ssize_t j
) noexcept nogil
cdef Py_ssize_t match_roots(SpanIndex index, Spans s, Py_ssize_t g, Py_ssize_t count) noexcept nogil
cdef void score_group(
    SpanIndex index, Spans s, SpanWeights weights, Py_ssize_t g, Py_ssize_t i, Py_ssize_t j, Py_ssize_t row
) noexcept nogil
cdef bint fits(
    int[::1] values, Py_ssize_t start, Py_ssize_t end, Py_ssize_t base, unsigned char[::1] taken
) noexcept nogil
