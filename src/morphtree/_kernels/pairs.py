# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""All alignments of a word with one known form, in log space, straight from the features.

Cell (j, i) says that j letters of the form and i of the word are done. Types in pairs.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
    from cython.cimports.morphtree._kernels.hashing import match_edits
else:
    from math import exp, log

    from morphtree._kernels.hashing import match_edits

INF = cython.declare(cython.double, float("inf"))
NEGLIGIBLE = cython.declare(cython.double, 40.0)  # exp(-40) is less than a double's rounding
FAINT = cython.declare(cython.double, 1e-15)  # an expectation below this is left out


@cython.cclass
class Edits:
    """A transducer's tables, and scratch space for one word at a time."""

    def __init__(self, templates, bigrams, matches, local, pair):
        self.templates = templates
        self.known = templates.known
        self.bigrams, self.bigram_start, self.bigram_feature = bigrams
        self.clipped, self.cells, self.features = matches
        self.local, self.expected, self.bigram_expected, self.touched = local
        self.alpha, self.posterior, self.last_form = pair
        self.last_size = -1
        self.touched_count = 0


def start_edits(e, codes, letters, weights):
    """Match and score the edits of a word; False if the buffers are too small."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    width: cython.Py_ssize_t = 2 * e.known + 3
    e.word = letters
    e.n = letters.shape[0]
    e.last_size = -1
    for i in range(e.n):
        e.clipped[i] = min(letters[i], e.known)
    e.matches = match_edits(e.templates, codes, e.clipped, e.known + 1, e.cells, e.features)
    if e.matches > e.cells.shape[0]:
        return False
    for i in range(e.n + 1):
        for k in range(width):
            e.local[i, k] = 0.0
            e.expected[i, k] = 0.0
    for k in range(e.touched_count):
        e.bigram_expected[e.touched[k, 0], e.touched[k, 1], e.touched[k, 2]] = 0.0
    e.touched_count = 0
    for k in range(e.matches):
        e.local[e.cells[k] // width, e.cells[k] % width] += weights[e.features[k]]
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def last_letter(e: Edits, form: cython.int[::1], j: cython.Py_ssize_t) -> cython.int:
    """Return the letter written last when j are done: A at the start, -1 if it is unknown."""
    if j == 0:
        return e.known
    return form[j - 1] if form[j - 1] < e.known else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def substitute(e: Edits, i: cython.Py_ssize_t, c: cython.int, d: cython.int) -> cython.double:
    """Log weight of writing d for w[i] after c; what the model does not know is only copied."""
    x: cython.int = e.word[i]
    if x >= e.known or d >= e.known:
        return e.local[i, e.known] if x == d else -INF
    return e.local[i, d] + (e.bigrams[x, c, d] if c >= 0 else 0.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def insert(e: Edits, i: cython.Py_ssize_t, c: cython.int, d: cython.int) -> cython.double:
    """Log weight of inserting d before w[i] after c."""
    if d >= e.known:
        return -INF
    return e.local[i, e.known + 1 + d] + (e.bigrams[e.known, c, d] if c >= 0 else 0.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def delete(e: Edits, i: cython.Py_ssize_t, c: cython.int) -> cython.double:
    """Log weight of deleting w[i] after c."""
    x: cython.int = e.word[i]
    if x >= e.known:
        return -INF
    return e.local[i, 2 * e.known + 2] + (e.bigrams[x, c, e.known] if c >= 0 else 0.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_three(a: cython.double, b: cython.double, c: cython.double) -> cython.double:
    """Add three numbers given by their logarithms."""
    top: cython.double = a if a > b else b
    total: cython.double = 0.0
    top = c if c > top else top
    if top == -INF:
        return top
    if top - a < NEGLIGIBLE:
        total += exp(a - top) if a < top else 1.0
    if top - b < NEGLIGIBLE:
        total += exp(b - top) if b < top else 1.0
    if top - c < NEGLIGIBLE:
        total += exp(c - top) if c < top else 1.0
    return top + log(total) if total > 1.0 else top


def pair_sum(e, form):
    """Fill the table; return the log weight of all alignments.

    Rows of the beginning that the form shares with the last one are still good.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    same: cython.Py_ssize_t = 0
    c: cython.int = -1
    d: cython.int = -1
    last: cython.int
    copied: cython.double
    inserted: cython.double
    deleted: cython.double
    if e.last_size >= 0:
        while same < e.last_size and same < form.shape[0] and e.last_form[same] == form[same]:
            same += 1
        same += 1
    e.last_size = form.shape[0]
    for j in range(form.shape[0]):
        e.last_form[j] = form[j]
    for j in range(same, form.shape[0] + 1):
        last = last_letter(e, form, j)
        if j > 0:
            c = last_letter(e, form, j - 1)
            d = form[j - 1]
        for i in range(e.n + 1):
            copied = inserted = deleted = -INF
            if j > 0:
                inserted = e.alpha[j - 1, i] + insert(e, i, c, d)
                if i > 0:
                    copied = e.alpha[j - 1, i - 1] + substitute(e, i - 1, c, d)
            if i > 0:
                deleted = e.alpha[j, i - 1] + delete(e, i - 1, last)
            e.alpha[j, i] = add_three(copied, inserted, deleted)
            if i == 0 and j == 0:
                e.alpha[0, 0] = 0.0
    return e.alpha[form.shape[0], e.n]


def note_bigram(e, x, c, d, mass):
    """Count an edit given the letter written last, if it has features."""
    cell: cython.Py_ssize_t = (cython.cast(cython.Py_ssize_t, x) * (e.known + 1) + c) * (
        e.known + 1
    ) + d
    if c < 0 or e.bigram_start[cell] == e.bigram_start[cell + 1]:
        return
    if e.bigram_expected[x, c, d] == 0.0 and e.touched_count < e.touched.shape[0]:
        e.touched[e.touched_count, 0] = x
        e.touched[e.touched_count, 1] = c
        e.touched[e.touched_count, 2] = d
        e.touched_count += 1
    e.bigram_expected[x, c, d] += mass
    if e.bigram_expected[x, c, d] == 0.0:
        e.bigram_expected[x, c, d] = 1e-300  # it stays on the list


def pair_expect(e, form, scale):
    """Add the expected edits of the alignments with the form in the table, times `scale`.

    From the end back: a cell hands its probability to the cells that lead to it.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    m: cython.Py_ssize_t = form.shape[0]
    c: cython.int = -1
    d: cython.int = -1
    last: cython.int
    here: cython.double
    mass: cython.double
    for j in range(m + 1):
        for i in range(e.n + 1):
            e.posterior[j, i] = 0.0
    e.posterior[m, e.n] = scale
    for j in range(m, -1, -1):
        last = last_letter(e, form, j)
        if j > 0:
            c = last_letter(e, form, j - 1)
            d = form[j - 1]
        for i in range(e.n, -1, -1):
            here = e.posterior[j, i]
            if -FAINT < here < FAINT:
                continue
            if j > 0:
                mass = here * exp(e.alpha[j - 1, i] + insert(e, i, c, d) - e.alpha[j, i])
                if mass != 0.0:
                    e.posterior[j - 1, i] += mass
                    e.expected[i, e.known + 1 + d] += mass
                    note_bigram(e, e.known, c, d, mass)
                if i > 0:
                    mass = here * exp(
                        e.alpha[j - 1, i - 1] + substitute(e, i - 1, c, d) - e.alpha[j, i]
                    )
                    if mass != 0.0:
                        e.posterior[j - 1, i - 1] += mass
                        e.expected[i - 1, min(d, e.known)] += mass
                        if d < e.known:
                            note_bigram(e, e.word[i - 1], c, d, mass)
            if i > 0:
                mass = here * exp(e.alpha[j, i - 1] + delete(e, i - 1, last) - e.alpha[j, i])
                if mass != 0.0:
                    e.posterior[j, i - 1] += mass
                    e.expected[i - 1, 2 * e.known + 2] += mass
                    note_bigram(e, e.word[i - 1], last, e.known, mass)
