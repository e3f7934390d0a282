# The types of forms.py.

from morphtree._kernels.mixing cimport Table
from morphtree._kernels.pairs cimport Edits

cdef class Proposals:
    # rules: what stands at the end of a word -> the rest of the stem, and what follows it
    cdef Table ends
    cdef int[::1] starts  # rules of row r: starts[r] .. starts[r+1]
    cdef int[::1] codes  # the letters of their strings, end to end
    cdef long long[::1] stem_codes  # the same as code points
    cdef int[:, ::1] rules  # (R, 4)  start of the rest, its end (where the tail starts), end of the tail, count
    cdef Py_ssize_t longest  # letters of the longest end
    cdef Table words  # that can be stems
    cdef int[::1] zipf  # (words,)  16 times their frequency class
    cdef int[:, ::1] tails  # (R, 3)  by end: start and end of a tail among the letters, count
    cdef int[::1] tail_start  # tails of row r of the ends
    cdef int[:, ::1] rests  # (S, 3)  start and end of a rest among the letters, count
    cdef long long[::1] prefixes  # end to end
    cdef int[::1] prefix_start

cdef class Forms:
    # scratch space and result: the listed forms of one word
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
    cdef double[::1] heap_value
    cdef int[::1] heap_node
    cdef Py_ssize_t heap_size
    cdef Py_ssize_t node_count
    # found forms
    cdef int[:, ::1] letters  # (room, L)
    cdef int[::1] lengths
    cdef double[::1] mass  # log weight of the paths found; NaN for a proposal
    cdef unsigned long long[::1] hashes
    cdef int[::1] counts  # of proposals: how often their rule was seen
    cdef Py_ssize_t found
