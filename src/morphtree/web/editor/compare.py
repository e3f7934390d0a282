"""Comparing two annotators who have worked apart: agreement, and where they differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from morphtree.treebank.entry import Entry
from morphtree.treebank.stats import scope
from morphtree.trees.tree import Tree

SEGMENTS, SCOPE, TREE = "segments", "scope", "tree"


@dataclass(frozen=True)
class Difference:
    """A word that two annotators see differently, and in what they differ first."""

    word: str
    kind: str
    first: tuple[Tree, ...]
    second: tuple[Tree, ...]


@dataclass(frozen=True)
class Comparison:
    """How many of the common words agree; ``scoped`` have affixes on both sides for both."""

    words: int
    segments: int
    trees: int
    scoped: int
    scopes: int
    differences: tuple[Difference, ...]

    def counts(self) -> dict[str, int]:
        """Return how many words there are, and how many agree."""
        names = "words", "segments", "trees", "scoped", "scopes"
        return {name: getattr(self, name) for name in names}

    def to_dict(self, settled: Collection[str]) -> dict[str, Any]:
        """Return counts and differences as plain data."""
        rows = [
            {
                "word": difference.word,
                "kind": difference.kind,
                "first": [*map(str, difference.first)],
                "second": [*map(str, difference.second)],
                "settled": difference.word in settled,
            }
            for difference in self.differences
        ]
        return {**self.counts(), "differences": rows}


def compare(first: Mapping[str, Entry], second: Mapping[str, Entry]) -> Comparison:
    """Compare the entries of the words that both have; any common reading is agreement."""
    common = [word for word in first if word in second]
    segments = trees = scoped = scopes = 0
    differences = []
    for word in common:
        ours, theirs = first[word].readings, second[word].readings
        same_tree = bool({*ours} & {*theirs})
        same_segments = bool({t.morphemes for t in ours} & {t.morphemes for t in theirs})
        ours_scope, theirs_scope = ({scope(t) for t in trees} - {None} for trees in (ours, theirs))
        if ours_scope and theirs_scope:
            scoped += 1
            scopes += bool(ours_scope & theirs_scope)
        segments += same_segments
        trees += same_tree
        if not same_tree:
            kind = SEGMENTS if not same_segments else TREE
            if same_segments and ours_scope and not ours_scope & theirs_scope:
                kind = SCOPE
            differences.append(Difference(word, kind, ours, theirs))
    return Comparison(len(common), segments, trees, scoped, scopes, tuple(differences))
