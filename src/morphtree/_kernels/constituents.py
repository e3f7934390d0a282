"""Which constituents a form can have. Types in constituents.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.lookups import is_known
from cython.cimports.morphtree._kernels.mixing import find, mix

from morphtree._kernels import _layout

ALIGNED = cython.declare(cython.ulonglong, _layout.computed_by(*_layout.ALIGNED))

# what can stand before a place: affixes, or also one known word; and after it
BEFORE_AFFIXES = cython.declare(cython.int, 1)
BEFORE_WORD = cython.declare(cython.int, 2)
AFTER_AFFIXES = cython.declare(cython.int, 4)
AFTER_WORD = cython.declare(cython.int, 8)


def find_spans(tables, s, form):
    """Find the constituents of a form."""
    s.form = form
    s.m = form.shape[0]
    if tables.wanted & ALIGNED:
        align(s.word, s.form, s.steps, s.position)
    build(tables, s)
    prune(tables, s)


def align(word, form, steps, position):
    """Find where the boundaries of the form are in the word, by plain edit distance.

    Of equally short ways, letters are matched as early as possible, so that a letter of the
    word that the form lacks belongs to what stands on its left. Out, both or larger: steps
    (n+1, m+1), the edit distance of word[i:] and form[j:]; position (m+1,).
    """
    n = word.shape[0]
    m = form.shape[0]
    least: cython.int
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


def build(tables, s):
    """Note which labels can be built over each span, short spans first."""
    bits: cython.int
    spelt = 0  # labels that may spell any string
    for a in range(tables.own):
        if tables.rules.leaf[a] >= 0 and not (tables.closed >> a) & 1:
            spelt |= 1 << a
    for i in range(s.m):
        h = 0
        for j in range(i + 1, s.m + 1):
            s.spells[i, j] = 0 if tables.sparse else spelt
            s.need[i, j] = 0
            if j - i <= tables.longest:
                h = mix(h, cython.cast(cython.ulonglong, s.form[j - 1]))
                row = find(tables.closed_table, h)
                if row >= 0:
                    s.spells[i, j] |= tables.closed_labels[row]
    if tables.sparse:
        spell_words(tables, s, spelt)
    for j in range(1, s.m + 1):
        for i in range(j - 1, -1, -1):
            bits = s.spells[i, j]
            for a in range(tables.rules.binary.shape[0]):
                if not (bits >> tables.rules.binary[a, 0]) & 1 and splits(
                    tables.rules.binary[a, 1], tables.rules.binary[a, 2], s, i, j
                ):
                    bits |= 1 << tables.rules.binary[a, 0]
            for a in range(tables.rules.unary.shape[0]):
                if (bits >> tables.rules.unary[a, 1]) & 1:
                    bits |= 1 << tables.rules.unary[a, 0]
            s.can[i, j] = bits


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
            for j in range(i + 1, min(s.m, i + tables.longest) + 1):
                if s.spells[i, j] & tables.closed:
                    s.edges[j] |= BEFORE_AFFIXES
    s.edges[s.m] |= AFTER_AFFIXES
    for j in range(s.m, 0, -1):
        if s.edges[j] & AFTER_AFFIXES:
            for i in range(max(0, j - tables.longest), j):
                if s.spells[i, j] & tables.closed:
                    s.edges[i] |= AFTER_AFFIXES
    for i in range(s.m):
        h = 0
        for j in range(i + 1, s.m + 1):
            h = mix(h, cython.cast(cython.ulonglong, s.form[j - 1]))
            if is_known(tables, s, h, j - i):
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


def splits(left, right, s, i, j):
    """Whether a span can be split into two labels."""
    for k in range(i + 1, j):
        if (s.can[i, k] >> left) & (s.can[k, j] >> right) & 1:
            return True
    return False


def prune(tables, s):
    """Keep what the whole form needs, from the top down."""
    if s.m > 0:
        s.need[0, s.m] = s.can[0, s.m] & (1 << tables.rules.start)
    for length in range(s.m, 0, -1):
        for i in range(s.m - length + 1):
            j = i + length
            if s.need[i, j] == 0:
                continue
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
                    for k in range(i + 1, j):
                        if (s.can[i, k] >> left) & (s.can[k, j] >> right) & 1:
                            s.need[i, k] |= 1 << left
                            s.need[k, j] |= 1 << right
