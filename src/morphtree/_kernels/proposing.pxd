# The types of proposing.py, and what other kernels call.

from morphtree._kernels.mixing cimport Table
from morphtree._kernels.paths cimport Forms

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

cdef void propose(
    Proposals p, Forms s, long long[::1] codes, int[::1] letters, int[::1] own, Py_ssize_t most
) noexcept nogil
cdef void propose_near(
    Proposals p, Forms s, long long[::1] codes, int[::1] letters, int[::1] own_tails,
    int[::1] own_rests, Py_ssize_t most
) noexcept nogil
cdef int less_own(int count, Py_ssize_t number, int[::1] own) noexcept nogil
cdef bint begins_with(Proposals p, long long[::1] codes, Py_ssize_t q) noexcept nogil
cdef void begin(Forms s, int[::1] letters, Py_ssize_t size) noexcept nogil
cdef void append(Proposals p, Forms s, Py_ssize_t at, Py_ssize_t start, Py_ssize_t end) noexcept nogil
cdef bint has_stem(Proposals p, long long[::1] codes, Py_ssize_t i, Py_ssize_t rule) noexcept nogil
cdef void add_near(
    Proposals p, Forms s, int[::1] letters, Py_ssize_t i, Py_ssize_t row, unsigned long long
    base, int[::1] own_tails, int[::1] own_rests
) noexcept nogil
cdef void keep_most(Forms s, Py_ssize_t first, Py_ssize_t most) noexcept nogil
