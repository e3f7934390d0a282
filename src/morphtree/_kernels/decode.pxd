# The types of decode.py.

from morphtree._kernels.analyses cimport Analyses
from morphtree._kernels.candidate_tables cimport CandidateWorkspace
from morphtree._kernels.parser cimport Parser
from morphtree._kernels.stored cimport StoredWords

cdef class Decoder:
    cdef public Parser parser
    cdef public CandidateWorkspace candidates
    cdef StoredWords stored
    cdef long long[::1] alphabet  # (A,)  code points
    cdef double stacking  # weight of the proposal transducer's log score of a form
    cdef double inverse_temperature  # of the log scores of forms
    # what all log scores of a word are multiplied by that the lexicon does not list:
    cdef double new_word  # if the stems of its best analysis are known
    cdef double new_stem  # if one is not
    cdef long long[::1] form  # (M,)  code points of the form at hand

cdef Py_ssize_t place_for(
    double score, int[::1] order, double[::1] scores, int[::1] lengths
) noexcept nogil
cdef void give_candidates(
    CandidateWorkspace c, long long[::1] codes, int[::1] letters, int[::1] form_letters,
    int[::1] form_start, double[::1] mass, Py_ssize_t first, Py_ssize_t end
) noexcept nogil
cdef double coverage(CandidateWorkspace c) noexcept nogil
cdef double log_edit(Decoder d, Py_ssize_t f) noexcept nogil
cdef void spell(Decoder d, Py_ssize_t f) noexcept nogil
cdef void add_trees(Decoder d, Analyses out, Py_ssize_t w, double score, Py_ssize_t m) noexcept nogil
cdef bint has_unknown_stem(Decoder d, Analyses out, Py_ssize_t w) noexcept nogil
cdef double own_sharpness(Decoder d, Analyses out, Py_ssize_t w) noexcept nogil
cdef double sharp_total(Decoder d, bint weighed, double sharpness) noexcept nogil
cdef bint is_stored(Decoder d, long long[::1] codes, Analyses out, Py_ssize_t w) noexcept nogil
cdef void decode_word(
    Decoder d, long long[::1] codes, bint weighed, Analyses out, Py_ssize_t w
) noexcept nogil
