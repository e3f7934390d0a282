# The types of proposing.py, and what other kernels call.

from morphtree._kernels.candidate_tables cimport CandidateWorkspace

cdef void propose(CandidateWorkspace c) noexcept nogil
cdef void propose_near(CandidateWorkspace c) noexcept nogil
cdef bint is_near(CandidateWorkspace c, Py_ssize_t f) noexcept nogil
cdef int less_own(int count, Py_ssize_t number, int[::1] own) noexcept nogil
cdef void find_prefixes(CandidateWorkspace c) noexcept nogil
cdef void hash_stems(CandidateWorkspace c, Py_ssize_t size) noexcept nogil
cdef void find_ends(CandidateWorkspace c) noexcept nogil
cdef void begin(CandidateWorkspace c, Py_ssize_t size) noexcept nogil
cdef void append(CandidateWorkspace c, Py_ssize_t at, Py_ssize_t start, Py_ssize_t end) noexcept nogil
cdef bint has_stem(CandidateWorkspace c, Py_ssize_t i, Py_ssize_t rule) noexcept nogil
cdef void add_group(CandidateWorkspace c, Py_ssize_t i, Py_ssize_t group) noexcept nogil
cdef void add_near(CandidateWorkspace c, Py_ssize_t i, unsigned long long base) noexcept nogil
cdef void add_tails(
    CandidateWorkspace c, Py_ssize_t i, Py_ssize_t start, Py_ssize_t end, int zipf
) noexcept nogil
cdef bint ends_in(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t at, Py_ssize_t start) noexcept nogil
cdef bint has_neighbour(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t i, Py_ssize_t end) noexcept nogil
cdef unsigned long long rest_hash(
    CandidateWorkspace c, unsigned long long h, Py_ssize_t f, Py_ssize_t i, Py_ssize_t end
) noexcept nogil
cdef void keep_most(CandidateWorkspace c, Py_ssize_t first, Py_ssize_t most) noexcept nogil
cdef void propose_undoubled(CandidateWorkspace c) noexcept nogil
cdef void propose_stored(CandidateWorkspace c) noexcept nogil
cdef bint begins_alike(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t size) noexcept nogil
cdef void complete_stored(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t start) noexcept nogil
cdef void put_stored(
    CandidateWorkspace c, Py_ssize_t f, Py_ssize_t start, Py_ssize_t end, Py_ssize_t r
) noexcept nogil
