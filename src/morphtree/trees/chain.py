"""Chain: a pattern of labels such as ``PREFIX* WORD SUFFIX*``, as a right-linear grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from morphtree.errors import GrammarError
from morphtree.trees.grammar import Grammar, Rule
from morphtree.trees.tree import Tree

START = "@start"


class Segment(NamedTuple):
    """A labelled piece of a form."""

    label: str
    string: str


Segmentation = tuple[Segment, ...]


class Step(NamedTuple):
    """What a rule of the chain's grammar does: go from one label to the next, and perhaps end.

    Labels are numbers; the number of labels stands for the start.
    """

    last: int
    next: int
    ends: bool


@dataclass(frozen=True)
class Chain:
    """A pattern of labels, each once or (with a star) any number of times."""

    pattern: str

    def __post_init__(self) -> None:
        if not self._parts or any(not part.strip("*") for part in self._parts):
            raise GrammarError(
                f"a chain is written like 'PREFIX* WORD SUFFIX*', not {self.pattern!r}"
            )
        if all(part.endswith("*") for part in self._parts):
            raise GrammarError(f"the chain {self.pattern!r} needs one label without a star")
        if any(label.startswith("@") for label in self.labels):
            raise GrammarError(f"the labels of a chain may not start with @: {self.pattern!r}")
        if len(self.labels) != len(self._parts):
            raise GrammarError(f"the chain {self.pattern!r} names a label twice")

    @property
    def _parts(self) -> list[str]:
        return self.pattern.split()

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The distinct labels, in order."""
        return tuple(dict.fromkeys(part.rstrip("*") for part in self._parts))

    @cached_property
    def rules(self) -> tuple[tuple[Rule, Step | None], ...]:
        """The grammar's rules, each with the step it takes (leaf rules take none)."""
        parts = self._parts
        rules: list[tuple[Rule, Step | None]] = []
        for place in range(-1, len(parts)):
            for after in self._followers(place):
                numbers = self._number(place), self._number(after)
                label = parts[after].rstrip("*")
                if self._followers(after):
                    rule = Rule(_state(place), (label, _state(after)))
                    rules.append((rule, Step(*numbers, ends=False)))
                if all(part.endswith("*") for part in parts[after + 1 :]):
                    rules.append((Rule(_state(place), (label,)), Step(*numbers, ends=True)))
        return (*rules, *((Rule(label, ()), None) for label in self.labels))

    @cached_property
    def grammar(self) -> Grammar:
        """The right-linear grammar of the chain."""
        return Grammar(tuple(rule for rule, _ in self.rules))

    def _number(self, place: int) -> int:
        return len(self.labels) if place < 0 else self.labels.index(self._parts[place].rstrip("*"))

    def _followers(self, place: int) -> list[int]:
        """Return the places of the pattern that may come right after a place (-1: the start)."""
        parts = self._parts
        first = place if place >= 0 and parts[place].endswith("*") else place + 1
        followers = []
        for after in range(first, len(parts)):
            followers.append(after)
            if not parts[after].endswith("*"):
                break
        return followers


def _state(place: int) -> str:
    return START if place < 0 else f"@{place}"


FLAT = Chain("PREFIX* WORD SUFFIX*")


def chain_tree(chain: Chain, segments: Segmentation) -> Tree | None:
    """Return the right-branching tree of a segmentation, or None if the chain has none."""
    steps = {
        (rule.parent, rule.children[0], len(rule.children) == 1): rule
        for rule, step in chain.rules
        if step is not None
    }
    state = START
    states: list[str] = []
    for number, (label, _) in enumerate(segments, 1):
        rule = steps.get((state, label, number == len(segments)))
        if rule is None:
            return None
        states.append(state)
        state = rule.children[-1]
    tree: tuple[Tree, ...] = ()
    for state, (label, string) in zip(reversed(states), reversed(segments), strict=True):
        tree = (Tree(state, (Tree(label, string=string), *tree)),)
    return tree[0].children[0] if chain.grammar.has_silent_start else tree[0]
