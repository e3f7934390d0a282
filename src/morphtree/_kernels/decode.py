"""The n best analyses of many words in one call, over their candidate forms."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_MATCHES, FEW_ROWS
from cython.cimports.morphtree._kernels.kbest import derive, rank, score_of
from cython.cimports.morphtree._kernels.spans import prepare
from cython.cimports.morphtree._kernels.sums import Batch, Workspace, load_rows, start, weigh_forms


def heaviest(s, forms, least):
    """Return the form of the largest mass above the least, or -1."""
    best = -1
    for x in range(forms):
        if s.log_mass[x] > least and (best < 0 or s.log_mass[x] > s.log_mass[best]):
            best = x
    return best


def place_for(score, order, scores, forms):
    """Rank an analysis among the n best so far; return the slot to write it to, or -1.

    A slot is free while its form is -1.
    """
    place = order.shape[0] - 1
    slot = order[place]
    if forms[slot] >= 0 and score <= scores[slot]:
        return -1
    while place > 0 and (forms[order[place - 1]] < 0 or scores[order[place - 1]] < score):
        order[place] = order[place - 1]
        place -= 1
    order[place] = slot
    scores[slot] = score
    return slot


def rank_forms(s, b, w, order, forms, scores, nodes, counts):
    """Find the n best analyses of a word whose forms are weighed."""
    n = order.shape[0]
    first = b.first_form[w]
    for x in range(n):
        order[x] = x
        forms[x] = -1
        scores[x] = -INF
    while True:  # a form's whole mass bounds each of its analyses
        f = heaviest(s, b.first_form[w + 1] - first, scores[order[n - 1]])
        if f < 0:
            return
        s.log_mass[f] = -INF
        prepare(
            s.tables, s.spans, b.form_codes[b.form_start[first + f] : b.form_start[first + f + 1]],
            s.span_weights,
        )  # fmt: skip
        load_rows(s, True, False)
        found = rank(s.chart, n)
        for x in range(found):
            slot = place_for(s.log_edit[f] + score_of(s.chart, x), order, scores, forms)
            if slot < 0:
                break
            forms[slot] = f
            counts[slot] = derive(s.chart, x, nodes[slot])


def decode(
    s: Workspace,
    b: Batch,
    words: cython.int[::1],
    order: cython.int[:, ::1],  # (words, n) out: which of the following is best, second ...
    forms: cython.int[:, ::1],  # (words, n) out: number among the word's own forms, -1: none
    log_probs: cython.double[:, ::1],  # (words, n) out
    nodes: cython.int[:, :, :, ::1],  # (words, n, N, 4) out: label, start, end, children
    counts: cython.int[:, ::1],  # (words, n) out
) -> cython.int:
    """Find the n best analyses of each word; report on the buffers as `gradients` does."""
    shortage = ENOUGH
    with cython.nogil:
        for x in range(words.shape[0]):
            if not start(s, b, words[x]):
                shortage = FEW_MATCHES
                break
            total = weigh_forms(s, b, words[x])
            if s.spans.full:
                shortage = FEW_ROWS
                break
            rank_forms(s, b, words[x], order[x], forms[x], log_probs[x], nodes[x], counts[x])
            for r in range(order.shape[1]):
                log_probs[x, r] -= total
    return shortage
