# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What is known of a string: the lexicon, and other words of the treebank. Types in lookups.pxd."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.morphtree._kernels.mixing import find
else:
    from morphtree._kernels.mixing import find

UNKNOWN = cython.declare(cython.int, 0)
ONLY_LISTED = cython.declare(cython.int, 48)  # facts of a word of which nothing else is known
SHORT_WORD = cython.declare(cython.int, 3)  # letters; a shorter word must be frequent
FREQUENT = cython.declare(cython.int, 88)  # zipf 5.5, in sixteenths


def held(parts, s, h):
    """Look a string up everywhere, or remember it; return its place among what is held."""
    place: cython.Py_ssize_t = (h >> 20) & cython.cast(cython.ulonglong, s.held_keys.shape[0] - 1)
    row: cython.Py_ssize_t
    if s.held_keys[place] != h:
        s.held_keys[place] = h
        row = find(parts.words, h)
        s.held[place, 0] = parts.facts[row] if row >= 0 else UNKNOWN
        s.held[place, 1] = -1
        s.held[place, 2] = find(parts.family, h)
    return place


def facts_of(parts, s, h):
    """Look a string up in the lexicon; 0 if it is not there."""
    return s.held[held(parts, s, h), 0]


def seen_in(parts, s, h, kind):
    """In how many other words of the treebank a string plays a part, at most 3."""
    row: cython.Py_ssize_t = s.held[held(parts, s, h), 2]
    k: cython.Py_ssize_t
    count: cython.int = parts.family_counts[row, kind] if row >= 0 else 0
    if count > 0:
        for k in range(s.own_keys.shape[0]):
            if s.own_keys[k] == h and s.own_kinds[k] == kind:
                count -= 1
    return min(count, 3)


def is_known(parts, s, h, size):
    """Whether a string is a word that compounds are made of, and no name or oddity."""
    facts: cython.int = facts_of(parts, s, h)
    if size < SHORT_WORD and (facts & 255) < FREQUENT:
        return False
    if (facts >> 8) & 3 == 1 or (facts >> 10) & 15 or facts == ONLY_LISTED:
        return True
    return seen_in(parts, s, h, 0) > 0
