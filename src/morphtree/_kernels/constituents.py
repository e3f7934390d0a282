"""Which constituents a form can have. Types in constituents.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.lookups import look_up_form
from cython.cimports.morphtree._kernels.mixing import find, lowest_bit
from cython.cimports.morphtree._kernels.stored import CONTRADICTS, NOT_STORED

from morphtree._kernels import _layout

ALIGNED = cython.declare(cython.ulonglong, _layout.computed_by(*_layout.ALIGNED))

# what can stand before a place: affixes, or also one known word; and after it
BEFORE_AFFIXES = cython.declare(cython.int, 1)
BEFORE_WORD = cython.declare(cython.int, 2)
AFTER_AFFIXES = cython.declare(cython.int, 4)
AFTER_WORD = cython.declare(cython.int, 8)
# whether strings that some label may spell lead to a place, and from it to the end
REACHED = cython.declare(cython.int, 16)
ENDING = cython.declare(cython.int, 32)

if not cython.compiled:  # constituents.pxd has the same for the compiler
    WORD_SIZE = 64  # bits of a part of a set of places
ONE = cython.declare(cython.ulonglong, 1)
DASH = cython.declare(cython.longlong, ord("-"))


def find_spans(tables, s, form):
    """Find the constituents of a form."""
    s.form = form
    s.m = form.shape[0]
    keep_same(s)
    look_up_form(tables, s)
    if tables.wanted & ALIGNED or s.hyphens:
        align(s.word, s.form, s.steps, s.position)
    if tables.wanted & ALIGNED:
        note_changes(s)
    find_closed(tables, s)
    spell(tables, s)
    reach(s)
    build(tables, s)
    prune(tables, s)
    if tables.stored.count:
        find_stored(tables, s)


def keep_same(s):
    """Count the letters that the form begins with as the last one did."""
    s.same = 0
    while s.same < s.m and s.same < s.last_m and s.form[s.same] == s.last_form[s.same]:
        s.same += 1
    for k in range(s.same, s.m):
        s.last_form[k] = s.form[k]
    s.last_m = s.m


def align(word, form, steps, position):
    """Find where the boundaries of the form are in the word, by plain edit distance.

    Of equally short ways, letters are matched as early as possible, so that a letter of the
    word that the form lacks belongs to what stands on its left. Out, both or larger: steps
    (n+1, m+1), the edit distance of word[i:] and form[j:] on that way; position (m+1,).
    """
    n = word.shape[0]
    m = form.shape[0]
    least: cython.int
    first = 0  # letters that both begin with: to match them is never longer
    while first < n and first < m and word[first] == form[first]:
        first += 1
    for j in range(m, first - 1, -1):
        for i in range(n, first - 1, -1):
            if i == n or j == m:
                steps[i, j] = (n - i) + (m - j)
            else:
                least = steps[i + 1, j + 1] + (0 if word[i] == form[j] else 1)
                least = min(least, steps[i + 1, j] + 1)
                steps[i, j] = min(least, steps[i, j + 1] + 1)
    for j in range(first):
        position[j] = j
        steps[j, j] = steps[first, first]
    i = first
    j = first
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


def note_changes(s):
    """Note in how many letters form and word differ from each place on, and what was copied."""
    s.copied[0] = 0
    for j in range(s.m + 1):
        s.differences[j] = s.steps[s.position[j], j]
    for j in range(s.m):
        at = s.position[j]
        if s.position[j + 1] == at + 1 and s.form[j] == s.word[at]:
            s.copied[j + 1] = s.copied[j] + 1
        else:
            s.copied[j + 1] = 0


def find_closed(tables, s):
    """List the strings of closed labels; those inside what the last form had are there."""
    for i in range(s.same):
        while s.closed_ends[i, 0] > 0 and s.closed_ends[i, s.closed_ends[i, 0]] > s.same:
            s.closed_ends[i, 0] -= 1
    for i in range(s.same, s.m + 1):
        s.closed_ends[i, 0] = 0
    for j in range(s.same + 1 if s.same else 0, s.m + 1):
        s.closed_starts[j, 0] = 0
    for i in range(max(0, s.same - tables.longest), s.m):
        for j in range(max(i, s.same) + 1, min(s.m, i + tables.longest) + 1):
            labels = find(tables.closed_labels, s.hashes[i, j])
            if labels >= 0:
                s.closed_labels[i, j] = labels
                s.closed_ends[i, 0] += 1
                s.closed_ends[i, s.closed_ends[i, 0]] = j
                s.closed_starts[j, 0] += 1
                s.closed_starts[j, s.closed_starts[j, 0]] = i


def spell(tables, s):
    """Note which labels may spell each span."""
    labels = 0  # that may spell any string
    for a in range(tables.own):
        if tables.rules.leaf[a] >= 0 and not (tables.closed >> a) & 1:
            labels |= 1 << a
    for i in range(s.m + 1):
        s.edges[i] = 0
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            s.spells[i, j] = 0 if tables.sparse else labels
            s.need[i, j] = 0
        for k in range(1, s.closed_ends[i, 0] + 1):
            s.spells[i, s.closed_ends[i, k]] |= s.closed_labels[i, s.closed_ends[i, k]]
    if tables.sparse:
        spell_words(s, labels)
        if s.hyphens:
            keep_apart(s)


def is_at_hyphen(s, at):
    """Whether a place of the word is before or after a hyphen."""
    before: cython.bint = at > 0 and s.word[at - 1] == DASH
    return before or (at < s.n and s.word[at] == DASH)


def start_at_hyphens(s):
    """What stands between two hyphens is made up of affixes and words like a whole form."""
    for j in range(1, s.m):
        if is_at_hyphen(s, s.position[j]):
            s.edges[j] |= BEFORE_AFFIXES | AFTER_AFFIXES


def keep_apart(s):
    """Let no string be spelt across a hyphen of the word, nor one that has a hyphen itself."""
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.spells[i, j] and is_apart(s, i, j):
                s.spells[i, j] = 0


def is_apart(s, i, j):
    """Whether there is a hyphen in a span of the form, or between two letters of it in the word."""
    for k in range(i, j):
        if s.form[k] == DASH:
            return True
    first = s.position[i]
    last = s.position[j]
    while first < last and s.word[first] == DASH:
        first += 1
    while first < last and s.word[last - 1] == DASH:
        last -= 1
    for k in range(first, last):
        if s.word[k] == DASH:
            return True
    return False


def reach(s):
    """Note where a constituent of a whole parse may start, and where it may end."""
    s.edges[0] |= REACHED
    s.edges[s.m] |= ENDING
    for i in range(s.m):
        if s.edges[i] & REACHED:
            for j in range(i + 1, s.m + 1):
                if s.spells[i, j]:
                    s.edges[j] |= REACHED
    for i in range(s.m - 1, -1, -1):
        if s.edges[i] & REACHED:
            for j in range(i + 1, s.m + 1):
                if s.spells[i, j]:
                    s.edges[i] |= s.edges[j] & ENDING


def build(tables, s):
    """Note which labels can be built over each span, short spans first."""
    bits: cython.uint
    branching: cython.uint = 0
    words = s.m // WORD_SIZE + 1
    for r in range(tables.rules.binary.shape[0]):
        branching |= 1 << tables.rules.binary[r, 0]
    for a in range(tables.rules.labels):
        for i in range(s.m + 1):
            for x in range(words):
                s.ends[a, i, x] = 0
                s.starts[a, i, x] = 0
    for j in range(1, s.m + 1):
        if not s.edges[j] & ENDING:
            continue
        for i in range(j - 1, -1, -1):
            if not s.edges[i] & REACHED:
                continue
            bits = s.spells[i, j]
            if branching & ~bits and j > i + 1:
                bits |= branched(tables, s, i, j, words)
            for r in range(tables.rules.unary.shape[0]):
                bits |= ((bits >> tables.rules.unary[r, 1]) & 1) << tables.rules.unary[r, 0]
            s.can[i, j] = bits
            while bits:
                a = lowest_bit(bits)
                bits &= bits - 1
                s.ends[a, i, j // WORD_SIZE] |= ONE << (j % WORD_SIZE)
                s.starts[a, j, i // WORD_SIZE] |= ONE << (i % WORD_SIZE)


def branched(tables, s, i, j, words):
    """Return the labels that can branch over a span, given those over shorter ones."""
    bits: cython.int = 0
    for r in range(tables.rules.binary.shape[0]):
        if not (bits >> tables.rules.binary[r, 0]) & 1 and splits(
            tables.rules.binary[r, 1], tables.rules.binary[r, 2], s, i, j, words
        ):
            bits |= 1 << tables.rules.binary[r, 0]
    return bits


def spell_words(s, labels):
    """Let open labels spell known words, and an unknown one if all the rest is known.

    The rest of a form is known if it consists of affixes, or of affixes and one known word next
    to the unknown one. Otherwise every span of every form could be a word of a compound.
    A form begins and ends at each hyphen of the word, too.
    """
    s.edges[0] = BEFORE_AFFIXES
    if s.hyphens:
        start_at_hyphens(s)
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
            if s.known[i, j]:
                s.spells[i, j] |= labels
                if s.edges[i] & BEFORE_AFFIXES:
                    s.edges[j] |= BEFORE_WORD
                if s.edges[j] & AFTER_AFFIXES:
                    s.edges[i] |= AFTER_WORD
    for i in range(s.m):
        if not s.edges[i] & (BEFORE_AFFIXES | BEFORE_WORD):
            continue
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
    """Keep what the whole form needs, from the top down: parts start later or end earlier."""
    if s.m > 0:
        s.need[0, s.m] = s.can[0, s.m] & (1 << tables.rules.start)
    for i in range(s.m):
        if s.edges[i] & REACHED:
            for j in range(s.m, i, -1):
                if s.need[i, j]:
                    need_parts(tables, s, i, j, s.m // WORD_SIZE + 1)


def need_parts(tables, s, i, j, words):
    """Note that what a span with its labels consists of is needed, too."""
    bits: cython.ulonglong
    need: cython.int = s.need[i, j]
    for r in range(tables.rules.unary.shape[0] - 1, -1, -1):
        if (need >> tables.rules.unary[r, 0]) & 1:
            need |= s.can[i, j] & (1 << tables.rules.unary[r, 1])
    s.need[i, j] = need
    if j == i + 1:
        return
    for r in range(tables.rules.binary.shape[0]):
        if (need >> tables.rules.binary[r, 0]) & 1:
            left = tables.rules.binary[r, 1]
            right = tables.rules.binary[r, 2]
            for x in range(words):
                bits = s.ends[left, i, x] & s.starts[right, j, x]
                while bits:
                    k = x * WORD_SIZE + lowest_bit(bits)
                    bits &= bits - 1
                    s.need[i, k] |= 1 << left
                    s.need[k, j] |= 1 << right


def find_stored(tables, s):
    """Look up every constituent that may branch among the stored derivations."""
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            s.stored_row[i, j] = NOT_STORED
            if s.need[i, j] & tables.branching:
                s.stored_row[i, j] = stored_row(tables, s, i, j)


def stored_row(tables, s, i, j):
    """Return the number of a span among the stored forms, or what it is instead.

    Another string contradicts a stored word that has this very spelling and another form; an
    unknown one also a stored word that is written as the span is in this word.
    """
    number = find(tables.stored.forms, s.hashes[i, j])
    if number >= 0:
        return number
    if find(tables.stored.words, s.hashes[i, j]) >= 0:
        return CONTRADICTS
    if s.facts[i, j] == 0 and tables.wanted & ALIGNED and s.position[j] > s.position[i]:
        if find(tables.stored.words, s.word_hashes[s.position[i], s.position[j]]) >= 0:
            return CONTRADICTS
    return NOT_STORED
