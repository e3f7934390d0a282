# The types of gradients.py.

from morphtree._kernels.edits cimport EditWorkspace
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
    cdef unsigned char[::1] marks  # 1: touched in this step, 2: not to be moved
    cdef int[::1] touched
    cdef double learning_rate
    cdef double full_l2  # share of a full batch in the regulariser: lambda b / N
    cdef double last_l2  # share of the last batch of an epoch, which may be smaller

cdef void emit(Entries out, Py_ssize_t feature, double value) noexcept nogil
cdef void emit_all(Workspace s, Entries out) noexcept nogil
cdef bint is_used(Workspace s, Py_ssize_t row) noexcept nogil
cdef double one_word(Workspace s, Batch b, Py_ssize_t w, Entries out) noexcept nogil
cdef void take_written(
    Workspace s, Py_ssize_t i, Py_ssize_t x, Py_ssize_t column, double[:, :, ::1] probs
) noexcept nogil
cdef void take_deleted(Workspace s, Py_ssize_t i, double[:, ::1] probs) noexcept nogil
cdef bint comes_again(Workspace s, Py_ssize_t i) noexcept nogil
cdef void list_bigrams(EditWorkspace e, Py_ssize_t x) noexcept nogil
cdef double fill_numbers(
    EditWorkspace e, double[:, ::1] substitute, double[:, ::1] insert, double[::1] delete
) noexcept nogil
cdef double shrinkage_of(AdaGrad a, Py_ssize_t f, double l2) noexcept nogil
cdef void proximal_step(AdaGrad a, bint is_short) noexcept nogil
cdef int add_entries(AdaGrad a, Entries out, int count) noexcept nogil
cdef void move_touched(AdaGrad a, int count) noexcept nogil
