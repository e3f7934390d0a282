"""A treebank as a program gives it: a file, a treebank, or words with their trees."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from morphtree.errors import MorphtreeError, TreebankError
from morphtree.treebank.entry import Entry, Note, normalise_entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree

Reading: TypeAlias = Tree | str
Pair: TypeAlias = tuple[str, Reading | Sequence[Reading]]
Given: TypeAlias = (
    str
    | os.PathLike[str]
    | Treebank
    | Mapping[str, Reading | Sequence[Reading]]
    | Iterable[Entry | Pair]
)


def as_treebank(given: Given, name: str) -> Treebank:
    """Return a treebank: that of a file, or of entries or pairs of word and tree, called so."""
    if isinstance(given, Treebank):
        return given
    if isinstance(given, str | os.PathLike):
        return Treebank.read(given)
    if not isinstance(given, Iterable):
        raise TreebankError(
            f"{name} cannot be {given!r:.60}; give a file, or pairs of a word and its tree"
        )
    pairs = given.items() if isinstance(given, Mapping) else given
    entries: list[Entry] = []
    notes: list[Note] = []
    for number, item in enumerate(pairs, 1):
        entry, changes = normalise_entry(_entry(item, number, name))
        entries.append(entry)
        notes += changes
    if not entries:
        raise TreebankError(f"{name} has no words; give a file, or pairs of a word and its tree")
    return Treebank(name, tuple(entries), tuple(notes))


def _entry(item: object, number: int, name: str) -> Entry:
    """Return an entry; of a pair, the second is a tree, its brackets, or several of them."""
    if isinstance(item, Entry):
        return item
    if not isinstance(item, tuple | list) or len(item) != 2 or not isinstance(item[0], str):
        raise TreebankError(
            f"{name}, item {number}: {item!r} is not an entry, nor a pair of a word and its tree"
        )
    word, given = item
    readings = [given] if isinstance(given, Tree | str) else given
    if not isinstance(readings, Iterable):
        raise TreebankError(f"{name}, item {number} ({word}): {given!r} is no tree; write brackets")
    try:
        trees = (each if isinstance(each, Tree) else Tree.parse(each) for each in readings)
        return Entry(word, tuple(trees), line=number)
    except (MorphtreeError, TypeError) as error:
        raise TreebankError(f"{name}, item {number} ({word}): {error}") from None
