"""Scope given the segments, and boundaries in the word as it is written."""

from __future__ import annotations

import pytest

from morphtree.evaluation.groups import boundaries, boundary_f1, given_segments, has_scope
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

UN, ABLE, LOCK = (Tree(PREFIX, string="un"), Tree(SUFFIX, string="able"), Tree.stem("lock"))
LEFT = Tree.word(Tree.word(UN, LOCK), ABLE)
RIGHT = Tree.word(UN, Tree.word(LOCK, ABLE))
LOCKABLE = Tree.word(LOCK, ABLE)


@pytest.mark.parametrize(
    ("readings", "guess", "found"),
    [
        ((LEFT,), LEFT, [True]),
        ((LEFT,), RIGHT, [False]),
        ((LEFT, RIGHT), RIGHT, [True]),
        ((LEFT,), Tree.word(LOCK, ABLE), []),  # other segments
        ((LEFT,), ("un", "lock", "able"), []),  # no tree
        ((LEFT,), None, []),
        ((LOCKABLE,), LOCKABLE, []),  # two morphemes can be bracketed in one way only
    ],
)
def test_scope_is_of_long_words_whose_segments_are_right(
    readings: tuple[Tree, ...], guess: Tree | tuple[str, ...] | None, found: list[bool]
) -> None:
    assert given_segments([Entry("unlockable", readings)], [guess], has_scope) == found


@pytest.mark.parametrize(
    ("word", "segments", "places"),
    [
        ("unlockable", ("un", "lock", "able"), {2, 6}),
        ("happily", ("happy", "ly"), {5}),  # the y is written i
        ("happily", ("happily",), set()),
        ("happily", None, set()),
    ],
)
def test_boundaries_are_in_the_written_word(
    word: str, segments: tuple[str, ...] | None, places: set[int]
) -> None:
    assert boundaries(word, segments) == places


def test_boundary_f1_does_not_mind_restored_letters() -> None:
    happily = Entry("happily", (Tree.word(Tree.stem("happy"), Tree(SUFFIX, string="ly")),))
    unlockable = Entry("unlockable", (LEFT,))
    entries = [happily, unlockable]
    assert boundary_f1(entries, [("happi", "ly"), ("un", "lock", "able")]) == 1
    assert boundary_f1(entries, [("happi", "ly"), ("unlock", "able")]) == pytest.approx(2 * 2 / 5)
    assert boundary_f1(entries, [None, ("unl", "ockable")]) == 0
