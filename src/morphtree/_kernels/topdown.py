# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What one asks of a filled tree chart: expected productions, samples, the best tree.

All of them walk from the whole form down and need one number: the *share* that a production
has in the constituent it builds, its weight divided by the inside sum.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp
    from cython.cimports.morphtree._kernels.arithmetic import shifted
    from cython.cimports.morphtree._kernels.chart import Chart
else:
    from math import exp

    from morphtree._kernels.arithmetic import shifted
    from morphtree._kernels.chart import Chart

SCALED = cython.declare(cython.int, 0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def leaf_share(
    chart: Chart, i: cython.Py_ssize_t, j: cython.Py_ssize_t, a: cython.Py_ssize_t
) -> cython.double:
    """Share of spelling the string in label a over [i, j)."""
    if chart.mode == SCALED:
        return shifted(chart.leaf[i, j, a], -chart.exponents[i, j]) / chart.inside[i, j, a]
    return exp(chart.leaf[i, j, a] - chart.inside[i, j, a])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def unary_share(
    chart: Chart, i: cython.Py_ssize_t, j: cython.Py_ssize_t, r: cython.Py_ssize_t
) -> cython.double:
    """Share of unary rule r in its parent over [i, j)."""
    a: cython.Py_ssize_t = chart.rules.unary[r, 0]
    child: cython.double = chart.inside[i, j, chart.rules.unary[r, 1]]
    if chart.mode == SCALED:
        return chart.unary_weight[r] * child / chart.inside[i, j, a]
    return exp(chart.unary_weight[r] + child - chart.inside[i, j, a])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def binary_share(
    chart: Chart,
    i: cython.Py_ssize_t,
    k: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
) -> cython.double:
    """Share of binary rule r, split at k, in its parent over [i, j)."""
    a: cython.Py_ssize_t = chart.rules.binary[r, 0]
    left: cython.double = chart.inside[i, k, chart.rules.binary[r, 1]]
    right: cython.double = chart.inside[k, j, chart.rules.binary[r, 2]]
    shift: cython.int
    if chart.mode != SCALED:
        return exp(
            chart.binary_weight[r] + chart.span[i, j, a] + left + right - chart.inside[i, j, a]
        )
    if left == 0.0 or right == 0.0:
        return 0.0
    shift = chart.exponents[i, k] + chart.exponents[k, j] - chart.exponents[i, j]
    left *= right
    if shift != 0:
        left = shifted(left, shift)
    return left * (chart.binary_weight[r] * chart.span[i, j, a]) / chart.inside[i, j, a]


def expect(
    chart: Chart,
    posterior: cython.double[:, :, ::1],  # (m, m+1, A)    scratch, zero at first
    leaf: cython.double[:, :, ::1],  # (m, m+1, own)  out, zero at first
    span: cython.double[:, :, ::1],  # (m, m+1, own)  out, zero at first
    rules: cython.double[::1],  # (R,)           out, zero at first
) -> None:
    """Expected number of uses of every production, from the whole form down."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    length: cython.Py_ssize_t
    a: cython.Py_ssize_t
    r: cython.Py_ssize_t
    mass: cython.double
    with cython.nogil:
        posterior[0, chart.m, chart.rules.start] = 1.0
        for length in range(chart.m, 0, -1):
            for i in range(chart.m - length + 1):
                j = i + length
                for r in range(chart.rules.unary.shape[0] - 1, -1, -1):
                    mass = posterior[i, j, chart.rules.unary[r, 0]]
                    if mass > 0.0:
                        mass *= unary_share(chart, i, j, r)
                        rules[chart.rules.unary[r, 2]] += mass
                        posterior[i, j, chart.rules.unary[r, 1]] += mass
                for a in range(leaf.shape[2]):
                    mass = posterior[i, j, a]
                    if mass > 0.0 and chart.rules.leaf[a] >= 0:
                        leaf[i, j, a] = mass * leaf_share(chart, i, j, a)
                        rules[chart.rules.leaf[a]] += leaf[i, j, a]
                for r in range(chart.rules.binary.shape[0]):
                    if posterior[i, j, chart.rules.binary[r, 0]] > 0.0:
                        expect_splits(chart, i, j, r, posterior, span, rules)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expect_splits(
    chart: Chart,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
    posterior: cython.double[:, :, ::1],
    span: cython.double[:, :, ::1],
    rules: cython.double[::1],
) -> cython.void:
    """Hand a constituent's probability down to the two parts of each of its splits."""
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t = chart.rules.binary[r, 0]
    above: cython.double = posterior[i, j, a]
    mass: cython.double
    total: cython.double = 0.0
    for k in range(i + 1, j):
        mass = above * binary_share(chart, i, k, j, r)
        if mass > 0.0:
            total += mass
            posterior[i, k, chart.rules.binary[r, 1]] += mass
            posterior[k, j, chart.rules.binary[r, 2]] += mass
    if a < span.shape[2]:
        span[i, j, a] += total
    if chart.rules.binary[r, 3] >= 0:
        rules[chart.rules.binary[r, 3]] += total


def derive(
    chart: Chart,
    uniforms: cython.double[::1],  # in [0, 1): one draw a node; negative: take the largest share
    nodes: cython.int[:, ::1],  # (N, 4) out: label, i, j, number of children; parents first
    stack: cython.int[:, ::1],  # (N, 3) scratch
) -> cython.int:
    """Walk down from the whole form, choosing one production a node; return the node count."""
    count: cython.int = 0
    height: cython.int = 1
    choice: cython.Py_ssize_t
    k: cython.Py_ssize_t
    r: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    splits: cython.Py_ssize_t
    unaries: cython.Py_ssize_t = chart.rules.unary.shape[0]
    with cython.nogil:
        stack[0, 0] = chart.rules.start
        stack[0, 1] = 0
        stack[0, 2] = chart.m
        while height > 0:
            height -= 1
            nodes[count, 0] = stack[height, 0]
            i = stack[height, 1]
            j = stack[height, 2]
            nodes[count, 1] = i
            nodes[count, 2] = j
            nodes[count, 3] = 0
            splits = j - i - 1
            choice = choose(chart, i, j, nodes[count, 0], uniforms[count])
            if choice > unaries:
                r = (choice - unaries - 1) // splits
                k = i + 1 + (choice - unaries - 1) % splits
                nodes[count, 3] = 2
                stack[height, 0] = chart.rules.binary[r, 2]
                stack[height, 1] = k
                stack[height, 2] = j
                stack[height + 1, 0] = chart.rules.binary[r, 1]
                stack[height + 1, 1] = i
                stack[height + 1, 2] = k
                height += 2
            elif choice > 0:
                nodes[count, 3] = 1
                stack[height, 0] = chart.rules.unary[choice - 1, 1]
                stack[height, 1] = i
                stack[height, 2] = j
                height += 1
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(
    chart: Chart,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    uniform: cython.double,
) -> cython.Py_ssize_t:
    """Number of a production of label a over [i, j): 0 spelt, then unary, then binary x split."""
    number: cython.Py_ssize_t
    r: cython.Py_ssize_t
    splits: cython.Py_ssize_t = j - i - 1
    unaries: cython.Py_ssize_t = chart.rules.unary.shape[0]
    best: cython.Py_ssize_t = 0
    best_share: cython.double = 0.0
    share: cython.double
    rest: cython.double = uniform
    for number in range(1 + unaries + splits * chart.rules.binary.shape[0]):
        share = 0.0
        if number == 0:
            share = leaf_share(chart, i, j, a)
        elif number <= unaries:
            if chart.rules.unary[number - 1, 0] == a:
                share = unary_share(chart, i, j, number - 1)
        else:
            r = (number - unaries - 1) // splits
            if chart.rules.binary[r, 0] == a:
                share = binary_share(chart, i, i + 1 + (number - unaries - 1) % splits, j, r)
        if share > 0.0:
            rest -= share
            if uniform < 0.0:
                if share > best_share:
                    best = number
                    best_share = share
            else:
                best = number  # rounding must not end on a production of weight zero
                if rest < 0.0:
                    break
    return best
