"""What the lexicon says of a word and its possible bases: derivations, nearness in meaning.

An answer has three tables: how near they are by word vectors (NEAR, 0 to 5, as in lexicon.py),
what a dictionary tells (TOLD, 0 to 3), and whether the derivation is there (LISTED).
Types in bases.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.lookups import facts_of
from cython.cimports.morphtree._kernels.mixing import find, mix, string_hash

from morphtree._kernels._layout import BITS

SEPARATOR = cython.declare(cython.ulonglong, 2)  # between two strings in a hash
COMPARED = cython.declare(cython.int, BITS["compared"])
DEFINED = cython.declare(cython.int, BITS["defined"])
NEAR = cython.declare(cython.int, 7)  # tables of an answer
TOLD = cython.declare(cython.int, 24)
LISTED = cython.declare(cython.int, 32)


def spelling(s, i, k, j):
    """Hash how a span is written whose last part starts at k: as in the word up to there.

    What stands before a suffix is written as in the word, for the same suffix follows.
    """
    h = string_hash(0, s.word, s.position[i], s.position[k])
    return string_hash(h, s.form, k, j)


def kinship(tables, s, word, base):
    """How near two words are in meaning, given their hashes: 0 if they were not compared."""
    whole = facts_of(tables, s, word)
    part = facts_of(tables, s, base)
    answer = 0
    if part and whole & (COMPARED | DEFINED):
        level = max(0, find(tables.kin, link_hash(word, base)))
        if whole & part & COMPARED:
            answer = 1 + (level & NEAR)
        if whole & DEFINED:
            answer |= 8 + (level & TOLD)
    return answer


def kin_of_whole(tables, s, base):
    """How near a string is to the whole word, or to what is left of it without an ending."""
    answer = 0
    if facts_of(tables, s, base):
        if base != s.whole:
            answer = kinship(tables, s, s.whole, base)
        for k in range(s.bases.shape[0]):
            if s.bases[k] and s.bases[k] != base:
                answer = better(answer, kinship(tables, s, s.bases[k], base))
    return answer


def better(one, two):
    """Join what is known of two bases."""
    return ((one | two) & LISTED) | max(one & TOLD, two & TOLD) | max(one & NEAR, two & NEAR)


def suffixed(tables, s, h, p, end):
    """What is known of the word of hash h as a derivation, by a suffix, of [p, end)."""
    answer = base_of(tables, s, h, string_hash(0, s.form, p, end))
    for k in range(p + 1, end):
        if s.can[k, end] & tables.closed:
            answer = better(answer, base_of(tables, s, h, spelling(s, p, k, end)))
    return answer


def prefixed(tables, s, h, i, k, j):
    """What is known of the word of hash h as a derivation of what follows a prefix of [i, j)."""
    answer = 0
    for p in range(i + 1, k):
        if s.can[i, p] & tables.closed:
            answer = better(answer, base_of(tables, s, h, spelling(s, p, k, j)))
    return answer


def base_of(tables, s, word, base):
    """What is known of a word and one base."""
    answer = kinship(tables, s, word, base)
    return answer | LISTED if find(tables.links, link_hash(word, base)) >= 0 else answer


def link_hash(word, base):
    """Hash a derivation, given the hashes of the word and of its base."""
    return mix(mix(word, SEPARATOR), base)
