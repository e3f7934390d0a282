"""The outside pass over a filled tree chart: expected productions, and samples.

Both walk from the whole form down and need one number: the *share* that a production has in the
constituent it builds, its weight divided by the inside sum. Types in topdown.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, fabs
from cython.cimports.morphtree._kernels._constants import WORD_SIZE
from cython.cimports.morphtree._kernels.arithmetic import shifted
from cython.cimports.morphtree._kernels.chart import Chart, bonus_of, splits
from cython.cimports.morphtree._kernels.mixing import lowest_bit


def leaf_share(chart, i, j, a):
    """Share of spelling the string in label a over [i, j)."""
    if chart.logs:
        return exp(chart.leaf[i, j, a] - chart.inside[i, j, a])
    return shifted(chart.leaf[i, j, a], -chart.exponents[i, j]) / chart.inside[i, j, a]


def unary_share(chart, i, j, r):
    """Share of unary rule r in its parent over [i, j)."""
    a = chart.rules.unary[r, 0]
    child = chart.inside[i, j, chart.rules.unary[r, 1]]
    if chart.logs:
        return exp(chart.weight[r] + child - chart.inside[i, j, a])
    return chart.weight[r] * child / chart.inside[i, j, a]


def binary_share(chart, i, k, j, r):
    """Share of binary rule r, split at k, in its parent over [i, j)."""
    a = chart.rules.binary[r, 0]
    left = chart.inside[i, k, chart.rules.binary[r, 1]]
    right = chart.inside[k, j, chart.rules.binary[r, 2]]
    weight = chart.weight[chart.rules.unary.shape[0] + r]
    bonus = bonus_of(chart, i, k, j, r)
    if chart.logs:
        return exp(weight + bonus + chart.span[i, j, a] + left + right - chart.inside[i, j, a])
    if left == 0.0 or right == 0.0:
        return 0.0
    shift = chart.exponents[i, k] + chart.exponents[k, j] - chart.exponents[i, j]
    left *= right
    if shift != 0:
        left = shifted(left, shift)
    return left * exp(bonus) * (weight * chart.span[i, j, a]) / chart.inside[i, j, a]


def expect(chart, scale, faint):
    """Expected uses of every production, times `scale`; a posterior up to `faint` is left out.

    Those of rules are added to what is there.
    """
    for x in range(chart.count):
        for a in range(chart.rules.labels):
            chart.posterior[chart.places[x, 0], chart.places[x, 1], a] = 0.0
    chart.posterior[0, chart.m, chart.rules.start] = scale
    for x in range(chart.count - 1, -1, -1):
        expect_span(chart, chart.places[x, 0], chart.places[x, 1], faint)


def expect_span(chart, i, j, faint):
    """Divide the posterior of a span's labels among their productions."""
    mass: cython.double
    for r in range(chart.rules.unary.shape[0] - 1, -1, -1):
        mass = chart.posterior[i, j, chart.rules.unary[r, 0]]
        if fabs(mass) > faint:
            mass *= unary_share(chart, i, j, r)
            chart.rule_expected[chart.rules.unary[r, 2]] += mass
            chart.posterior[i, j, chart.rules.unary[r, 1]] += mass
    for a in range(chart.leaf_expected.shape[2]):
        chart.leaf_expected[i, j, a] = 0.0
        chart.span_expected[i, j, a] = 0.0
        mass = chart.posterior[i, j, a]
        if fabs(mass) > faint and chart.rules.leaf[a] >= 0:
            mass *= leaf_share(chart, i, j, a)
            chart.leaf_expected[i, j, a] = mass
            chart.rule_expected[chart.rules.leaf[a]] += mass
    for r in range(chart.rules.binary.shape[0]):
        if fabs(chart.posterior[i, j, chart.rules.binary[r, 0]]) > faint:
            expect_splits(chart, i, j, r)


def expect_splits(chart, i, j, r):
    """Add a binary rule's share of a posterior to the two parts of each split."""
    a = chart.rules.binary[r, 0]
    b = chart.rules.binary[r, 1]
    c = chart.rules.binary[r, 2]
    above = chart.posterior[i, j, a]
    weight = chart.weight[chart.rules.unary.shape[0] + r]
    total: cython.double = 0.0
    mass: cython.double
    bits: cython.ulonglong
    if chart.logs:
        weight += chart.span[i, j, a] - chart.inside[i, j, a]
    else:
        weight = weight * chart.span[i, j, a] / chart.inside[i, j, a] * above
    for x in range(chart.words):
        bits = splits(chart, i, j, b, c, x)
        while bits:
            k = x * WORD_SIZE + lowest_bit(bits)
            bits &= bits - 1
            bonus = bonus_of(chart, i, k, j, r)
            if chart.logs:
                mass = above * exp(weight + bonus + chart.inside[i, k, b] + chart.inside[k, j, c])
            else:
                mass = chart.inside[i, k, b] * chart.inside[k, j, c]
                if mass > 0.0:
                    shift = chart.exponents[i, k] + chart.exponents[k, j] - chart.exponents[i, j]
                    mass = weight * (mass if shift == 0 else shifted(mass, shift))
                if bonus:
                    mass *= exp(bonus)
            if mass != 0.0:
                total += mass
                chart.posterior[i, k, b] += mass
                chart.posterior[k, j, c] += mass
    if a < chart.span_expected.shape[2]:
        chart.span_expected[i, j, a] += total
    if chart.rules.binary[r, 3] >= 0:
        chart.rule_expected[chart.rules.binary[r, 3]] += total


def expect_all(chart: Chart) -> None:
    """Expected uses of every production, however faint."""
    with cython.nogil:
        expect(chart, 1.0, 0.0)


def set_node(nodes, place, a, i, j, last):
    """Write label, start, end, and the number of children; or the rank, if it is yet to come."""
    nodes[place, 0] = a
    nodes[place, 1] = i
    nodes[place, 2] = j
    nodes[place, 3] = last


def expand(chart, nodes, count, height, production, split, left, right):
    """Note a node as number `count`, and put the children of its production on the stack.

    The stack grows down from the end of `nodes`; its top is the node itself, which gives way to
    its children with their ranks. Returns the new height.
    """
    top = nodes.shape[0] - height
    a = nodes[top, 0]
    i = nodes[top, 1]
    j = nodes[top, 2]
    unaries = chart.rules.unary.shape[0]
    if production == 0:
        set_node(nodes, count, a, i, j, 0)
        return height - 1
    if production <= unaries:
        set_node(nodes, count, a, i, j, 1)
        set_node(nodes, top, chart.rules.unary[production - 1, 1], i, j, left)
        return height
    set_node(nodes, count, a, i, j, 2)
    set_node(nodes, top, chart.rules.binary[production - unaries - 1, 2], split, j, right)
    set_node(nodes, top - 1, chart.rules.binary[production - unaries - 1, 1], i, split, left)
    return height + 1


def sample(
    chart: Chart,
    uniforms: cython.double[::1],  # in [0, 1): one draw a node
    nodes: cython.int[:, ::1],  # (N, 4) out: label, i, j, number of children; parents first
) -> cython.Py_ssize_t:
    """Draw a tree from the whole form down; return the number of its nodes."""
    count = 0
    height = 1
    choice: cython.Py_ssize_t
    unaries = chart.rules.unary.shape[0]
    split: cython.Py_ssize_t
    with cython.nogil:
        set_node(nodes, nodes.shape[0] - 1, chart.rules.start, 0, chart.m, 0)
        while height > 0:
            top = nodes.shape[0] - height
            choice = choose(chart, nodes[top, 1], nodes[top, 2], nodes[top, 0], uniforms[count])
            split = 0
            if choice > unaries:
                splits = nodes[top, 2] - nodes[top, 1] - 1
                split = nodes[top, 1] + 1 + (choice - unaries - 1) % splits
                choice = unaries + 1 + (choice - unaries - 1) // splits
            height = expand(chart, nodes, count, height, choice, split, 0, 0)
            count += 1
    return count


def choose(chart, i, j, a, uniform):
    """Number of a production of label a over [i, j): 0 spelt, then unary, then binary x split."""
    splits = j - i - 1
    unaries = chart.rules.unary.shape[0]
    chosen = 0
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
            chosen = number  # rounding must not end on a production of weight zero
            uniform -= share
            if uniform < 0.0:
                break
    return chosen
