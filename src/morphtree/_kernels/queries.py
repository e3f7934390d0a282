"""What one asks of a filled edit lattice: expected edits, and samples of forms."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp
from cython.cimports.morphtree._kernels._constants import EMPTY, INF, LOG_UNIT
from cython.cimports.morphtree._kernels.arcs import Arcs
from cython.cimports.morphtree._kernels.arithmetic import bounded_exp, shifted

MOST_FACTOR = cython.declare(cython.double, 2.0**800)  # times two cells it is still a number


def scale(a, b, log_total):
    """Return what turns alpha * beta of two scaled cells into a share of the total."""
    if a == EMPTY or b == EMPTY:
        return 0.0
    return bounded_exp(LOG_UNIT * (a + b) - log_total)


def expect_written(
    arcs, alpha, a_exp, beta, b_exp, log_total, i, target, letters, table, x, factors, out
):
    """out[i, c, d] = probability of writing d after c on the way from row i to row target."""
    size = arcs.size
    longest = alpha.shape[1] - 1
    sound: cython.bint = True
    for j in range(longest):
        factors[j] = 1.0
        if not arcs.logs:
            factors[j] = scale(a_exp[i, j], b_exp[target, j + 1], log_total)
            sound = sound and factors[j] < MOST_FACTOR
    for c in range(size + 1):
        for d in range(size):
            out[i, c, d] = 0.0
        j = 0 if c == size else 1  # nothing has been written only where j is 0
        if c == size and longest > 1:
            longest = 1
        while j < longest:
            if arcs.logs:
                add_logs(arcs, alpha, beta, log_total, i, j, c, target, letters, table, x, out)
                j += 1
            elif j + 4 <= longest:
                add_four(alpha, beta, i, j, c, target, factors, out)
                j += 4
            else:
                for d in range(size):
                    out[i, c, d] += alpha[i, j, c] * factors[j] * beta[target, j + 1, d]
                j += 1
        if not arcs.logs:
            for d in range(size):
                out[i, c, d] *= letters[i, d] * table[x, c, d]
    return sound


def add_four(alpha, beta, i, j, c, target, factors, out):
    """Add four lengths of the form in one pass over the letters."""
    w0 = alpha[i, j, c] * factors[j]
    w1 = alpha[i, j + 1, c] * factors[j + 1]
    w2 = alpha[i, j + 2, c] * factors[j + 2]
    w3 = alpha[i, j + 3, c] * factors[j + 3]
    for d in range(out.shape[2]):
        out[i, c, d] += (w0 * beta[target, j + 1, d] + w1 * beta[target, j + 2, d]) + (
            w2 * beta[target, j + 3, d] + w3 * beta[target, j + 4, d]
        )


def add_logs(arcs, alpha, beta, log_total, i, j, c, target, letters, table, x, out):
    """Add one length of the form, in log space."""
    weight = alpha[i, j, c]
    if weight > -INF:
        for d in range(arcs.size):
            out[i, c, d] += exp(
                weight - log_total + beta[target, j + 1, d] + letters[i, d] + table[x, c, d]
            )


def expect_deleted(arcs, alpha, a_exp, beta, b_exp, log_total, i, out):
    """out[i, c] = probability of deleting w[i] after c."""
    x = arcs.classes[i]
    sound = True
    for c in range(arcs.size + 1):
        out[i, c] = 0.0
    for j in range(alpha.shape[1]):
        factor = 0.0 if arcs.logs else scale(a_exp[i, j], b_exp[i + 1, j], log_total)
        if not factor < MOST_FACTOR:
            sound = False
        for c in range(arcs.size + 1):
            if arcs.logs:
                out[i, c] += exp(
                    alpha[i, j, c]
                    + (beta[i + 1, j, c] + arcs.delete[i] + arcs.del_table[x, c] - log_total)
                )
            else:
                out[i, c] += (
                    alpha[i, j, c] * factor * beta[i + 1, j, c]
                    * (arcs.delete[i] * arcs.del_table[x, c])
                )  # fmt: skip
    return sound


def expect(
    arcs: Arcs,
    alpha: cython.double[:, :, ::1],
    a_exp: cython.int[:, ::1],
    beta: cython.double[:, :, ::1],
    b_exp: cython.int[:, ::1],
    log_total: cython.double,
    factors: cython.double[::1],  # (L+1,)         scratch
    substitute: cython.double[:, :, ::1],  # (n, A+1, A)    out
    insert: cython.double[:, :, ::1],  # (n+1, A+1, A)  out
    delete: cython.double[:, ::1],  # (n, A+1)       out
) -> cython.bint:
    """Posterior probability of every edit; False if scaled numbers cannot hold it."""
    sound = True
    with cython.nogil:
        for i in range(arcs.n + 1):
            if i < arcs.n:
                sound = sound and expect_written(
                    arcs, alpha, a_exp, beta, b_exp, log_total, i, i + 1,
                    arcs.substitute, arcs.sub_table, arcs.classes[i], factors, substitute,
                )  # fmt: skip
                sound = sound and expect_deleted(
                    arcs, alpha, a_exp, beta, b_exp, log_total, i, delete
                )
            sound = sound and expect_written(
                arcs, alpha, a_exp, beta, b_exp, log_total, i, i,
                arcs.insert, arcs.ins_table, 0, factors, insert,
            )  # fmt: skip
    return sound


def next_weights(arcs, beta, b_exp, i, j, c, out):
    """Weigh each next edit of a state by all the ways to go on after it; return the sum.

    out: (2A+1,), substitute by d, insert d, delete.
    """
    size = arcs.size
    here = b_exp[i, j]
    base = beta[i, j, c]
    whole = 0.0
    for d in range(2 * size + 1):
        out[d] = 0.0
    if i < arcs.n:
        out[2 * size] = edit_weight(
            arcs, arcs.delete[i], arcs.del_table[arcs.classes[i], c],
            beta[i + 1, j, c], base, b_exp[i + 1, j] - here,
        )  # fmt: skip
    if j + 1 < beta.shape[1]:
        for d in range(size):
            if i < arcs.n:
                out[d] = edit_weight(
                    arcs, arcs.substitute[i, d], arcs.sub_table[arcs.classes[i], c, d],
                    beta[i + 1, j + 1, d], base, b_exp[i + 1, j + 1] - here,
                )  # fmt: skip
            out[size + d] = edit_weight(
                arcs, arcs.insert[i, d], arcs.ins_table[0, c, d],
                beta[i, j + 1, d], base, b_exp[i, j + 1] - here,
            )  # fmt: skip
    for d in range(2 * size + 1):
        whole += out[d]
    return whole


def edit_weight(arcs, letter, bigram, after, base, shift):
    """Weight of one edit relative to the state it leaves; shift is in units of 2**64."""
    if arcs.logs:
        return exp(letter + bigram + after - base)
    return shifted(letter * bigram * after, shift)


def sample(
    arcs: Arcs,
    beta: cython.double[:, :, ::1],
    b_exp: cython.int[:, ::1],
    uniforms: cython.double[:, ::1],  # (m, at least 2n + k + 1) in [0, 1)
    choices: cython.double[::1],  # (2 A + 1,)    scratch
    forms: cython.int[:, ::1],  # (m, n + k)    out
    lengths: cython.int[::1],  # (m,)          out
) -> None:
    """Draw forms: walk from the start, choosing each edit by its weight."""
    size = arcs.size
    rest: cython.double
    with cython.nogil:
        for row in range(uniforms.shape[0]):
            i = 0
            j = 0
            c = size
            for step in range(uniforms.shape[1]):
                rest = next_weights(arcs, beta, b_exp, i, j, c, choices)
                stop = 0.0
                if i == arcs.n:
                    stop = exp(-beta[i, j, c]) if arcs.logs else shifted(1.0, -b_exp[i, j])
                rest = uniforms[row, step] * (rest + stop) - stop
                if rest < 0.0:
                    break
                pick = -1
                for d in range(2 * size + 1):  # rounding must not pick an edit of weight zero
                    if choices[d] > 0.0:
                        pick = d
                        rest -= choices[d]
                        if rest < 0.0:
                            break
                if pick < 0:
                    break
                if pick < size or pick == 2 * size:
                    i += 1
                if pick < 2 * size:
                    c = pick if pick < size else pick - size
                    forms[row, j] = c
                    j += 1
            lengths[row] = j
