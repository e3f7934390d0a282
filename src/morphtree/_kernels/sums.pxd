# The types of sums.py, which decode.py uses too.

from morphtree._kernels.pairs cimport Edits
from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef class Batch:
    cdef long long[::1] word_codes
    cdef int[::1] word_letters
    cdef int[::1] word_start  # (W+1,)
    cdef long long[::1] form_codes
    cdef int[::1] form_letters
    cdef int[::1] form_start  # (F+1,)
    cdef int[::1] first_form  # (W+1,)  the forms of word w: first_form[w] .. first_form[w+1]
    cdef double[::1] offset  # (F,)  log offset
    cdef int[::1] first_gold  # (W+1,)
    cdef int[::1] gold_form  # (G,)
    cdef double[::1] gold_weight  # (G,)
    cdef int[::1] gold_flat  # (G,)  whether only the leaves are known
    cdef int[::1] first_node  # (G+1,)
    cdef int[:, ::1] nodes  # (N, 4)  label, start, end, rule; of flat ones only the boundaries count

cdef class Sums:
    cdef public Edits edits
    cdef public SpanTables tables
    cdef public Spans spans
    cdef double[::1] edit_weights
    cdef double[::1] part_weights
    cdef double[::1] rule_log  # (R,)
    cdef int[::1] rule_start  # features of a rule
    cdef int[::1] rule_feature
    cdef double[::1] rule_expected  # (R,)
    cdef double[:, :, ::1] inside  # (M, M+1, labels)
    cdef double[:, :, ::1] posterior  # (M, M+1, labels)
    cdef double[:, ::1] sums  # (2, labels)  running sum
    cdef int[::1] cuts  # (M+1,)  boundaries of a flat gold
    cdef double[::1] terms  # (forms of a word,)
    cdef public double cool  # 1 / temperature, of the log scores of forms

cdef double tree_sum(Sums s, bint clamped, bint best) noexcept nogil
cdef double leaf_log(Sums s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef double span_log(Sums s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a) noexcept nogil
cdef void tree_expect(Sums s, double scale, bint clamped) noexcept nogil
cdef double open_form(Sums s, Batch b, Py_ssize_t f) noexcept nogil
cdef double add_gold(Sums s, Batch b, Py_ssize_t g) noexcept nogil
cdef bint start(Sums s, Batch b, Py_ssize_t w) noexcept nogil
cdef double weigh_forms(Sums s, Batch b, Py_ssize_t w) noexcept nogil
