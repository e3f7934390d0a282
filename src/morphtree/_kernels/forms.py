"""Scores of given forms of many words by one transducer."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_MATCHES
from cython.cimports.morphtree._kernels.edits import EditWorkspace, pair_sum, start_edits
from cython.cimports.morphtree._kernels.sums import Batch


def pair_scores(
    e: EditWorkspace,
    b: Batch,
    words: cython.int[::1],
    weights: cython.double[::1],
    scores: cython.double[::1],  # (forms of the batch,)  out
) -> cython.int:
    """Log S(u, w) of every form of some words by one transducer; ENOUGH or FEW_MATCHES."""
    shortage = ENOUGH
    with cython.nogil:
        for x in range(words.shape[0]):
            w = words[x]
            if not start_edits(
                e, b.word_codes[b.word_start[w] : b.word_start[w + 1]],
                b.word_letters[b.word_start[w] : b.word_start[w + 1]], weights,
            ):  # fmt: skip
                shortage = FEW_MATCHES
                break
            for f in range(b.first_form[w], b.first_form[w + 1]):
                scores[f] = pair_sum(e, b.form_letters[b.form_start[f] : b.form_start[f + 1]])
    return shortage
