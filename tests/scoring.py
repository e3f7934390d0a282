"""Entries, guesses and strategies that the tests of metrics and of reports share."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from morphtree.evaluation.metrics import (
    NAMES,
    Prediction,
)
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree

CONTRACT = ("accuracy", "morpheme_f1", "edit_distance", "constituent_f1", "exact_tree")
ON_TREES = {name for name in NAMES if name.startswith("constituent")} | {"exact_tree"}


def entry(word: str, *readings: str) -> Entry:
    return Entry(word, tuple(map(Tree.parse, readings)))


def flat(word: str, segments: str) -> Entry:
    return Entry(word, segments=tuple(segments.split()))


UNLOCKABLE = entry("unlockable", "[un [[lock] able]]")
GOLD = [
    UNLOCKABLE,
    entry("cats", "[[cat] s]"),
    entry("window", "[window]"),
    entry("happily", "[[happy] ly]"),
]
GUESSES: list[Prediction] = [
    Tree.parse("[[un [lock]] able]"),  # the segments are right, one constituent is not
    Tree.parse("[[cat] s]"),
    Tree.parse("[[wind] ow]"),
    None,
]

STEMS = st.builds(Tree.stem, st.text("ab", min_size=1, max_size=2))
AFFIXES = st.text("ab", min_size=1, max_size=2)
INNER = st.deferred(lambda: TREES)
TREES: st.SearchStrategy[Tree] = (
    STEMS
    | st.builds(lambda affix, word: Tree.word(Tree.prefix(affix), word), AFFIXES, INNER)
    | st.builds(lambda word, affix: Tree.word(word, Tree.suffix(affix)), INNER, AFFIXES)
    | st.builds(Tree.word, STEMS, INNER)
)
SEGMENTS = TREES.map(lambda tree: tree.morphemes)
TREE_ENTRIES = st.builds(
    lambda word, trees: Entry(word, tuple(trees)),
    st.text("ab", min_size=1, max_size=2),
    st.lists(TREES, min_size=1, max_size=3),
)
FLAT_ENTRIES = SEGMENTS.map(lambda segments: Entry("w", segments=segments))
ENTRIES = TREE_ENTRIES | FLAT_ENTRIES
ANSWERS = st.none() | TREES | SEGMENTS
TREE_CASES = st.lists(st.tuples(TREE_ENTRIES, st.none() | TREES), min_size=1, max_size=8)
CASES = TREE_CASES | st.lists(st.tuples(ENTRIES, ANSWERS), min_size=1, max_size=8)
Case = tuple[Entry, Prediction]


def halves(cases: Sequence[Case]) -> tuple[list[Entry], list[Prediction]]:
    return [gold for gold, _ in cases], [guess for _, guess in cases]
