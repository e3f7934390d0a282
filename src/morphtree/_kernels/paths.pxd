# The types of paths.py, and what other kernels call.

from morphtree._kernels.edits cimport EditWorkspace
from morphtree._kernels.heap cimport Heap

cdef class Forms:
    # workspace and result: the candidate forms of one word
    cdef int longer
    cdef double beam  # log weight that an edit may lose
    cdef double[:, :, ::1] best  # (N+1, runs, A+2)  log weight of the best way to the end
    cdef double[:, :, ::1] total  # (N+1, runs, A+2)  of all ways
    cdef int[:, :, ::1] reached  # (N+1, runs, A+2)
    # the edits of a state (position, last letter), whatever was inserted before
    cdef int[:, :, :, ::1] arcs  # (N+1, A+2, 2A+1, 3)  moves on?, slot, letter written or -1
    cdef double[:, :, ::1] arc_weight  # (N+1, A+2, 2A+1)
    cdef int[:, ::1] arc_count  # (N+1, A+2)  -1: not yet listed
    cdef double[::1] values  # (A,)
    # search nodes
    cdef int[:, ::1] nodes  # (cap, 5)  position, run, last letter (as a slot), parent, letter written or -1
    cdef double[::1] cost  # (cap,)  log weight so far
    cdef Heap open
    cdef Py_ssize_t node_count
    # found forms
    cdef int[:, ::1] letters  # (capacity, L)
    cdef int[::1] lengths
    cdef double[::1] mass  # log weight of the paths found; NaN for a proposal
    cdef unsigned long long[::1] hashes
    cdef int[::1] counts  # of proposals: how often their rule was seen
    cdef Py_ssize_t found

cdef Py_ssize_t note(Forms s, Py_ssize_t size, double mass) noexcept nogil
cdef double search(EditWorkspace e, Forms s, Py_ssize_t k) noexcept nogil
cdef int as_letter(EditWorkspace e, int slot) noexcept nogil
cdef void add_arc(Forms s, Py_ssize_t i, Py_ssize_t x, int moves, int slot, int letter, double weight) noexcept nogil
cdef void find_arcs(EditWorkspace e, Forms s, Py_ssize_t i, Py_ssize_t x) noexcept nogil
cdef void reach(EditWorkspace e, Forms s) noexcept nogil
cdef void join(
    Forms s, Py_ssize_t i, Py_ssize_t r, Py_ssize_t x, double weight, Py_ssize_t j, Py_ssize_t
    q, Py_ssize_t y
) noexcept nogil
cdef void look_ahead(EditWorkspace e, Forms s) noexcept nogil
cdef void open_node(
    Forms s, Py_ssize_t parent, Py_ssize_t i, Py_ssize_t r, Py_ssize_t x, int letter, double cost
) noexcept nogil
cdef void expand(EditWorkspace e, Forms s, Py_ssize_t node) noexcept nogil
cdef void finish(EditWorkspace e, Forms s, Py_ssize_t node) noexcept nogil
