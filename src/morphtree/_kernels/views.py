# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""What can be said of a span: a list of *atoms*, small numbers or hashes; 0 means nothing to say.

Types in views.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.morphtree._kernels.bases import (
        better,
        kin_of_whole,
        prefixed,
        spelling,
        suffixed,
    )
    from cython.cimports.morphtree._kernels.hashing import letter
    from cython.cimports.morphtree._kernels.lookups import facts_of, held, seen_in
    from cython.cimports.morphtree._kernels.mixing import find, mix, string_hash
    from cython.cimports.morphtree._kernels.parts import Parts, Spans
else:
    from morphtree._kernels.bases import better, kin_of_whole, prefixed, spelling, suffixed
    from morphtree._kernels.hashing import letter
    from morphtree._kernels.lookups import facts_of, held, seen_in
    from morphtree._kernels.mixing import find, mix, string_hash
    from morphtree._kernels.parts import Parts, Spans

# The atoms, in the order of features.ATOMS
STRING = cython.declare(cython.int, 0)
LENGTH = cython.declare(cython.int, 1)
LEFT = cython.declare(cython.int, 2)  # 1, 2, 3 letters before the span
RIGHT = cython.declare(cython.int, 5)  # 1, 2, 3, 4 letters after it
HEAD = cython.declare(cython.int, 9)  # its first 1, 2 letters
TAIL = cython.declare(cython.int, 11)  # its last 1, 2, 3 letters
EDGE = cython.declare(cython.int, 14)  # whether it starts or ends the form
ATTESTED = cython.declare(cython.int, 15)
ZIPF = cython.declare(cython.int, 16)
KIND = cython.declare(
    cython.int, 17
)  # ordinary word, name or unknown; with a part of speech or not
SPEECH = cython.declare(cython.int, 18)  # parts of speech
WORD_ZIPF = cython.declare(cython.int, 19)
WORD_SPEECH = cython.declare(cython.int, 20)
GAIN = cython.declare(cython.int, 21)  # how much more frequent than the whole word
CHANGE = cython.declare(cython.int, 22)  # how its end is spelt in the word
JOINED_ZIPF = cython.declare(cython.int, 23)  # the same facts of the span as a word of its own
JOINED_KIND = cython.declare(cython.int, 24)
JOINED_SPEECH = cython.declare(cython.int, 25)
STEM = cython.declare(cython.int, 26)  # in how many other words of the treebank it is a stem
SPELLING = cython.declare(cython.int, 27)  # in how many it is how a branching part is written
FORM = cython.declare(cython.int, 28)  # in how many it is the form of a branching part
JOINED_STEM = cython.declare(cython.int, 29)  # the same of the span as a word of its own
JOINED_SPELLING = cython.declare(cython.int, 30)
PARADIGM = cython.declare(cython.int, 31)  # with how many frequent endings it is attested
DISTANCE = cython.declare(cython.int, 32)  # in how many letters it differs from the word
INNER = cython.declare(cython.int, 33)  # the same without its last two letters
REST = cython.declare(cython.int, 34)  # all letters after it
BEFORE = cython.declare(cython.int, 35)  # all letters before it
DERIVED = cython.declare(cython.int, 36)  # whether the lexicon lists a base of it
SUFFIX_LINK = cython.declare(cython.int, 37)  # whether it lists the base that the span would have
PREFIX_LINK = cython.declare(cython.int, 38)
KIN = cython.declare(cython.int, 39)  # how near it is to the whole word in meaning
SUFFIX_KIN = cython.declare(cython.int, 40)  # how near to the base that the span would have
PREFIX_KIN = cython.declare(cython.int, 41)
TOLD = cython.declare(cython.int, 42)  # the same by what a dictionary tells
SUFFIX_TOLD = cython.declare(cython.int, 43)
PREFIX_TOLD = cython.declare(cython.int, 44)
ANY_KIN = cython.declare(cython.int, 45)  # how near its nearest possible base is
ANY_TOLD = cython.declare(cython.int, 46)
HYPHEN = cython.declare(cython.int, 47)  # whether it is written with a hyphen inside
OTHER_ZIPF = cython.declare(cython.int, 48)  # facts of all that stands before it, or else after it
OTHER_KIND = cython.declare(cython.int, 49)
OTHER_SPEECH = cython.declare(cython.int, 50)
OTHER_KIN = cython.declare(cython.int, 51)  # how near that is to the whole word in meaning
OTHER_TOLD = cython.declare(cython.int, 52)
OTHER_LENGTH = cython.declare(cython.int, 53)
JUDGED = cython.declare(cython.int, 54)  # how likely it is made of parts, by a judge of words
ATOMS = 55

BY_SUFFIX = cython.declare(cython.int, 1 << 14)  # facts: the lexicon lists a base
BY_PREFIX = cython.declare(cython.int, 1 << 15)
MEANT = cython.declare(cython.int, 3 << 16)  # something is known of the meaning
JUDGEMENT = cython.declare(cython.int, 23)  # first bit of it
NEAR = cython.declare(cython.int, 7)  # parts of what bases.py answers
LISTED = cython.declare(cython.int, 32)

# groups of atoms, as bits
FACTS = cython.declare(
    cython.ulonglong,
    sum(1 << k for k in (15, 16, 17, 18, 19, 20, 21, 26, 27, 28, 31, 36, 45, 46, 54)),
)
SPELLINGS = cython.declare(
    cython.ulonglong, sum(1 << k for k in (23, 24, 25, 29, 30, *range(37, 45), 54))
)
CHANGES = cython.declare(cython.ulonglong, sum(1 << k for k in (22, 32, 33)))
LETTERS = cython.declare(cython.ulonglong, sum(1 << k for k in (*range(2, 14), 34, 35)))
OTHERS = cython.declare(cython.ulonglong, sum(1 << k for k in range(48, 54)))
HYPHENS = cython.declare(cython.ulonglong, 1 << 47)
DASH = cython.declare(cython.longlong, ord("-"))

SEPARATOR = cython.declare(cython.ulonglong, 2)  # between two strings in a hash


def fill_atoms(parts, s, i, j):
    """Say what the templates want to know of one span."""
    h: cython.ulonglong = string_hash(0, s.form, i, j)
    s.atoms[STRING] = h
    s.atoms[LENGTH] = min(j - i, 8)
    s.atoms[EDGE] = 1 + (1 if i == 0 else 0) + (2 if j == s.m else 0)
    if parts.wanted & FACTS:
        fill_facts(parts, s, h)
    if parts.wanted & SPELLINGS:
        fill_spellings(parts, s, i, j)
    if parts.wanted & CHANGES:
        s.atoms[CHANGE] = change_hash(s, i, j)
        s.atoms[DISTANCE] = 1 + min(max(changes(s, i, j), 0), 3)
        s.atoms[INNER] = 1 + min(max(changes(s, i, max(i, j - 2)), 0), 2)
    if parts.wanted & LETTERS:
        fill_letters(s, i, j)
    if parts.wanted & HYPHENS:
        s.atoms[HYPHEN] = hyphen(s, i, j)
    if parts.wanted & OTHERS:
        fill_other(parts, s, i, j)


def fill_bases(parts, s):
    """Note what is left of the word without each ending, 0 if it ends otherwise."""
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    size: cython.Py_ssize_t
    for k in range(parts.ending_start.shape[0] - 1):
        size = parts.ending_start[k + 1] - parts.ending_start[k]
        s.bases[k] = 0
        if size < s.n:
            for i in range(size):
                if s.word[s.n - size + i] != parts.endings[parts.ending_start[k] + i]:
                    break
            else:
                s.bases[k] = string_hash(0, s.word, 0, s.n - size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hyphen(s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
    """Return 2 for a span with a hyphen inside, 1 if there is one elsewhere, 0 if there is none."""
    k: cython.Py_ssize_t
    answer: cython.int = 0
    for k in range(s.n):
        if s.word[k] == DASH:
            answer = max(answer, 2 if s.position[i] < k < s.position[j] - 1 else 1)
    return answer


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_other(parts: Parts, s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.void:
    """Write what is known of the other part of the form: what stands before the span, or after."""
    k: cython.Py_ssize_t
    h: cython.ulonglong = string_hash(0, s.form, 0 if i > 0 else j, i if i > 0 else s.m)
    facts: cython.int
    kin: cython.int
    for k in range(OTHER_ZIPF, OTHER_LENGTH + 1):
        s.atoms[k] = 0
    if i > 0 or j < s.m:
        facts = facts_of(parts, s, h)
        kin = kin_of_whole(parts, s, h)
        s.atoms[OTHER_ZIPF] = zipf_class(facts)
        s.atoms[OTHER_KIND] = word_kind(facts)
        s.atoms[OTHER_SPEECH] = 1 + ((facts >> 10) & 15)
        s.atoms[OTHER_KIN] = kin & NEAR
        s.atoms[OTHER_TOLD] = kin >> 3
        s.atoms[OTHER_LENGTH] = min(i if i > 0 else s.m - j, 8)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_letters(s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.void:
    """Write the letters around a span and at its ends."""
    k: cython.Py_ssize_t
    h: cython.ulonglong
    s.atoms[REST] = string_hash(SEPARATOR, s.form, j, s.m)
    s.atoms[BEFORE] = string_hash(SEPARATOR, s.form, 0, i)
    h = SEPARATOR
    for k in range(3):
        h = mix(h, letter(s.form, i - 1 - k))
        s.atoms[LEFT + k] = h if k <= i else 0
    h = SEPARATOR
    for k in range(4):
        h = mix(h, letter(s.form, j + k))
        s.atoms[RIGHT + k] = h if k <= s.m - j else 0
    h = SEPARATOR
    for k in range(2):
        h = mix(h, letter(s.form, i + k))
        s.atoms[HEAD + k] = h if k < j - i else 0
    h = SEPARATOR
    for k in range(3):
        h = mix(h, letter(s.form, j - 1 - k))
        s.atoms[TAIL + k] = h if k < j - i else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def zipf_class(facts: cython.int) -> cython.int:
    """Return 1 for an unknown string, then classes of two thirds of a power of ten."""
    return 1 if facts == 0 else 2 + min((facts & 255) * 3 // 32, 9)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def word_kind(facts: cython.int) -> cython.int:
    """Tell ordinary words, names and unknown ones apart, each with a part of speech or without."""
    return 1 + 2 * ((facts >> 8) & 3) + (1 if (facts >> 10) & 15 else 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def paradigm(parts: Parts, s: Spans, h: cython.ulonglong) -> cython.int:
    """Return one more than the number (at most 3) of endings that make an attested word.

    The whole word itself does not count.
    """
    k: cython.Py_ssize_t
    place: cython.Py_ssize_t = held(parts, s, h)
    count: cython.int = 0
    other: cython.ulonglong
    if s.held[place, 1] < 0:
        for k in range(parts.ending_start.shape[0] - 1):
            other = string_hash(h, parts.endings, parts.ending_start[k], parts.ending_start[k + 1])
            if find(parts.words, other) >= 0:
                count += 1
        s.held[place, 1] = count
    count = s.held[place, 1]
    if s.whole_facts:
        for k in range(s.bases.shape[0]):
            if s.bases[k] == h:
                count -= 1
    return 1 + min(count, 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fill_facts(parts: Parts, s: Spans, h: cython.ulonglong) -> cython.void:
    """Write what lexicon and treebank know of the span's string, and of the whole word."""
    k: cython.Py_ssize_t
    facts: cython.int = facts_of(parts, s, h)
    for k in range(3):
        s.atoms[STEM + k] = 1 + seen_in(parts, s, h, k)
    s.atoms[PARADIGM] = paradigm(parts, s, h)
    s.atoms[ATTESTED] = 1 if facts else 0
    s.atoms[ZIPF] = zipf_class(facts)
    s.atoms[KIND] = word_kind(facts)
    s.atoms[SPEECH] = 1 + ((facts >> 10) & 15)
    s.atoms[WORD_ZIPF] = zipf_class(s.whole_facts)
    s.atoms[WORD_SPEECH] = 1 + ((s.whole_facts >> 10) & 15)
    s.atoms[DERIVED] = 1 + ((facts >> 14) & 3)
    s.atoms[ANY_TOLD] = (facts >> 18) & 3
    s.atoms[ANY_KIN] = (facts >> 20) & 7
    s.atoms[JUDGED] = (facts >> JUDGEMENT) & 7
    s.atoms[GAIN] = 0
    if facts and s.whole_facts:
        s.atoms[GAIN] = 1 + max(128 + (facts & 255) - (s.whole_facts & 255), 0) // 16


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def changes(s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
    """In how many letters a span differs from the word."""
    return s.steps[s.position[i], i] - s.steps[s.position[j], j]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_spellings(
    parts: Parts, s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t
) -> cython.void:
    """Look up a branching span as a word of its own, in any way that it may be written.

    Other words of the treebank, and the lexicon's derivations, may have it without its prefix.
    """
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    h: cython.ulonglong
    best: cython.int = 0
    facts: cython.int
    s.atoms[JOINED_STEM] = s.atoms[JOINED_SPELLING] = 1
    s.atoms[SUFFIX_LINK] = s.atoms[PREFIX_LINK] = 1
    s.atoms[SUFFIX_KIN] = s.atoms[PREFIX_KIN] = 0
    s.atoms[SUFFIX_TOLD] = s.atoms[PREFIX_TOLD] = 0
    kin: cython.int = kin_of_whole(parts, s, s.atoms[STRING])
    for p in range(i, j):
        if p > i and not s.can[i, p] & parts.closed:
            continue
        for k in range(p + 1, j + 1):
            if k == j or s.can[k, j] & parts.closed:
                h = spelling(s, p, k, j)
                facts = facts_of(parts, s, h)
                if p == i and ((facts & 255) > (best & 255) or best == 0):
                    best = facts
                s.atoms[JOINED_STEM] = max(s.atoms[JOINED_STEM], 1 + seen_in(parts, s, h, 0))
                s.atoms[JOINED_SPELLING] = max(
                    s.atoms[JOINED_SPELLING], 1 + seen_in(parts, s, h, 1)
                )
                if facts & (BY_SUFFIX | MEANT) and k < j:
                    fill_base(s, SUFFIX_LINK, suffixed(parts, s, h, p, k), facts & BY_SUFFIX)
                if facts & (BY_PREFIX | MEANT) and p == i:
                    fill_base(s, PREFIX_LINK, prefixed(parts, s, h, i, k, j), facts & BY_PREFIX)
                if facts and p == i:
                    kin = better(kin, kin_of_whole(parts, s, h))
    s.atoms[KIN] = kin & NEAR
    s.atoms[TOLD] = kin >> 3
    s.atoms[JOINED_ZIPF] = zipf_class(best)
    s.atoms[JOINED_KIND] = word_kind(best)
    s.atoms[JOINED_SPEECH] = 1 + ((best >> 10) & 15)
    if s.atoms[JUDGED] == 0:
        s.atoms[JUDGED] = (best >> JUDGEMENT) & 7


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def change_hash(s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.ulonglong:
    """Hash how the last letters of the span are written in the word; 1 if they are unchanged."""
    start: cython.Py_ssize_t = max(i, j - 3)
    at: cython.Py_ssize_t = s.position[start]
    end: cython.Py_ssize_t = s.position[j]
    while start < j and at < end and s.form[start] == s.word[at]:
        start += 1
        at += 1
    if start == j and at == end:
        return 1
    return string_hash(mix(string_hash(SEPARATOR, s.form, start, j), SEPARATOR), s.word, at, end)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fill_base(s: Spans, link: cython.int, answer: cython.int, derived: cython.int) -> cython.void:
    """Note what is known of one way to derive the span: is it listed, how near is the base."""
    kin: cython.int = link - SUFFIX_LINK + SUFFIX_KIN
    told: cython.int = link - SUFFIX_LINK + SUFFIX_TOLD
    s.atoms[kin] = max(s.atoms[kin], answer & NEAR)
    s.atoms[told] = max(s.atoms[told], (answer >> 3) & 3)
    if derived:
        s.atoms[link] = max(s.atoms[link], 3 if answer & LISTED else 2)
