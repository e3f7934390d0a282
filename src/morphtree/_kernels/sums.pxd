# The types of sums.py, which decode.py uses too.

from morphtree._kernels.chart cimport Chart
from morphtree._kernels.edits cimport EditWorkspace
from morphtree._kernels.matches cimport Constituents, Matches
from morphtree._kernels.span_tables cimport SpanTables, Spans

cdef class Batch:
    cdef long long[::1] word_codes
    cdef int[::1] word_letters
    cdef int[::1] word_start  # (W+1,)
    cdef long long[::1] form_codes
    cdef int[::1] form_letters
    cdef int[::1] form_start  # (F+1,)
    cdef int[::1] first_form  # (W+1,)  the forms of word w: first_form[w] .. first_form[w+1]
    cdef double[::1] offset  # (F,)  log offset; a form with -inf is left out
    cdef public double[::1] share  # (F,)  out: of each form in its word, where gradients are taken; or None
    cdef int[::1] first_gold  # (W+1,)
    cdef int[::1] gold_form  # (G,)
    cdef double[::1] gold_weight  # (G,)
    cdef int[::1] gold_flat  # (G,)  whether only the leaves are known
    cdef int[::1] first_node  # (G+1,)
    cdef int[:, ::1] nodes  # (N, 4)  label, start, end, rule; of flat ones only the boundaries count
    cdef public Matches matches  # what is known already of forms that are not left out, or None

cdef class Workspace:
    cdef public EditWorkspace edits
    cdef public SpanTables tables
    cdef public Spans spans
    cdef double[::1] edit_weights
    cdef double[::1] span_weights
    cdef int[::1] rule_start  # features of a rule
    cdef int[::1] rule_feature
    cdef public Chart chart
    cdef int[::1] gold_end  # (M+1,)  where the segment of a flat gold ends that starts at a place
    cdef double[::1] log_edit  # (forms of a word,)  of the transducer alone, over the temperature
    cdef double[::1] log_mass  # (forms of a word,)  and with all trees
    cdef Constituents opened  # forms of the word at hand
    cdef int[::1] row_numbers  # (rows,)  of the workspace, for the rows of stored matches
    cdef bint stored  # whether the word's matches are
    cdef Py_ssize_t first  # form of the word
    cdef Py_ssize_t at  # number of the word
    cdef public double inverse_temperature  # of the log scores of forms

cdef void load_rows(Workspace s, bint logs, bint clamped) noexcept nogil
cdef double tree_sum(Workspace s, bint clamped) noexcept nogil
cdef void tree_expect(Workspace s, double scale) noexcept nogil
cdef bint start(Workspace s, Batch b, Py_ssize_t w) noexcept nogil
cdef void open_spans(Workspace s, Batch b, Py_ssize_t f) noexcept nogil
cdef void match_form(Workspace s, Batch b, Py_ssize_t f) noexcept nogil
cdef double open_form(Workspace s, Batch b, Py_ssize_t f) noexcept nogil
cdef double weigh_forms(Workspace s, Batch b, Py_ssize_t w) noexcept nogil
cdef double add_gold(Workspace s, Batch b, Py_ssize_t g) noexcept nogil
cdef void expect_edits(Workspace s, Batch b, Py_ssize_t f, double weight) noexcept nogil
cdef void count_row(
    Workspace s, Py_ssize_t i, Py_ssize_t j, Py_ssize_t a, double spelt, double branching
) noexcept nogil
cdef double add_node(Workspace s, int[::1] node, double weight) noexcept nogil
cdef bint is_unary(Workspace s, int rule) noexcept nogil
cdef bint match_word(Workspace s, Batch b, Py_ssize_t w, Matches matches) noexcept nogil
