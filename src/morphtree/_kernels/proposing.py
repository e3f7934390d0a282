"""Forms that rules propose and whose stem is a known word. Types in proposing.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import NAN
from cython.cimports.morphtree._kernels.mixing import find, mix, string_hash
from cython.cimports.morphtree._kernels.paths import note, swap
from cython.cimports.morphtree._kernels.stored import form_size, middle_size

FREQUENT = cython.declare(cython.int, 24)  # 16 times the frequency class of a neighbour's stem
SHORTEST = cython.declare(cython.int, 4)  # letters that a word shares with a neighbour
SHORTEST_STORED = cython.declare(cython.int, 3)  # letters of a stored word inside
MOST_STORED = cython.declare(cython.int, 8)  # proposals by stored words
MOST_BY_STORED = MOST_STORED  # for Python


def less_own(count, number, own):
    """Return a count without what the word itself brought."""
    for k in range(own.shape[0]):
        if own[k] == number:
            count -= 1
    return count


def find_prefixes(c):
    """List the prefixes that the word begins with, and hash what follows each of them."""
    h: cython.ulonglong = 0
    c.prefix_count = 0
    for size in range(min(c.n, c.rules.longest_prefix + 1)):
        if size > 0:
            h = mix(h, c.padded[size])
        if size == 0 or find(c.rules.prefixes, h) >= 0:
            hash_stems(c, size)


def hash_stems(c, size):
    """Hash what stands between a prefix and each later place of the word."""
    h: cython.ulonglong = 0
    c.prefix_size[c.prefix_count] = size
    for i in range(size, c.n):
        h = mix(h, c.padded[i + 1])
        c.stem_hash[c.prefix_count, i + 1] = h
    c.prefix_count += 1


def find_ends(c):
    """Look up what stands at the end of the word, from each place on."""
    for i in range(c.n, -1, -1):
        c.end_row[i] = -1
        if c.n - i <= c.rules.longest_end:
            c.end_row[i] = find(c.rules.ends, string_hash(0, c.codes, i, c.n))


def begin(c, size):
    """Write the beginning of the word into the next free row."""
    for k in range(size):
        c.letters[c.found, k] = c.letters_read[k]


def append(c, at, start, end):
    """Write a string of the rules behind it."""
    for k in range(start, end):
        c.letters[c.found, at + k - start] = c.rules.letters[k]


def propose(c):
    """Add the forms that the rules propose: those of the most frequent rules."""
    first = c.found
    find_prefixes(c)
    find_ends(c)
    for i in range(c.n, 1, -1):
        if c.end_row[i] >= 0:
            for group in range(c.rules.group_start[c.end_row[i]],
                               c.rules.group_start[c.end_row[i] + 1]):  # fmt: skip
                if has_stem(c, i, c.rules.rule_start[group]):
                    add_group(c, i, group)
    if c.most > 0 and find(c.rules.words, c.stem_hash[0, c.n]) < 0:
        propose_undoubled(c)
    keep_most(c, first, c.most)


def propose_undoubled(c):
    """Add forms of a new word without a letter that stands twice before a known end.

    The stem may be new, so it cannot be looked up: *trabbish* is *trab* + *ish*.
    """
    for i in range(c.n - 2, 2, -1):
        if c.codes[i] == c.codes[i - 1] and c.end_row[i + 1] >= 0:
            for group in range(c.rules.group_start[c.end_row[i + 1]],
                               c.rules.group_start[c.end_row[i + 1] + 1]):  # fmt: skip
                rule = c.rules.rule_start[group]
                if c.rules.rules[rule, 0] == c.rules.rules[rule, 1]:  # the stem needs no rest
                    add_group(c, i, group)


def has_stem(c, i, rule):
    """Whether the first i letters and the rule's rest are a known word, perhaps after a prefix."""
    for q in range(c.prefix_count):
        if c.prefix_size[q] < i:
            h = string_hash(
                c.stem_hash[q, i], c.rules.codes, c.rules.rules[rule, 0], c.rules.rules[rule, 1]
            )
            if find(c.rules.words, h) >= 0:
                return True
    return False


def add_group(c, i, group):
    """Add the forms of all rules with the same end and rest."""
    for k in range(c.rules.rule_start[group], c.rules.rule_start[group + 1]):
        count = less_own(c.rules.rules[k, 3], k, c.own_rules)
        size = i + c.rules.rules[k, 2] - c.rules.rules[k, 0]
        if count <= 0 or size > c.n + c.longer:
            continue
        if c.found + 1 >= c.letters.shape[0]:
            return
        begin(c, i)
        append(c, i, c.rules.rules[k, 0], c.rules.rules[k, 2])
        f = note(c, size, NAN)
        c.counts[f] = max(c.counts[f], count)


def propose_near(c):
    """Add forms whose stem is a frequent word that begins like the word and ends in a known rest.

    Rest and tail need not have been seen together, only each of them, in two other words.
    """
    first = c.found
    for i in range(c.n - 1, SHORTEST - 1, -1):
        if c.end_row[i] >= 0:
            for q in range(c.prefix_count):
                if c.prefix_size[q] + SHORTEST <= i:
                    add_near(c, i, c.stem_hash[q, i])
    keep_most(c, first, c.near)


def add_near(c, i, base):
    """Complete the first i letters of the word by every known rest and tail."""
    for k in range(c.rules.rests.shape[0]):
        start = c.rules.rests[k, 0]
        end = c.rules.rests[k, 1]
        word = find(c.rules.words, string_hash(base, c.rules.codes, start, end))
        if word < 0 or c.rules.zipf[word] < FREQUENT:
            continue
        if less_own(c.rules.rests[k, 2], k, c.own_rests) >= 2:
            add_tails(c, i, start, end, c.rules.zipf[word])


def add_tails(c, i, start, end, zipf):
    """Add a neighbour's stem, the first i letters and a rest, with every tail."""
    count: cython.int
    row = c.end_row[i]
    for t in range(c.rules.tail_start[row], c.rules.tail_start[row + 1]):
        count = less_own(c.rules.tails[t, 2], t, c.own_tails)
        size = i + end - start + c.rules.tails[t, 1] - c.rules.tails[t, 0]
        if count < 2 or size > c.n + c.longer:
            continue
        if c.found + 1 >= c.letters.shape[0]:
            return
        begin(c, i)
        append(c, i, start, end)
        append(c, i + end - start, c.rules.tails[t, 0], c.rules.tails[t, 1])
        count = (count * (1 + i) * zipf) >> (end - start)
        f = note(c, size, NAN)
        c.counts[f] = max(c.counts[f], count)


def is_near(c, f):
    """Whether `propose_near` would propose a form that was found otherwise."""
    same = 0
    while same < min(c.n, c.lengths[f]) and c.letters[f, same] == c.letters_read[same]:
        same += 1
    for i in range(min(c.n - 1, same), SHORTEST - 1, -1):
        if c.end_row[i] >= 0:
            for t in range(c.rules.tail_start[c.end_row[i]], c.rules.tail_start[c.end_row[i] + 1]):
                at = c.lengths[f] - (c.rules.tails[t, 1] - c.rules.tails[t, 0])
                if at < i or less_own(c.rules.tails[t, 2], t, c.own_tails) < 2:
                    continue
                if ends_in(c, f, at, c.rules.tails[t, 0]) and has_neighbour(c, f, i, at):
                    return True
    return False


def ends_in(c, f, at, start):
    """Whether a form goes on from a place as a string of the rules does."""
    for k in range(at, c.lengths[f]):
        if c.letters[f, k] != c.rules.letters[start + k - at]:
            return False
    return True


def has_neighbour(c, f, i, end):
    """Whether a form's letters from i to the end are a rest that completes a frequent stem."""
    rest = find(c.rules.rest_numbers, rest_hash(c, 0, f, i, end))
    if rest < 0 or less_own(c.rules.rests[rest, 2], rest, c.own_rests) < 2:
        return False
    for q in range(c.prefix_count):
        if c.prefix_size[q] + SHORTEST <= i:
            h = string_hash(
                c.stem_hash[q, i], c.rules.codes, c.rules.rests[rest, 0], c.rules.rests[rest, 1]
            )
            word = find(c.rules.words, h)
            if word >= 0 and c.rules.zipf[word] >= FREQUENT:
                return True
    return False


def rest_hash(c, h, f, i, end):
    """Hash some letters of a form; the number 0 would leave a hash of 0 as it is."""
    for k in range(i, end):
        h = mix(h, cython.cast(cython.ulonglong, 1 + c.letters[f, k]))
    return h


def keep_most(c, first, most):
    """Of the proposals, keep those of the most frequent rules, in order of frequency."""
    for f in range(first, c.found):
        if f - first == most:
            c.found = f
            return
        best = f
        for other in range(f + 1, c.found):
            if c.counts[other] > c.counts[best]:
                best = other
        if best != f:
            swap(c, f, best)


def propose_stored(c):
    """Add forms with the canonical form of a stored word that a form begins with.

    It may follow a prefix: *repetitiveness* begins with *repetitive*, which is *repeatitive*.
    """
    found = c.found
    c.stored_limit = min(found + MOST_STORED, c.letters.shape[0] - 1)
    for f in range(found):
        for q in range(c.prefix_count):
            if begins_alike(c, f, c.prefix_size[q]):
                complete_stored(c, f, c.prefix_size[q])


def begins_alike(c, f, size):
    """Whether a form begins as the word does."""
    if size >= c.lengths[f]:
        return False
    for k in range(size):
        if c.letters[f, k] != c.letters_read[k]:
            return False
    return True


def complete_stored(c, f, start):
    """Add a form for every stored word that stands in another form from a place on."""
    known = c.stored.alphabet.shape[0]
    h: cython.ulonglong = 0
    for end in range(start + 1, c.lengths[f] + 1):
        letter = c.letters[f, end - 1]
        code = c.stored.alphabet[letter] if letter < known else letter - known
        h = mix(h, cython.cast(cython.ulonglong, code))
        if end - start < SHORTEST_STORED or (start == 0 and end == c.lengths[f]):
            continue
        number = find(c.stored.words, h)
        if number >= 0:
            for r in range(c.stored.first[number], c.stored.first[number + 1]):
                put_stored(c, f, start, end, r)


def put_stored(c, f, start, end, r):
    """Add a form with the canonical form of a reading in place of the word that is written."""
    head = c.stored.head[r]
    tail = c.stored.tail[r]
    more = middle_size(c.stored, r)
    size = form_size(c.stored, r, end - start)
    length = c.lengths[f] - (end - start) + size
    if size < 0 or (more == 0 and head + tail == end - start) or length > c.n + c.longer:
        return
    if c.found >= c.stored_limit:
        return
    first = c.stored.middle_first[c.stored.middle[r]]
    for k in range(start + head):
        c.letters[c.found, k] = c.letters[f, k]
    for k in range(more):
        c.letters[c.found, start + head + k] = c.stored.letters[first + k]
    for k in range(tail + c.lengths[f] - end):
        c.letters[c.found, start + head + more + k] = c.letters[f, end - tail + k]
    made = note(c, length, NAN)
    c.counts[made] = max(c.counts[made], 1)
