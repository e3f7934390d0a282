# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Hot loops of the tree chart: sums over all parses of one form, from the letters up.

Arithmetics: SCALED numbers with an exponent per span that counts powers of 2**64; LOGS; BEST,
which is LOGS with the maximum in place of the sum. A scaled run that loses a value to underflow
or overflow returns False, and the caller repeats it with LOGS.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, fabs, log
    from cython.cimports.morphtree._kernels.arithmetic import log_plus, settle, shifted
else:
    from math import exp, fabs, log

    from morphtree._kernels.arithmetic import log_plus, settle, shifted

INF = cython.declare(cython.double, float("inf"))
NAN = cython.declare(cython.double, float("nan"))
LOG_UNIT = cython.declare(cython.double, 44.3614195558365)  # 64 log 2
TINY = cython.declare(cython.double, 2.0**-900)
WIDEST = cython.declare(cython.double, 300.0)  # a log weight beyond this is left to LOGS
EMPTY = cython.declare(cython.int, -(1 << 24))
LOST = cython.declare(cython.int, 1 << 24)
SCALED = cython.declare(cython.int, 0)
LOGS = cython.declare(cython.int, 1)
BEST = cython.declare(cython.int, 2)


@cython.cclass
class Rules:
    """A binarised grammar as numbers; made once. The attributes stand in chart.pxd."""

    def __init__(self, labels, start, leaf, branches, unary, binary):
        self.labels = labels
        self.start = start
        self.leaf = leaf
        self.branches = branches
        self.unary = unary
        self.binary = binary


@cython.cclass
class Chart:
    """One form's weights and its inside table; [i, j, a] is label a over the span [i, j).

    The attributes and their shapes stand in chart.pxd.
    """

    def __init__(self, rules, potentials, tables, exponents, weights, mode):
        self.rules = rules
        self.leaf_log, self.span_log, self.rule_log = potentials
        self.leaf, self.span, self.inside = tables
        self.exponents = exponents
        self.unary_weight = weights[: len(rules.unary)]
        self.binary_weight = weights[len(rules.unary) :]
        self.m = len(exponents)
        self.mode = mode


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def weigh(mode: cython.int, log_weight: cython.double) -> cython.double:
    """Bring a log weight into the arithmetic; NaN where scaled numbers are not to be trusted."""
    if mode != SCALED:
        return log_weight
    if log_weight == -INF:
        return 0.0
    return exp(log_weight) if fabs(log_weight) < WIDEST else NAN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_all(chart: Chart) -> cython.bint:
    """Fill the weights from the potentials; False if one is out of range.

    Intermediate labels, past those of the potentials, spell nothing and branch for free.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    own: cython.Py_ssize_t = chart.leaf_log.shape[2]
    zero: cython.double = 0.0 if chart.mode == SCALED else -INF
    one: cython.double = 1.0 if chart.mode == SCALED else 0.0
    check: cython.double = 0.0  # NaN if any weight is
    rule: cython.double
    for a in range(chart.rules.labels):
        rule = zero
        if a < own and chart.rules.leaf[a] >= 0:
            rule = chart.rule_log[chart.rules.leaf[a]]
        for i in range(chart.m):
            for j in range(i + 1, chart.m + 1):
                chart.leaf[i, j, a] = zero
                chart.span[i, j, a] = one if a >= own else zero
                if a < own and chart.rules.leaf[a] >= 0:
                    chart.leaf[i, j, a] = weigh(chart.mode, chart.leaf_log[i, j, a] + rule)
                if a < own and chart.rules.branches[a]:
                    chart.span[i, j, a] = weigh(chart.mode, chart.span_log[i, j, a])
                if chart.mode == SCALED:
                    check += chart.leaf[i, j, a] + chart.span[i, j, a]
    for a in range(chart.rules.unary.shape[0]):
        chart.unary_weight[a] = weigh(chart.mode, chart.rule_log[chart.rules.unary[a, 2]])
        if chart.mode == SCALED:
            check += chart.unary_weight[a]
    for a in range(chart.rules.binary.shape[0]):
        chart.binary_weight[a] = one
        if chart.rules.binary[a, 3] >= 0:
            chart.binary_weight[a] = weigh(chart.mode, chart.rule_log[chart.rules.binary[a, 3]])
        if chart.mode == SCALED:
            check += chart.binary_weight[a]
    return check == check


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def plus(mode: cython.int, a: cython.double, b: cython.double) -> cython.double:
    """Add in the arithmetic at hand."""
    if mode == SCALED:
        return a + b
    if mode == LOGS:
        return log_plus(a, b)
    return a if a >= b else b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_sum(
    chart: Chart,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
) -> cython.double:
    """Sum over all splits of [i, j) into a left part b and a right part c."""
    k: cython.Py_ssize_t
    top: cython.int = chart.exponents[i, j]
    shift: cython.int
    value: cython.double = 0.0
    if chart.mode != SCALED:
        value = -INF
        for k in range(i + 1, j):
            value = plus(chart.mode, value, chart.inside[i, k, b] + chart.inside[k, j, c])
        return value
    for k in range(i + 1, j):
        shift = chart.exponents[i, k] + chart.exponents[k, j] - top
        if shift == 0:
            value += chart.inside[i, k, b] * chart.inside[k, j, c]
        else:
            value += shifted(chart.inside[i, k, b] * chart.inside[k, j, c], shift)
    if value < TINY:
        for k in range(i + 1, j):
            if chart.inside[i, k, b] > 0.0 and chart.inside[k, j, c] > 0.0:
                return NAN
    return value


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def highest_exponent(chart: Chart, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
    """Return the exponent in which a span's sum is taken: that of its largest source."""
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    top: cython.int = EMPTY
    for k in range(i + 1, j):
        if chart.exponents[i, k] + chart.exponents[k, j] > top:
            top = chart.exponents[i, k] + chart.exponents[k, j]
    if top < 0:
        for a in range(chart.rules.labels):
            if chart.leaf[i, j, a] > 0.0:
                return 0
    return top


def fill(chart: Chart) -> cython.double:
    """Fill the inside table, short spans first.

    Returns the log of the sum over all trees, NaN if scaled numbers cannot hold it.
    """
    i: cython.Py_ssize_t
    length: cython.Py_ssize_t
    sound: cython.bint
    total: cython.double
    with cython.nogil:
        sound = weigh_all(chart)
        for length in range(1, chart.m + 1):
            for i in range(chart.m - length + 1):
                chart.exponents[i, i + length] = 0
                if chart.mode == SCALED:
                    chart.exponents[i, i + length] = highest_exponent(chart, i, i + length)
                sound = sound and fill_span(chart, i, i + length)
            if not sound:
                break
    if not sound:
        return NAN
    total = chart.inside[0, chart.m, chart.rules.start]
    if chart.mode != SCALED:
        return total
    return log(total) + LOG_UNIT * chart.exponents[0, chart.m] if total > 0.0 else -INF


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_span(chart: Chart, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
    """All ways to build each label over one span: spelt, branching, then unary."""
    a: cython.Py_ssize_t
    r: cython.Py_ssize_t
    value: cython.double
    scaled: cython.bint = chart.mode == SCALED
    zero: cython.double = 0.0 if scaled else -INF
    down: cython.int = -chart.exponents[i, j]
    shift: cython.int
    sound: cython.bint = True
    for a in range(chart.rules.labels):
        chart.inside[i, j, a] = chart.leaf[i, j, a]
        if scaled and down != 0 and chart.leaf[i, j, a] > 0.0:
            chart.inside[i, j, a] = shifted(chart.leaf[i, j, a], down)
            if chart.inside[i, j, a] < TINY:
                sound = False
    if j > i + 1:
        for r in range(chart.rules.binary.shape[0]):
            a = chart.rules.binary[r, 0]
            if chart.span[i, j, a] > zero and chart.binary_weight[r] > zero:
                value = split_sum(chart, i, j, chart.rules.binary[r, 1], chart.rules.binary[r, 2])
                if scaled:
                    if value > 0.0:
                        value *= chart.binary_weight[r] * chart.span[i, j, a]
                        sound = sound and value >= TINY
                    elif value != value:
                        sound = False
                else:
                    value += chart.binary_weight[r] + chart.span[i, j, a]
                chart.inside[i, j, a] = plus(chart.mode, chart.inside[i, j, a], value)
    for r in range(chart.rules.unary.shape[0]):
        value = chart.inside[i, j, chart.rules.unary[r, 1]]
        if scaled:
            if value > 0.0 and chart.unary_weight[r] > 0.0:
                value *= chart.unary_weight[r]
                sound = sound and value >= TINY
            else:
                value = 0.0
        else:
            value += chart.unary_weight[r]
        a = chart.rules.unary[r, 0]
        chart.inside[i, j, a] = plus(chart.mode, chart.inside[i, j, a], value)
    if scaled and sound:
        shift = settle(chart.inside[i, j], TINY, False)
        chart.exponents[i, j] = EMPTY if shift == EMPTY else chart.exponents[i, j] + shift
        sound = shift != LOST
    return sound
