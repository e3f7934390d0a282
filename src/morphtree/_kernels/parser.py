"""All trees of one form of a word: their sum, and the best of them. Types in parser.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.chart import (
    allow_needed,
    fill_inside,
    has,
    start_chart,
    store_split,
    weigh,
)
from cython.cimports.morphtree._kernels.kbest import rank
from cython.cimports.morphtree._kernels.spans import score_form
from cython.cimports.morphtree._kernels.stored import NOT_STORED


@cython.cclass
class Parser:
    """A parser with its weights, and memory for one form at a time."""

    def __init__(self, tables, spans, weights, chart):
        self.tables = tables
        self.spans = spans
        self.weights = weights
        self.chart = chart
        self.chart.need = self.spans.need


def leaf_log(tables, s, chart, i, j, a):
    """Log weight of label a spelling the span."""
    value = chart.rule_log[tables.rules.leaf[a]]
    if (tables.scored >> a) & 1:
        row = s.row_of[i, j]
        value += s.row_score[row, 0] + s.row_score[row, 1 + 3 * a] + s.row_score[row, 2 + 3 * a]
    return value


def span_log(tables, s, i, j, a):
    """Log weight of label a branching over the span, without its rule."""
    if a >= tables.own or not (tables.scored >> a) & 1:
        return 0.0
    row = s.row_of[i, j]
    return s.row_score[row, 0] + s.row_score[row, 1 + 3 * a] + s.row_score[row, 3 + 3 * a]


def load_stored(tables, s, chart, i, j):
    """Note the stored derivations of a span; return whether it is stored as a simple word."""
    simple = False
    row = s.stored_row[i, j]
    if row >= 0:
        for x in range(tables.stored.first[row], tables.stored.first[row + 1]):
            if tables.stored.steps[x, 0] < 0:
                simple = True
            elif chart.stored_count < chart.stored.shape[0]:
                store_split(chart, i, j, tables.stored.steps[x, 0], tables.stored.steps[x, 1])
    return simple


def load_span(tables, s, chart, i, j, spelt):
    """Load the chart with the scores of one span; `spelt` are labels that may spell it.

    Where the treebank says how the string is made, what it does not say weighs less.
    """
    need = s.need[i, j]
    simple = True
    cost = 0.0
    chart.stored_first[i, j] = 0
    if tables.stored.count and s.stored_row[i, j] != NOT_STORED:
        simple = load_stored(tables, s, chart, i, j)
        cost = chart.stored_log
    for a in range(tables.rules.labels):
        if has(need, a):
            spelling = branching = -INF
            if a < tables.own and (spelt >> a) & 1 and tables.rules.leaf[a] >= 0:
                spelling = leaf_log(tables, s, chart, i, j, a)
                if not simple and tables.rules.branches[a]:
                    spelling -= cost
            if j > i + 1 and tables.rules.branches[a]:
                branching = span_log(tables, s, i, j, a)
                if a < tables.own:
                    branching -= cost
            chart.leaf[i, j, a] = weigh(chart, spelling)
            chart.span[i, j, a] = weigh(chart, branching)


def load_scores(tables, s, chart, logs):
    """Load the chart with the scores of the form at hand, of spans that some parse needs."""
    start_chart(chart, s.m, logs)
    for x in range(chart.count):
        i = chart.places[x, 0]
        j = chart.places[x, 1]
        load_span(tables, s, chart, i, j, s.spells[i, j])


def open_form(p, form, sharpness):
    """Score the constituents of a form; return the log of the sum over all its trees.

    All log scores are multiplied by the sharpness.
    """
    score_form(p.tables, p.spans, form, p.weights)
    p.chart.sharpness = sharpness
    allow_needed(p.chart, p.spans.m)
    load_scores(p.tables, p.spans, p.chart, False)
    total = fill_inside(p.chart)
    if total != total:  # scaled numbers cannot hold it
        load_scores(p.tables, p.spans, p.chart, True)
        total = fill_inside(p.chart)
    return total


def rank_trees(p, n):
    """Find the n best trees of the form at hand; return how many there are."""
    load_scores(p.tables, p.spans, p.chart, True)
    return rank(p.chart, n)
