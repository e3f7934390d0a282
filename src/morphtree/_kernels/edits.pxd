# The types of edits.py, which the kernels of the engine use.

from morphtree._kernels.hashing cimport EditTemplates
from morphtree._kernels.pair cimport EditWeights, PairTable

cdef class EditWorkspace:
    # the model's side
    cdef public EditTemplates templates
    cdef public Py_ssize_t known  # A: letters that the model knows
    cdef int[::1] bigram_start  # features of a cell of the bigrams (A+1, A+1, A+1), as one row
    cdef int[::1] bigram_feature
    # one word
    cdef EditWeights weights
    cdef PairTable table
    cdef int[::1] word  # (n,)  letters; A or more: one that the model does not know
    cdef Py_ssize_t n
    cdef int[::1] clipped  # (N,)  the same, at most A
    cdef int[::1] cells  # matches: features[k] adds to cell cells[k]
    cdef int[::1] features
    cdef Py_ssize_t matches
    cdef bint exponentiated
    cdef double[:, ::1] expected  # (N+1, 2A+3)
    cdef double[::1] bigram_expected  # as one row
    cdef int[::1] used  # its cells that are not zero
    cdef Py_ssize_t used_count

cdef bint start_edits(
    EditWorkspace e, long long[::1] codes, int[::1] letters, double[::1] weights
) noexcept nogil
cdef double pair_sum(EditWorkspace e, int[::1] form) noexcept nogil
cdef void pair_expect(EditWorkspace e, int[::1] form, double scale) noexcept nogil
cdef void count_bigram(EditWorkspace e, int x, int c, int d, double mass) noexcept nogil
