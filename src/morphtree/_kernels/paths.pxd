# The types of paths.py, and what other kernels call.

from morphtree._kernels.candidate_tables cimport CandidateWorkspace

cdef void search(CandidateWorkspace c) noexcept nogil
cdef Py_ssize_t note(CandidateWorkspace c, Py_ssize_t size, double mass) noexcept nogil
cdef void swap(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t other) noexcept nogil
cdef void find_options(CandidateWorkspace c, Py_ssize_t i) noexcept nogil
cdef double bigram(CandidateWorkspace c, Py_ssize_t x, Py_ssize_t last, Py_ssize_t d) noexcept nogil
cdef void find_arcs(CandidateWorkspace c, Py_ssize_t i, Py_ssize_t last) noexcept nogil
cdef void add_arc(CandidateWorkspace c, int target, int letter, double weight) noexcept nogil
cdef void find_writes(CandidateWorkspace c, Py_ssize_t i, Py_ssize_t last) noexcept nogil
cdef void reach_state(CandidateWorkspace c, Py_ssize_t i, Py_ssize_t r, Py_ssize_t place) noexcept nogil
cdef void reach(CandidateWorkspace c) noexcept nogil
cdef void look_ahead(CandidateWorkspace c) noexcept nogil
cdef void weigh_state(CandidateWorkspace c, Py_ssize_t r, Py_ssize_t place, double at_end) noexcept nogil
cdef double shares(
    CandidateWorkspace c, Py_ssize_t r, Py_ssize_t place, double top, double at_end
) noexcept nogil
cdef double share(double log_share) noexcept nogil
cdef void open_node(
    CandidateWorkspace c, Py_ssize_t parent, Py_ssize_t r, Py_ssize_t place, int letter, double cost
) noexcept nogil
cdef void expand(CandidateWorkspace c, Py_ssize_t node) noexcept nogil
cdef void finish(CandidateWorkspace c, Py_ssize_t node) noexcept nogil
cdef bint goes_on(CandidateWorkspace c) noexcept nogil
cdef void sort_equals(CandidateWorkspace c) noexcept nogil
cdef bint stands_before(CandidateWorkspace c, Py_ssize_t f, Py_ssize_t other) noexcept nogil
