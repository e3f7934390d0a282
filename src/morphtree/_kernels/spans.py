# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Which constituents a form can have, and which features fire on each of them.

What can be said of a span is a list of *atoms*, small numbers or hashes; 0 means that there is
nothing to say. A template is a set of atoms and fires where none of them is 0. Types in spans.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.morphtree._kernels.hashing import letter
    from cython.cimports.morphtree._kernels.mixing import (
        fetch_byte,
        fetch_cell,
        fetch_double,
        find,
        find_there,
        may_have,
        mix,
    )
else:
    from morphtree._kernels.hashing import letter
    from morphtree._kernels.mixing import (
        fetch_byte,
        fetch_cell,
        fetch_double,
        find,
        find_there,
        may_have,
        mix,
    )

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
ATOMS = 39

BY_SUFFIX = cython.declare(cython.int, 1 << 14)  # facts: the lexicon lists a base
BY_PREFIX = cython.declare(cython.int, 1 << 15)

# groups of atoms, as bits
FACTS = cython.declare(
    cython.ulonglong,
    sum(1 << k for k in (15, 16, 17, 18, 19, 20, 21, 26, 27, 28, 31, 36)),
)
SPELLINGS = cython.declare(cython.ulonglong, sum(1 << k for k in (23, 24, 25, 29, 30, 37, 38)))
CHANGES = cython.declare(cython.ulonglong, sum(1 << k for k in (22, 32, 33)))
LETTERS = cython.declare(cython.ulonglong, sum(1 << k for k in (*range(2, 14), 34, 35)))

SEPARATOR = cython.declare(cython.ulonglong, 2)  # between two strings in a hash
UNKNOWN = cython.declare(cython.int, 0)
ONLY_LISTED = cython.declare(cython.int, 48)  # facts of a word of which nothing else is known
SHORT_WORD = cython.declare(cython.int, 3)  # letters; a shorter word must be frequent
FREQUENT = cython.declare(cython.int, 88)  # zipf 5.5, in sixteenths

# what can stand before a place: affixes, or also one known word; and after it
BEFORE_AFFIXES = cython.declare(cython.int, 1)
BEFORE_WORD = cython.declare(cython.int, 2)
AFTER_AFFIXES = cython.declare(cython.int, 4)
AFTER_WORD = cython.declare(cython.int, 8)
LAST = cython.declare(cython.int, 128)  # marks the slot of a context's last feature
SLOT = cython.declare(cython.int, 127)  # the slot itself


@cython.cclass
class Parts:
    """A parser's templates, features, lexicon and grammar; made once for a model."""

    def __init__(self, rules, labels, templates, table, slots, closed, lexicon, family):
        self.rules = rules
        self.own, self.scored, self.closed, self.longest, self.sparse = labels
        self.seeds, self.atoms, self.scopes, self.used = templates
        self.wanted = sum(1 << int(atom) for atom in self.used)
        self.table = table
        self.slots = slots
        self.closed_table, self.closed_labels = closed
        self.words, self.facts, self.links, self.endings, self.ending_start = lexicon
        self.family, self.family_counts = family


@cython.cclass
class Spans:
    """Scratch space for one word at a time."""

    def __init__(self, own, tables, vectors, memo, rows, scores, looked_up):
        self.own_keys, self.own_kinds = own
        self.steps, self.can, self.need, self.row_of, self.spells = tables
        self.position, self.edges, self.atoms, self.contexts, self.found = vectors
        self.memo_keys, self.memo_rows, self.memo_used = memo
        self.row_start, self.row_slot, self.row_feature = rows
        self.row_score, self.row_weight, self.no_weights = scores
        self.bases, self.held_keys, self.held = looked_up
        self.row_count = 0
        self.full = False

    def set_own(self, keys, kinds):
        """Say which strings the next word itself brought to the family."""
        self.own_keys = keys
        self.own_kinds = kinds


def start_word(parts, s, word):
    """Forget the last word."""
    clear_rows(s)
    s.word = word
    s.n = word.shape[0]
    s.full = False
    s.whole_facts = facts_of(parts, s, string_hash(0, word, 0, s.n))
    fill_bases(parts, s)


def clear_rows(s):
    """Empty the table of rows."""
    r: cython.Py_ssize_t
    for r in range(s.row_count):
        s.memo_rows[s.memo_used[r]] = -1
    s.row_count = 0
    s.row_start[0] = 0


def prepare(parts, s, form, weights):
    """Find the constituents of a form, and the features of each."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    find_spans(parts, s, form)
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.need[i, j] & parts.scored:
                fill_atoms(parts, s, i, j)
                s.row_of[i, j] = find_row(parts, s, s.need[i, j] & parts.scored, weights)
                if s.full:
                    return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_spans(parts: Parts, s: Spans, form: cython.longlong[::1]) -> cython.void:
    """Find the constituents of a form."""
    s.form = form
    s.m = form.shape[0]
    if parts.wanted & (CHANGES | SPELLINGS):
        align(s)
    build(parts, s)
    prune(parts, s)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def string_hash(
    h: cython.ulonglong,
    codes: cython.longlong[::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.ulonglong:
    """Add a string to a hash."""
    k: cython.Py_ssize_t
    for k in range(start, end):
        h = mix(h, cython.cast(cython.ulonglong, codes[k]))
    return h


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def held(parts: Parts, s: Spans, h: cython.ulonglong) -> cython.Py_ssize_t:
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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def facts_of(parts: Parts, s: Spans, h: cython.ulonglong) -> cython.int:
    """Look a string up in the lexicon; 0 if it is not there."""
    return s.held[held(parts, s, h), 0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def align(s: Spans) -> cython.void:
    """Find where the boundaries of the form are in the word, by plain edit distance.

    Of equally short ways, letters are matched as early as possible, so that a letter of the
    word that the form lacks belongs to what stands on its left.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    least: cython.int
    for j in range(s.m, -1, -1):
        for i in range(s.n, -1, -1):
            if i == s.n:
                s.steps[i, j] = s.m - j
            elif j == s.m:
                s.steps[i, j] = s.n - i
            else:
                least = s.steps[i + 1, j + 1] + (0 if s.word[i] == s.form[j] else 1)
                least = min(least, s.steps[i + 1, j] + 1)
                least = min(least, s.steps[i, j + 1] + 1)
                s.steps[i, j] = least
    i = 0
    j = 0
    while j < s.m:
        if i < s.n and s.steps[i, j] == s.steps[i + 1, j + 1] + (
            0 if s.word[i] == s.form[j] else 1
        ):
            s.position[j] = i
            i += 1
            j += 1
        elif i < s.n and s.steps[i, j] == s.steps[i + 1, j] + 1:
            i += 1
        else:
            s.position[j] = i
            j += 1
    s.position[s.m] = s.n
    s.position[0] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def build(parts: Parts, s: Spans) -> cython.void:
    """Note which labels can be built over each span, short spans first."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    row: cython.Py_ssize_t
    bits: cython.int
    spelt: cython.int = 0  # labels that may spell any string
    h: cython.ulonglong
    for a in range(parts.own):
        if parts.rules.leaf[a] >= 0 and not (parts.closed >> a) & 1:
            spelt |= 1 << a
    for i in range(s.m):
        h = 0
        for j in range(i + 1, s.m + 1):
            s.spells[i, j] = 0 if parts.sparse else spelt
            s.need[i, j] = 0
            if j - i <= parts.longest:
                h = mix(h, cython.cast(cython.ulonglong, s.form[j - 1]))
                row = find(parts.closed_table, h)
                if row >= 0:
                    s.spells[i, j] |= parts.closed_labels[row]
    if parts.sparse:
        spell_words(parts, s, spelt)
    for j in range(1, s.m + 1):
        for i in range(j - 1, -1, -1):
            bits = s.spells[i, j]
            for a in range(parts.rules.binary.shape[0]):
                if not (bits >> parts.rules.binary[a, 0]) & 1 and splits(
                    parts.rules.binary[a, 1], parts.rules.binary[a, 2], s, i, j
                ):
                    bits |= 1 << parts.rules.binary[a, 0]
            for a in range(parts.rules.unary.shape[0]):
                if (bits >> parts.rules.unary[a, 1]) & 1:
                    bits |= 1 << parts.rules.unary[a, 0]
            s.can[i, j] = bits


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_known(parts: Parts, s: Spans, h: cython.ulonglong, size: cython.Py_ssize_t) -> cython.bint:
    """Whether a string is a word that compounds are made of, and no name or oddity."""
    facts: cython.int = facts_of(parts, s, h)
    if size < SHORT_WORD and (facts & 255) < FREQUENT:
        return False
    if (facts >> 8) & 3 == 1 or (facts >> 10) & 15 or facts == ONLY_LISTED:
        return True
    return seen_in(parts, s, h, 0) > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def spell_words(parts: Parts, s: Spans, labels: cython.int) -> cython.void:
    """Let open labels spell known words, and an unknown one if all the rest is known.

    The rest of a form is known if it consists of affixes, or of affixes and one known word next
    to the unknown one. Otherwise every span of every form could be a word of a compound.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    h: cython.ulonglong
    for i in range(s.m + 1):
        s.edges[i] = 0
    s.edges[0] = BEFORE_AFFIXES
    for i in range(s.m):
        if s.edges[i] & BEFORE_AFFIXES:
            for j in range(i + 1, min(s.m, i + parts.longest) + 1):
                if s.spells[i, j] & parts.closed:
                    s.edges[j] |= BEFORE_AFFIXES
    s.edges[s.m] |= AFTER_AFFIXES
    for j in range(s.m, 0, -1):
        if s.edges[j] & AFTER_AFFIXES:
            for i in range(max(0, j - parts.longest), j):
                if s.spells[i, j] & parts.closed:
                    s.edges[i] |= AFTER_AFFIXES
    for i in range(s.m):
        h = 0
        for j in range(i + 1, s.m + 1):
            h = mix(h, cython.cast(cython.ulonglong, s.form[j - 1]))
            if is_known(parts, s, h, j - i):
                s.spells[i, j] |= labels
                if s.edges[i] & BEFORE_AFFIXES:
                    s.edges[j] |= BEFORE_WORD
                if s.edges[j] & AFTER_AFFIXES:
                    s.edges[i] |= AFTER_WORD
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.edges[i] & BEFORE_AFFIXES and s.edges[j] & (AFTER_AFFIXES | AFTER_WORD):
                s.spells[i, j] |= labels
            elif s.edges[i] & BEFORE_WORD and s.edges[j] & AFTER_AFFIXES:
                s.spells[i, j] |= labels


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def splits(
    left: cython.int, right: cython.int, s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t
) -> cython.bint:
    """Whether a span can be split into two labels."""
    k: cython.Py_ssize_t
    for k in range(i + 1, j):
        if (s.can[i, k] >> left) & (s.can[k, j] >> right) & 1:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prune(parts: Parts, s: Spans) -> cython.void:
    """Keep what the whole form needs, from the top down."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    r: cython.Py_ssize_t
    length: cython.Py_ssize_t
    left: cython.int
    right: cython.int
    if s.m > 0:
        s.need[0, s.m] = s.can[0, s.m] & (1 << parts.rules.start)
    for length in range(s.m, 0, -1):
        for i in range(s.m - length + 1):
            j = i + length
            if s.need[i, j] == 0:
                continue
            for r in range(parts.rules.unary.shape[0] - 1, -1, -1):
                if (
                    (s.need[i, j] >> parts.rules.unary[r, 0])
                    & (s.can[i, j] >> parts.rules.unary[r, 1])
                    & 1
                ):
                    s.need[i, j] |= 1 << parts.rules.unary[r, 1]
            for r in range(parts.rules.binary.shape[0]):
                if (s.need[i, j] >> parts.rules.binary[r, 0]) & 1:
                    left = parts.rules.binary[r, 1]
                    right = parts.rules.binary[r, 2]
                    for k in range(i + 1, j):
                        if (s.can[i, k] >> left) & (s.can[k, j] >> right) & 1:
                            s.need[i, k] |= 1 << left
                            s.need[k, j] |= 1 << right


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_atoms(parts: Parts, s: Spans, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.void:
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
@cython.nogil
@cython.exceptval(check=False)
def fill_bases(parts: Parts, s: Spans) -> cython.void:
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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def spelling(
    s: Spans, i: cython.Py_ssize_t, k: cython.Py_ssize_t, j: cython.Py_ssize_t
) -> cython.ulonglong:
    """Hash how a span is written whose last part starts at k: as in the word up to there.

    What stands before a suffix is written as in the word, for the same suffix follows.
    """
    h: cython.ulonglong = string_hash(0, s.word, s.position[i], s.position[k])
    return string_hash(h, s.form, k, j)


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
                if k < j and facts & BY_SUFFIX and s.atoms[SUFFIX_LINK] < 3:
                    s.atoms[SUFFIX_LINK] = 3 if is_derived(parts, s, h, p, k) else 2
                if p == i and facts & BY_PREFIX and s.atoms[PREFIX_LINK] < 3:
                    s.atoms[PREFIX_LINK] = 3 if is_prefixed(parts, s, h, i, k, j) else 2
    s.atoms[JOINED_ZIPF] = zipf_class(best)
    s.atoms[JOINED_KIND] = word_kind(best)
    s.atoms[JOINED_SPEECH] = 1 + ((best >> 10) & 15)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def link_hash(word: cython.ulonglong, base: cython.ulonglong) -> cython.ulonglong:
    """Hash a derivation, given the hashes of the word and of its base."""
    return mix(mix(word, SEPARATOR), base)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_derived(
    parts: Parts,
    s: Spans,
    h: cython.ulonglong,
    p: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the lexicon derives the word of hash h from what stands in [p, end)."""
    k: cython.Py_ssize_t
    if find(parts.links, link_hash(h, string_hash(0, s.form, p, end))) >= 0:
        return True
    for k in range(p + 1, end):
        if s.can[k, end] & parts.closed:
            if find(parts.links, link_hash(h, spelling(s, p, k, end))) >= 0:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_prefixed(
    parts: Parts,
    s: Spans,
    h: cython.ulonglong,
    i: cython.Py_ssize_t,
    k: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the lexicon derives the word of hash h from what follows a prefix of [i, j)."""
    p: cython.Py_ssize_t
    for p in range(i + 1, k):
        if s.can[i, p] & parts.closed:
            if find(parts.links, link_hash(h, spelling(s, p, k, j))) >= 0:
                return True
    return False


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
@cython.nogil
@cython.exceptval(check=False)
def seen_in(parts: Parts, s: Spans, h: cython.ulonglong, kind: cython.Py_ssize_t) -> cython.int:
    """In how many other words of the treebank a string plays a part, at most 3."""
    row: cython.Py_ssize_t = s.held[held(parts, s, h), 2]
    k: cython.Py_ssize_t
    count: cython.int = parts.family_counts[row, kind] if row >= 0 else 0
    if count > 0:
        for k in range(s.own_keys.shape[0]):
            if s.own_keys[k] == h and s.own_kinds[k] == kind:
                count -= 1
    return min(count, 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_row(parts: Parts, s: Spans, labels: cython.int, weights: cython.double[::1]) -> cython.int:
    """Return the row of features for these atoms; make and score it on first use."""
    k: cython.Py_ssize_t
    key: cython.ulonglong = cython.cast(cython.ulonglong, labels)
    mask: cython.ulonglong = cython.cast(cython.ulonglong, s.memo_keys.shape[0] - 1)
    place: cython.ulonglong
    for k in range(parts.used.shape[0]):
        key = mix(key, s.atoms[parts.used[k]])
    place = (key >> 20) & mask
    while s.memo_rows[place] >= 0:
        if s.memo_keys[place] == key:
            return s.memo_rows[place]
        place = (place + 1) & mask
    if s.row_count == s.memo_used.shape[0]:
        s.full = True
        return 0
    s.memo_keys[place] = key
    s.memo_rows[place] = s.row_count
    s.memo_used[s.row_count] = place
    s.row_count += 1
    match(parts, s, labels, weights)
    return s.row_count - 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def context(parts: Parts, s: Spans, t: cython.Py_ssize_t) -> cython.ulonglong:
    """Hash what a template sees in the atoms at hand; 0 if it does not fire."""
    k: cython.Py_ssize_t
    h: cython.ulonglong = parts.seeds[t]
    for k in range(parts.atoms.shape[1]):
        if parts.atoms[t, k] < 0:
            break
        if s.atoms[parts.atoms[t, k]] == 0:
            return 0
        h = mix(h, s.atoms[parts.atoms[t, k]])
    return h


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def match(parts: Parts, s: Spans, labels: cython.int, weights: cython.double[::1]) -> cython.void:
    """Match all templates on the atoms at hand, and sum the weights of what fires.

    In three passes, so that the memory that one template needs is fetched while others are hashed.
    """
    t: cython.Py_ssize_t
    k: cython.Py_ssize_t
    f: cython.Py_ssize_t
    fired: cython.Py_ssize_t = 0
    slot: cython.int
    new: cython.Py_ssize_t = s.row_count - 1
    count: cython.Py_ssize_t = s.row_start[new]
    h: cython.ulonglong
    for k in range(s.row_score.shape[1]):
        s.row_score[new, k] = 0.0
        s.row_weight[new, k] = 0.0
    for t in range(parts.seeds.shape[0]):
        h = context(parts, s, t) if parts.scopes[t] & labels else 0
        if h != 0 and may_have(parts.table, h):
            s.contexts[fired] = h
            fired += 1
            fetch_cell(parts.table, h)
    for t in range(fired):
        f = find_there(parts.table, s.contexts[t])
        s.found[t] = f
        if f >= 0:
            fetch_byte(parts.slots, f)
            fetch_double(weights, f)
    for t in range(fired):
        f = s.found[t]
        slot = 0 if f >= 0 else LAST
        while not slot & LAST:
            if count == s.row_feature.shape[0]:
                s.full = True
                break
            slot = parts.slots[f]
            s.row_slot[count] = slot & SLOT
            s.row_feature[count] = f
            s.row_score[new, slot & SLOT] += weights[f]
            count += 1
            f += 1
    s.row_start[new + 1] = count


def span_contexts(
    parts: Parts,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    places: cython.int[:, ::1],  # (P, 2)  start and end of the spans to look at
    contexts: cython.ulonglong[:, ::1],  # (P, T) out
) -> None:
    """Hash what each template sees in some spans of a form; 0 where it does not fire."""
    p: cython.Py_ssize_t
    t: cython.Py_ssize_t
    start_word(parts, s, word)
    find_spans(parts, s, form)
    for p in range(places.shape[0]):
        fill_atoms(parts, s, places[p, 0], places[p, 1])
        for t in range(parts.seeds.shape[0]):
            contexts[p, t] = context(parts, s, t)


def form_contexts(
    parts: Parts,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    places: cython.int[:, ::1],  # (P, 3) out: start, end, labels needed
    contexts: cython.ulonglong[:, ::1],  # (P, T) out
) -> cython.Py_ssize_t:
    """The same for every span that a parse of the form can have; return their number."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    start_word(parts, s, word)
    find_spans(parts, s, form)
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.need[i, j] & parts.scored and count < places.shape[0]:
                places[count, 0] = i
                places[count, 1] = j
                places[count, 2] = s.need[i, j] & parts.scored
                fill_atoms(parts, s, i, j)
                for t in range(parts.seeds.shape[0]):
                    contexts[count, t] = context(parts, s, t)
                count += 1
    return count


def span_matches(
    parts: Parts,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    found: cython.int[:, ::1],  # (room, 4) out: start, end, slot, feature
    need: cython.int[:, ::1],  # (m, m+1) out: labels that are part of a whole parse
    spells: cython.int[:, ::1],  # (m, m+1) out: labels that may spell a span
) -> cython.Py_ssize_t:
    """List the features that fire on the spans of one form; return their number.

    -1 if the scratch space is too small.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    start_word(parts, s, word)
    prepare(parts, s, form, s.no_weights)
    if s.full:
        return -1
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            need[i, j] = s.need[i, j]
            spells[i, j] = s.spells[i, j]
            if s.need[i, j] & parts.scored:
                for k in range(s.row_start[s.row_of[i, j]], s.row_start[s.row_of[i, j] + 1]):
                    if count < found.shape[0]:
                        found[count, 0] = i
                        found[count, 1] = j
                        found[count, 2] = s.row_slot[k]
                        found[count, 3] = s.row_feature[k]
                    count += 1
    return count
