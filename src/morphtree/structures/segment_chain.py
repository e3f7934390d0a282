"""SegmentChain: the flat counterpart of the tree chart, a semi-Markov chain over segments.

A chain such as ``PREFIX* WORD SUFFIX*`` is a right-linear grammar, and a chart that lets only
the leaves end before the end of the form does semi-Markov work, so the chart does all of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from morphtree.errors import GrammarError, ModelError
from morphtree.structures.distribution import Distribution, Ranking, Scored, checked
from morphtree.structures.tree_chart import Floats, TreeChart, TreeMarginals, TreePotentials
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


@dataclass(frozen=True)
class ChainPotentials:
    """Log weights of labelled segments, and of one label after another."""

    segments: Floats  # (m, m+1, labels)
    bigrams: Floats  # (labels+1, labels+1)  from: label or start; to: label or end


class ChainMarginals(NamedTuple):
    """Expected number of uses; shapes as in `ChainPotentials`."""

    segments: Floats
    bigrams: Floats


class SegmentChain(Distribution[Segmentation]):
    """All segmentations of one form under a chain."""

    what = "segmentation"

    def __init__(
        self,
        potentials: ChainPotentials,
        form: str,
        chain: Chain = FLAT,
        *,
        logs: bool | None = None,
    ) -> None:
        self.chain = chain
        self.form = form
        labels = len(chain.labels)
        shape = len(form), len(form) + 1, labels
        self.potentials = ChainPotentials(
            checked("segment", potentials.segments, shape),
            checked("label bigram", potentials.bigrams, (labels + 1, labels + 1)),
        )
        self._chart = TreeChart(self._tree_potentials(), form, chain.grammar, logs=logs)

    def score(self, structure: Segmentation) -> float:
        """Log weight of a segmentation."""
        tree = self._to_tree(structure)
        return -math.inf if tree is None else self._chart.score(tree)

    def log_partition(self) -> float:
        """Log of the summed weights of all segmentations."""
        return self._chart.log_partition()

    def marginals(self) -> ChainMarginals:
        """Expected number of uses of every segment and label bigram."""
        self._require_mass()
        return self._collect(self._chart.marginals())

    def counts(self, structure: Segmentation) -> ChainMarginals:
        """Number of uses of every segment and label bigram in one segmentation."""
        tree = self._to_tree(structure)
        if tree is None:
            raise ModelError(f"{structure} is not a segmentation of {self.form!r} here")
        return self._collect(self._chart.counts(tree))

    def _collect(self, trees: TreeMarginals) -> ChainMarginals:
        """Bring the grammar's counts back to segments and label bigrams."""
        bigrams = np.zeros_like(self.potentials.bigrams)
        for (_, step), count in zip(self.chain.rules, trees.rules, strict=True):
            if step is not None:
                bigrams[step.last, step.next] += count
                if step.ends:
                    bigrams[step.next, -1] += count
        return ChainMarginals(trees.leaf[:, :, self._columns], bigrams)

    def argmax(self) -> Segmentation:
        """Return the best segmentation."""
        self._require_mass()
        return _segments(self._chart.argmax())

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Segmentation]:
        """Draw segmentations."""
        self._require_mass()
        return [_segments(tree) for tree in self._chart.sample(size, rng=rng)]

    def top_k(self, k: int) -> Ranking[Segmentation]:
        """Return the k best segmentations."""
        ranking = self._chart.top_k(k)
        return Ranking(tuple(Scored(_segments(item.structure), item.score) for item in ranking))

    def log_count(self) -> float:
        """Log of the number of possible segmentations."""
        return self._chart.log_count()

    @property
    def _columns(self) -> list[int]:
        return [self.chain.grammar.labels.index(label) for label in self.chain.labels]

    def _tree_potentials(self) -> TreePotentials:
        m, labels = len(self.form), len(self.chain.grammar.labels)
        leaf, span = np.full((2, m, m + 1, labels), -np.inf)
        leaf[:, :, self._columns] = self.potentials.segments
        span[:, m, :] = 0.0  # what branches is a rest of the form, so it ends where the form does
        rules = np.zeros(len(self.chain.rules))
        for number, (_, step) in enumerate(self.chain.rules):
            if step is not None:
                rules[number] = self.potentials.bigrams[step.last, step.next]
                if step.ends:
                    rules[number] += self.potentials.bigrams[step.next, -1]
        return TreePotentials(leaf, span, rules)

    def _to_tree(self, segments: Segmentation) -> Tree | None:
        """Return the right-branching tree of a segmentation, or None if the chain has none."""
        if not segments or "".join(s.string for s in segments) != self.form:
            return None
        if any(not s.string for s in segments):
            return None
        return chain_tree(self.chain, segments)


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


def _segments(tree: Tree) -> Segmentation:
    return tuple(Segment(leaf.label, leaf.string) for leaf in tree.leaves())
