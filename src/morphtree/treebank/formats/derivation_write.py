"""Writing trees as derivation steps: each WORD span becomes a word with a line of its own.

There can be no cycle: a step names the very readings that its tree contains, which are smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from morphtree._util.text import normalise
from morphtree.treebank.entry import Entry, Fields, Note, Written
from morphtree.treebank.formats.derivation import Operand, Step, parse_step
from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.spelling import respell
from morphtree.trees.tree import WORD, Tree


def write(entries: Iterable[Entry]) -> Written:
    """Write the steps of all entries; bases that are no entries get lines of their own."""
    table = _Table()
    listed = list(entries)
    for entry in listed:  # first, so that a word's own readings keep their numbers
        table.add_entry(entry)
    for entry in listed:
        table.add_bases(entry)
    return Written(tuple(map(str, table.steps())), tuple(table.notes))


@dataclass
class _Table:
    """Every word to be written, with its readings in order."""

    readings: dict[str, dict[Tree, Fields]] = field(default_factory=dict)
    word_of: dict[Tree, str] = field(default_factory=dict)
    order: dict[str, None] = field(default_factory=dict)  # the words, bases before first use
    notes: list[Note] = field(default_factory=list)

    def lose(self, line: int, code: str, message: str) -> None:
        self.notes.append(Note(line, "dropped", code, message))

    def add_entry(self, entry: Entry) -> None:
        if not entry.readings:
            self.lose(entry.line, "no-tree", f"{entry.word!r} has segments, but no tree")
        if entry.word in self.readings:
            self.lose(entry.line, "repeated", f"{entry.word!r} is joined with its earlier line")
        for number, tree in enumerate(entry.readings):
            fields = entry.fields[number] if entry.fields else Fields()
            self.add_reading(entry.line_of(number), entry.word, tree, fields)

    def add_reading(self, line: int, word: str, tree: Tree, fields: Fields) -> None:
        if not COMPOUNDS.derives(tree):
            self.lose(line, "out-of-grammar", f"{tree} has no derivation in two-part steps")
        elif (tree.is_leaf and tree.form != word) or not _are_plain((word, *tree.morphemes)):
            self.lose(line, "not-expressible", f"{word!r} cannot be written with the tree {tree}")
        else:
            if _read_back(fields) != fields:
                self.lose(line, "fields", f"without the fields of {word!r}")
                fields = Fields()
            self.readings.setdefault(word, {}).setdefault(tree, fields)
            self.word_of.setdefault(tree, word)

    def add_bases(self, entry: Entry) -> None:
        if entry.word not in self.readings:
            return
        for tree in entry.readings:
            written = tree in self.readings[entry.word]
            for node in tree.derivation() if written else ():
                if node is not tree:
                    self.add_base(entry.line, node)
        self.order.setdefault(entry.word)

    def add_base(self, line: int, node: Tree) -> None:
        word = self.spelling(node)
        if word not in self.readings:
            message = f"the base {word!r} was given a line of its own"
            self.notes.append(Note(line, "repaired", "added-base", message))
            self.readings[word] = {node: Fields()}
            self.order.setdefault(word)
        elif node not in self.readings[word]:
            message = f"the base {word!r} was given the further reading {node}"
            self.notes.append(Note(line, "repaired", "added-reading", message))
            self.readings[word][node] = Fields()

    def spelling(self, node: Tree) -> str:
        if node.is_leaf:
            return node.string
        return self.word_of.setdefault(node, respell(node))

    def steps(self) -> Iterator[Step]:
        for word in self.order:
            for tree, fields in self.readings[word].items():
                yield Step(0, word, tuple(map(self.operand, tree.children)), fields)

    def operand(self, node: Tree) -> Operand:
        if node.label != WORD:
            return Operand(node.string, node.label)
        word = self.spelling(node)
        return Operand(word, WORD, 1 + list(self.readings[word]).index(node))


def _are_plain(strings: Iterable[str]) -> bool:
    return all(
        string == normalise(string) and not re.search(r"[\t\n\r]", string) for string in strings
    )


def _read_back(fields: Fields) -> Fields | None:
    line = str(Step(0, "x", (), fields))
    try:
        return parse_step(0, line).fields if "\n" not in line else None
    except ValueError:
        return None
