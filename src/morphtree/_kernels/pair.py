"""The pair table: all alignments of one word with one known form, Eq. (1) summed over a.

Cell (j, i) says that j letters of the form and i of the word are done. The rows of the table are
those of the form, so that forms with a common prefix share them. Scaled numbers have one exponent
for each row; where they lose something the table is filled in log space. Types in pair.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp
from cython.cimports.morphtree._kernels._constants import (
    EMPTY,
    INF,
    LOG_UNIT,
    LOST,
    NAN,
    TINY,
    UNIT,
)
from cython.cimports.morphtree._kernels.arithmetic import as_log, as_number, blend, settle, shifted


@cython.cclass
class BigramWeights:
    """Weights of an edit given the letter written last; shared by all words."""

    def __init__(self, logs, numbers, fits):
        self.logs = logs
        self.numbers = numbers
        self.fits = fits


@cython.cclass
class EditWeights:
    """Weights of the edits of one word, as logarithms and as numbers."""

    def __init__(self, bigrams, logs, numbers):
        self.bigrams = bigrams
        self.logs = logs
        self.numbers = numbers
        self.log_row = logs.reshape(-1)
        self.number_row = numbers.reshape(-1)
        self.size = (self.logs.shape[1] - 3) // 2

    def start(self, letters, classes):
        """Take a word whose log weights are in place."""
        self.read(letters, classes)
        self.n = len(letters)
        exponentiate(self)

    def read(self, letters, classes):
        """Take words from these buffers."""
        self.letters = letters
        self.classes = classes


def exponentiate(w):
    """Turn the log weights of a word into numbers, and note whether all of them fit."""
    logs = w.logs
    numbers = w.numbers
    low: cython.double = 0.0
    last = 0.0
    number = 1.0
    for i in range(w.n + 1):
        for k in range(logs.shape[1]):
            if logs[i, k] != last:  # many edits have no features but those of all letters
                last = logs[i, k]
                number = as_number(last)
                low = number if number < low else low
            numbers[i, k] = number
    w.fits = w.bigrams.fits and low == 0.0


@cython.cclass
class PairTable:
    """A word's forward table and posteriors for one form at a time."""

    def __init__(self, weights, tables, exponents):
        attach(self, weights, tables, exponents)


def attach(t, weights, tables, exponents):
    """Give a table its weights and buffers."""
    t.weights = weights
    t.alpha = tables[0]
    t.posterior = tables[1:]
    t.exponents = exponents
    t.rows = 0


def choose_arithmetic(t, logs):
    """Use log space or scaled numbers from now on; what is in the table is forgotten."""
    t.logs = logs
    t.local = t.weights.logs if logs else t.weights.numbers
    t.bigrams = t.weights.bigrams.logs if logs else t.weights.bigrams.numbers
    t.rows = 0


def last_letter(t, form, j):
    """Return the letter written last when j are done: A at the start, -1 outside the alphabet."""
    if j == 0:
        return t.weights.size
    return form[j - 1] if form[j - 1] < t.weights.size else -1


def weigh(t, i, column, x, c, d):
    """Weight of an edit; after a letter outside the alphabet (c = -1) there are no bigrams."""
    if c < 0:
        return t.local[i, column]
    if t.logs:
        return t.local[i, column] + t.bigrams[x, c, d]
    return t.local[i, column] * t.bigrams[x, c, d]


def substitute(t, i, c, d):
    """Weight of writing d for w[i] after c; a letter outside the alphabet is only copied."""
    if d < t.weights.size:
        return weigh(t, i, d, t.weights.classes[i], c, d)
    if t.weights.letters[i] == d:
        return t.local[i, t.weights.size]
    return -INF if t.logs else 0.0


def insert_bigram(t, c, d):
    """Weight of inserting d after c, beside that of the place: the same for a whole row."""
    if d >= t.weights.size:
        return -INF if t.logs else 0.0
    if c < 0:
        return 0.0 if t.logs else 1.0
    return t.bigrams[t.bigrams.shape[0] - 1, c, d]


def insert(t, i, d, bigram):
    """Weight of inserting d before w[i]."""
    column = t.weights.size + min(d + 1, t.weights.size)
    return t.local[i, column] + bigram if t.logs else t.local[i, column] * bigram


def delete(t, i, c):
    """Weight of deleting w[i] after c."""
    size = t.weights.size
    return weigh(t, i, 2 * size + 2, t.weights.classes[i], c, size)


def fill_row(t, form, j):
    """Weight of all ways from the start to the cells of a row; False if a value is lost."""
    logs = t.logs
    zero = -INF if logs else 0.0
    c = last_letter(t, form, j - 1) if j > 0 else -1
    d = form[j - 1] if j > 0 else -1
    last = last_letter(t, form, j)
    left: cython.double = zero  # the cell of the same row, one letter of the word before
    a = zero
    b = zero
    before: cython.double = zero
    above: cython.double = zero
    gone = zero
    bigram = insert_bigram(t, c, d)
    total: cython.double = 0.0
    low: cython.double = INF
    if c >= 0 and last == d and not logs:
        total = fill_scaled(t, j, c, d, bigram)
        if total > 0.0:
            return rescale(t, j, total, TINY)
        total = 0.0
    for i in range(t.weights.n + 1):
        if i > 0:
            gone = delete(t, i - 1, last)
        if j > 0:
            before = above
            above = t.alpha[j - 1, i]
            b = insert(t, i, d, bigram)
            if i > 0:
                a = substitute(t, i - 1, c, d)
        elif i == 0:
            left = t.alpha[0, 0] = 0.0 if logs else 1.0
            total = low = 1.0
            continue
        left = t.alpha[j, i] = blend(logs, before, a, above, b, left, gone)
        total += left
        low = left if left < low else low
    return rescale(t, j, total, low)


def fill_scaled(t, j, c, d, bigram):
    """Fill a row after the first in scaled numbers, where d and c before it are known letters.

    Return the sum of the row, or zero where something may be lost.
    """
    size = t.weights.size
    left: cython.double = 0.0
    before: cython.double = 0.0
    above: cython.double = 0.0
    a: cython.double = 0.0
    gone: cython.double = 0.0
    total: cython.double = 0.0
    low: cython.double = INF
    for i in range(t.weights.n + 1):
        b = t.local[i, size + 1 + d] * bigram
        before = above
        above = t.alpha[j - 1, i]
        if i > 0:
            x = t.weights.classes[i - 1]
            a = t.local[i - 1, d] * t.bigrams[x, c, d]
            gone = t.local[i - 1, 2 * size + 2] * t.bigrams[x, d, size]
        left = before * a + above * b + left * gone
        t.alpha[j, i] = left
        total += left
        low = left if left < low else low
    return total if low >= TINY else 0.0


def rescale(t, j, total, low):
    """Keep a row of scaled numbers in their range; False if a value is lost."""
    t.exponents[j] = t.exponents[j - 1] if j > 0 else 0
    if t.logs or (low >= TINY and 1.0 / UNIT <= total <= UNIT):
        return True
    return settle_row(t, j)


def settle_row(t, j):
    """Rescale a row that is out of the range; False if a value is lost."""
    shift = settle(t.alpha[j, : t.weights.n + 1], TINY, False)
    if shift != EMPTY:
        t.exponents[j] += shift
    return shift != LOST


def forward(t, form):
    """Fill the table; return the log weight of all alignments, NaN if scaled numbers lose it.

    Rows of the prefix that the form shares with the last one are kept.
    """
    m = len(form)
    kept = min(t.rows, 1)
    while 0 < kept < t.rows and kept <= m and t.form[kept - 1] == form[kept - 1]:
        kept += 1
    t.form = form
    for j in range(kept, m + 1):
        if not fill_row(t, form, j):
            t.rows = 0
            return NAN
    t.rows = m + 1
    return as_log(t.logs, t.alpha[m, t.weights.n]) + LOG_UNIT * t.exponents[m]


def share(logs, here, total, before, edit, factor):
    """Posterior of an edit that leads to a cell: `here` is the cell's, over `total` if scaled."""
    return here * exp(before + edit - total) if logs else before * edit * factor * here


def backward(t, form, scale, faint):
    """Fill the posteriors of the edits of the form in the table, times `scale`.

    An edit stands in the cell where it arrives; the posterior of a cell is that of the edits
    that leave it. What comes to cells with posteriors of at most `faint` is left out.
    """
    m = len(form)
    n = t.weights.n
    c = -1
    d = -1
    factor = bigram = 1.0
    here: cython.double
    p = t.posterior
    alpha = t.alpha
    for i in range(n + 2):
        p[0, m + 1, i] = p[1, m + 1, i] = 0.0
    for j in range(m, -1, -1):
        last = last_letter(t, form, j)
        if j > 0:
            c = last_letter(t, form, j - 1)
            d = form[j - 1]
            bigram = insert_bigram(t, c, d)
            factor = shifted(1.0, t.exponents[j - 1] - t.exponents[j])
        p[0, j, n + 1] = p[2, j, n + 1] = 0.0
        for i in range(n, -1, -1):
            here = p[0, j + 1, i + 1] + p[1, j + 1, i] + p[2, j, i + 1]
            if j == m and i == n:
                here = scale
            p[0, j, i] = p[1, j, i] = p[2, j, i] = 0.0
            if -faint <= here <= faint:
                continue
            total = alpha[j, i]
            if not t.logs:
                here /= total
            if i > 0:
                edit = delete(t, i - 1, last)
                p[2, j, i] = share(t.logs, here, total, alpha[j, i - 1], edit, 1.0)
            if j > 0:
                edit = insert(t, i, d, bigram)
                p[1, j, i] = share(t.logs, here, total, alpha[j - 1, i], edit, factor)
            if j > 0 and i > 0:
                edit = substitute(t, i - 1, c, d)
                p[0, j, i] = share(t.logs, here, total, alpha[j - 1, i - 1], edit, factor)


def pair_table(
    weights: EditWeights,
    form: cython.int[::1],  # (m,)
    tables: cython.double[:, :, ::1],  # (4, m+2, n+2)  scratch; out: substitute, insert, delete
    exponents: cython.int[::1],  # (m+2,)  scratch
    logs: cython.bint,
    expect: cython.bint,
) -> cython.double:
    """Log weight of all alignments with this form; NaN if scaled numbers cannot hold it.

    With `expect`, the last three tables end up holding the posteriors of the edits.
    """
    total: cython.double
    t: PairTable = PairTable.__new__(PairTable)  # its __init__ would wrap the buffers again
    attach(t, weights, tables, exponents)
    if not logs and not weights.fits:
        return NAN
    with cython.nogil:
        choose_arithmetic(t, logs)
        total = forward(t, form)
        if expect and total > -INF:
            backward(t, form, 1.0, 0.0)
    return total
