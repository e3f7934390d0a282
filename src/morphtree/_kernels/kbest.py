"""The k best derivations of a form, exactly: every label over every span keeps its k best.

A derivation is a production with the ranks of its parts. Of equally good ones the first found is
better: spelt, then unary, then binary rules in order and their splits in order; so the k best are
the first of the k + 1 best. Weights must be logarithms. Types in kbest.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF, WORD_SIZE
from cython.cimports.morphtree._kernels.chart import Chart, bonus_of, has, splits
from cython.cimports.morphtree._kernels.mixing import lowest_bit
from cython.cimports.morphtree._kernels.topdown import expand


def cell_of(chart, i, j, a):
    """Return the number of label a over [i, j)."""
    return (i * chart.inside.shape[1] + j) * chart.inside.shape[2] + a


def offer(chart, k, cell, score, production, split, left, right):
    """Take a derivation into a cell's list; False if it is not among the k best so far."""
    place = min(chart.ranks[cell], k - 1)
    if score <= chart.scores[cell, k - 1]:
        return False
    chart.ranks[cell] = max(chart.ranks[cell], place + 1)
    while place > 0 and chart.scores[cell, place - 1] < score:
        chart.scores[cell, place] = chart.scores[cell, place - 1]
        for x in range(4):
            chart.back[cell, place, x] = chart.back[cell, place - 1, x]
        place -= 1
    chart.scores[cell, place] = score
    chart.back[cell, place, 0] = production
    chart.back[cell, place, 1] = split
    chart.back[cell, place, 2] = left
    chart.back[cell, place, 3] = right
    return True


def offer_pairs(chart, k, cell, weight, production, split, left, right):
    """Offer what a binary rule makes of the lists of two cells, as far as it can matter.

    Of ranks x and y, (x + 1) * (y + 1) - 1 pairs are at least as good.
    """
    for x in range(chart.ranks[left]):
        for y in range(min(chart.ranks[right], k // (x + 1))):
            score = weight + chart.scores[left, x] + chart.scores[right, y]
            if not offer(chart, k, cell, score, production, split, x, y):
                if y == 0:
                    return
                break


def rank_cell(chart, k, i, j, a):
    """Find the k best derivations of label a over [i, j)."""
    unaries = chart.rules.unary.shape[0]
    cell = cell_of(chart, i, j, a)
    chart.ranks[cell] = 0
    chart.scores[cell, 0] = -INF  # of an empty list
    chart.scores[cell, k - 1] = -INF  # while there are fewer than k
    offer(chart, k, cell, chart.leaf[i, j, a], 0, i, 0, 0)
    for r in range(unaries):
        if chart.rules.unary[r, 0] == a and has(chart.need[i, j], chart.rules.unary[r, 1]):
            left = cell_of(chart, i, j, chart.rules.unary[r, 1])
            for x in range(chart.ranks[left]):
                weight = chart.weight[r] + chart.scores[left, x]
                if not offer(chart, k, cell, weight, 1 + r, i, x, 0):
                    break
    if chart.span[i, j, a] == -INF:
        return
    for r in range(chart.rules.binary.shape[0]):
        if chart.rules.binary[r, 0] != a:
            continue
        weight = chart.span[i, j, a] + chart.weight[unaries + r]
        offer_splits(chart, k, i, j, cell, weight, r)


def offer_splits(chart, k, i, j, cell, weight, r):
    """Offer what a binary rule makes of each split of a span, given the weight of the rest."""
    b = chart.rules.binary[r, 1]
    c = chart.rules.binary[r, 2]
    bits: cython.ulonglong
    for x in range(chart.words):
        bits = splits(chart, i, j, b, c, x)
        while bits:
            split = x * WORD_SIZE + lowest_bit(bits)
            bits &= bits - 1
            left = cell_of(chart, i, split, b)
            right = cell_of(chart, split, j, c)
            own = weight
            if chart.stored_first[i, j]:
                own += bonus_of(chart, i, split, j, r)
            if own + chart.scores[left, 0] + chart.scores[right, 0] > chart.scores[cell, k - 1]:
                production = 1 + chart.rules.unary.shape[0] + r
                offer_pairs(chart, k, cell, own, production, split, left, right)


def rank(chart, k):
    """Find the k best derivations of a loaded form; return how many there are."""
    if chart.m == 0 or not has(chart.need[0, chart.m], chart.rules.start):
        return 0
    for x in range(chart.count):
        i = chart.places[x, 0]
        j = chart.places[x, 1]
        need = chart.need[i, j]
        for y in range(chart.rules.labels):
            if has(need, chart.rules.order[y]):
                rank_cell(chart, k, i, j, chart.rules.order[y])
    return chart.ranks[cell_of(chart, 0, chart.m, chart.rules.start)]


def score_of(chart, number):
    """Return the log score of the derivation of some rank."""
    return chart.scores[cell_of(chart, 0, chart.m, chart.rules.start), number]


def derive(chart, number, nodes):
    """Read the derivation of some rank off the backpointers; return the number of its nodes."""
    count = 0
    height = 1
    top = nodes.shape[0] - 1
    nodes[top, 0] = chart.rules.start
    nodes[top, 1] = 0
    nodes[top, 2] = chart.m
    nodes[top, 3] = number
    while height > 0:
        top = nodes.shape[0] - height
        cell = cell_of(chart, nodes[top, 1], nodes[top, 2], nodes[top, 0])
        way = nodes[top, 3]
        height = expand(
            chart, nodes, count, height, chart.back[cell, way, 0], chart.back[cell, way, 1],
            chart.back[cell, way, 2], chart.back[cell, way, 3],
        )  # fmt: skip
        count += 1
    return count


def best(
    chart: Chart,
    k: cython.Py_ssize_t,
    scores: cython.double[::1],  # (k,) out
    nodes: cython.int[:, :, ::1],  # (k, N, 4) out: label, i, j, number of children; parents first
    counts: cython.int[::1],  # (k,) out
) -> cython.Py_ssize_t:
    """Find the k best trees of a loaded form; return how many there are."""
    with cython.nogil:
        found = rank(chart, k)
        for x in range(found):
            scores[x] = score_of(chart, x)
            counts[x] = derive(chart, x, nodes[x])
    return found
