"""Hot loops of the edit lattice: sums over all forms and alignments of one word.

A state is (i, j, c): i letters of the word read, j letters of the form written, c the last one
written; c == A, one past the alphabet, says that nothing has been written yet, so j == 0 has
that state only and j > 0 has the states 0 .. A-1.

Every recurrence runs in either of two arithmetics. Scaled (``logs`` false): weights are plain
numbers, and each cell (i, j) carries an exponent that counts powers of 2**64. Log space (``logs``
true): weights are logarithms, exponents stay 0. A scaled run reports what it met: FINE, ZEROS
(right only if no path leads there) or LOST (a value too small or too big to trust).
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import log
from cython.cimports.morphtree._kernels._constants import EMPTY, FINE, INF, LOG_UNIT, LOST, ZEROS
from cython.cimports.morphtree._kernels.arcs import Arcs
from cython.cimports.morphtree._kernels.arithmetic import log_plus, settle, shifted

# A source lost on its way to a cell weighs at most 2**-733 there: a value of at most 2**64 in a
# scale that underflows beside the cell's (2**-1088), times two weights of at most exp(100).
LEAST_CELL = cython.declare(cython.double, 2.0**-600)


def transfer(arcs, table, x):
    """row[d] = sum over c of weights[c] * table[x, c, d]: one step of the output bigram.

    The tables are padded with zeros to multiples of four rows and columns.
    """
    width = table.shape[2]
    for d in range(width):
        arcs.row[d] = -INF if arcs.logs else 0.0
    if arcs.logs:
        for c in range(table.shape[1]):
            w0 = arcs.weights[c]
            if w0 > -INF:
                for d in range(width):
                    arcs.row[d] = log_plus(arcs.row[d], w0 + table[x, c, d])
        return
    for c in range(0, table.shape[1], 4):  # one pass over the row for four multiply-adds
        w0 = arcs.weights[c]
        w1 = arcs.weights[c + 1]
        w2 = arcs.weights[c + 2]
        w3 = arcs.weights[c + 3]
        for d in range(width):
            arcs.row[d] += (w0 * table[x, c, d] + w1 * table[x, c + 1, d]) + (
                w2 * table[x, c + 2, d] + w3 * table[x, c + 3, d]
            )


def close_cell(arcs, cells, exponents, i, j, lo, hi):
    """Rescale a finished cell and report what it holds: FINE, ZEROS or LOST."""
    shift = settle(cells[i, j, lo:hi], LEAST_CELL, arcs.finite)
    if shift == LOST:
        return LOST
    exponents[i, j] = EMPTY if shift == EMPTY else exponents[i, j] + shift
    if not arcs.finite:
        for c in range(lo, hi):
            if cells[i, j, c] == 0.0:
                return ZEROS
    return FINE


def open_cell(cells, exponents, i, j, step, zero):
    """Clear a cell and give it the largest exponent of its three neighbours at -step."""
    a = i - step
    b = j - step
    top = EMPTY
    has_a: cython.bint = 0 <= a < cells.shape[0]
    has_b: cython.bint = 0 <= b < cells.shape[1]
    for c in range(cells.shape[2]):
        cells[i, j, c] = zero
    if has_a and exponents[a, j] > top:
        top = exponents[a, j]
    if has_b and exponents[i, b] > top:
        top = exponents[i, b]
    if has_a and has_b and exponents[a, b] > top:
        top = exponents[a, b]
    exponents[i, j] = top


def add_delete(arcs, cells, exponents, i, j, source, at):
    """Add to cell (i, j) what comes from cell (source, j) by deleting w[at]."""
    x = arcs.classes[at]
    factor = arcs.delete[at]
    if arcs.logs:
        for c in range(cells.shape[2]):
            cells[i, j, c] = log_plus(
                cells[i, j, c], cells[source, j, c] + factor + arcs.del_table[x, c]
            )
    else:
        if exponents[source, j] != exponents[i, j]:
            factor *= shifted(1.0, exponents[source, j] - exponents[i, j])
        for c in range(cells.shape[2]):
            cells[i, j, c] += cells[source, j, c] * factor * arcs.del_table[x, c]


def add_written(arcs, cells, exponents, i, j, source, letters, at, table, x):
    """Add to cell (i, j) what comes from cell (source, j-1) by writing one more letter."""
    factor = 1.0
    if not arcs.logs and exponents[source, j - 1] != exponents[i, j]:
        factor = shifted(1.0, exponents[source, j - 1] - exponents[i, j])
    for c in range(arcs.size + 1):
        arcs.weights[c] = cells[source, j - 1, c] * factor
    transfer(arcs, table, x)
    for c in range(arcs.size):
        if arcs.logs:
            cells[i, j, c] = log_plus(cells[i, j, c], arcs.row[c] + letters[at, c])
        else:
            cells[i, j, c] += arcs.row[c] * letters[at, c]


def add_to_write(arcs, cells, exponents, i, j, target, letters, at, table, x):
    """Add to cell (i, j) what leads to cell (target, j+1) by writing one more letter."""
    size = arcs.size
    lo = 0 if j > 0 else size
    hi = size if j > 0 else size + 1
    factor = 1.0
    if not arcs.logs and exponents[target, j + 1] != exponents[i, j]:
        factor = shifted(1.0, exponents[target, j + 1] - exponents[i, j])
    for c in range(size):
        if arcs.logs:
            arcs.weights[c] = cells[target, j + 1, c] + letters[at, c]
        else:
            arcs.weights[c] = cells[target, j + 1, c] * letters[at, c] * factor
    transfer(arcs, table, x)
    for c in range(lo, hi):
        if arcs.logs:
            cells[i, j, c] = log_plus(cells[i, j, c], arcs.row[c])
        else:
            cells[i, j, c] += arcs.row[c]


def forward(
    arcs: Arcs, alpha: cython.double[:, :, ::1], exponents: cython.int[:, ::1]
) -> cython.int:
    """alpha[i, j, c]: the weight of all ways from the start to a state."""
    size = arcs.size
    worst = FINE
    with cython.nogil:
        for i in range(arcs.n + 1):
            for j in range(alpha.shape[1]):
                open_cell(alpha, exponents, i, j, 1, -INF if arcs.logs else 0.0)
                if i == 0 and j == 0:
                    alpha[0, 0, size] = 0.0 if arcs.logs else 1.0
                    exponents[0, 0] = 0
                    continue
                if i > 0:
                    add_delete(arcs, alpha, exponents, i, j, i - 1, i - 1)
                if i > 0 and j > 0:
                    add_written(
                        arcs, alpha, exponents, i, j, i - 1,
                        arcs.substitute, i - 1, arcs.sub_table, arcs.classes[i - 1],
                    )  # fmt: skip
                if j > 0:
                    add_written(arcs, alpha, exponents, i, j, i, arcs.insert, i, arcs.ins_table, 0)
                if not arcs.logs:
                    lo = 0 if j > 0 else size
                    hi = size if j > 0 else size + 1
                    state = close_cell(arcs, alpha, exponents, i, j, lo, hi)
                    if state > worst:
                        worst = state
    return worst


def backward(
    arcs: Arcs, beta: cython.double[:, :, ::1], exponents: cython.int[:, ::1]
) -> cython.int:
    """beta[i, j, c]: the weight of all ways from a state to the end."""
    size = arcs.size
    longest = beta.shape[1] - 1
    worst = FINE
    with cython.nogil:
        for i in range(arcs.n, -1, -1):
            for j in range(longest, -1, -1):
                lo = 0 if j > 0 else size
                hi = size if j > 0 else size + 1
                open_cell(beta, exponents, i, j, -1, -INF if arcs.logs else 0.0)
                if i == arcs.n:
                    if exponents[i, j] < 0:
                        exponents[i, j] = 0
                    for c in range(lo, hi):
                        beta[i, j, c] = 0.0 if arcs.logs else shifted(1.0, -exponents[i, j])
                else:
                    add_delete(arcs, beta, exponents, i, j, i + 1, i)
                if i < arcs.n and j < longest:
                    add_to_write(
                        arcs, beta, exponents, i, j, i + 1,
                        arcs.substitute, i, arcs.sub_back, arcs.classes[i],
                    )  # fmt: skip
                if j < longest:
                    add_to_write(arcs, beta, exponents, i, j, i, arcs.insert, i, arcs.ins_back, 0)
                if not arcs.logs:
                    state = close_cell(arcs, beta, exponents, i, j, lo, hi)
                    if state > worst:
                        worst = state
    return worst


def total(alpha: cython.double[:, :, ::1], exponents: cython.int[:, ::1], logs: cython.bint):
    """Log of the weight of all complete paths, from a forward table."""
    n = alpha.shape[0] - 1
    answer = -INF
    mass: cython.double
    for j in range(alpha.shape[1]):
        mass = 0.0
        for c in range(alpha.shape[2]):
            if logs:
                answer = log_plus(answer, alpha[n, j, c])
            else:
                mass += alpha[n, j, c]
        if mass > 0.0:
            answer = log_plus(answer, log(mass) + LOG_UNIT * exponents[n, j])
    return answer
