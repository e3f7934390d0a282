"""What the lexicon says of a word and its possible bases: derivations, nearness in meaning.

An answer has three parts: how near they are by word vectors (NEAR, 0 to 5, as in lexicon.py),
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
DERIVED = cython.declare(cython.int, BITS["by_suffix"] | BITS["by_prefix"])
NEAR = cython.declare(cython.int, 7)  # parts of an answer
TOLD = cython.declare(cython.int, 24)
LISTED = cython.declare(cython.int, 32)


def spelling(s, i, k, j):
    """Hash how a span is written whose last part starts at k: as in the word up to there.

    What stands before a suffix is written as in the word, for the same suffix follows.
    """
    if s.differences[i] == s.differences[k]:
        return s.hashes[i, j]
    return string_hash(s.word_hashes[s.position[i], s.position[k]], s.form, k, j)


def kinship(tables, word, whole, base, part):
    """How near two words are in meaning, given their hashes and facts: 0 if not compared."""
    answer = 0
    if part and whole & (COMPARED | DEFINED):
        level = max(0, find(tables.kin, link_hash(word, base)))
        if whole & part & COMPARED:
            answer = 1 + (level & NEAR)
        if whole & DEFINED:
            answer |= 8 + (level & TOLD)
    return answer


def kin_of_whole(tables, s, base, part):
    """How near a string is to the whole word, or to what is left of it without an ending."""
    answer = 0
    if part:
        if base != s.whole:
            answer = kinship(tables, s.whole, s.whole_facts, base, part)
        for k in range(s.base_count):
            if s.bases[k] != base:
                near = kinship(tables, s.bases[k], s.base_facts[k], base, part)
                answer = better(answer, near)
    return answer


def kin_of_span(tables, s, i, j):
    """The same for a substring of the form, looked up once."""
    if s.kinships[i, j] < 0:
        s.kinships[i, j] = kin_of_whole(tables, s, s.hashes[i, j], s.facts[i, j])
    return s.kinships[i, j]


def better(one, two):
    """Join what is known of two bases."""
    return ((one | two) & LISTED) | max(one & TOLD, two & TOLD) | max(one & NEAR, two & NEAR)


def suffixed(tables, s, h, facts, p, end):
    """What is known of the word of hash h as a derivation, by a suffix, of [p, end)."""
    answer = base_of(tables, h, facts, s.hashes[p, end], s.facts[p, end])
    for x in range(1, s.closed_starts[end, 0] + 1):
        k = s.closed_starts[end, x]
        if k > p and s.differences[p] != s.differences[k]:
            base = spelling(s, p, k, end)
            answer = better(answer, base_of(tables, h, facts, base, facts_of(tables, base)))
    return answer


def prefixed(tables, s, h, facts, i, k, j):
    """What is known of the word of hash h as a derivation of what follows a prefix of [i, j)."""
    answer = 0
    for x in range(1, s.closed_ends[i, 0] + 1):
        p = s.closed_ends[i, x]
        if p < k:
            base = spelling(s, p, k, j)
            part = s.facts[p, j] if base == s.hashes[p, j] else facts_of(tables, base)
            answer = better(answer, base_of(tables, h, facts, base, part))
    return answer


def base_of(tables, word, facts, base, part):
    """What is known of a word and one base, given their hashes and facts."""
    answer = kinship(tables, word, facts, base, part)
    if facts & DERIVED and find(tables.links, link_hash(word, base)) >= 0:
        answer |= LISTED
    return answer


def link_hash(word, base):
    """Hash a derivation, given the hashes of the word and of its base."""
    return mix(mix(word, SEPARATOR), base)
