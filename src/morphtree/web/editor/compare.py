"""Comparing two annotators who have worked apart: agreement, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from morphtree.treebank.entry import Entry
from morphtree.treebank.stats import scope
from morphtree.trees.tree import Tree
from morphtree.web.editor.records import Record

SEGMENTS, SCOPE, TREE = "segments", "scope", "tree"
COUNTED = ("words", "segments", "trees", "scoped", "scopes")


class Difference(NamedTuple):
    """A word that two annotators see differently, and in what they differ first."""

    word: str
    kind: str
    first: tuple[Tree, ...]
    second: tuple[Tree, ...]


class Row(NamedTuple):
    """In what two annotators agree on a word: 1 for each name of COUNTED, and the difference."""

    counts: tuple[bool, ...]
    difference: Difference | None


class Comparison(NamedTuple):
    """How many of the common words agree; ``scoped`` have affixes on both sides for both."""

    counts: dict[str, int]
    differences: list[Difference]


def compare_word(word: str, ours: tuple[Tree, ...], theirs: tuple[Tree, ...]) -> Row:
    """Compare the readings of a word; any common one is agreement."""
    same_tree = bool({*ours} & {*theirs})
    same_segments = bool({t.morphemes for t in ours} & {t.morphemes for t in theirs})
    ours_scope, theirs_scope = ({scope(t) for t in trees} - {None} for trees in (ours, theirs))
    same_scope = bool(ours_scope & theirs_scope)
    counts = True, same_segments, same_tree, bool(ours_scope and theirs_scope), same_scope
    if same_tree:
        return Row(counts, None)
    other_scope = bool(ours_scope) and not same_scope
    kind = SEGMENTS if not same_segments else SCOPE if other_scope else TREE
    return Row(counts, Difference(word, kind, ours, theirs))


class Comparing:
    """The words that a second annotator has, too, compared one by one."""

    def __init__(self, theirs: Mapping[str, Entry]) -> None:
        self.theirs = theirs
        self._counts: dict[str, tuple[bool, ...]] = {}
        self._sums = [0] * len(COUNTED)
        self._differences: dict[str, Difference] = {}

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Look again at some words."""
        for word in words:
            self._add(self._counts.pop(word, ()), -1)
            self._differences.pop(word, None)
            if word in records and records[word].entry.readings:
                self.compare(records[word].entry)

    def compare(self, entry: Entry) -> None:
        """Compare an entry, if the other has its word."""
        if entry.word not in self.theirs:
            return
        word, theirs = entry.word, self.theirs[entry.word].readings
        self._counts[word], difference = compare_word(word, entry.readings, theirs)
        self._add(self._counts[word], 1)
        if difference:
            self._differences[word] = difference

    def _add(self, counts: tuple[bool, ...], number: int) -> None:
        for at, count in enumerate(counts):
            self._sums[at] += number * count

    def result(self) -> Comparison:
        """Return how many words agree, and where the others differ."""
        counts = dict(zip(COUNTED, self._sums, strict=True))
        return Comparison(counts, [*self._differences.values()])


def compare(first: Mapping[str, Entry], second: Mapping[str, Entry]) -> Comparison:
    """Compare the entries of the words that both have."""
    comparing = Comparing(second)
    for entry in first.values():
        comparing.compare(entry)
    return comparing.result()
