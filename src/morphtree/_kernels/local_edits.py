"""The edits of one word: features matched once, weighed for either transducer. Types in the .pxd.

What templates say that look at no letters around an edit stands in rows by the letter read; the
others are matched by hash.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.hashing import BOUNDARY
from cython.cimports.morphtree._kernels.mixing import find, mix

LOWEST = cython.declare(cython.double, 3.720075976020836e-44)  # exp(-WIDEST)
HIGHEST = cython.declare(cython.double, 2.6881171418161356e43)  # exp(WIDEST)


def take_word(c, codes, letters):
    """Copy a word into the workspace."""
    c.n = letters.shape[0]
    c.padded[0] = BOUNDARY
    for i in range(c.n):
        c.codes[i] = codes[i]
        c.padded[i + 1] = cython.cast(cython.ulonglong, codes[i])
        c.letters_read[i] = letters[i]
        c.classes[i] = min(letters[i], c.known)
    c.padded[c.n + 1] = BOUNDARY
    c.proposal_table.weights.n = c.n
    c.joint_table.weights.n = c.n


def match_word(c):
    """List which feature adds to which edit of the word, beside what the rows say."""
    c.matches = 0
    for i in range(c.n + 1):
        match_place(c, i, 0)
        if i < c.n:
            match_place(c, i, 1)


def match_place(c, i, reads):
    """Match the templates on insertions before w[i], or on the edits that read it."""
    h: cython.ulonglong
    whole: cython.bint = reads == 0 or c.letters_read[i] < c.known  # the rows know this letter
    end = i + reads
    for t in range(c.templates.seeds.shape[0]):
        left = c.templates.shapes[t, 1]
        right = c.templates.shapes[t, 2]
        if left > i + 1 or right > c.n - end + 1 or (whole and left + right == 0):
            continue
        h = mix(c.templates.seeds[t], cython.cast(cython.ulonglong, reads))
        if reads and c.templates.shapes[t, 0]:
            h = mix(h, c.padded[i + 1])
        for k in range(left):
            h = mix(h, c.padded[i - k])
        for k in range(right):
            h = mix(h, c.padded[end + 1 + k])
        first = find(c.templates.table, h)
        if first >= 0 and h != 0:
            add_matches(c, i, c.letters_read[i] if reads else -1, first)


def add_matches(c, i, read, first):
    """Note the features of one context in every edit that their outcomes stand for."""
    size = c.known
    for f in range(first, c.templates.ends[first]):
        outcome = c.templates.outcomes[f]
        if outcome < size:
            add_match(c, i, outcome, f)
        elif outcome < 2 * size:
            add_match(c, i, 1 + outcome, f)
        elif outcome == 2 * size:
            add_match(c, i, 2 * size + 2, f)
        elif outcome == 2 * size + 1:
            add_match(c, i, min(read, size), f)
        else:
            for d in range(size):
                if outcome == 2 * size + 3:
                    add_match(c, i, size + 1 + d, f)
                elif d != read:
                    add_match(c, i, d, f)


def add_match(c, i, column, feature):
    """Note that a feature adds to an edit; there is capacity for all."""
    c.match_place[c.matches] = i
    c.match_column[c.matches] = column
    c.match_feature[c.matches] = feature
    c.matches += 1


def weigh_logs(c, model, w):
    """Fill in the log weights of the word's edits by one transducer."""
    width = 2 * c.known + 3
    for i in range(c.n + 1):
        x = c.classes[i] if i < c.n else c.known
        for k in range(width):
            w.logs[i, k] = model.rows[x, k]
    for k in range(c.matches):
        w.logs[c.match_place[k], c.match_column[k]] += model.weights[c.match_feature[k]]
    only_copy(c, w.logs, -INF)


def weigh_numbers(c, model, w):
    """The same as numbers; note whether scaled numbers can be trusted with them."""
    width = 2 * c.known + 3
    value: cython.double
    w.fits = model.fits
    if not model.fits:
        return
    for i in range(c.n + 1):
        x = c.classes[i] if i < c.n else c.known
        for k in range(width):
            w.numbers[i, k] = model.row_numbers[x, k]
    for k in range(c.matches):
        value = w.numbers[c.match_place[k], c.match_column[k]]
        value *= model.numbers[c.match_feature[k]]
        w.numbers[c.match_place[k], c.match_column[k]] = value
        if not LOWEST < value < HIGHEST:
            w.fits = False
            return
    only_copy(c, w.numbers, 0.0)


def only_copy(c, values, zero):
    """What the model does not know is only copied."""
    for i in range(c.n):
        if c.letters_read[i] >= c.known:
            values[i, 2 * c.known + 2] = zero
            for k in range(c.known):
                values[i, k] = zero
