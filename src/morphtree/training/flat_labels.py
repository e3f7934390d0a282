"""Which segments of flat data are stems and which are affixes: labels guessed by hard EM.

Training sums over all trees with the known leaves; the guess says only which strings are affixes
at all, and what features there are. An affix recurs in other words, on the same side of the stem,
and the longest segment (*less* in *job less*) need not be the stem. So p(string | label) is
estimated from the guesses for all other words, and a word gets its most probable labels; ROUNDS
iterations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

Labels = tuple[str, ...]
ROUNDS = 4
LETTERS = 30.0  # an unseen string of a label is spelt uniformly from so many letters
UNSEEN = {PREFIX: 0.001, WORD: 0.5, SUFFIX: 0.001}  # mixture weight of unseen strings
COMPOUND = math.log(0.02)  # log probability of each stem after the first


class Labeller:
    """Guesses the labels of segments, given a guess for every word."""

    def __init__(self, words: Sequence[Sequence[str]], guesses: Sequence[Labels]) -> None:
        pairs = [
            pair
            for segments, labels in zip(words, guesses, strict=True)
            for pair in zip(labels, segments, strict=True)
        ]
        self.counts = Counter(pairs)
        self.totals = Counter(label for label, _ in pairs)

    def best(self, segments: Sequence[str], last: Labels, *, compounds: bool) -> Labels:
        """Return the likeliest labels; the last guess for the word itself does not count."""
        own = Counter(zip(last, segments, strict=True))
        return max(
            possible_labels(len(segments), compounds),
            key=lambda labels: self._score(labels, segments, own),
        )

    def _score(
        self, labels: Labels, segments: Sequence[str], own: Counter[tuple[str, str]]
    ) -> float:
        score = COMPOUND * (labels.count(WORD) - 1)
        for label, string in zip(labels, segments, strict=True):
            count = self.counts[label, string] - own[label, string]
            seen = count / max(1, self.totals[label])
            share = UNSEEN[label]
            score += math.log((1 - share) * seen + share * LETTERS ** -len(string))
        return score


def possible_labels(size: int, compounds: bool) -> Iterator[Labels]:
    """Yield all rows of so many labels: prefixes, a stem (of compounds, some), suffixes."""
    for first in range(size):
        for last in range(first, size if compounds else first + 1):
            stems = last - first + 1
            yield (PREFIX,) * first + (WORD,) * stems + (SUFFIX,) * (size - first - stems)


def guess_trees(words: Sequence[Sequence[str]], *, compounds: bool = False) -> list[Tree]:
    """Return a plausible tree of each word's segments."""
    guesses = [_around_longest(segments) for segments in words]
    for _ in range(ROUNDS):
        labeller = Labeller(words, guesses)
        guesses = [
            labeller.best(segments, last, compounds=compounds)
            for segments, last in zip(words, guesses, strict=True)
        ]
    return [build(*pair) for pair in zip(words, guesses, strict=True)]


def _around_longest(segments: Sequence[str]) -> Labels:
    stem = max(range(len(segments)), key=lambda k: (len(segments[k]), -k))
    return (PREFIX,) * stem + (WORD,) + (SUFFIX,) * (len(segments) - stem - 1)


def build(segments: Sequence[str], labels: Labels) -> Tree:
    """Return a tree of labelled segments: stems are joined first, then prefixes, then suffixes."""
    stems = [k for k, label in enumerate(labels) if label == WORD]
    tree = Tree(WORD, string=segments[stems[0]])
    for k in stems[1:]:
        tree = Tree(WORD, (tree, Tree(WORD, string=segments[k])))
    for string in reversed(segments[: stems[0]]):
        tree = Tree(WORD, (Tree(PREFIX, string=string), tree))
    for string in segments[stems[-1] + 1 :]:
        tree = Tree(WORD, (tree, Tree(SUFFIX, string=string)))
    return tree
