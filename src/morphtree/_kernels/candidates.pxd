# The types of candidates.py, and what other kernels call.

from morphtree._kernels.candidate_tables cimport CandidateWorkspace, Transducer
from morphtree._kernels.pair cimport PairTable

cpdef void find_candidates(CandidateWorkspace c, long long[::1] codes, int[::1] letters) noexcept nogil
cpdef void edit_scores(CandidateWorkspace c, bint by_proposal) noexcept nogil
cdef void keep_word(CandidateWorkspace c) noexcept nogil
cdef void keep_bare(CandidateWorkspace c, double total) noexcept nogil
cdef bint is_listed(CandidateWorkspace c) noexcept nogil
cdef double heaviest(CandidateWorkspace c) noexcept nogil
cdef void keep_likely(CandidateWorkspace c, double total) noexcept nogil
cdef void start_scores(CandidateWorkspace c, Transducer model, PairTable table) noexcept nogil
cdef double score(CandidateWorkspace c, Transducer model, PairTable table, Py_ssize_t f) noexcept nogil
cdef void score_forms(
    CandidateWorkspace c, Transducer model, PairTable table, double[::1] scores
) noexcept nogil
