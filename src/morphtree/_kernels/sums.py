"""log p and its gradient for many words: the joint sum over candidate forms, in one call.

JointDistribution of joint/joint_model.py is the definition; this one is for speed. A word's
gradient comes as (feature, value) pairs, so that they can be added up in the order of the words,
whatever the number of threads. Types in sums.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, log
from cython.cimports.morphtree._kernels._constants import FAINT, INF, NAN
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_ROWS
from cython.cimports.morphtree._kernels.chart import allow_needed, fill_inside, start_chart
from cython.cimports.morphtree._kernels.edits import pair_expect, pair_sum, start_edits
from cython.cimports.morphtree._kernels.matches import (
    Matches,
    forget_forms,
    has_form,
    has_word,
    note_form,
    note_rows,
    reopen_form,
    start_rows,
    take_rows,
)
from cython.cimports.morphtree._kernels.parser import leaf_log, load_span, span_log
from cython.cimports.morphtree._kernels.spans import clear_rows, prepare, start_word
from cython.cimports.morphtree._kernels.topdown import expect


@cython.cclass
class Batch:
    """Words with their candidate forms and gold readings, packed into flat arrays."""

    def __init__(self, words, forms, gold, nodes):
        self.word_codes, self.word_letters, self.word_start = words
        self.form_codes, self.form_letters, self.form_start, self.first_form, self.offset = forms
        self.first_gold, self.gold_form, self.gold_weight, self.gold_flat = gold
        self.first_node, self.nodes = nodes
        self.share = None
        self.matches = None


@cython.cclass
class Workspace:
    """A joint model's tables, and memory for one word at a time."""

    def __init__(self, edits, tables, spans, weights, rules, chart, vectors, opened):
        self.edits = edits
        self.tables = tables
        self.spans = spans
        self.edit_weights, self.span_weights = weights
        self.rule_start, self.rule_feature = rules
        self.chart = chart
        self.chart.need = self.spans.need
        self.gold_end, self.log_edit, self.log_mass = vectors
        self.opened, self.row_numbers = opened
        self.inverse_temperature = 1.0


def load_rows(s, logs, clamped):
    """Load the chart with the scores of the prepared form; spans that no parse needs are left out.

    A clamped one spells only the segments of a flat gold.
    """
    start_chart(s.chart, s.spans.m, logs)
    for x in range(s.chart.count):
        i = s.chart.places[x, 0]
        j = s.chart.places[x, 1]
        spelt = 0 if clamped and s.gold_end[i] != j else s.spans.spells[i, j]
        load_span(s.tables, s.spans, s.chart, i, j, spelt)


def tree_sum(s, clamped):
    """Fill the inside table of the prepared form; return the log partition."""
    allow_needed(s.chart, s.spans.m)
    load_rows(s, False, clamped)
    total = fill_inside(s.chart)
    if total != total:  # scaled numbers cannot hold it
        load_rows(s, True, clamped)
        total = fill_inside(s.chart)
    return total


def count_row(s, i, j, a, spelt, branching):
    """Count the uses of a label of the grammar over a span: spelt, and branching."""
    if (s.tables.scored >> a) & 1:
        row = s.spans.row_of[i, j]
        s.spans.row_weight[row, 0] += spelt + branching
        s.spans.row_weight[row, 1 + 3 * a] += spelt + branching
        s.spans.row_weight[row, 2 + 3 * a] += spelt
        s.spans.row_weight[row, 3 + 3 * a] += branching


def tree_expect(s, scale):
    """Add the expected uses of every production over the filled table, times `scale`."""
    expect(s.chart, scale, FAINT)
    for i in range(s.spans.m):
        for j in range(i + 1, s.spans.m + 1):
            if s.spans.need[i, j] & s.tables.scored:
                for a in range(s.tables.own):
                    if (s.spans.need[i, j] >> a) & 1:
                        count_row(
                            s, i, j, a, s.chart.leaf_expected[i, j, a],
                            s.chart.span_expected[i, j, a],
                        )  # fmt: skip


def start(s, b, w):
    """Begin a word; False if the buffers are too small."""
    first = b.word_start[w]
    end = b.word_start[w + 1]
    s.at = w
    s.first = b.first_form[w]
    s.stored = b.matches is not None and has_word(b.matches, w)
    if s.stored:
        clear_rows(s.spans)
        s.spans.full = not start_rows(b.matches, w, s.row_numbers)
    else:
        start_word(s.tables, s.spans, b.word_codes[first:end])
        forget_forms(s.opened, b.first_form[w + 1] - s.first)
    for r in range(s.chart.rule_expected.shape[0]):
        s.chart.rule_expected[r] = 0.0
    return start_edits(s.edits, b.word_codes[first:end], b.word_letters[first:end], s.edit_weights)


def open_spans(s, b, f):
    """Find the constituents of a form and their features, or put back what was found before."""
    m = b.form_start[f + 1] - b.form_start[f]
    if s.spans.full:
        return
    if s.stored:
        reopen_form(b.matches.forms, f, s.spans, m)
        take_rows(b.matches, s.at, s.spans, s.row_numbers, s.span_weights)
    elif has_form(s.opened, f - s.first):
        reopen_form(s.opened, f - s.first, s.spans, m)
    else:
        match_form(s, b, f)
        note_form(s.opened, f - s.first, s.spans, s.tables.scored)


def match_form(s, b, f):
    """Find the constituents of a form and their features."""
    prepare(s.tables, s.spans, b.form_codes[b.form_start[f] : b.form_start[f + 1]], s.span_weights)


def open_form(s, b, f):
    """Prepare a form and fill its pair table; return log S(u, w)."""
    open_spans(s, b, f)
    return pair_sum(s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]])


def weigh_forms(s, b, w):
    """Fill `log_mass` with the log share of every form; return the log of their sum."""
    first = b.first_form[w]
    top = -INF
    total = 0.0
    for x in range(b.first_form[w + 1] - first):
        s.log_edit[x] = s.log_mass[x] = -INF
        if b.offset[first + x] == -INF:
            continue
        s.log_edit[x] = s.inverse_temperature * (b.offset[first + x] + open_form(s, b, first + x))
        if s.spans.full:
            return NAN
        s.log_mass[x] = s.log_edit[x] + tree_sum(s, False)
        top = max(top, s.log_mass[x])
    if top == -INF:
        return top
    for x in range(b.first_form[w + 1] - first):
        total += exp(s.log_mass[x] - top)
    return top + log(total)


def add_gold(s, b, g):
    """Count one gold reading; return its log score."""
    f = b.gold_form[g]
    weight = b.gold_weight[g]
    score = s.inverse_temperature * (b.offset[f] + open_form(s, b, f))
    if score == -INF:
        return score
    if b.gold_flat[g]:
        for x in range(b.first_node[g], b.first_node[g + 1]):
            s.gold_end[b.nodes[x, 1]] = b.nodes[x, 2]
        score += tree_sum(s, True)
        if score > -INF:
            tree_expect(s, weight)
        for x in range(b.first_node[g], b.first_node[g + 1]):
            s.gold_end[b.nodes[x, 1]] = 0
    else:
        for x in range(b.first_node[g], b.first_node[g + 1]):
            score += add_node(s, b.nodes[x], weight)
    if score > -INF:
        expect_edits(s, b, f, weight)
    return score


def expect_edits(s, b, f, weight):
    """Count the expected edits from the word to a form whose pair table is filled."""
    pair_expect(
        s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]],
        s.inverse_temperature * weight,
    )  # fmt: skip


def add_node(s, node, weight):
    """Count one node of a gold tree; return its log weight, -inf if the form cannot have it."""
    a = node[0]
    i = node[1]
    j = node[2]
    score = 0.0
    if not (s.spans.need[i, j] >> a) & 1:
        return -INF
    if node[3] >= 0:
        s.chart.rule_expected[node[3]] += weight
        score = s.chart.rule_log[node[3]]
    if a < s.tables.own and node[3] >= 0 and s.tables.rules.leaf[a] == node[3]:
        if not (s.spans.spells[i, j] >> a) & 1:
            return -INF
        count_row(s, i, j, a, weight, 0.0)
        return leaf_log(s.tables, s.spans, s.chart, i, j, a)
    if s.tables.rules.branches[a] and not is_unary(s, node[3]):
        count_row(s, i, j, a, 0.0, weight)
        score += span_log(s.tables, s.spans, i, j, a)
    return score


def is_unary(s, rule):
    """Whether a rule has one child."""
    for r in range(s.tables.rules.unary.shape[0]):
        if s.tables.rules.unary[r, 2] == rule:
            return True
    return False


def match_words(
    s: Workspace, b: Batch, first: cython.Py_ssize_t, end: cython.Py_ssize_t, matches: Matches
) -> cython.int:
    """Note what fires on some words, as far as there is room; report if buffers were too small."""
    shortage = ENOUGH
    with cython.nogil:
        for w in range(first, end):
            if not match_word(s, b, w, matches):
                shortage = FEW_ROWS
                break
    return shortage


def match_word(s, b, w, matches):
    """Note what fires on one word; False if the buffers are too small."""
    room = True
    cells = matches.forms.count
    start_word(s.tables, s.spans, b.word_codes[b.word_start[w] : b.word_start[w + 1]])
    for f in range(b.first_form[w], b.first_form[w + 1]):
        if room and b.offset[f] > -INF:
            match_form(s, b, f)
            if s.spans.full:
                return False
            room = note_form(matches.forms, f, s.spans, s.tables.scored)
    if not room or not note_rows(matches, w, s.spans):
        matches.forms.count = cells
    return True
