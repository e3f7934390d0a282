"""One word's edits from features to weights, and from posteriors to expected features.

Types in edits.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import FAINT, INF
from cython.cimports.morphtree._kernels.hashing import match_edits
from cython.cimports.morphtree._kernels.pair import (
    backward,
    choose_arithmetic,
    exponentiate,
    forward,
    last_letter,
)


@cython.cclass
class EditWorkspace:
    """A transducer's tables, and buffers for one word at a time."""

    def __init__(self, templates, bigrams, matches, weights, table, expected):
        self.templates = templates
        self.known = templates.known
        self.bigram_start, self.bigram_feature = bigrams
        self.clipped, self.cells, self.features = matches
        self.weights = weights
        self.table = table
        self.expected, self.bigram_expected, self.used = expected
        self.used_count = 0


def start_edits(e, codes, letters, weights):
    """Match and score the edits of a word; False if the buffers are too small."""
    width = 2 * e.known + 3
    local = e.weights.logs
    e.word = letters
    e.n = letters.shape[0]
    for i in range(e.n):
        e.clipped[i] = min(letters[i], e.known)
    e.matches = match_edits(e.templates, codes, e.clipped, e.known + 1, e.cells, e.features)
    if e.matches > e.cells.shape[0]:
        return False
    for i in range(e.n + 1):
        for k in range(width):
            local[i, k] = 0.0
            e.expected[i, k] = 0.0
    for k in range(e.used_count):
        e.bigram_expected[e.used[k]] = 0.0
    e.used_count = 0
    for k in range(e.matches):
        local[e.cells[k] // width, e.cells[k] % width] += weights[e.features[k]]
    for i in range(e.n):
        if letters[i] >= e.known:  # what the model does not know is only copied
            local[i, width - 1] = -INF
            for k in range(e.known):
                local[i, k] = -INF
    e.weights.letters = letters
    e.weights.classes = e.clipped
    e.weights.n = e.n
    e.exponentiated = False
    return True


def pair_sum(e, form):
    """Fill the pair table; return the log weight of all alignments."""
    if not e.exponentiated:
        exponentiate(e.weights)
        choose_arithmetic(e.table, not e.weights.fits)
        e.exponentiated = True
    score = forward(e.table, form)
    if score != score:  # scaled numbers lost something, and may again with the next form
        choose_arithmetic(e.table, True)
        score = forward(e.table, form)
    return score


def count_bigram(e, x, c, d, mass):
    """Count an edit given the letter written last, if it has features."""
    side = e.known + 1
    cell = (x * side + c) * side + d
    if c < 0 or e.bigram_start[cell] == e.bigram_start[cell + 1]:
        return
    if e.bigram_expected[cell] == 0.0:
        e.used[e.used_count] = cell
        e.used_count += 1
    e.bigram_expected[cell] += mass
    if e.bigram_expected[cell] == 0.0:
        e.bigram_expected[cell] = 1e-300  # it stays on the list


def pair_expect(e, form, scale):
    """Add the expected edits of the alignments with the form in the table, times `scale`."""
    known = e.known
    c = -1
    d = -1
    p = e.table.posterior
    backward(e.table, form, scale, FAINT)
    for j in range(form.shape[0] + 1):
        last = last_letter(e.table, form, j)
        if j > 0:
            c = last_letter(e.table, form, j - 1)
            d = form[j - 1]
        for i in range(e.n + 1):
            mass = p[0, j, i]
            if mass != 0.0:
                e.expected[i - 1, min(d, known)] += mass
                if d < known:
                    count_bigram(e, e.word[i - 1], c, d, mass)
            mass = p[1, j, i]
            if mass != 0.0:
                e.expected[i, known + 1 + d] += mass
                count_bigram(e, known, c, d, mass)
            mass = p[2, j, i]
            if mass != 0.0:
                e.expected[i - 1, 2 * known + 2] += mass
                count_bigram(e, e.word[i - 1], last, known, mass)
