"""The edits of one word: features matched once, weighed for either transducer. Types in the .pxd.

What templates say that look at no letters around an edit stands in rows by the letter read; the
others are matched by hash.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.hashing import BOUNDARY
from cython.cimports.morphtree._kernels.mixing import find_there, may_have, mix

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
        match_place(c, i, i, c.known)
        if i < c.n:
            row = c.letters_read[i]
            if row >= c.known:
                row = c.known + 1
                start_unknown(c, c.padded[i + 1])
            match_place(c, i, i + 1, row)


def start_unknown(c, code):
    """Let the contexts of a letter that the model does not know start from its code point."""
    for t in range(c.templates.seeds.shape[0]):
        h = mix(c.templates.seeds[t], 1)
        c.starts[c.known + 1, t] = mix(h, code) if c.templates.shapes[t, 0] else h


def match_place(c, i, end, row):
    """Match the templates on the edits that read w[i:end], which a row of the starts stands for."""
    h: cython.ulonglong
    plain: cython.bint = row > c.known  # of other letters the rows of weights say that
    for t in range(c.templates.seeds.shape[0]):
        left = c.templates.shapes[t, 1]
        right = c.templates.shapes[t, 2]
        if left > i + 1 or right > c.n - end + 1 or (left + right == 0 and not plain):
            continue
        h = c.starts[row, t]
        for k in range(i, i - left, -1):
            h = mix(h, c.padded[k])
        for k in range(end + 1, end + 1 + right):
            h = mix(h, c.padded[k])
        if may_have(c.templates.table, h) and h != 0:
            first = find_there(c.templates.table, h)
            if first >= 0:
                add_matches(c, i, row, first)


def add_matches(c, i, row, first):
    """Note the features of one context in every edit that they are about."""
    base = i * (2 * c.known + 3)
    for f in range(first, c.templates.ends[first]):
        if c.columns[f] >= 0:
            add_match(c, base + c.columns[f], f)
        elif c.columns[f] == -1:
            add_match(c, base + min(row, c.known), f)
        else:
            for d in range(c.known):
                if c.columns[f] == -3:
                    add_match(c, base + c.known + 1 + d, f)
                elif d != row:
                    add_match(c, base + d, f)


def add_match(c, cell, feature):
    """Note that a feature adds to an edit; there is capacity for all."""
    c.match_cell[c.matches] = cell
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
        w.log_row[c.match_cell[k]] += model.weights[c.match_feature[k]]
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
        value = w.number_row[c.match_cell[k]] * model.numbers[c.match_feature[k]]
        w.number_row[c.match_cell[k]] = value
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
