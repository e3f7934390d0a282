# The types of attributes.py.

from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef void fill_attributes(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_bases(SpanTables tables, Spans s) noexcept nogil
cdef int hyphen(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_other(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_letters(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int zipf_class(int facts) noexcept nogil
cdef int word_kind(int facts) noexcept nogil
cdef int speech_class(int facts) noexcept nogil
cdef int paradigm(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_facts(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void look_at_letters(Spans s) noexcept nogil
cdef void without_prefix(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef int changes(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_spellings(SpanTables tables, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef unsigned long long change_hash(Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_base(Spans s, int link, int answer, int derived) noexcept nogil

# the numbers of the attributes
cdef int STRING, LENGTH, EDGE, LEFT, RIGHT, HEAD, TAIL, REST, BEFORE, ATTESTED, ZIPF, KIND
cdef int SPEECH, WORD_ZIPF, WORD_SPEECH, GAIN, PARADIGM, DERIVED, ANY_KIN, ANY_TOLD, COMPLEXITY
cdef int JOINED_ZIPF, JOINED_KIND, JOINED_SPEECH, SUFFIX_LINK, PREFIX_LINK, KIN, SUFFIX_KIN
cdef int PREFIX_KIN, TOLD, SUFFIX_TOLD, PREFIX_TOLD, CHANGE, DISTANCE, INNER, HYPHEN
cdef int OTHER_ZIPF, OTHER_KIND, OTHER_SPEECH, OTHER_KIN, OTHER_TOLD, OTHER_LENGTH, STEM

# where the facts of a word are
cdef int ZIPF_BITS, KIND_BITS, SPEECH_BITS, BY_SUFFIX, BY_PREFIX, MEANT
cdef int ANY_TOLD_BITS, ANY_KIN_BITS, COMPLEXITY_BITS
cdef int KIND_AT, SPEECH_AT, DERIVED_AT, ANY_TOLD_AT, ANY_KIN_AT, COMPLEXITY_AT
