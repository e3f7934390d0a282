"""The tree chart: weights of one form's productions, and the inside sums over all its parses.

Numbers are scaled, with an exponent per span that counts powers of 2**64, or logarithms. A scaled
run that loses a value to underflow or overflow says so, and the caller repeats it with logarithms.
Labels over a span that are not in `need` are left out: nothing reads their weights. Single splits
of a span may weigh more than others under the same rule: those of stored derivations. Types in
chart.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, fabs, log
from cython.cimports.morphtree._kernels._constants import (
    EMPTY,
    INF,
    LOG_UNIT,
    LOST,
    NAN,
    TINY,
    UNIT,
    WORD_SIZE,
)
from cython.cimports.morphtree._kernels.arithmetic import log_plus, settle, shifted
from cython.cimports.morphtree._kernels.mixing import lowest_bit

if not cython.compiled:

    def has(labels, a):
        """Whether a set of labels has label a."""
        return labels >> min(a, 31) & 1

    def splits(chart, i, j, b, c, x):
        """Return where [i, j) may be split into b and c, as bits: the x-th 64 places."""
        return chart.ends[set_of(chart, b, i) + x] & chart.starts[set_of(chart, c, j) + x]

    def set_of(chart, a, i):
        """Return where the set of label a at place i begins."""
        return (i * chart.rules.labels + a) * chart.words


WIDEST = cython.declare(cython.double, 300.0)  # a log weight beyond this is left to logarithms


@cython.cclass
class Rules:
    """A binarised grammar as numbers; made once."""

    def __init__(self, labels, start, leaf, branches, unary, binary, order):
        self.labels = labels
        self.start = start
        self.leaf = leaf
        self.branches = branches
        self.unary = unary
        self.binary = binary
        self.order = order


@cython.cclass
class Chart:
    """Weights and tables for forms of up to M letters; [i, j, a]: label a over the span [i, j)."""

    def __init__(self, rules, rule_log, tables, spans, places, sets, weight, stored):
        self.rules = rules
        self.rule_log = rule_log
        self.leaf, self.span, self.inside = tables
        self.need, self.exponents, self.stored_first = spans
        self.places = places
        self.ends, self.starts = sets
        self.weight = weight
        self.stored, self.stored_log = stored
        self.stored_count = 0
        self.sharpness = 1.0

    def count_into(self, posterior, leaf, span, rules):
        """Give the tables that `expect` writes."""
        self.posterior = posterior
        self.leaf_expected = leaf
        self.span_expected = span
        self.rule_expected = rules

    def rank_into(self, ranks, scores, back):
        """Give the tables that `rank` writes."""
        self.ranks = ranks
        self.scores = scores
        self.back = back


def weigh(chart, log_weight):
    """Bring a log weight into the arithmetic; note if scaled numbers are not to be trusted."""
    log_weight *= chart.sharpness
    if chart.logs:
        return log_weight
    if log_weight == -INF:
        return 0.0
    if fabs(log_weight) < WIDEST:
        return exp(log_weight)
    chart.lost = True
    return 0.0


def start_chart(chart, m, logs):
    """Begin a form of m letters: weigh the rules."""
    unaries = chart.rules.unary.shape[0]
    chart.m = m
    chart.logs = logs
    chart.lost = False
    chart.shifted = False
    start_stored(chart)
    for r in range(unaries):
        chart.weight[r] = weigh(chart, chart.rule_log[chart.rules.unary[r, 2]])
    for r in range(chart.rules.binary.shape[0]):
        chart.weight[unaries + r] = weigh(chart, 0.0)
        if chart.rules.binary[r, 3] >= 0:
            chart.weight[unaries + r] = weigh(chart, chart.rule_log[chart.rules.binary[r, 3]])


def start_stored(chart):
    """Weigh the bonus of stored derivations: what it adds is exp(bonus) - 1."""
    chart.stored_count = 0
    chart.bonus = chart.sharpness * chart.stored_log
    if chart.logs:
        chart.gain = -INF
        if chart.bonus > 0.0:
            chart.gain = chart.bonus + log(1.0 - exp(-chart.bonus))
    elif chart.bonus < WIDEST:
        chart.gain = exp(chart.bonus) - 1.0
    else:
        chart.lost = True


def allow_needed(chart, m):
    """List the spans of a form of m letters that are needed; note where labels start and end."""
    chart.words = m // WORD_SIZE + 1
    chart.count = 0
    for x in range((m + 1) * chart.rules.labels * chart.words):
        chart.ends[x] = 0
        chart.starts[x] = 0
    for length in range(1, m + 1):
        for i in range(m - length + 1):
            if chart.need[i, i + length]:
                chart.places[chart.count, 0] = i
                chart.places[chart.count, 1] = i + length
                chart.count += 1
                allow_span(chart, i, i + length)


def allow_span(chart, i, j):
    """Note that the labels that a span needs may start and end there."""
    need = chart.need[i, j]
    start = cython.cast(cython.ulonglong, 1) << (i % WORD_SIZE)
    end = cython.cast(cython.ulonglong, 1) << (j % WORD_SIZE)
    for a in range(chart.rules.labels):
        if has(need, a):
            chart.ends[set_of(chart, a, i) + j // WORD_SIZE] |= end
            chart.starts[set_of(chart, a, j) + i // WORD_SIZE] |= start


def store_split(chart, i, j, r, size):
    """Note a stored derivation of [i, j): binary rule r, its first part of so many letters."""
    chart.stored[chart.stored_count, 0] = r
    chart.stored[chart.stored_count, 1] = i + size
    chart.stored[chart.stored_count, 2] = chart.stored_first[i, j]
    chart.stored_count += 1
    chart.stored_first[i, j] = chart.stored_count


def bonus_of(chart, i, k, j, r):
    """Return the log weight that [i, j) split at k by rule r has as a stored derivation, or 0."""
    x: cython.int = chart.stored_first[i, j]
    while x > 0:
        if chart.stored[x - 1, 0] == r and chart.stored[x - 1, 1] == k:
            return chart.bonus
        x = chart.stored[x - 1, 2]
    return 0.0


def add_stored(chart, i, j, r, value):
    """Add to a sum over splits by rule r what its stored derivations weigh more."""
    b = chart.rules.binary[r, 1]
    c = chart.rules.binary[r, 2]
    x: cython.int = chart.stored_first[i, j]
    while x > 0:
        k = cython.cast(cython.longlong, chart.stored[x - 1, 1])
        if chart.stored[x - 1, 0] == r and is_split(chart, i, k, j, b, c):
            if chart.logs:
                part = chart.inside[i, k, b] + chart.inside[k, j, c]
                value = log_plus(value, chart.gain + part)
            else:
                part = chart.inside[i, k, b] * chart.inside[k, j, c]
                value += chart.gain * shift_product(chart, i, k, j, part)
        x = chart.stored[x - 1, 2]
    return value


def load_all(chart, leaf_log, span_log):
    """Take all weights from dense potentials, and allow every label over every span.

    Intermediate labels, past those of the potentials, spell nothing and branch for free.
    """
    own = leaf_log.shape[2]
    zero = weigh(chart, -INF)
    one = weigh(chart, 0.0)
    for i in range(chart.m):
        for j in range(i + 1, chart.m + 1):
            chart.need[i, j] = -1
            chart.stored_first[i, j] = 0
    allow_needed(chart, chart.m)
    for a in range(chart.rules.labels):
        rule = -INF
        if a < own and chart.rules.leaf[a] >= 0:
            rule = chart.rule_log[chart.rules.leaf[a]]
        for i in range(chart.m):
            for j in range(i + 1, chart.m + 1):
                chart.leaf[i, j, a] = zero
                chart.span[i, j, a] = one if a >= own else zero
                if a < own and rule > -INF:
                    chart.leaf[i, j, a] = weigh(chart, leaf_log[i, j, a] + rule)
                if a < own and chart.rules.branches[a]:
                    chart.span[i, j, a] = weigh(chart, span_log[i, j, a])


def is_split(chart, i, k, j, b, c):
    """Whether [i, j) may be split into b and c at k, which may be anything."""
    if k <= i or k >= j:
        return False
    return splits(chart, i, j, b, c, k // WORD_SIZE) >> (k % WORD_SIZE) & 1


def has_split(chart, i, j, b, c):
    """Whether [i, j) may be split into b and c somewhere."""
    for x in range(chart.words):
        if splits(chart, i, j, b, c, x):
            return True
    return False


def split_sum(chart, i, j, b, c):
    """Sum over all splits of [i, j) into a left part b and a right part c."""
    value: cython.double = 0.0
    bits: cython.ulonglong
    if chart.logs or chart.shifted:
        return split_sum_with_exponents(chart, i, j, b, c)
    for x in range(chart.words):
        bits = splits(chart, i, j, b, c, x)
        while bits:
            k = x * WORD_SIZE + lowest_bit(bits)
            bits &= bits - 1
            value += chart.inside[i, k, b] * chart.inside[k, j, c]
    return value


def split_sum_with_exponents(chart, i, j, b, c):
    """Do the same where parts are logarithms, or have exponents of their own."""
    value: cython.double = -INF if chart.logs else 0.0
    bits: cython.ulonglong
    for x in range(chart.words):
        bits = splits(chart, i, j, b, c, x)
        while bits:
            k = x * WORD_SIZE + lowest_bit(bits)
            bits &= bits - 1
            if chart.logs:
                value = log_plus(value, chart.inside[i, k, b] + chart.inside[k, j, c])
            else:
                value += shift_product(
                    chart, i, k, j, chart.inside[i, k, b] * chart.inside[k, j, c]
                )
    return value


def is_lost(chart, i, j, b, c):
    """Whether some split of [i, j) has two parts above zero, though the sum is next to nothing."""
    for k in range(i + 1, j):
        if is_split(chart, i, k, j, b, c):
            if chart.inside[i, k, b] > 0.0 and chart.inside[k, j, c] > 0.0:
                return True
    return False


def shift_product(chart, i, k, j, product):
    """Bring the product of two inside sums to the exponent of the span that they make."""
    shift = chart.exponents[i, k] + chart.exponents[k, j] - chart.exponents[i, j]
    if shift == 0:
        return product
    return shifted(product, shift) if shift > -33 else 0.0


def highest_exponent(chart, i, j):
    """Return the exponent in which a span's sum is taken: that of its largest source."""
    top: cython.int = EMPTY
    for k in range(i + 1, j):
        if chart.need[i, k] and chart.need[k, j]:
            top = max(top, chart.exponents[i, k] + chart.exponents[k, j])
    if top < 0:
        for a in range(chart.rules.labels):
            if has(chart.need[i, j], a) and chart.leaf[i, j, a] > 0.0:
                return 0
    return top


def fill_inside(chart):
    """Fill the inside table, short spans first.

    Returns the log of the sum over all trees, NaN if scaled numbers cannot hold it.
    """
    if chart.m == 0 or not has(chart.need[0, chart.m], chart.rules.start):
        return -INF
    for x in range(chart.count):
        fill_span(chart, chart.places[x, 0], chart.places[x, 1])
        if chart.lost:
            return NAN
    total = chart.inside[0, chart.m, chart.rules.start]
    if chart.logs:
        return total
    return log(total) + LOG_UNIT * chart.exponents[0, chart.m] if total > 0.0 else -INF


def fill_span(chart, i, j):
    """Sum over all productions of each label over one span: spelt, branching, then unary."""
    need = chart.need[i, j]
    zero = -INF if chart.logs else 0.0
    chart.exponents[i, j] = 0
    for a in range(chart.rules.labels):
        chart.inside[i, j, a] = chart.leaf[i, j, a] if has(need, a) else zero
    if chart.shifted:
        shift_leaves(chart, i, j)
    if j > i + 1:
        for r in range(chart.rules.binary.shape[0]):
            if has(need, chart.rules.binary[r, 0]):
                if has_split(chart, i, j, chart.rules.binary[r, 1], chart.rules.binary[r, 2]):
                    add_splits(chart, i, j, r)
    for r in range(chart.rules.unary.shape[0]):
        if has(need, chart.rules.unary[r, 0]):
            value = chart.inside[i, j, chart.rules.unary[r, 1]]
            add_production(chart, i, j, chart.rules.unary[r, 0], value, chart.weight[r])
    if not (chart.logs or chart.lost or is_near_one(chart, i, j)):
        rescale(chart, i, j)


def shift_leaves(chart, i, j):
    """Choose the exponent of a span's sum, and bring what is spelt to it."""
    top = highest_exponent(chart, i, j)
    chart.exponents[i, j] = top
    if top == 0:
        return
    for a in range(chart.rules.labels):
        if chart.inside[i, j, a] > 0.0:
            chart.inside[i, j, a] = shifted(chart.inside[i, j, a], -top)
            note_loss(chart, chart.inside[i, j, a])


def add_splits(chart, i, j, r):
    """Add a binary rule over all splits of a span to the inside sum of its parent."""
    a = chart.rules.binary[r, 0]
    b = chart.rules.binary[r, 1]
    c = chart.rules.binary[r, 2]
    weight = chart.weight[chart.rules.unary.shape[0] + r]
    value = split_sum(chart, i, j, b, c)
    if chart.stored_first[i, j]:
        value = add_stored(chart, i, j, r, value)
    if chart.logs:
        weight += chart.span[i, j, a]
    else:
        weight *= chart.span[i, j, a]
        if value < TINY and weight > 0.0 and is_lost(chart, i, j, b, c):
            chart.lost = True
    add_production(chart, i, j, a, value, weight)


def add_production(chart, i, j, a, value, weight):
    """Add to the inside sum of label a a production of its own weight over parts of a value."""
    if chart.logs:
        chart.inside[i, j, a] = log_plus(chart.inside[i, j, a], value + weight)
    elif value > 0.0 and weight > 0.0:
        note_loss(chart, value * weight)
        chart.inside[i, j, a] += value * weight


def note_loss(chart, value):
    """Note that a positive number is too small to be trusted."""
    if value < TINY:
        chart.lost = True


def is_near_one(chart, i, j):
    """Whether the scaled sums of a span are; most of them are."""
    total: cython.double = 0.0
    for a in range(chart.rules.labels):
        total += chart.inside[i, j, a]
    return 1.0 / UNIT <= total <= UNIT


def rescale(chart, i, j):
    """Bring the sums of a span near one."""
    shift = settle(chart.inside[i, j], TINY, False)
    chart.shifted = chart.shifted or shift != EMPTY
    chart.exponents[i, j] = EMPTY if shift == EMPTY else chart.exponents[i, j] + shift
    chart.lost = shift == LOST


def load(
    chart: Chart,
    leaf_log: cython.double[:, :, ::1],  # (m, m+1, own)  log weight: the label spells u[i:j]
    span_log: cython.double[:, :, ::1],  # (m, m+1, own)  log weight: the label branches over u[i:j]
    stored: cython.int[:, ::1],  # (D, 4)  derivations that weigh more: start, split, end, rule
    logs: cython.bint,
    summed: cython.bint,
) -> cython.double:
    """Load a chart with dense potentials; if it is to be summed, return `fill_inside`."""
    total = NAN
    with cython.nogil:
        start_chart(chart, leaf_log.shape[0], logs)
        load_all(chart, leaf_log, span_log)
        for x in range(stored.shape[0]):
            for r in range(chart.rules.binary.shape[0]):
                if chart.rules.binary[r, 3] == stored[x, 3]:
                    size = stored[x, 1] - stored[x, 0]
                    store_split(chart, stored[x, 0], stored[x, 2], r, size)
        if summed:
            total = fill_inside(chart)
    return total
