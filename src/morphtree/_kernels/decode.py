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
def derive(s: Sums, nodes: cython.int[:, ::1]) -> cython.Py_ssize_t:
    """Read the best tree off the filled table: label, start, end, number of children."""
    count: cython.Py_ssize_t = 0
    height: cython.Py_ssize_t = 1
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    best: cython.double
    term: cython.double
    weight: cython.double
    rule: cython.Py_ssize_t
    split: cython.Py_ssize_t
    room: cython.Py_ssize_t = nodes.shape[0]
    # the stack grows down from the end of the nodes
    nodes[room - 1, 0] = s.parts.rules.start
    nodes[room - 1, 1] = 0
    nodes[room - 1, 2] = s.spans.m
    while height > 0:
        a = nodes[room - height, 0]
        i = nodes[room - height, 1]
        j = nodes[room - height, 2]
        height -= 1
        best = -INF
        rule = -1
        split = -1
        if a < s.parts.own and s.parts.rules.leaf[a] >= 0 and (s.spans.spells[i, j] >> a) & 1:
            best = leaf_log(s, i, j, a)
        for r in range(s.parts.rules.unary.shape[0]):
            if (
                s.parts.rules.unary[r, 0] == a
                and (s.spans.need[i, j] >> s.parts.rules.unary[r, 1]) & 1
            ):
                term = (
                    s.rule_log[s.parts.rules.unary[r, 2]]
                    + s.inside[i, j, s.parts.rules.unary[r, 1]]
                )
                if term > best:
                    best = term
                    rule = r
                    split = i
        for r in range(s.parts.rules.binary.shape[0]):
            if s.parts.rules.binary[r, 0] != a:
                continue
            weight = span_log(s, i, j, a)
            if s.parts.rules.binary[r, 3] >= 0:
                weight += s.rule_log[s.parts.rules.binary[r, 3]]
            for k in range(i + 1, j):
                if (
                    (s.spans.need[i, k] >> s.parts.rules.binary[r, 1])
                    & (s.spans.need[k, j] >> s.parts.rules.binary[r, 2])
                    & 1
                ):
                    term = (
                        weight
                        + s.inside[i, k, s.parts.rules.binary[r, 1]]
                        + s.inside[k, j, s.parts.rules.binary[r, 2]]
                    )
                    if term > best:
                        best = term
                        rule = r
                        split = k
        nodes[count, 0] = a
        nodes[count, 1] = i
        nodes[count, 2] = j
        nodes[count, 3] = 0 if split < 0 else (1 if split == i else 2)
        count += 1
        if split > i:
            height += 1
            nodes[room - height, 0] = s.parts.rules.binary[rule, 2]
            nodes[room - height, 1] = split
            nodes[room - height, 2] = j
            height += 1
            nodes[room - height, 0] = s.parts.rules.binary[rule, 1]
            nodes[room - height, 1] = i
            nodes[room - height, 2] = split
        elif split == i:
            height += 1
            nodes[room - height, 0] = s.parts.rules.unary[rule, 1]
            nodes[room - height, 1] = i
            nodes[room - height, 2] = j
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
