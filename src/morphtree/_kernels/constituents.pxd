# The types of constituents.py.

from morphtree._kernels.span_tables cimport Spans, SpanTables

cdef void find_spans(SpanTables tables, Spans s, long long[::1] form) noexcept nogil
cdef void keep_same(Spans s) noexcept nogil
cpdef void align(long long[::1] word, long long[::1] form, int[:, ::1] steps, int[::1] position) noexcept nogil
cdef void note_changes(Spans s) noexcept nogil
cdef void find_closed(SpanTables tables, Spans s) noexcept nogil
cdef void spell(SpanTables tables, Spans s) noexcept nogil
cdef void reach(Spans s) noexcept nogil
cdef void build(SpanTables tables, Spans s) noexcept nogil
cdef void spell_words(Spans s, int labels) noexcept nogil
cdef bint is_at_hyphen(Spans s, Py_ssize_t at) noexcept nogil
cdef void start_at_hyphens(Spans s) noexcept nogil
cdef void keep_apart(Spans s) noexcept nogil
cdef bint is_apart(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int branched(
    SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t words
) noexcept nogil
cdef bint splits(
    int left, int right, Spans s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t words
) noexcept nogil
cdef void prune(SpanTables tables, Spans s) noexcept nogil
cdef void need_parts(
    SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t words
) noexcept nogil

cdef void find_stored(SpanTables tables, Spans s) noexcept nogil
cdef int stored_row(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil

cdef enum:
    WORD_SIZE = 64
