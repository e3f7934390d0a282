"""Which constituents a form can have. Types in constituents.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.lookups import is_known, look_up_form
from cython.cimports.morphtree._kernels.mixing import find, lowest_bit

from morphtree._kernels import _layout

ALIGNED = cython.declare(cython.ulonglong, _layout.computed_by(*_layout.ALIGNED))

# what can stand before a place: affixes, or also one known word; and after it
BEFORE_AFFIXES = cython.declare(cython.int, 1)
BEFORE_WORD = cython.declare(cython.int, 2)
AFTER_AFFIXES = cython.declare(cython.int, 4)
AFTER_WORD = cython.declare(cython.int, 8)

WORD_SIZE = cython.declare(cython.int, 64)  # bits of a part of a set of places
ONE = cython.declare(cython.ulonglong, 1)


def find_spans(tables, s, form):
    """Find the constituents of a form."""
    s.form = form
    s.m = form.shape[0]
    keep_same(s)
    look_up_form(tables, s)
    if tables.wanted & ALIGNED:
        align(s.word, s.form, s.steps, s.position)
    spell(tables, s)
    build(tables, s)
    prune(tables, s)


def keep_same(s):
    """Count the letters that the form begins with as the last one did."""
    s.same = 0
    while s.same < s.m and s.same < s.last_m and s.form[s.same] == s.last_form[s.same]:
        s.same += 1
    for k in range(s.same, s.m):
        s.last_form[k] = s.form[k]
    s.last_m = s.m


def is_same(word, form):
    """Whether the form is the word."""
    if word.shape[0] != form.shape[0]:
        return False
    for k in range(word.shape[0]):
        if word[k] != form[k]:
            return False
    return True


def align(word, form, steps, position):
    """Find where the boundaries of the form are in the word, by plain edit distance.

    Of equally short ways, letters are matched as early as possible, so that a letter of the
    word that the form lacks belongs to what stands on its left. Out, both or larger: steps
    (n+1, m+1), the edit distance of word[i:] and form[j:]; position (m+1,).
    """
    n = word.shape[0]
    m = form.shape[0]
    least: cython.int
    if is_same(word, form):
        for j in range(m + 1):
            position[j] = j
            steps[j, j] = 0
        return
    for j in range(m, -1, -1):
        for i in range(n, -1, -1):
            if i == n or j == m:
                steps[i, j] = (n - i) + (m - j)
            else:
                least = steps[i + 1, j + 1] + (0 if word[i] == form[j] else 1)
                least = min(least, steps[i + 1, j] + 1)
                steps[i, j] = min(least, steps[i, j + 1] + 1)
    i = 0
    j = 0
    while j < m:
        if i < n and steps[i, j] == steps[i + 1, j + 1] + (0 if word[i] == form[j] else 1):
            position[j] = i
            i += 1
            j += 1
        elif i < n and steps[i, j] == steps[i + 1, j] + 1:
            i += 1
        else:
            position[j] = i
            j += 1
    position[m] = n
    position[0] = 0


def spell(tables, s):
    """Note which labels may spell each span, and list those of closed labels."""
    labels = 0  # that may spell any string
    for a in range(tables.own):
        if tables.rules.leaf[a] >= 0 and not (tables.closed >> a) & 1:
            labels |= 1 << a
    for i in range(s.m + 1):
        s.closed_ends[i, 0] = 0
        s.closed_starts[i, 0] = 0
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            s.spells[i, j] = 0 if tables.sparse else labels
            s.need[i, j] = 0
        for j in range(i + 1, min(s.m, i + tables.longest) + 1):
            closed = find(tables.closed_labels, s.hashes[i, j])
            if closed >= 0:
                s.spells[i, j] |= closed
                add_closed(s.closed_ends[i], j)
                add_closed(s.closed_starts[j], i)
    if tables.sparse:
        spell_words(tables, s, labels)


def add_closed(places, place):
    """Add to a list whose length stands first."""
    places[0] += 1
    places[places[0]] = place


def build(tables, s):
    """Note which labels can be built over each span, short spans first."""
    bits: cython.int
    words = s.m // WORD_SIZE + 1
    for a in range(tables.rules.labels):
        for i in range(s.m + 1):
            for x in range(words):
                s.ends[a, i, x] = 0
                s.starts[a, i, x] = 0
    for j in range(1, s.m + 1):
        for i in range(j - 1, -1, -1):
            bits = s.spells[i, j]
            for r in range(tables.rules.binary.shape[0]):
                if not (bits >> tables.rules.binary[r, 0]) & 1 and splits(
                    tables.rules.binary[r, 1], tables.rules.binary[r, 2], s, i, j, words
                ):
                    bits |= 1 << tables.rules.binary[r, 0]
            for r in range(tables.rules.unary.shape[0]):
                if (bits >> tables.rules.unary[r, 1]) & 1:
                    bits |= 1 << tables.rules.unary[r, 0]
            s.can[i, j] = bits
            if bits:
                for a in range(tables.rules.labels):
                    if (bits >> a) & 1:
                        s.ends[a, i, j // WORD_SIZE] |= ONE << (j % WORD_SIZE)
                        s.starts[a, j, i // WORD_SIZE] |= ONE << (i % WORD_SIZE)


def spell_words(tables, s, labels):
    """Let open labels spell known words, and an unknown one if all the rest is known.

    The rest of a form is known if it consists of affixes, or of affixes and one known word next
    to the unknown one. Otherwise every span of every form could be a word of a compound.
    """
    for i in range(s.m + 1):
        s.edges[i] = 0
    s.edges[0] = BEFORE_AFFIXES
    for i in range(s.m):
        if s.edges[i] & BEFORE_AFFIXES:
            for k in range(1, s.closed_ends[i, 0] + 1):
                s.edges[s.closed_ends[i, k]] |= BEFORE_AFFIXES
    s.edges[s.m] |= AFTER_AFFIXES
    for j in range(s.m, 0, -1):
        if s.edges[j] & AFTER_AFFIXES:
            for k in range(1, s.closed_starts[j, 0] + 1):
                s.edges[s.closed_starts[j, k]] |= AFTER_AFFIXES
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if is_known(tables, s, i, j):
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


def splits(left, right, s, i, j, words):
    """Whether a span can be split into two labels."""
    for x in range(words):
        if s.ends[left, i, x] & s.starts[right, j, x]:
            return True
    return False


def prune(tables, s):
    """Keep what the whole form needs, from the top down."""
    if s.m > 0:
        s.need[0, s.m] = s.can[0, s.m] & (1 << tables.rules.start)
    for length in range(s.m, 0, -1):
        for i in range(s.m - length + 1):
            if s.need[i, i + length]:
                need_parts(tables, s, i, i + length)


def need_parts(tables, s, i, j):
    """Note that what a span with its labels consists of is needed, too."""
    bits: cython.ulonglong
    for r in range(tables.rules.unary.shape[0] - 1, -1, -1):
        if (
            (s.need[i, j] >> tables.rules.unary[r, 0])
            & (s.can[i, j] >> tables.rules.unary[r, 1])
            & 1
        ):
            s.need[i, j] |= 1 << tables.rules.unary[r, 1]
    for r in range(tables.rules.binary.shape[0]):
        if (s.need[i, j] >> tables.rules.binary[r, 0]) & 1:
            left = tables.rules.binary[r, 1]
            right = tables.rules.binary[r, 2]
            for x in range(s.m // WORD_SIZE + 1):
                bits = s.ends[left, i, x] & s.starts[right, j, x]
                while bits:
                    k = x * WORD_SIZE + lowest_bit(bits)
                    bits &= bits - 1
                    s.need[i, k] |= 1 << left
                    s.need[k, j] |= 1 << right
