"""The derivation notation: one step a line, ``untestable = un- + testable``.

A bare line is a simple word. ``base|2`` takes the second reading of a base and ``base|*`` all of
them; without either it is the first. A backslash makes the next character literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from morphtree._util.text import content_lines, normalise
from morphtree.treebank.entry import (
    Entry,
    Fields,
    Note,
    Parsed,
    Problem,
    Written,
    normalisation_notes,
    parse_fields,
)
from morphtree.treebank.formats.lines import read_lines
from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.spelling import respell
from morphtree.trees.tree import MAX_DEPTH, PREFIX, SUFFIX, WORD, Tree, hyphenated, unescape

ALL_READINGS = 0
MAX_READINGS = 64  # base|* on both sides multiplies
SHAPES = ((), (PREFIX, WORD), (WORD, SUFFIX), (WORD, WORD))

_TOKEN = re.compile(r"(?:\\.|[^ \t\\])+|(?P<lone>\\)", re.DOTALL)
_PIECE = re.compile(r"\\.|[^\\]", re.DOTALL)
_SPECIAL = re.compile(r"[\\|+=#\s]")


class Operand(NamedTuple):
    """A base with the number of its reading (from 1, or ALL_READINGS), or an affix."""

    string: str
    label: str
    reading: int = 1


class Step(NamedTuple):
    """One line: how a word is made of two operands; a simple word has none."""

    line: int
    word: str
    operands: tuple[Operand, ...] = ()
    fields: Fields = Fields()

    def bases(self) -> tuple[Operand, ...]:
        """Return the operands that are words themselves."""
        return tuple(operand for operand in self.operands if operand.label == WORD)

    def affixes(self) -> tuple[Operand, ...]:
        """Return the operands that are not."""
        return tuple(operand for operand in self.operands if operand.label != WORD)

    @property
    def is_single(self) -> bool:
        """Whether the step makes one reading, whatever its bases have."""
        return all(base.reading != ALL_READINGS for base in self.bases())

    def bare(self) -> str:
        """Write the step without its fields."""
        text = _escape(self.word)  # its hyphens cannot be mistaken for those of an affix
        if self.operands:
            text += " = " + " + ".join(map(_operand_text, self.operands))
        return text

    def __str__(self) -> str:
        text = self.bare()
        values = str(self.fields)
        return f"{text}\t{values}" if values else text


def read_steps(text: str) -> tuple[tuple[Step, ...], tuple[Note, ...], tuple[Problem, ...]]:
    """Read the steps of a file, without following them."""
    return read_lines(content_lines(text), _normalised)


def _normalised(number: int, line: str) -> tuple[Step, list[Note]]:
    step = parse_step(number, line)
    notes = normalisation_notes(number, (step.word, *(o.string for o in step.operands)))
    operands = tuple(o._replace(string=normalise(o.string)) for o in step.operands)
    return step._replace(word=normalise(step.word), operands=operands), notes


def parse_step(number: int, line: str) -> Step:
    """Read one line; a ValueError says what is wrong with it."""
    notation, _, fields = line.partition("\t")
    tokens = _tokens(notation)
    word = unescape(tokens[0])
    if tokens[0] in ("=", "+") or tokens[1:2] not in ([], ["="]) or len(tokens) == 2:
        raise ValueError("expected 'word', or 'word = base + -suffix'")
    if tokens[3::2] != ["+"] * (len(tokens) // 2 - 1):
        raise ValueError("write ' + ' between the two operands")
    operands = tuple(map(_operand, tokens[2::2]))
    if tuple(operand.label for operand in operands) not in SHAPES:
        raise ValueError("a step is 'prefix- + base', 'base + -suffix' or 'left + right'")
    return Step(number, word, operands, parse_fields(number, fields))


def _tokens(text: str) -> list[str]:
    matches = [*_TOKEN.finditer(text)]
    if any(match["lone"] for match in matches):
        raise ValueError("a backslash at the end escapes nothing")
    if not matches:
        raise ValueError("the word is missing")
    return [match.group() for match in matches]


def _operand(token: str) -> Operand:
    if token in ("=", "+"):
        raise ValueError(f"an operand is missing beside {token!r}")
    pieces = _PIECE.findall(token)  # single and escaped characters
    reading = 1
    label = WORD
    if "|" in pieces:
        place = pieces.index("|")
        reading = _reading_number("".join(pieces[place + 1 :]))
        pieces = pieces[:place]
    elif pieces[0] == "-":
        label, pieces = SUFFIX, pieces[1:]
    elif pieces[-1] == "-":
        label, pieces = PREFIX, pieces[:-1]
    if "-" in pieces:
        raise ValueError(f"write \\- for the hyphen inside {token!r}")
    if not pieces:
        raise ValueError(f"{token!r} is no operand")
    return Operand(unescape("".join(pieces)), label, reading)


def _reading_number(text: str) -> int:
    if text == "*":
        return ALL_READINGS
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise ValueError(f"after '|' comes the number of a reading or '*', not {text!r}")
    return int(text)


def _escape(string: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", string)


def _operand_text(operand: Operand) -> str:
    text = _escape(operand.string).replace("-", r"\-")
    if operand.label != WORD:
        return hyphenated(operand.label, text)
    reading = "*" if operand.reading == ALL_READINGS else str(operand.reading)
    return text if operand.reading == 1 else f"{text}|{reading}"


# -- trees of steps -------------------------------------------------------------------------


def read(text: str) -> Parsed:
    """Read a file of steps: one entry for each word, with all its readings."""
    steps, notes, problems = read_steps(text)
    builder = _TreeBuilder(steps)
    entries = builder.entries()
    return Parsed(tuple(entries), notes, tuple(sorted([*problems, *builder.problems])))


@dataclass
class _TreeBuilder:
    """The trees of each step, steps being numbered in the order of the file."""

    steps: Sequence[Step]
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.of_word: dict[str, list[int]] = {}
        for number, step in enumerate(self.steps):
            self.of_word.setdefault(step.word, []).append(number)
        self.trees: dict[int, list[Tree]] = {}
        self.depths: dict[int, int] = {}
        self.build_all()

    def problem(self, step: Step, code: str, message: str) -> None:
        self.problems.append(Problem(step.line, code, message))

    def entries(self) -> list[Entry]:
        entries = (self.entry(word, numbers) for word, numbers in self.of_word.items())
        return [entry for entry in entries if entry.readings]

    def entry(self, word: str, numbers: list[int]) -> Entry:
        readings: dict[Tree, Fields] = {}
        for number in numbers:
            step = self.steps[number]
            for tree in self.trees[number]:
                if tree in readings:
                    self.problem(step, "duplicate", f"{word!r} has the reading {tree} already")
                readings.setdefault(tree, step.fields)
        line = self.steps[numbers[0]].line
        return Entry(word, tuple(readings), line=line, fields=tuple(readings.values()))

    def build_all(self) -> None:
        bases = {
            number: [source for base in step.bases() for source in self.sources(base)]
            for number, step in enumerate(self.steps)
        }
        order, cycles = building_order(bases)
        for cycle in cycles:
            words = " -> ".join(self.steps[number].word for number in cycle)
            self.problem(self.steps[cycle[-2]], "cycle", f"{words}: no word may contain itself")
        for number in order:
            depths = [self.depths.get(base, 0) for base in bases[number]]
            self.depths[number] = 1 + max(depths, default=0)
            self.trees[number] = self.build(number)

    def is_pinned(self, base: Operand) -> bool:
        """Whether the reading asked for is that of one line, each line before it making one."""
        before = self.of_word.get(base.string, [])[: base.reading]
        return base.reading != ALL_READINGS and all(self.steps[n].is_single for n in before)

    def sources(self, base: Operand) -> list[int]:
        """Return the steps on which the readings asked for depend."""
        numbers = self.of_word.get(base.string, [])
        return numbers[base.reading - 1 : base.reading] if self.is_pinned(base) else numbers

    def build(self, number: int) -> list[Tree]:
        step = self.steps[number]
        if not step.operands:
            return [Tree.stem(step.word)]
        if self.depths[number] > MAX_DEPTH:
            self.problem(step, "too-deep", f"{step.word!r} takes more than {MAX_DEPTH} steps")
            return []
        choices = [self.operand(step, operand) for operand in step.operands]
        trees = [Tree.word(*parts) for parts in product(*choices)]
        if len(trees) > MAX_READINGS:
            message = f"{step.word!r} has more than {MAX_READINGS} readings"
            self.problem(step, "too-many-readings", message)
        return trees[:MAX_READINGS]

    def operand(self, step: Step, operand: Operand) -> list[Tree]:
        """Return the trees that an operand stands for: none, if its base is in trouble."""
        if operand.label != WORD:
            return [Tree(operand.label, string=operand.string)]
        if operand.string not in self.of_word:
            self.problem(
                step, "unknown-base", f"the base {operand.string!r} has no line of its own"
            )
            return []
        sources = self.sources(operand)
        trees = [tree for source in sources for tree in self.trees.get(source, ())]
        if operand.reading != ALL_READINGS and not self.is_pinned(operand):
            trees = trees[operand.reading - 1 : operand.reading]
        if not trees and all(self.trees.get(source) for source in sources):
            message = f"the base {operand.string!r} has no reading {operand.reading}"
            self.problem(step, "unknown-reading", message)
        return trees


def building_order(bases: Mapping[int, Iterable[int]]) -> tuple[list[int], list[list[int]]]:
    """Sort steps so that bases come first; return also the cycles, closed."""
    order: list[int] = []
    cycles: list[list[int]] = []
    done: set[int] = set()
    for start in bases:
        path = {start: iter(bases[start])} if start not in done else {}
        while path:
            step = next(reversed(path))
            base = next(path[step], None)
            if base is None:
                order.append(step)
                done.add(step)
                del path[step]
            elif base in path:
                open_steps = list(path)
                cycles.append([*open_steps[open_steps.index(base) :], base])
            elif base not in done:
                path[base] = iter(bases[base])
    return order, cycles


# -- steps of trees -------------------------------------------------------------------------


def write(entries: Iterable[Entry]) -> Written:
    """Write the steps of all entries; bases that are no entries get lines of their own."""
    writer = _StepWriter()
    listed = list(entries)
    for entry in listed:  # first, so that a word's own readings keep their numbers
        writer.add_entry(entry)
    for entry in listed:
        writer.add_bases(entry)
    return Written(tuple(map(str, writer.steps())), tuple(writer.notes))


@dataclass
class _StepWriter:
    """Every word to be written, with its readings in order.

    There can be no cycle: a step names the very readings that its tree contains, which are smaller.
    """

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
