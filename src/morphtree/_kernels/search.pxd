# The types of search.py.

from morphtree._kernels.arcs cimport Arcs
from morphtree._kernels.heap cimport Heap

cdef class Search:
    # prefixes that were opened: an expanded prefix + a letter, in order of age
    cdef Heap open
    cdef int[::1] open_parent
    cdef int[::1] open_letter
    # expanded prefixes
    cdef double[:, ::1] vectors  # (cap, n+1)  weight per position, divided by exp(scale)
    cdef double[::1] scales
    cdef int[::1] parents
    cdef int[::1] letters
    cdef int[::1] depths
    # the best complete forms: expanded prefix + last letter, or letter -1: the prefix itself
    cdef double[::1] best_score
    cdef int[::1] best_parent
    cdef int[::1] best_letter
    cdef int opened
    cdef int expanded
    cdef int found
    cdef double seen_mass  # log weight of all complete forms met
    cdef bint lost

cdef void complete(Search s, double score, int parent, int letter) noexcept nogil
cdef double extend(
    Arcs arcs, Search s, Py_ssize_t node, Py_ssize_t d, Py_ssize_t i, double deleted
) noexcept nogil
cdef Py_ssize_t open_node(Arcs arcs, Search s, int parent, int letter) noexcept nogil
cdef void reach(
    Arcs arcs, Search s, Py_ssize_t node, double[:, :, ::1] beta, int[:, ::1] b_exp, int highest
) noexcept nogil
cdef void reach_fast(
    Arcs arcs, Search s, Py_ssize_t node, double[:, :, ::1] beta, int[:, ::1] b_exp, int highest
) noexcept nogil
cdef void expand(
    Arcs arcs, Search s, Py_ssize_t node, double[:, :, ::1] beta, int[:, ::1] b_exp
) noexcept nogil
cdef void note_letters(Arcs arcs, Search s, Py_ssize_t node, double log_scale) noexcept nogil
