"""Treebanks as programs give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry
from morphtree.treebank.given import as_treebank
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree

LINES = "cats\t[[cat] s]\nunlockable\t[[un [lock]] able]\t[un [[lock] able]]\n"
CATS, *UNLOCKABLE = map(Tree.parse, ("[[cat] s]", "[[un [lock]] able]", "[un [[lock] able]]"))


def test_every_way_to_give_words_comes_to_the_same(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text(LINES, encoding="utf-8")
    read = Treebank.read(path)
    ways: list[Any] = [
        path, str(path), read, read.entries, iter(read.entries),
        {"cats": "[[cat] s]", "unlockable": UNLOCKABLE},
        [("cats", CATS), ("unlockable", list(map(str, UNLOCKABLE)))],
        [Entry("cats", (CATS,)), ["Unlockable", tuple(UNLOCKABLE)]],
    ]  # fmt: skip
    for way in ways:
        assert as_treebank(way, "words") == read


def test_what_is_changed_is_noted() -> None:
    given = as_treebank([("cats", "[[cat] s]"), ("Dogs", "[[Dog] s]")], "words")
    assert [(note.line, note.code) for note in given.notes] == [(2, "upper-case")]
    assert given.entries[1] == Entry("dogs", (Tree.parse("[[dog] s]"),))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "words has no words; give a file, or pairs"),
        ({}, "words has no words"),
        (5, "words cannot be 5; give a file, or pairs"),
        (["cats"], "words, item 1: 'cats' is not an entry, nor a pair"),
        ([("cats", CATS), (1, CATS)], "words, item 2: "),
        ([("cats", "[[cat] s")], r"words, item 1 \(cats\): '\]' is missing"),
        ([("cats", 3)], r"words, item 1 \(cats\): "),
        ([("cats", [3])], r"words, item 1 \(cats\): "),
        ("nowhere.brackets", "nowhere.brackets does not exist"),
    ],
)
def test_what_is_no_treebank_is_one_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(TreebankError, match=sentence) as caught:
        as_treebank(given, "words")
    assert "\n" not in str(caught.value)
