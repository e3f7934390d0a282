# The types of local_edits.py.

from morphtree._kernels.candidate_tables cimport CandidateWorkspace, Transducer
from morphtree._kernels.pair cimport EditWeights

cdef void take_word(CandidateWorkspace c, long long[::1] codes, int[::1] letters) noexcept nogil
cdef void match_word(CandidateWorkspace c) noexcept nogil
cdef void start_unknown(CandidateWorkspace c, unsigned long long code) noexcept nogil
cdef void match_place(
    CandidateWorkspace c, Py_ssize_t i, Py_ssize_t end, Py_ssize_t row, int rows
) noexcept nogil
cdef void add_context(CandidateWorkspace c, Py_ssize_t base, Py_ssize_t row, Py_ssize_t first) noexcept nogil
cdef void add_kind(CandidateWorkspace c, Py_ssize_t base, Py_ssize_t row, Py_ssize_t f) noexcept nogil
cdef void add_hit(CandidateWorkspace c, Py_ssize_t cell, Py_ssize_t first, Py_ssize_t end) noexcept nogil
cdef Py_ssize_t neighbour(CandidateWorkspace c, Py_ssize_t i) noexcept nogil
cdef void copy_logs(CandidateWorkspace c, Transducer model, EditWeights w) noexcept nogil
cdef void copy_numbers(CandidateWorkspace c, Transducer model, EditWeights w) noexcept nogil
cdef void weigh_logs(CandidateWorkspace c, Transducer model, EditWeights w) noexcept nogil
cdef void weigh_numbers(CandidateWorkspace c, Transducer model, EditWeights w) noexcept nogil
cdef void only_copy(CandidateWorkspace c, double[:, ::1] values, double zero) noexcept nogil
