"""The derivation format: words from the steps that make them, and steps from trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from morphtree._util.text import normalise
from morphtree.treebank.entry import MAX_LETTERS, Entry, Fields, Note, Parsed, Written
from morphtree.treebank.formats.step_trees import build_entries
from morphtree.treebank.formats.steps import Operand, Step, parse_step, read_steps
from morphtree.trees.grammar import LINKS
from morphtree.trees.inner_words import spelt_otherwise
from morphtree.trees.spelling import respell
from morphtree.trees.tree import WORD, Tree


def read(text: str) -> Parsed:
    """Read a file of steps: one entry for each word, with all its readings."""
    steps, notes, problems = read_steps(text)
    entries, more = build_entries(steps)
    return Parsed(tuple(entries), notes, tuple(sorted([*problems, *more])))


def write(entries: Iterable[Entry]) -> Written:
    """Write the steps of all entries; bases that are no entries get lines of their own."""
    writer = _StepWriter()
    listed = list(entries)
    for entry in listed:  # first, so that a word's own readings keep their numbers
        writer.add_entry(entry)
    for entry in listed:
        writer.add_bases(entry)
    return Written(tuple(map(str, writer.steps())), tuple(writer.notes))


class _Reading(NamedTuple):
    """What is kept of a reading: its number among those of its word, and its fields."""

    number: int
    fields: Fields


@dataclass
class _StepWriter:
    """Every word to be written, with its readings in order.

    There can be no cycle: a step names the very readings that its tree contains, which are smaller.
    """

    readings: dict[str, dict[Tree, _Reading]] = field(default_factory=dict)
    word_of: dict[Tree, str] = field(default_factory=dict)
    order: dict[str, None] = field(default_factory=dict)  # the words, bases before first use
    added: set[int] = field(default_factory=set)  # nodes by identity: a chain of words shares them
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
        if not LINKS.derives(tree):
            self.lose(
                line, "out-of-grammar", f"{tree} has no derivation in steps of two or three parts"
            )
        elif (tree.is_leaf and tree.form != word) or not _are_plain(word, *tree.morphemes):
            self.lose(line, "not-expressible", f"{word!r} cannot be written with the tree {tree}")
        else:
            if _read_back(fields) != fields:
                self.lose(line, "fields", f"without the fields of {word!r}")
                fields = Fields()
            self.keep(word, tree, fields)
            self.word_of.setdefault(tree, word)

    def keep(self, word: str, tree: Tree, fields: Fields) -> None:
        known = self.readings.setdefault(word, {})
        known.setdefault(tree, _Reading(len(known) + 1, fields))

    def add_bases(self, entry: Entry) -> None:
        if entry.word not in self.readings:
            return
        for tree in entry.readings:
            written = tree in self.readings[entry.word]
            if written:
                self.name_bases(entry.word, tree)
            for node in tree.derivation() if written else ():
                if node is not tree and id(node) not in self.added:
                    self.added.add(id(node))
                    self.add_base(entry.line, node)
        self.order.setdefault(entry.word)

    def name_bases(self, word: str, tree: Tree) -> None:
        """Name bases without an entry as they stand in the word, if no rule spells them so."""
        new = [n for n in tree.children if n.children and n not in self.word_of]
        for node, text in spelt_otherwise(tree, word) if new else ():
            self.word_of.setdefault(node, text)

    def add_base(self, line: int, node: Tree) -> None:
        word = self.spelling(node)
        if word not in self.readings:
            message = f"the base {word!r} was given a line of its own"
            self.notes.append(Note(line, "repaired", "added-base", message))
            self.keep(word, node, Fields())
            self.order.setdefault(word)
        elif node not in self.readings[word]:
            message = f"the base {word!r} was given the further reading {node}"
            self.notes.append(Note(line, "repaired", "added-reading", message))
            self.keep(word, node, Fields())

    def spelling(self, node: Tree) -> str:
        if node.is_leaf:
            return node.string
        if node not in self.word_of:
            self.word_of[node] = respell(node)
        return self.word_of[node]

    def steps(self) -> Iterator[Step]:
        for word in self.order:
            for tree, reading in self.readings[word].items():
                yield Step(0, word, tuple(map(self.operand, tree.children)), reading.fields)

    def operand(self, node: Tree) -> Operand:
        if node.label != WORD:
            return Operand(node.string, node.label)
        word = self.spelling(node)
        return Operand(word, WORD, self.readings[word][node].number)


def _are_plain(word: str, *morphemes: str) -> bool:
    """Whether the reader would give strings back; their lengths first, since they can take long."""
    return max(len(word), sum(map(len, morphemes))) <= MAX_LETTERS and all(
        string == normalise(string) and not re.search(r"[\t\n\r]", string)
        for string in (word, *morphemes)
    )


def _read_back(fields: Fields) -> Fields | None:
    line = str(Step(0, "x", (), fields))
    try:
        return parse_step(0, line).fields if "\n" not in line else None
    except ValueError:
        return None
