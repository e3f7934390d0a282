# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The pair table: all alignments of one word with one known form (weighted Levenshtein).

Cell (i, j) says that i letters of the word and j of the form are done. Every array has a border
of zeros around the n+1 by m+1 cells, so that the recurrences need no special cases: cell (i, j)
is stored at [i+1, j+1], and ``edits[kind, i+1, j+1]`` is the edit that arrives there.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
    from cython.cimports.morphtree._kernels.arcs import Arcs
    from cython.cimports.morphtree._kernels.arithmetic import blend, bounded_exp, settle
else:
    from math import exp, log

    from morphtree._kernels.arcs import Arcs
    from morphtree._kernels.arithmetic import blend, bounded_exp, settle

INF = cython.declare(cython.double, float("inf"))
NAN = cython.declare(cython.double, float("nan"))
LOG_UNIT = cython.declare(cython.double, 44.3614195558365)  # 64 log 2
TINY = cython.declare(cython.double, 2.0**-900)
HUGE = cython.declare(cython.double, 2.0**1000)
EMPTY = cython.declare(cython.int, -(1 << 24))
LOST = cython.declare(cython.int, 1 << 24)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clamp(arcs: Arcs, form: cython.int[::1], edits: cython.double[:, :, ::1]) -> cython.void:
    """Gather the weights of the edits that agree with the form."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    x: cython.Py_ssize_t = 0
    kind: cython.Py_ssize_t
    a: cython.double
    b: cython.double
    for kind in range(3):
        for i in range(edits.shape[1]):
            for j in range(edits.shape[2]):
                edits[kind, i, j] = -INF if arcs.logs else 0.0
    for i in range(arcs.n + 1):
        for j in range(len(form) + 1):
            c = form[j - 1] if j > 0 else arcs.size
            if i < arcs.n:
                x = arcs.classes[i]
                a = arcs.delete[i]
                b = arcs.del_table[x, c]
                edits[2, i + 2, j + 1] = a + b if arcs.logs else a * b
            if j < len(form):
                d = form[j]
                a = arcs.insert[i, d]
                b = arcs.ins_table[0, c, d]
                edits[1, i + 1, j + 2] = a + b if arcs.logs else a * b
                if i < arcs.n:
                    a = arcs.substitute[i, d]
                    b = arcs.sub_table[x, c, d]
                    edits[0, i + 2, j + 2] = a + b if arcs.logs else a * b


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def gather(
    logs: cython.bint,
    a: cython.double, p: cython.double,
    b: cython.double, q: cython.double,
    c: cython.double, r: cython.double,
) -> cython.double:  # fmt: skip
    """Return a*p + b*q + c*r; only log space and tiny sums need the careful way."""
    value: cython.double = 0.0 if logs else a * p + b * q + c * r
    return value if value >= TINY else blend(logs, a, p, b, q, c, r)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def close_row(
    cells: cython.double[:, ::1], exponents: cython.int[::1], i: cython.Py_ssize_t
) -> cython.bint:
    """Rescale a row that was computed in its neighbour's scale; False if a value is lost."""
    shift: cython.int = settle(cells[i], TINY, False)
    if shift != EMPTY:
        exponents[i] += shift
    return shift != LOST


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(
    logs: cython.bint, cells: cython.double[:, ::1], exponents: cython.int[::1]
) -> cython.void:
    """Fill a table with zeros."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(cells.shape[0]):
        exponents[i] = 0
        for j in range(cells.shape[1]):
            cells[i, j] = -INF if logs else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forward(
    arcs: Arcs,
    edits: cython.double[:, :, ::1],
    alpha: cython.double[:, ::1],
    exponents: cython.int[::1],
) -> cython.bint:
    """Weight of all ways from the start to a cell; False if scaled numbers cannot hold it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    logs: cython.bint = arcs.logs
    clear(logs, alpha, exponents)
    for i in range(1, arcs.n + 2):
        exponents[i] = exponents[i - 1]
        for j in range(1, alpha.shape[1] - 1):
            alpha[i, j] = gather(
                logs,
                alpha[i - 1, j - 1], edits[0, i, j],
                alpha[i, j - 1], edits[1, i, j],
                alpha[i - 1, j], edits[2, i, j],
            )  # fmt: skip
            if i == 1 and j == 1:
                alpha[1, 1] = 0.0 if logs else 1.0
        if not logs and not close_row(alpha, exponents, i):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def backward(
    arcs: Arcs,
    edits: cython.double[:, :, ::1],
    beta: cython.double[:, ::1],
    exponents: cython.int[::1],
) -> cython.bint:
    """Weight of all ways from a cell to the end; False if scaled numbers cannot hold it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    logs: cython.bint = arcs.logs
    end: cython.Py_ssize_t = beta.shape[1] - 2
    clear(logs, beta, exponents)
    for i in range(arcs.n + 1, 0, -1):
        exponents[i] = exponents[i + 1]
        for j in range(end, 0, -1):
            beta[i, j] = gather(
                logs,
                beta[i + 1, j + 1], edits[0, i + 1, j + 1],
                beta[i, j + 1], edits[1, i, j + 1],
                beta[i + 1, j], edits[2, i + 1, j],
            )  # fmt: skip
            if i == arcs.n + 1 and j == end:
                beta[i, j] = 0.0 if logs else 1.0
        if not logs and not close_row(beta, exponents, i):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def posterior(
    arcs: Arcs,
    edits: cython.double[:, :, ::1],  # in: weights; out: probabilities
    alpha: cython.double[:, ::1],
    a_exp: cython.int[::1],
    beta: cython.double[:, ::1],
    b_exp: cython.int[::1],
    log_total: cython.double,
) -> cython.bint:
    """Turn the edits' weights into probabilities; False if scaled numbers cannot hold them."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    logs: cython.bint = arcs.logs
    here: cython.double
    within: cython.double = 1.0
    onward: cython.double = 1.0
    for i in range(1, arcs.n + 2):
        if not logs:
            within = bounded_exp(LOG_UNIT * (a_exp[i] + b_exp[i]) - log_total)
            onward = bounded_exp(LOG_UNIT * (a_exp[i] + b_exp[i + 1]) - log_total)
            if not (within < HUGE and onward < HUGE):
                return False
        for j in range(1, alpha.shape[1] - 1):
            here = alpha[i, j] - log_total if logs else alpha[i, j]
            edits[0, i + 1, j + 1] = share(
                logs, here, edits[0, i + 1, j + 1], beta[i + 1, j + 1], onward
            )
            edits[1, i, j + 1] = share(logs, here, edits[1, i, j + 1], beta[i, j + 1], within)
            edits[2, i + 1, j] = share(logs, here, edits[2, i + 1, j], beta[i + 1, j], onward)
    return True


def pair_table(
    arcs: Arcs,
    form: cython.int[::1],  # (m,)
    tables: cython.double[:, :, ::1],  # (5, n+3, m+3) out: substitute, insert, delete; scratch
    exponents: cython.int[:, ::1],  # (2, n+3)      scratch
    expect: cython.bint,
) -> cython.double:
    """Log weight of all alignments with this form; NaN if scaled numbers cannot hold it.

    The first three tables end up holding weights or, with `expect`, posterior probabilities.
    """
    total: cython.double = NAN
    last: cython.Py_ssize_t = arcs.n + 1
    end: cython.Py_ssize_t = len(form) + 1
    edits: cython.double[:, :, ::1] = tables[:3]
    alpha: cython.double[:, ::1] = tables[3]
    beta: cython.double[:, ::1] = tables[4]
    a_exp: cython.int[::1] = exponents[0]
    b_exp: cython.int[::1] = exponents[1]
    with cython.nogil:
        clamp(arcs, form, edits)
        if forward(arcs, edits, alpha, a_exp):
            if arcs.logs:
                total = alpha[last, end]
            else:
                total = -INF
                if alpha[last, end] > 0.0:
                    total = log(alpha[last, end]) + LOG_UNIT * a_exp[last]
            if expect and total > -INF:
                if not (
                    backward(arcs, edits, beta, b_exp)
                    and posterior(arcs, edits, alpha, a_exp, beta, b_exp, total)
                ):
                    total = NAN
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def share(
    logs: cython.bint,
    before: cython.double,
    edit: cython.double,
    after: cython.double,
    factor: cython.double,
) -> cython.double:
    """Posterior probability of one edit."""
    return exp(before + edit + after) if logs else before * edit * after * factor
