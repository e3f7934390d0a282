# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The best analysis of many words in one call: the best tree over the listed forms."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.morphtree._kernels.sums import (
        Batch,
        Sums,
        leaf_log,
        open_form,
        span_log,
        start,
        tree_sum,
        weigh_forms,
    )
else:
    from morphtree._kernels.sums import (
        Batch,
        Sums,
        leaf_log,
        open_form,
        span_log,
        start,
        tree_sum,
        weigh_forms,
    )

INF = cython.declare(cython.double, float("inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_way(
    s: Sums, a: cython.Py_ssize_t, i: cython.Py_ssize_t, j: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Find the best way to build a label over a span: rule * (m + 1) + split, -1 if it is spelt.

    The split of a unary rule is the start of the span.
    """
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    side: cython.Py_ssize_t = s.spans.m + 1
    way: cython.Py_ssize_t = -1
    best: cython.double = -INF
    term: cython.double
    weight: cython.double
    if a < s.tables.own and s.tables.rules.leaf[a] >= 0 and (s.spans.spells[i, j] >> a) & 1:
        best = leaf_log(s, i, j, a)
    for r in range(s.tables.rules.unary.shape[0]):
        b = s.tables.rules.unary[r, 1]
        if s.tables.rules.unary[r, 0] == a and (s.spans.need[i, j] >> b) & 1:
            term = s.rule_log[s.tables.rules.unary[r, 2]] + s.inside[i, j, b]
            if term > best:
                best = term
                way = r * side + i
    for r in range(s.tables.rules.binary.shape[0]):
        if s.tables.rules.binary[r, 0] != a:
            continue
        b = s.tables.rules.binary[r, 1]
        c = s.tables.rules.binary[r, 2]
        weight = span_log(s, i, j, a)
        if s.tables.rules.binary[r, 3] >= 0:
            weight += s.rule_log[s.tables.rules.binary[r, 3]]
        for k in range(i + 1, j):
            if (s.spans.need[i, k] >> b) & (s.spans.need[k, j] >> c) & 1:
                term = weight + s.inside[i, k, b] + s.inside[k, j, c]
                if term > best:
                    best = term
                    way = r * side + k
    return way


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def set_node(
    nodes: cython.int[:, ::1],
    place: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.void:
    """Write label, start and end of a node."""
    nodes[place, 0] = a
    nodes[place, 1] = i
    nodes[place, 2] = j


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def derive(s: Sums, nodes: cython.int[:, ::1]) -> cython.Py_ssize_t:
    """Read the best tree off the filled table: label, start, end, number of children."""
    count: cython.Py_ssize_t = 0
    height: cython.Py_ssize_t = 1
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    way: cython.Py_ssize_t
    rule: cython.Py_ssize_t
    split: cython.Py_ssize_t
    room: cython.Py_ssize_t = nodes.shape[0]
    # the stack grows down from the end of the nodes
    set_node(nodes, room - 1, s.tables.rules.start, 0, s.spans.m)
    while height > 0:
        a = nodes[room - height, 0]
        i = nodes[room - height, 1]
        j = nodes[room - height, 2]
        height -= 1
        way = best_way(s, a, i, j)
        set_node(nodes, count, a, i, j)
        nodes[count, 3] = 0
        if way >= 0:
            rule = way // (s.spans.m + 1)
            split = way % (s.spans.m + 1)
            if split > i:
                nodes[count, 3] = 2
                height += 2
                set_node(nodes, room - height + 1, s.tables.rules.binary[rule, 2], split, j)
                set_node(nodes, room - height, s.tables.rules.binary[rule, 1], i, split)
            else:
                nodes[count, 3] = 1
                height += 1
                set_node(nodes, room - height, s.tables.rules.unary[rule, 1], i, j)
        count += 1
    return count


def decode(
    s: Sums,
    b: Batch,
    words: cython.int[::1],
    best_form: cython.int[::1],  # (words,) out: number among the word's own forms, -1: none
    prob: cython.double[:, ::1],  # (words, 2) out: log probability of the best, log sum
    nodes: cython.int[:, :, ::1],  # (words, room, 4) out
    counts: cython.int[::1],  # (words,) out
) -> cython.int:
    """Find the best analysis of each word; 0 if all is well, as in `gradients`."""
    x: cython.Py_ssize_t
    w: cython.Py_ssize_t
    f: cython.Py_ssize_t
    first: cython.Py_ssize_t
    heaviest: cython.Py_ssize_t
    total: cython.double
    best: cython.double
    score: cython.double
    trouble: cython.int = 0
    with cython.nogil:
        for x in range(words.shape[0]):
            w = words[x]
            first = b.first_form[w]
            best_form[x] = -1
            counts[x] = 0
            if not start(s, b, w):
                trouble = 2
                break
            total = weigh_forms(s, b, w)
            if s.spans.full:
                trouble = 1
                break
            best = -INF
            while True:  # a form's whole mass bounds each of its analyses
                heaviest = -1
                for f in range(b.first_form[w + 1] - first):
                    if s.terms[f] > best and (heaviest < 0 or s.terms[f] > s.terms[heaviest]):
                        heaviest = f
                if heaviest < 0:
                    break
                score = s.cool * (b.offset[first + heaviest] + open_form(s, b, first + heaviest))
                score += tree_sum(s, False, True)
                s.terms[heaviest] = -INF
                if score > best:
                    best = score
                    best_form[x] = heaviest
                    counts[x] = derive(s, nodes[x])
            prob[x, 0] = best - total
            prob[x, 1] = total
    return trouble
