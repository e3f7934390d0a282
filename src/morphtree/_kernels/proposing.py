"""Forms that rules propose and whose stem is a known word. Types in proposing.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import NAN
from cython.cimports.morphtree._kernels.mixing import find, string_hash
from cython.cimports.morphtree._kernels.paths import note


@cython.cclass
class Proposals:
    """Rules learned from a treebank, with the words that can be stems."""

    def __init__(self, index, rules, near, words, prefixes):
        self.ends, self.starts = index
        self.codes, self.stem_codes, self.rules, self.longest = rules
        self.words, self.zipf = words
        self.tails, self.tail_start, self.rests = near
        self.prefixes, self.prefix_start = prefixes


def less_own(count, number, own):
    """Return a count without what the word itself brought."""
    for k in range(own.shape[0]):
        if own[k] == number:
            count -= 1
    return count


def begins_with(p, codes, q):
    """Whether a word, which is longer, begins with a prefix."""
    start = p.prefix_start[q]
    for k in range(p.prefix_start[q + 1] - start):
        if codes[k] != p.prefixes[start + k]:
            return False
    return True


def begin(s, letters, size):
    """Write the beginning of a word into the next free row."""
    for k in range(size):
        s.letters[s.found, k] = letters[k]


def append(p, s, at, start, end):
    """Write a string of the rules behind it."""
    for k in range(start, end):
        s.letters[s.found, at + k - start] = p.codes[k]


def propose(p, s, codes, letters, own, most):
    """Add the forms that the rules propose: those of the most frequent rules.

    ``own`` are rules that the word itself brought.
    """
    first = s.found
    n = codes.shape[0]
    for i in range(n, 1, -1):
        if n - i > p.longest:
            break
        row = find(p.ends, string_hash(0, codes, i, n))
        if row < 0:
            continue
        for k in range(p.starts[row], p.starts[row + 1]):
            count = less_own(p.rules[k, 3], k, own)
            if count <= 0 or not has_stem(p, codes, i, k):
                continue
            if s.found + 1 >= s.letters.shape[0]:
                break
            size = i + p.rules[k, 2] - p.rules[k, 0]
            if size <= n + s.longer:
                begin(s, letters, i)
                append(p, s, i, p.rules[k, 0], p.rules[k, 2])
                f = note(s, size, NAN)
                s.counts[f] = max(s.counts[f], count)
    keep_most(s, first, most)


def has_stem(p, codes, i, rule):
    """Whether the first i letters and the rule's rest are a known word, perhaps after a prefix."""
    for q in range(p.prefix_start.shape[0] - 1):
        size = p.prefix_start[q + 1] - p.prefix_start[q]
        if size < i and begins_with(p, codes, q):
            h = string_hash(0, codes, size, i)
            h = string_hash(h, p.stem_codes, p.rules[rule, 0], p.rules[rule, 1])
            if find(p.words, h) >= 0:
                return True
    return False


def propose_near(p, s, codes, letters, own_tails, own_rests, most):
    """Add forms whose stem is a frequent word that begins like the word and ends in a known rest.

    Rest and tail need not have been seen together, only each of them, in two other words.
    """
    first = s.found
    n = codes.shape[0]
    for i in range(n - 1, 3, -1):
        if n - i > p.longest:
            break
        row = find(p.ends, string_hash(0, codes, i, n))
        if row < 0:
            continue
        for q in range(p.prefix_start.shape[0] - 1):
            size = p.prefix_start[q + 1] - p.prefix_start[q]
            if size + 4 <= i and begins_with(p, codes, q):
                h = string_hash(0, codes, size, i)
                add_near(p, s, letters, i, row, h, own_tails, own_rests)
    keep_most(s, first, most)


def add_near(p, s, letters, i, row, base, own_tails, own_rests):
    """Complete the first i letters of a word by every known rest and tail."""
    count: cython.int
    for k in range(p.rests.shape[0]):
        word = find(p.words, string_hash(base, p.stem_codes, p.rests[k, 0], p.rests[k, 1]))
        if word < 0 or p.zipf[word] < 24 or less_own(p.rests[k, 2], k, own_rests) < 2:
            continue
        for t in range(p.tail_start[row], p.tail_start[row + 1]):
            count = less_own(p.tails[t, 2], t, own_tails)
            size = i + p.rests[k, 1] - p.rests[k, 0] + p.tails[t, 1] - p.tails[t, 0]
            if count < 2 or size > letters.shape[0] + s.longer:
                continue
            if s.found + 1 >= s.letters.shape[0]:
                return
            begin(s, letters, i)
            append(p, s, i, p.rests[k, 0], p.rests[k, 1])
            append(p, s, i + p.rests[k, 1] - p.rests[k, 0], p.tails[t, 0], p.tails[t, 1])
            count = (count * (1 + i) * p.zipf[word]) >> (p.rests[k, 1] - p.rests[k, 0])
            x = note(s, size, NAN)
            s.counts[x] = max(s.counts[x], count)


def keep_most(s, first, most):
    """Of the proposals, keep those of the most frequent rules, in order of frequency."""
    for a in range(first, s.found):
        if a - first == most:
            s.found = a
            return
        best = a
        for b in range(a + 1, s.found):
            if s.counts[b] > s.counts[best]:
                best = b
        if best != a:
            s.counts[a], s.counts[best] = s.counts[best], s.counts[a]
            s.hashes[a], s.hashes[best] = s.hashes[best], s.hashes[a]
            s.mass[a], s.mass[best] = s.mass[best], s.mass[a]
            k = max(s.lengths[a], s.lengths[best])
            s.lengths[a], s.lengths[best] = s.lengths[best], s.lengths[a]
            for b in range(k):
                s.letters[a, b], s.letters[best, b] = s.letters[best, b], s.letters[a, b]
