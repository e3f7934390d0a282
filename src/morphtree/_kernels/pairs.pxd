# The types of pairs.py, which sums.py uses too.

from morphtree._kernels.hashing cimport EditTemplates

cdef class Edits:
    # the model's side
    cdef public EditTemplates templates
    cdef public Py_ssize_t known  # A: letters that the model knows
    cdef double[:, :, ::1] bigrams  # (A+1, A+1, A+1)  log weight: read (A: none), last (A: none), written (A: none)
    cdef int[::1] bigram_start  # features of a cell of that array
    cdef int[::1] bigram_feature
    # one word
    cdef int[::1] word  # (n,)  letters; A or more: one that the model does not know
    cdef Py_ssize_t n
    cdef int[::1] clipped  # (N,)  the same, at most A
    cdef int[::1] cells  # matches: features[k] adds to cell cells[k]
    cdef int[::1] features
    cdef Py_ssize_t matches
    cdef double[:, ::1] local  # (N+1, 2A+3)  log weight: write d, insert d, delete
    cdef double[:, ::1] expected  # (N+1, 2A+3)
    cdef double[:, :, ::1] bigram_expected  # (A+1, A+1, A+1)
    cdef int[:, ::1] touched  # its cells that are not zero
    cdef Py_ssize_t touched_count
    # one pair
    cdef int[::1] last_form  # (M,)  the form in the table
    cdef Py_ssize_t last_size
    cdef double[:, ::1] alpha  # (M+1, N+1)
    cdef double[:, ::1] posterior  # (M+1, N+1)

cdef bint start_edits(Edits e, long long[::1] codes, int[::1] letters, double[::1] weights) noexcept nogil
cdef double pair_sum(Edits e, int[::1] form) noexcept nogil
cdef void pair_expect(Edits e, int[::1] form, double scale) noexcept nogil
cdef void note_bigram(Edits e, int x, int c, int d, double mass) noexcept nogil
