"""Families: which entries contain a word as a constituent, and whether they analyse it alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from morphtree.trees.tree import WORD, Tree
from morphtree.web.editor.checks import Finding
from morphtree.web.editor.records import Record
from morphtree.web.editor.shape import written

FEW = 3  # other entries that a message names


class Correction(NamedTuple):
    """An entry that analyses a shared part differently, before and after a correction."""

    record: Record
    part: str
    before: tuple[Tree, ...]
    after: tuple[Tree, ...]


class FamilyIndex:
    """An index of the parts of entries, by their spelling and by their morphemes in a row."""

    def __init__(self) -> None:
        self._parts: dict[str, frozenset[str]] = {}
        self._users: dict[str, set[str]] = defaultdict(set)

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Look again at some words."""
        for word in words:
            for part in self._parts.pop(word, ()):
                self._users[part].discard(word)
            if word in records:
                self._parts[word] = frozenset(_names(word, records[word].entry.readings))
                for part in self._parts[word]:
                    self._users[part].add(word)

    def users(self, part: str, beside: str = "") -> list[str]:
        """Return the words, but for one, that contain a part."""
        return sorted(self._users.get(part, set()) - {beside})

    def corrections(
        self, word: str, tree: Tree, records: Mapping[str, Record]
    ) -> Iterator[Correction]:
        """Yield what would change if the parts of a tree were analysed alike everywhere."""
        ours: dict[str, Tree] = {}
        for node, spelt in written(word, tree):
            ours.setdefault(spelt, node)
            ours.setdefault(node.form, node)
        related = {user for part in ours for user in self.users(part, word)}
        for user in sorted(related & records.keys()):
            record = records[user]
            before = record.entry.readings
            after, parts = zip(*(_adapted(user, t, ours) for t in before), strict=True)
            if after != before:
                shared = next(part for part in parts if part)
                yield Correction(record, shared, before, tuple(dict.fromkeys(after)))


def check_family(
    word: str, trees: Sequence[Tree], families: FamilyIndex, records: Mapping[str, Record]
) -> Iterator[Finding]:
    """Yield where other entries analyse a shared part differently."""
    saved = records.get(word)
    if saved and saved.entry.readings and saved.entry.readings != tuple(trees):
        who = saved.fields.who or "the file"
        shown = " or ".join(map(str, saved.entry.readings))
        yield Finding("conflict", "warning", f"{who} has {shown}", word)
    for tree in trees[:1]:
        found = [*families.corrections(word, tree, records)]
        parts = dict.fromkeys(correction.part for correction in found)
        for part in parts:
            others = [c.record.entry.word for c in found if c.part == part]
            more = f" and {len(others) - FEW} more" if len(others) > FEW else ""
            message = f"{part} is analysed differently in {', '.join(others[:FEW])}{more}"
            yield Finding("family", "warning", message, part)


def _names(word: str, readings: tuple[Tree, ...]) -> Iterator[str]:
    for tree in readings:
        for node, spelt in written(word, tree):
            yield spelt
            yield node.form


def _adapted(word: str, tree: Tree, ours: Mapping[str, Tree]) -> tuple[Tree, str]:
    """Return a tree with our analysis of the parts that it shares, and the first such part."""
    names = iter(written(word, tree))
    changed: list[str] = []

    def visit(node: Tree) -> Tree:
        spelt = next(names)[1] if node.label == WORD else ""
        children = tuple(map(visit, node.children))
        wanted = (ours.get(spelt) or ours.get(node.form)) if node.label == WORD else None
        if wanted is not None and wanted != node:
            changed.append(spelt)
            return wanted
        return node if children == node.children else replace(node, children=children)

    return visit(tree), (changed[-1] if changed else "")
