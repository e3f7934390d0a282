"""Following derivation steps down to trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

from morphtree.treebank.entry import Entry, Fields, Parsed, Problem
from morphtree.treebank.formats.derivation import ALL_READINGS, Operand, Step, read_steps
from morphtree.trees.tree import MAX_DEPTH, WORD, Tree

MAX_READINGS = 64  # base|* on both sides multiplies


def read(text: str) -> Parsed:
    """Read a file of steps: one entry for each word, with all its readings."""
    steps, notes, problems = read_steps(text)
    follower = _Follower(steps)
    entries = follower.entries()
    found = sorted(problems + follower.problems)
    return Parsed(tuple(entries), tuple(notes), tuple(found))


@dataclass
class _Follower:
    """The trees of each step, steps being numbered in the order of the file."""

    steps: list[Step]
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.of_word: dict[str, list[int]] = {}
        for number, step in enumerate(self.steps):
            self.of_word.setdefault(step.word, []).append(number)
        self.trees: dict[int, list[Tree]] = {}
        self.depths: dict[int, int] = {}
        self.follow()

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

    def follow(self) -> None:
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
