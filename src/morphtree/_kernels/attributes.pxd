# The types of attributes.py.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void fill_attributes(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_word(Spans s) noexcept nogil
cdef void fill_bases(SpanTables tables, Spans s) noexcept nogil
cdef int hyphen(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_other(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_letters(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int zipf_class(int facts) noexcept nogil
cdef int word_kind(int facts) noexcept nogil
cdef int speech_class(int facts) noexcept nogil
cdef int paradigm(SpanTables tables, Spans s, unsigned long long h) noexcept nogil
cdef unsigned long long count_endings(SpanTables tables, Spans s, unsigned long long h) noexcept nogil
cdef void fill_facts(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void look_at_letters(Spans s) noexcept nogil
cdef void pad_letters(Spans s) noexcept nogil
cdef void look_left(Spans s) noexcept nogil
cdef void fill_prefixed(
    SpanTables tables, Spans s, unsigned long long h, int facts, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j
) noexcept nogil
cdef void without_prefix(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int changes(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_spellings(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef unsigned long long change_hash(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_base(Spans s, int link, int answer, int derived) noexcept nogil

# the numbers of the attributes, in the order of _layout.py; known when the kernel is compiled
cdef enum:
    STRING, LENGTH, EDGE, LEFT, LEFT2, LEFT3, RIGHT, RIGHT2, RIGHT3, RIGHT4, HEAD, HEAD2, TAIL,
    TAIL2, TAIL3, REST, BEFORE, ATTESTED, ZIPF, KIND, SPEECH, WORD_ZIPF, WORD_SPEECH, GAIN,
    PARADIGM, DERIVED, ANY_KIN, ANY_TOLD, COMPLEXITY, STEM, JOINED_ZIPF, JOINED_KIND, JOINED_SPEECH,
    SUFFIX_LINK, PREFIX_LINK, KIN, SUFFIX_KIN, PREFIX_KIN, TOLD, SUFFIX_TOLD, PREFIX_TOLD, CHANGE,
    DISTANCE, INNER, HYPHEN, OTHER_ZIPF, OTHER_KIND, OTHER_SPEECH, OTHER_KIN, OTHER_TOLD,
    OTHER_LENGTH

# where the facts of a word are, as in _layout.py
cdef enum:
    KIND_AT = 8
    SPEECH_AT = 10
    DERIVED_AT = 14
    ANY_TOLD_AT = 18
    ANY_KIN_AT = 20
    COMPLEXITY_AT = 23
    ZIPF_BITS = 255
    KIND_BITS = 3 << KIND_AT
    SPEECH_BITS = 15 << SPEECH_AT
    BY_SUFFIX = 1 << DERIVED_AT
    BY_PREFIX = 2 << DERIVED_AT
    MEANT = 12 << DERIVED_AT
    ANY_TOLD_BITS = 3 << ANY_TOLD_AT
    ANY_KIN_BITS = 7 << ANY_KIN_AT
    COMPLEXITY_BITS = 7 << COMPLEXITY_AT
