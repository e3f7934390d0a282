# The types of chart.py, which topdown.py and kbest.py read.

cdef class Rules:
    cdef public Py_ssize_t labels  # A: the grammar's own labels, then intermediate ones
    cdef public int start
    cdef public int[::1] leaf  # (A,)  number of the rule that lets the label spell; -1: none
    cdef public int[::1] branches  # (A,)  whether the label is the parent of a binary rule
    cdef public int[:, ::1] unary  # (U, 3)  parent, child, rule number; rules of children first
    cdef public int[:, ::1] binary  # (B, 4)  parent, left, right, rule number or -1
    cdef public int[::1] order  # (A,)  the labels, each after the children of its unary rules

cdef class Chart:
    cdef public Rules rules
    cdef public Py_ssize_t m
    cdef public bint logs  # whether weights are logarithms, not scaled numbers
    cdef public bint lost  # whether scaled numbers have lost something
    cdef bint shifted  # whether any exponent is not 0
    cdef double sharpness  # what all log weights are multiplied by
    cdef double[::1] rule_log  # (R,)  log weight of each rule
    cdef int[:, ::1] need  # (M, M+1)  labels (as bits) that a span may have; all beyond 30 or none
    cdef int[:, ::1] places  # (M*(M+1)/2, 2)  start and end of the spans with such labels, short ones first
    cdef Py_ssize_t count  # of these spans
    cdef Py_ssize_t words  # W: 64-bit words of a set of places of the form
    cdef unsigned long long[::1] ends  # (m+1, A, W) flat: where a label that starts here may end, as bits
    cdef unsigned long long[::1] starts  # (m+1, A, W) flat: where a label that ends here may start
    cdef double[:, :, ::1] leaf  # (M, M+1, A)  weight: the label spells u[i:j]
    cdef double[:, :, ::1] span  # (M, M+1, A)  weight: the label branches over u[i:j]
    cdef double[::1] weight  # (U+B,)  of the unary rules, then of the binary ones
    cdef double[:, :, ::1] inside  # (M, M+1, A)
    cdef int[:, ::1] exponents  # (M, M+1)  of a span's scaled inside sums
    # stored derivations: splits that weigh more than others of the same span under the same rule
    cdef double stored_log  # log weight by which they do
    cdef double bonus  # the same, times the sharpness
    cdef double gain  # exp(bonus) - 1, or its log
    cdef int[:, ::1] stored_first  # (M, M+1)  1 + the first of a span; 0: none
    cdef int[:, ::1] stored  # (capacity, 3)  binary rule, split, 1 + the next of the same span
    cdef Py_ssize_t stored_count
    # expected uses, by `expect`
    cdef double[:, :, ::1] posterior  # (M, M+1, A)
    cdef double[:, :, ::1] leaf_expected  # (M, M+1, own)
    cdef double[:, :, ::1] span_expected  # (M, M+1, own)
    cdef double[::1] rule_expected  # (R,)
    # the best derivations of every label over every span, by `rank`
    cdef int[::1] ranks  # (cells,)  how many there are
    cdef double[:, ::1] scores  # (cells, K)  best first
    cdef int[:, :, ::1] back  # (cells, K, 4)  production, split, rank on the left, on the right

cdef void start_chart(Chart chart, Py_ssize_t m, bint logs) noexcept nogil
cdef void allow_needed(Chart chart, Py_ssize_t m) noexcept nogil
cdef void allow_span(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil

cdef inline Py_ssize_t set_of(Chart chart, Py_ssize_t a, Py_ssize_t i) noexcept nogil:
    return (i * chart.rules.labels + a) * chart.words

cdef inline unsigned long long splits(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c, Py_ssize_t x
) noexcept nogil:
    return chart.ends[set_of(chart, b, i) + x] & chart.starts[set_of(chart, c, j) + x]

cdef double weigh(Chart chart, double log_weight) noexcept nogil
cdef double fill_inside(Chart chart) noexcept nogil

cdef inline bint has(int labels, Py_ssize_t a) noexcept nogil:
    return (labels >> (a if a < 31 else 31)) & 1

cdef void load_all(
    Chart chart, double[:, :, ::1] leaf_log, double[:, :, ::1] span_log
) noexcept nogil
cdef double split_sum(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c
) noexcept nogil
cdef double shift_product(
    Chart chart, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j, double product
) noexcept nogil
cdef int highest_exponent(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_span(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef bint is_lost(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c
) noexcept nogil
cdef void start_stored(Chart chart) noexcept nogil
cdef void store_split(
    Chart chart, Py_ssize_t i, Py_ssize_t j, int r, Py_ssize_t size
) noexcept nogil
cdef double bonus_of(
    Chart chart, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j, Py_ssize_t r
) noexcept nogil
cdef double add_stored(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t r, double value
) noexcept nogil
cdef bint is_split(
    Chart chart, Py_ssize_t i, Py_ssize_t k, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c
) noexcept nogil
cdef bint has_split(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c
) noexcept nogil
cdef double split_sum_with_exponents(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t b, Py_ssize_t c
) noexcept nogil
cdef void shift_leaves(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void add_splits(Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t r) noexcept nogil
cdef void add_production(
    Chart chart, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a, double value, double weight
) noexcept nogil
cdef void note_loss(Chart chart, double value) noexcept nogil
cdef bint is_near_one(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void rescale(Chart chart, Py_ssize_t i, Py_ssize_t j) noexcept nogil
