# The types of decode.py.

from morphtree._kernels.candidate_tables cimport CandidateWorkspace
from morphtree._kernels.parser cimport Parser

cdef class Decoder:
    cdef public Parser parser
    cdef public CandidateWorkspace candidates
    cdef long long[::1] alphabet  # (A,)  code points
    cdef double stacking  # weight of the proposal transducer's log score of a form
    cdef double inverse_temperature  # of the log scores of forms
    cdef long long[::1] form  # (M,)  code points of the form at hand

cdef class Analyses:
    cdef int[:, ::1] order  # (W, n)  which of the following is best, second ...
    cdef int[:, ::1] lengths  # (W, n)  letters of the form; -1: there is no such analysis
    cdef long long[:, :, ::1] forms  # (W, n, M)  code points
    cdef double[:, ::1] log_probs  # (W, n)
    cdef int[:, :, :, ::1] nodes  # (W, n, N, 4)  label, start, end, number of children; parents first
    cdef int[:, ::1] counts  # (W, n)  of nodes
    cdef double[::1] coverage  # (W,)  how much of the proposal transducer's mass the candidates hold

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
cdef void decode_word(
    Decoder d, long long[::1] codes, bint weighed, Analyses out, Py_ssize_t w
) noexcept nogil
