# The types of gradients.py.

from morphtree._kernels.sums cimport Batch, Workspace

cdef class Entries:
    cdef int[::1] features
    cdef double[::1] values
    cdef int[::1] starts  # (words+1,)
    cdef double[::1] log_probs  # (words,)
    cdef Py_ssize_t count

cdef class AdaGrad:
    cdef double[::1] weights
    cdef double[::1] accumulator  # summed squares of the gradients of the log likelihood
    cdef double[::1] shrinkage  # the factor by which the proximal step of a full batch shrinks
    cdef double[::1] gradient  # zero between steps
    cdef int[::1] marks  # -1, or the place among the touched; -2: not to be moved
    cdef int[::1] touched
    cdef double learning_rate
    cdef double full_l2  # share of a full batch in the regulariser: lambda b / N
    cdef double last_l2  # share of the last batch of an epoch, which may be smaller

cdef void emit(Entries out, Py_ssize_t feature, double value) noexcept nogil
cdef void emit_all(Workspace s, Entries out) noexcept nogil
cdef bint is_used(Workspace s, Py_ssize_t row) noexcept nogil
cdef double one_word(Workspace s, Batch b, Py_ssize_t w, Entries out) noexcept nogil
cdef void expect(
    Workspace s, Py_ssize_t i, int x, Py_ssize_t c, Py_ssize_t d, Py_ssize_t column, double mass
) noexcept nogil
cdef double shrinkage_of(AdaGrad a, Py_ssize_t f, double l2) noexcept nogil
cdef void proximal_step(AdaGrad a, bint is_short) noexcept nogil
