"""Trees of steps: each step is followed down to simple words, in time linear in the file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import NamedTuple, TypeAlias

from morphtree.treebank.entry import MAX_LETTERS, Entry, Fields, Problem
from morphtree.treebank.formats.steps import ALL_READINGS, Operand, Step
from morphtree.trees.tree import MAX_DEPTH, WORD, Tree

MAX_READINGS = 64  # of a step: base|* on both sides multiplies
MORE = 1000  # readings of all steps together, beyond two for each
SHOWN = 8  # words at either end of a long cycle
Node: TypeAlias = int | str  # a step by its number, or all the steps of a word


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A tree that is made once, so that it is compared and hashed by itself, not by its nodes."""

    tree: Tree
    letters: int
    depth: int


class _Lines(NamedTuple):
    """The steps of a word, by number, and how many make one reading before any makes several."""

    steps: list[int]
    single: float

    def is_pinned(self, reading: int) -> bool:
        """Whether the reading asked for is that of one step."""
        return reading != ALL_READINGS and reading <= self.single


class _Readings(NamedTuple):
    """All readings of a word, and whether every step of it has made its own."""

    parts: Sequence[_Part] = ()
    complete: bool = False


def build_entries(steps: Sequence[Step]) -> tuple[list[Entry], list[Problem]]:
    """Return an entry for each word that can be built, and the faults of steps."""
    builder = _TreeBuilder(steps)
    return builder.entries(), builder.problems


@dataclass
class _TreeBuilder:
    """The trees of each step, steps being numbered in the order of the file."""

    steps: Sequence[Step]
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = _lines(self.steps)
        self.parts: dict[int, Sequence[_Part]] = {}  # of steps
        self.readings: dict[str, _Readings] = {}  # of words whose steps are not asked for singly
        self.made: dict[tuple[str, str] | tuple[_Part, ...], _Part] = {}
        self.spare = MORE + len(self.steps)
        self.build_all()

    def problem(self, step: Step, code: str, message: str) -> None:
        self.problems.append(Problem(step.line, code, message))

    def entries(self) -> list[Entry]:
        entries = (self.entry(word, lines.steps) for word, lines in self.lines.items())
        return [entry for entry in entries if entry.readings]

    def entry(self, word: str, numbers: list[int]) -> Entry:
        fields: dict[_Part, Fields] = {}
        for number in numbers:
            step = self.steps[number]
            for part in self.parts[number]:
                if part in fields:
                    self.problem(step, "duplicate", f"{word!r} has this reading already")
                fields.setdefault(part, step.fields)
        trees = tuple(part.tree for part in fields)
        line = self.steps[numbers[0]].line
        return Entry(word, trees, line=line, fields=tuple(fields.values()))

    def build_all(self) -> None:
        order, cycles = building_order(self.bases())
        for cycle in cycles:
            words = cycle.words(self.steps)
            self.problem(self.steps[cycle.last], "cycle", f"{words}: no word may contain itself")
        for node in order:
            if isinstance(node, int):
                self.parts[node] = self.build(self.steps[node])
            else:
                found = [self.parts.get(number, ()) for number in self.lines[node].steps]
                self.readings[node] = _Readings([part for one in found for part in one], all(found))

    def bases(self) -> dict[Node, Sequence[Node]]:
        """Return what each step depends on: a step, or a word and by it all the word's steps."""
        bases: dict[Node, Sequence[Node]] = {}
        words: dict[Node, Sequence[Node]] = {}
        for number, step in enumerate(self.steps):
            bases[number] = [source for base in step.bases() for source in self.sources(base)]
            words |= {node: self.lines[node].steps for node in bases[number] if node in self.lines}
        return bases | words

    def sources(self, base: Operand) -> Sequence[Node]:
        lines = self.lines.get(base.string)
        if lines is None:
            return ()
        if lines.is_pinned(base.reading):
            return lines.steps[base.reading - 1 : base.reading]
        return (base.string,)

    def build(self, step: Step) -> list[_Part]:
        if not step.operands:
            return [self.leaf(WORD, step.word)]
        most = min(MAX_READINGS, 1 + self.spare)
        combinations = product(*[self.operand(step, operand) for operand in step.operands])
        found = [*islice(combinations, most + 1)]
        if len(found) > most:
            self.problem(step, "too-many-readings", _too_many(step.word, most))
        parts = [part for pair in found[:most] if (part := self.word(pair))]
        if len(parts) < min(len(found), most):
            self.problem(step, *_too_large(step.word, found))
        self.spare -= max(0, len(parts) - 1)
        return parts

    def leaf(self, label: str, string: str) -> _Part:
        if (label, string) not in self.made:
            self.made[label, string] = _Part(Tree(label, string=string), len(string), 1)
        return self.made[label, string]

    def word(self, parts: tuple[_Part, ...]) -> _Part | None:
        """Return the word of two parts, unless it is too large."""
        depth, letters = _size(parts)
        if depth > MAX_DEPTH or letters > MAX_LETTERS:
            return None
        if parts not in self.made:
            self.made[parts] = _Part(Tree.word(*(p.tree for p in parts)), letters, depth)
        return self.made[parts]

    def operand(self, step: Step, operand: Operand) -> Sequence[_Part]:
        """Return what an operand stands for: nothing, if its base is in trouble."""
        if operand.label != WORD:
            return [self.leaf(operand.label, operand.string)]
        if operand.string not in self.lines:
            message = f"the base {operand.string!r} has no line of its own"
            self.problem(step, "unknown-base", message)
            return ()
        found = self.found(operand)
        if not found.parts and found.complete:
            message = f"the base {operand.string!r} has no reading {operand.reading}"
            self.problem(step, "unknown-reading", message)
        return found.parts

    def found(self, base: Operand) -> _Readings:
        """Return the readings asked for, and whether no others are in trouble."""
        if self.lines[base.string].is_pinned(base.reading):
            sources = self.sources(base)
            parts = [part for n in sources if isinstance(n, int) for part in self.parts.get(n, ())]
            return _Readings(parts, not sources)
        every = self.readings.get(base.string, _Readings())
        if base.reading == ALL_READINGS:
            return every._replace(parts=every.parts[: MAX_READINGS + 1])  # no more are combined
        return every._replace(parts=every.parts[base.reading - 1 : base.reading])


def _lines(steps: Sequence[Step]) -> dict[str, _Lines]:
    numbers: dict[str, list[int]] = {}
    single: dict[str, int] = {}
    for number, step in enumerate(steps):
        before = numbers.setdefault(step.word, [])
        if not step.is_single:
            single.setdefault(step.word, len(before))
        before.append(number)
    return {word: _Lines(n, single.get(word, math.inf)) for word, n in numbers.items()}


def _size(parts: Iterable[_Part]) -> tuple[int, int]:
    return 1 + max(part.depth for part in parts), sum(part.letters for part in parts)


def _too_many(word: str, most: int) -> str:
    if most == MAX_READINGS:
        return f"{word!r} has more than {MAX_READINGS} readings; name those meant by base|2"
    return f"with {word!r} all steps have too many readings; write base|1 or base|2 for base|*"


def _too_large(word: str, found: Iterable[tuple[_Part, ...]]) -> tuple[str, str]:
    """Return code and message for a word of which a reading is too deep or too long."""
    if any(_size(parts)[0] > MAX_DEPTH for parts in found):
        return "too-deep", f"{word!r} takes more than {MAX_DEPTH} steps"
    return "too-long", f"{word!r} is made of more than {MAX_LETTERS} letters; correct its parts"


# -- the order of building ------------------------------------------------------------------


class Cycle(NamedTuple):
    """Steps that lead back to the first of them: all, or the ends if there are many."""

    first: list[int]
    is_cut: bool
    end: list[int]

    @property
    def last(self) -> int:
        """The step that closes the cycle."""
        return (self.end or self.first)[-1]

    def words(self, steps: Sequence[Step]) -> str:
        """Write the cycle as words and arrows."""
        gap = ["..."] if self.is_cut else []
        first, end = ([steps[n].word for n in part] for part in (self.first, self.end))
        return " -> ".join([*first, *gap, *end, first[0]])


def building_order(bases: Mapping[Node, Iterable[Node]]) -> tuple[list[Node], list[Cycle]]:
    """Sort nodes so that bases come first; return also the cycles, one for each step back."""
    order: list[Node] = []
    cycles: list[Cycle] = []
    done: set[Node] = set()
    for start in bases:
        path: list[tuple[Node, Iterator[Node]]] = []
        places: dict[Node, int] = {}  # of the nodes of the path
        base: Node | None = None if start in done else start
        while path or base is not None:
            if base is None:
                node = path.pop()[0]
                del places[node]
                done.add(node)
                order.append(node)
            elif base in places:
                cycles.append(_cycle(path, places[base]))
            elif base not in done:
                places[base] = len(path)
                path.append((base, iter(bases[base])))
            base = next(path[-1][1], None) if path else None
    return order, cycles


def _cycle(path: Sequence[tuple[Node, object]], start: int) -> Cycle:
    """Take the ends of a path from a place on, without the nodes of words between steps."""
    middle = min(len(path), start + 2 * SHOWN)
    end = max(middle, len(path) - 2 * SHOWN)
    first, last = (
        [node for node, _ in path[a:b] if isinstance(node, int)]
        for a, b in ((start, middle), (end, len(path)))
    )
    return Cycle(first, middle < end, last)
