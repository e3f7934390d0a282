"""Stored derivations: how the words of a treebank are made, and their whole readings.

The last step of a stored word is found by its canonical form, wherever that stands in a longer
one; the readings of a word are found by how it is written. Types in stored.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import log
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.analyses import Analyses
from cython.cimports.morphtree._kernels.mixing import find, string_hash

ARITY_AT = cython.declare(cython.int, 5)  # the bits of a node: its label, then its children
LABEL_MASK = cython.declare(cython.int, 31)
LAYOUT = (ARITY_AT, LABEL_MASK)  # for Python

if not cython.compiled:  # stored.pxd has the same for the compiler
    NOT_STORED, CONTRADICTS = -1, -2


@cython.cclass
class StoredSteps:
    """The last steps of stored words, by canonical form."""

    def __init__(self, forms, first, steps, words):
        self.forms = forms
        self.first = first
        self.steps = steps
        self.words = words
        self.count = len(first) - 1


@cython.cclass
class StoredWords:
    """The readings of stored words, by how they are written."""

    def __init__(self, words, first, forms, middles, nodes, probs):
        self.words = words
        self.first = first
        self.head, self.tail, self.middle = forms
        self.middle_first, self.codes, self.letters, self.alphabet = middles
        self.node_first, self.nodes, self.lengths = nodes
        self.probs = probs
        self.count = len(first) - 1


def middle_size(stored, r):
    """Return how many letters of the form of a reading the word does not have."""
    return stored.middle_first[stored.middle[r] + 1] - stored.middle_first[stored.middle[r]]


def form_size(stored, r, n):
    """Return how many letters the form of a reading of a word of n letters has; -1: it cannot be.

    Words are known by their hashes only, so this may be another word.
    """
    if stored.head[r] > n or stored.tail[r] > n:
        return -1
    return stored.head[r] + middle_size(stored, r) + stored.tail[r]


def write_form(stored, r, word, form):
    """Write the form of a reading: the word's head, letters in between, the word's tail."""
    at = stored.head[r]
    for k in range(at):
        form[k] = word[k]
    for k in range(stored.middle_first[stored.middle[r]],
                   stored.middle_first[stored.middle[r] + 1]):  # fmt: skip
        form[at] = stored.codes[k]
        at += 1
    for k in range(stored.tail[r]):
        form[at + k] = word[word.shape[0] - stored.tail[r] + k]


def write_nodes(stored, r, m, nodes):
    """Write the nodes of a reading; return their number, -1 if they are not of m letters."""
    first = stored.node_first[r]
    count = stored.node_first[r + 1] - first
    if count > nodes.shape[0] or stored.lengths[first] != m:
        return -1
    at = 0
    for x in range(count):
        arity = stored.nodes[first + x] >> ARITY_AT
        if at + stored.lengths[first + x] > m:
            return -1
        nodes[x, 0] = stored.nodes[first + x] & LABEL_MASK
        nodes[x, 1] = at
        nodes[x, 2] = at + stored.lengths[first + x]
        nodes[x, 3] = arity
        if arity == 0:
            at += stored.lengths[first + x]
    return count if at == m else -1


def find_word(stored, word):
    """Return the number of a stored word, or -1."""
    if stored.count == 0:
        return -1
    return find(stored.words, string_hash(0, word, 0, word.shape[0]))


def answer(
    stored: StoredWords,
    words: tuple,  # code points, letters, starts
    out: Analyses,
) -> cython.bint:
    """Write the best readings of stored words; return whether all of them are stored."""
    codes: cython.longlong[::1] = words[0]
    start: cython.int[::1] = words[2]
    all_stored: cython.bint = True
    with cython.nogil:
        for w in range(start.shape[0] - 1):
            number = find_word(stored, codes[start[w] : start[w + 1]])
            if number < 0 or not write_readings(
                stored, number, codes[start[w] : start[w + 1]], out, w
            ):
                all_stored = False
                break
    return all_stored


def write_readings(stored, number, word, out, w):
    """Write the best readings of a stored word; False if it is another word after all."""
    found = 0
    for x in range(out.order.shape[1]):
        out.order[w, x] = x
        out.lengths[w, x] = -1
        out.log_probs[w, x] = -INF
    for r in range(stored.first[number], stored.first[number + 1]):
        m = form_size(stored, r, word.shape[0])
        if found == out.order.shape[1] or m < 1 or m > out.forms.shape[2]:
            break
        out.counts[w, found] = write_nodes(stored, r, m, out.nodes[w, found])
        if out.counts[w, found] < 0:
            break
        write_form(stored, r, word, out.forms[w, found])
        out.lengths[w, found] = m
        out.log_probs[w, found] = log(stored.probs[r])
        found += 1
    out.coverage[w] = 1.0
    out.stored[w] = found > 0
    return found > 0
