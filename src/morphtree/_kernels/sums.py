# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""log p and its gradient for many words: the joint sum over listed forms, in one call.

The same as JointSum of joint.py, which says what is meant; this one is for speed. A word's
gradient comes as (feature, value) pairs, so that they can be added up in the order of the words,
whatever the number of threads. Types in sums.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
    from cython.cimports.morphtree._kernels.pairs import pair_expect, pair_sum, start_edits
    from cython.cimports.morphtree._kernels.spans import prepare, start_word
else:
    from math import exp, log

    from morphtree._kernels.pairs import pair_expect, pair_sum, start_edits
    from morphtree._kernels.spans import prepare, start_word

INF = cython.declare(cython.double, float("inf"))
NAN = cython.declare(cython.double, float("nan"))
FAINT = cython.declare(cython.double, 1e-15)  # an expectation below this is left out


@cython.cclass
class Batch:
    """Words with their candidate forms and gold readings, packed into flat arrays."""

    def __init__(self, words, forms, gold, nodes):
        self.word_codes, self.word_letters, self.word_start = words
        self.form_codes, self.form_letters, self.form_start, self.first_form, self.offset = forms
        self.first_gold, self.gold_form, self.gold_weight, self.gold_flat = gold
        self.first_node, self.nodes = nodes


@cython.cclass
class Sums:
    """A joint model's tables, and scratch space for one word at a time."""

    def __init__(self, edits, tables, spans, weights, rules, charts, vectors):
        self.edits = edits
        self.tables = tables
        self.spans = spans
        self.edit_weights, self.part_weights = weights
        self.rule_log, self.rule_start, self.rule_feature, self.rule_expected = rules
        self.inside, self.posterior = charts
        self.sums, self.cuts, self.terms = vectors
        self.cool = 1.0


def leaf_log(s, i, j, a):
    """Log weight of label a spelling the span."""
    row: cython.Py_ssize_t
    value: cython.double = s.rule_log[s.tables.rules.leaf[a]]
    if (s.tables.scored >> a) & 1:
        row = s.spans.row_of[i, j]
        value += (
            s.spans.row_score[row, 0]
            + s.spans.row_score[row, 1 + 3 * a]
            + s.spans.row_score[row, 2 + 3 * a]
        )
    return value


def span_log(s, i, j, a):
    """Log weight of label a branching over the span, without its rule."""
    row: cython.Py_ssize_t
    if a >= s.tables.own or not (s.tables.scored >> a) & 1:
        return 0.0
    row = s.spans.row_of[i, j]
    return (
        s.spans.row_score[row, 0]
        + s.spans.row_score[row, 1 + 3 * a]
        + s.spans.row_score[row, 3 + 3 * a]
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def note(s: Sums, a: cython.Py_ssize_t, term: cython.double, best: cython.bint) -> cython.void:
    """Add a term to the running sum of label a: the largest so far, and the sum relative to it."""
    if term == -INF:
        return
    if term <= s.sums[0, a]:
        if not best:
            s.sums[1, a] += exp(term - s.sums[0, a])
    else:
        s.sums[1, a] = 1.0 if best else s.sums[1, a] * exp(s.sums[0, a] - term) + 1.0
        s.sums[0, a] = term


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def may_spell(
    s: Sums, i: cython.Py_ssize_t, j: cython.Py_ssize_t, a: cython.Py_ssize_t, clamped: cython.bint
) -> cython.bint:
    """Whether label a may spell the span: by the closed strings, and by the gold boundaries."""
    k: cython.Py_ssize_t
    if a >= s.tables.own or s.tables.rules.leaf[a] < 0 or not (s.spans.spells[i, j] >> a) & 1:
        return False
    if clamped:
        for k in range(i + 1, j):
            if s.cuts[k]:
                return False
        return s.cuts[i] and s.cuts[j]
    return True


def tree_sum(s, clamped, best):
    """Fill the inside table of the prepared form; return the log of the sum (or the maximum)."""
    i: cython.Py_ssize_t
    length: cython.Py_ssize_t
    m: cython.Py_ssize_t = s.spans.m
    for length in range(1, m + 1):
        for i in range(m - length + 1):
            if s.spans.need[i, i + length]:
                fill_span(s, i, i + length, clamped, best)
    if m == 0 or not (s.spans.need[0, m] >> s.tables.rules.start) & 1:
        return -INF
    return s.inside[0, m, s.tables.rules.start]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_span(
    s: Sums, i: cython.Py_ssize_t, j: cython.Py_ssize_t, clamped: cython.bint, best: cython.bint
) -> cython.void:
    """All ways to build each label over one span: spelt, branching, then unary."""
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    r: cython.Py_ssize_t
    need: cython.int = s.spans.need[i, j]
    weight: cython.double
    for a in range(s.tables.rules.labels):
        s.sums[0, a] = -INF
        s.sums[1, a] = 0.0
        if (need >> a) & 1 and may_spell(s, i, j, a, clamped):
            note(s, a, leaf_log(s, i, j, a), best)
    for r in range(s.tables.rules.binary.shape[0]):
        a = s.tables.rules.binary[r, 0]
        if not (need >> a) & 1:
            continue
        b = s.tables.rules.binary[r, 1]
        c = s.tables.rules.binary[r, 2]
        weight = span_log(s, i, j, a)
        if s.tables.rules.binary[r, 3] >= 0:
            weight += s.rule_log[s.tables.rules.binary[r, 3]]
        for k in range(i + 1, j):
            if (s.spans.need[i, k] >> b) & (s.spans.need[k, j] >> c) & 1:
                note(s, a, weight + s.inside[i, k, b] + s.inside[k, j, c], best)
    for r in range(s.tables.rules.unary.shape[0]):
        a = s.tables.rules.unary[r, 0]
        b = s.tables.rules.unary[r, 1]
        if (need >> a) & (need >> b) & 1 and s.sums[1, b] > 0.0:
            weight = s.rule_log[s.tables.rules.unary[r, 2]]
            note(s, a, weight + s.sums[0, b] + log(s.sums[1, b]), best)
    for a in range(s.tables.rules.labels):
        s.inside[i, j, a] = s.sums[0, a] + log(s.sums[1, a]) if s.sums[1, a] > 0.0 else -INF


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_row(
    s: Sums,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    kind: cython.Py_ssize_t,
    mass: cython.double,
) -> cython.void:
    """Count the uses of label a over a span: spelt (kind 1) or branching (2)."""
    row: cython.Py_ssize_t
    if a < s.tables.own and (s.tables.scored >> a) & 1:
        row = s.spans.row_of[i, j]
        s.spans.row_weight[row, 0] += mass
        s.spans.row_weight[row, 1 + 3 * a] += mass
        s.spans.row_weight[row, 1 + 3 * a + kind] += mass


def tree_expect(s, scale, clamped):
    """Add the expected uses of every production over the filled table, times `scale`."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    length: cython.Py_ssize_t
    m: cython.Py_ssize_t = s.spans.m
    for i in range(m):
        for j in range(i + 1, m + 1):
            if s.spans.need[i, j]:
                for a in range(s.tables.rules.labels):
                    s.posterior[i, j, a] = 0.0
    s.posterior[0, m, s.tables.rules.start] = scale
    for length in range(m, 0, -1):
        for i in range(m - length + 1):
            if s.spans.need[i, i + length]:
                hand_down(s, i, i + length, clamped)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hand_down(
    s: Sums, i: cython.Py_ssize_t, j: cython.Py_ssize_t, clamped: cython.bint
) -> cython.void:
    """Hand the probability of a span's labels down to what they are built from."""
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    r: cython.Py_ssize_t
    weight: cython.double
    mass: cython.double
    total: cython.double
    for r in range(s.tables.rules.unary.shape[0] - 1, -1, -1):
        a = s.tables.rules.unary[r, 0]
        b = s.tables.rules.unary[r, 1]
        if not -FAINT < s.posterior[i, j, a] < FAINT and (s.spans.need[i, j] >> b) & 1:
            weight = s.rule_log[s.tables.rules.unary[r, 2]]
            mass = s.posterior[i, j, a] * exp(weight + s.inside[i, j, b] - s.inside[i, j, a])
            s.rule_expected[s.tables.rules.unary[r, 2]] += mass
            s.posterior[i, j, b] += mass
    for a in range(s.tables.own):
        if not -FAINT < s.posterior[i, j, a] < FAINT and may_spell(s, i, j, a, clamped):
            mass = s.posterior[i, j, a] * exp(leaf_log(s, i, j, a) - s.inside[i, j, a])
            s.rule_expected[s.tables.rules.leaf[a]] += mass
            count_row(s, i, j, a, 1, mass)
    for r in range(s.tables.rules.binary.shape[0]):
        a = s.tables.rules.binary[r, 0]
        if -FAINT < s.posterior[i, j, a] < FAINT:
            continue
        b = s.tables.rules.binary[r, 1]
        c = s.tables.rules.binary[r, 2]
        weight = span_log(s, i, j, a) - s.inside[i, j, a]
        if s.tables.rules.binary[r, 3] >= 0:
            weight += s.rule_log[s.tables.rules.binary[r, 3]]
        total = 0.0
        for k in range(i + 1, j):
            if (s.spans.need[i, k] >> b) & (s.spans.need[k, j] >> c) & 1:
                mass = s.posterior[i, j, a] * exp(weight + s.inside[i, k, b] + s.inside[k, j, c])
                total += mass
                s.posterior[i, k, b] += mass
                s.posterior[k, j, c] += mass
        count_row(s, i, j, a, 2, total)
        if s.tables.rules.binary[r, 3] >= 0:
            s.rule_expected[s.tables.rules.binary[r, 3]] += total


def start(s, b, w):
    """Begin a word; False if the buffers are too small."""
    r: cython.Py_ssize_t
    first: cython.Py_ssize_t = b.word_start[w]
    end: cython.Py_ssize_t = b.word_start[w + 1]
    start_word(s.tables, s.spans, b.word_codes[first:end])
    for r in range(s.rule_expected.shape[0]):
        s.rule_expected[r] = 0.0
    return start_edits(s.edits, b.word_codes[first:end], b.word_letters[first:end], s.edit_weights)


def open_form(s, b, f):
    """Prepare a form and fill its pair table; return log S(u, w)."""
    prepare(s.tables, s.spans, b.form_codes[b.form_start[f] : b.form_start[f + 1]], s.part_weights)
    return pair_sum(s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]])


def weigh_forms(s, b, w):
    """Fill `terms` with the log share of every form; return the log of their sum."""
    f: cython.Py_ssize_t
    first: cython.Py_ssize_t = b.first_form[w]
    top: cython.double = -INF
    total: cython.double = 0.0
    edit: cython.double
    for f in range(first, b.first_form[w + 1]):
        edit = open_form(s, b, f)
        if s.spans.full:
            return NAN
        s.terms[f - first] = s.cool * (b.offset[f] + edit) + tree_sum(s, False, False)
        top = max(top, s.terms[f - first])
    if top == -INF:
        return top
    for f in range(first, b.first_form[w + 1]):
        total += exp(s.terms[f - first] - top)
    return top + log(total)


def add_gold(s, b, g):
    """Count one gold reading; return its log score."""
    x: cython.Py_ssize_t
    f: cython.Py_ssize_t = b.gold_form[g]
    weight: cython.double = b.gold_weight[g]
    score: cython.double = b.offset[f] + open_form(s, b, f)
    if score == -INF:
        return score
    if b.gold_flat[g]:
        for x in range(s.spans.m + 1):
            s.cuts[x] = 0
        for x in range(b.first_node[g], b.first_node[g + 1]):
            s.cuts[b.nodes[x, 1]] = 1
            s.cuts[b.nodes[x, 2]] = 1
        score += tree_sum(s, True, False)
        if score > -INF:
            tree_expect(s, weight, True)
    else:
        for x in range(b.first_node[g], b.first_node[g + 1]):
            score += add_node(s, b.nodes[x], weight)
    if score > -INF:
        pair_expect(s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]], weight)
    return score


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_node(s: Sums, node: cython.int[::1], weight: cython.double) -> cython.double:
    """Count one node of a gold tree; return its log weight, -inf if the form cannot have it."""
    a: cython.Py_ssize_t = node[0]
    i: cython.Py_ssize_t = node[1]
    j: cython.Py_ssize_t = node[2]
    score: cython.double = 0.0
    if not (s.spans.need[i, j] >> a) & 1:
        return -INF
    if node[3] >= 0:
        s.rule_expected[node[3]] += weight
        score = s.rule_log[node[3]]
    if a < s.tables.own and node[3] >= 0 and s.tables.rules.leaf[a] == node[3]:
        if not (s.spans.spells[i, j] >> a) & 1:
            return -INF
        count_row(s, i, j, a, 1, weight)
        return leaf_log(s, i, j, a)
    if s.tables.rules.branches[a] and not is_unary(s, node[3]):
        count_row(s, i, j, a, 2, weight)
        score += span_log(s, i, j, a)
    return score


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_unary(s: Sums, rule: cython.int) -> cython.bint:
    """Whether a rule has one child."""
    r: cython.Py_ssize_t
    for r in range(s.tables.rules.unary.shape[0]):
        if s.tables.rules.unary[r, 2] == rule:
            return True
    return False
