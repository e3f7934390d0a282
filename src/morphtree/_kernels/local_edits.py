"""The edits of one word: features matched once, weighed for either transducer. Types in the .pxd.

Rows say what the templates do that look at one letter at most: at the one that is read, or at the
one before or after an insertion. The other contexts, and letters that the model does not know,
are matched by hash.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.hashing import BOUNDARY
from cython.cimports.morphtree._kernels.mixing import find_there, may_have, mix

LOWEST = cython.declare(cython.double, 3.720075976020836e-44)  # exp(-WIDEST)
HIGHEST = cython.declare(cython.double, 2.6881171418161356e43)  # exp(WIDEST)
COPY = cython.declare(cython.int, 1)  # kinds of features that are not about one edit,
CHANGE = cython.declare(cython.int, 2)
ADD = cython.declare(cython.int, 3)
KINDS = COPY, CHANGE, ADD  # for Python


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


def neighbour(c, i):
    """Return the row of the letter at a place: A beyond the ends, A+1 for an unknown letter."""
    if i < 0 or i == c.n:
        return c.known
    return c.classes[i] if c.classes[i] < c.known else c.known + 1


def match_word(c):
    """List the contexts of the word's edits that have features, beside what the rows say."""
    c.hits = 0
    for i in range(c.n + 1):
        rows = 1
        if neighbour(c, i - 1) <= c.known:
            rows += 2
        if neighbour(c, i) <= c.known:
            rows += 4
        match_place(c, i, i, c.known, rows)
        if i < c.n:
            if c.classes[i] < c.known:
                match_place(c, i, i + 1, c.classes[i], 1)
            else:
                start_unknown(c, c.padded[i + 1])
                match_place(c, i, i + 1, c.known + 1, 0)


def start_unknown(c, code):
    """Let the contexts of a letter that the model does not know start from its code point."""
    for t in range(c.templates.seeds.shape[0]):
        h = mix(c.templates.seeds[t], 1)
        c.starts[c.known + 1, t] = mix(h, code) if c.templates.shapes[t, 0] else h


def match_place(c, i, end, row, rows):
    """Match the templates on the edits that read w[i:end], which a row of the starts stands for.

    Bits say what the rows have: templates without context, with one letter before, with one after.
    """
    h: cython.ulonglong
    for t in range(c.templates.seeds.shape[0]):
        left = c.templates.shapes[t, 1]
        right = c.templates.shapes[t, 2]
        if left > i + 1 or right > c.n - end + 1:
            continue
        if left + right < 2 and (rows >> (left + 2 * right)) & 1:
            continue
        h = c.starts[row, t]
        for k in range(i, i - left, -1):
            h = mix(h, c.padded[k])
        for k in range(end + 1, end + 1 + right):
            h = mix(h, c.padded[k])
        if may_have(c.templates.table, h) and h != 0:
            first = find_there(c.templates.table, h)
            if first >= 0:
                add_context(c, i * (2 * c.known + 3), row, first)


def add_context(c, base, row, first):
    """Note the features of one context, whose edits are in the cells from `base` on."""
    end = c.templates.ends[first]
    if c.kinds[end - 1] == 0:
        add_hit(c, base, first, end)
    else:
        for f in range(first, end):
            add_kind(c, base, row, f)


def add_kind(c, base, row, f):
    """Note a feature of deleting, of copying, of all changes or of all insertions."""
    if c.kinds[f] == 0:
        add_hit(c, base, f, f + 1)
    elif c.kinds[f] == COPY:
        add_hit(c, base + min(row, c.known), f, f + 1)
    else:
        for d in range(c.known):
            if c.kinds[f] == ADD:
                add_hit(c, base + c.known + 1 + d, f, f + 1)
            elif d != row:
                add_hit(c, base + d, f, f + 1)


def add_hit(c, cell, first, end):
    """Note that some features add to the cells from this one on, each in its column."""
    c.hit_cell[c.hits] = cell
    c.hit_first[c.hits] = first
    c.hit_end[c.hits] = end
    c.hits += 1


def copy_logs(c, model, w):
    """Begin with what the rows say of the edits."""
    size = c.known
    for i in range(c.n + 1):
        x = c.classes[i] if i < c.n else size
        before = neighbour(c, i - 1)
        after = neighbour(c, i)
        for k in range(size + 1):
            w.logs[i, k] = model.rows[x, k]
        for k in range(size):
            w.logs[i, size + 1 + k] = model.before[before, k] + model.after[after, k]
        w.logs[i, 2 * size + 2] = model.rows[x, size + 1]


def copy_numbers(c, model, w):
    """The same as numbers."""
    size = c.known
    for i in range(c.n + 1):
        x = c.classes[i] if i < c.n else size
        before = neighbour(c, i - 1)
        after = neighbour(c, i)
        for k in range(size + 1):
            w.numbers[i, k] = model.row_numbers[x, k]
        for k in range(size):
            w.numbers[i, size + 1 + k] = (
                model.before_numbers[before, k] * model.after_numbers[after, k]
            )
        w.numbers[i, 2 * size + 2] = model.row_numbers[x, size + 1]


def weigh_logs(c, model, w):
    """Fill in the log weights of the word's edits by one transducer."""
    copy_logs(c, model, w)
    for h in range(c.hits):
        cell = c.hit_cell[h]
        for f in range(c.hit_first[h], c.hit_end[h]):
            w.log_row[cell + c.columns[f]] += model.weights[f]
    only_copy(c, w.logs, -INF)


def weigh_numbers(c, model, w):
    """The same as numbers; note whether scaled numbers can be trusted with them."""
    value: cython.double
    low: cython.double = 1.0
    high: cython.double = 1.0
    w.fits = model.fits
    if not model.fits:
        return
    copy_numbers(c, model, w)
    for h in range(c.hits):
        cell = c.hit_cell[h]
        for f in range(c.hit_first[h], c.hit_end[h]):
            value = w.number_row[cell + c.columns[f]] * model.numbers[f]
            w.number_row[cell + c.columns[f]] = value
            low = value if value < low else low
            high = value if value > high else high
    w.fits = LOWEST < low and high < HIGHEST
    only_copy(c, w.numbers, 0.0)


def only_copy(c, values, zero):
    """What the model does not know is only copied."""
    for i in range(c.n):
        if c.letters_read[i] >= c.known:
            values[i, 2 * c.known + 2] = zero
            for k in range(c.known):
                values[i, k] = zero
