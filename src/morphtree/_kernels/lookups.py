"""What is known of a string: the lexicon, and the stems of the treebank. Types in lookups.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import find

from morphtree._kernels import _layout

UNKNOWN = cython.declare(cython.int, 0)
ONLY_LISTED = cython.declare(cython.int, _layout.ONLY_LISTED)
ZIPF_BITS = cython.declare(cython.int, _layout.BITS["zipf"])
KIND_BITS = cython.declare(cython.int, _layout.BITS["kind"])
ORDINARY = cython.declare(cython.int, _layout.pack(kind=1))
SPEECH_BITS = cython.declare(cython.int, _layout.BITS["speech"])
SHORT_WORD = cython.declare(cython.int, 3)  # letters; a shorter word must be frequent
FREQUENT = cython.declare(cython.int, 88)  # zipf 5.5, in sixteenths


def held(tables, s, h):
    """Look a string up everywhere, or remember it; return its place among what is held."""
    place: cython.Py_ssize_t = (h >> 20) & cython.cast(cython.ulonglong, s.held_keys.shape[0] - 1)
    if s.held_keys[place] != h:
        s.held_keys[place] = h
        row = find(tables.words, h)
        s.held[place, 0] = tables.facts[row] if row >= 0 else UNKNOWN
        s.held[place, 1] = -1
        s.held[place, 2] = find(tables.stems, h)
    return place


def facts_of(tables, s, h):
    """Look a string up in the lexicon; 0 if it is not there."""
    return s.held[held(tables, s, h), 0]


def is_ordinary(facts):
    """Whether these are the facts of a word of the language, no name and no oddity."""
    return facts & KIND_BITS == ORDINARY or facts & SPEECH_BITS != 0 or facts == ONLY_LISTED


def is_known(tables, s, h, size):
    """Whether a string is a word that compounds are made of: an ordinary one, or a known stem."""
    place = held(tables, s, h)
    facts = s.held[place, 0]
    if size < SHORT_WORD and (facts & ZIPF_BITS) < FREQUENT:
        return False
    return is_ordinary(facts) or s.held[place, 2] >= 0
