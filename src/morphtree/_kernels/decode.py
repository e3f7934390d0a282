"""The n best analyses of many words in one call, over their candidate forms."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, log1p
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_ROWS
from cython.cimports.morphtree._kernels.kbest import derive, score_of
from cython.cimports.morphtree._kernels.parser import Parser, open_form, rank_trees
from cython.cimports.morphtree._kernels.spans import start_word
from cython.cimports.morphtree._kernels.sums import Batch


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


def log_plus(a, b):
    """Log of the sum of two numbers given by their logs."""
    if a < b:
        a, b = b, a
    return a if b == -INF else a + log1p(exp(b - a))


def decode_word(p, b, w, log_edits, order, forms, scores, nodes, counts):
    """Find the n best analyses of a word; return the log of the sum over all of them."""
    n = order.shape[0]
    total = -INF
    for x in range(n):
        order[x] = x
        forms[x] = -1
        scores[x] = -INF
    start_word(p.tables, p.spans, b.word_codes[b.word_start[w] : b.word_start[w + 1]])
    for f in range(b.first_form[w], b.first_form[w + 1]):
        mass = log_edits[f] + open_form(p, b.form_codes[b.form_start[f] : b.form_start[f + 1]])
        total = log_plus(total, mass)
        if mass <= scores[order[n - 1]]:  # it bounds each of the form's analyses
            continue
        found = rank_trees(p, n)
        for x in range(found):
            slot = place_for(log_edits[f] + score_of(p.chart, x), order, scores, forms)
            if slot < 0:
                break
            forms[slot] = f - b.first_form[w]
            counts[slot] = derive(p.chart, x, nodes[slot])
    return total


def decode(
    p: Parser,
    b: Batch,
    log_edits: cython.double[::1],
    words: cython.int[::1],
    order: cython.int[:, ::1],  # (words, n) out: which of the following is best, second ...
    forms: cython.int[:, ::1],  # (words, n) out: number among the word's own forms, -1: none
    log_probs: cython.double[:, ::1],  # (words, n) out
    nodes: cython.int[:, :, :, ::1],  # (words, n, N, 4) out: label, start, end, children
    counts: cython.int[:, ::1],  # (words, n) out
) -> cython.int:
    """Find the n best analyses of each word; report whether the buffers sufficed."""
    shortage = ENOUGH
    with cython.nogil:
        for x in range(words.shape[0]):
            total = decode_word(
                p, b, words[x], log_edits, order[x], forms[x], log_probs[x], nodes[x], counts[x]
            )
            if p.spans.full:
                shortage = FEW_ROWS
                break
            for r in range(order.shape[1]):
                log_probs[x, r] -= total
    return shortage
