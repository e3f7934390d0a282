"""Comparing two annotators who have worked apart: agreement, and where they differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from morphtree.treebank.entry import Entry
from morphtree.treebank.stats import scope
from morphtree.trees.tree import Tree

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


def summarise(rows: Collection[Row]) -> Comparison:
    """Count what words agree in, and collect the differences."""
    columns = zip(*(row.counts for row in rows), strict=True) if rows else [()] * len(COUNTED)
    counts = dict(zip(COUNTED, map(sum, columns), strict=True))
    return Comparison(counts, [row.difference for row in rows if row.difference])


def compare(first: Mapping[str, Entry], second: Mapping[str, Entry]) -> Comparison:
    """Compare the entries of the words that both have."""
    words = [word for word in first if word in second]
    return summarise([compare_word(w, first[w].readings, second[w].readings) for w in words])
