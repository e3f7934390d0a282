"""Comparing two annotators who have worked apart: agreement, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from morphtree.treebank.entry import Entry
from morphtree.treebank.stats import scope
from morphtree.trees.tree import Tree

SEGMENTS, SCOPE, TREE = "segments", "scope", "tree"


class Difference(NamedTuple):
    """A word that two annotators see differently, and in what they differ first."""

    word: str
    kind: str
    first: tuple[Tree, ...]
    second: tuple[Tree, ...]


class Comparison(NamedTuple):
    """How many of the common words agree; ``scoped`` have affixes on both sides for both."""

    counts: dict[str, int]
    differences: list[Difference]


def compare(first: Mapping[str, Entry], second: Mapping[str, Entry]) -> Comparison:
    """Compare the entries of the words that both have; any common reading is agreement."""
    counts = dict.fromkeys(("words", "segments", "trees", "scoped", "scopes"), 0)
    differences = []
    for word in (word for word in first if word in second):
        ours, theirs = first[word].readings, second[word].readings
        same_tree = bool({*ours} & {*theirs})
        same_segments = bool({t.morphemes for t in ours} & {t.morphemes for t in theirs})
        ours_scope, theirs_scope = ({scope(t) for t in trees} - {None} for trees in (ours, theirs))
        same_scope = bool(ours_scope & theirs_scope)
        counts["words"] += 1
        counts["segments"] += same_segments
        counts["trees"] += same_tree
        counts["scoped"] += bool(ours_scope and theirs_scope)
        counts["scopes"] += same_scope
        if not same_tree:
            other_scope = bool(ours_scope) and not same_scope
            kind = SEGMENTS if not same_segments else SCOPE if other_scope else TREE
            differences.append(Difference(word, kind, ours, theirs))
    return Comparison(counts, differences)
