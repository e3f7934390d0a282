"""What is known of a string: the lexicon, and the stems of the treebank. Types in lookups.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import fetch_key, find, find_there, may_have, mix

from morphtree._kernels import _layout

UNKNOWN = cython.declare(cython.int, 0)
ONLY_LISTED = cython.declare(cython.int, _layout.ONLY_LISTED)
ZIPF_BITS = cython.declare(cython.int, _layout.BITS["zipf"])
KIND_BITS = cython.declare(cython.int, _layout.BITS["kind"])
ORDINARY = cython.declare(cython.int, _layout.pack(kind=1))
SPEECH_BITS = cython.declare(cython.int, _layout.BITS["speech"])
SHORT_WORD = cython.declare(cython.int, 3)  # letters; a shorter word must be frequent
FREQUENT = cython.declare(cython.int, 88)  # zipf 5.5, in sixteenths
RARE = cython.declare(cython.int, 32)  # zipf 2
EASIER = cython.declare(cython.int, 8)  # with every letter a word may be rarer by half a zipf


def facts_of(tables, h):
    """Look a string up in the lexicon; 0 if it is not there."""
    return max(find(tables.words, h), UNKNOWN)


def hash_word(s):
    """Hash every substring of the word."""
    for i in range(s.n):
        h = 0
        s.word_hashes[i, i] = 0
        for j in range(i, s.n):
            h = mix(h, cython.cast(cython.ulonglong, s.word[j]))
            s.word_hashes[i, j + 1] = h
    s.word_hashes[s.n, s.n] = 0


def look_up_form(tables, s):
    """Hash every substring of the form and look it up; what the last form had is kept.

    In two passes, so that memory is fetched for many of them at once.
    """
    for i in range(s.m + 1):
        h = 0
        first = i
        if i < s.same:
            first = s.same
            h = s.hashes[i, first]
        else:
            s.hashes[i, i] = 0
            s.facts[i, i] = 0
        for j in range(first, s.m):
            h = mix(h, cython.cast(cython.ulonglong, s.form[j]))
            s.hashes[i, j + 1] = h
            s.kinships[i, j + 1] = -1
            s.facts[i, j + 1] = 0
            if may_have(tables.words, h):
                s.facts[i, j + 1] = 1
                fetch_key(tables.words, h)
    for i in range(s.m):
        for j in range(max(i, s.same) + 1, s.m + 1):
            if s.facts[i, j]:
                s.facts[i, j] = max(find_there(tables.words, s.hashes[i, j]), UNKNOWN)
            if tables.sparse:
                s.known[i, j] = is_known(tables, s, i, j)


def is_ordinary(facts):
    """Whether these are the facts of a word of the language, no name and no oddity."""
    return facts & KIND_BITS == ORDINARY or facts & SPEECH_BITS != 0 or facts == ONLY_LISTED


def is_known(tables, s, i, j):
    """Whether a substring can be a part of a compound: a known stem, or an ordinary word.

    A short word must be frequent: no compound of the English treebank has two parts that are
    rarer, and a fifth of all spans need not be looked at.
    """
    facts = s.facts[i, j]
    zipf = facts & ZIPF_BITS
    if j - i < SHORT_WORD and zipf < FREQUENT:
        return False
    if is_ordinary(facts) and (
        zipf >= max(RARE, FREQUENT - EASIER * (j - i)) or facts == ONLY_LISTED
    ):
        return True
    return find(tables.stems, s.hashes[i, j]) >= 0
