"""Grammar: labels and rules as data; any context-free grammar over leaf strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.files import read_text
from morphtree.errors import GrammarError
from morphtree.trees.tree import LINK, Tree

STRING = "<string>"
MAX_RULES, MAX_CHILDREN = 1000, 50  # far beyond any grammar of words; checks take their square


class Rule(NamedTuple):
    """``parent -> children``; no children means that the parent spells a string."""

    parent: str
    children: tuple[str, ...]

    @property
    def is_branching(self) -> bool:
        """Whether it has two parts or more."""
        return len(self.children) > 1

    def __str__(self) -> str:
        return f"{self.parent} -> {' '.join(self.children) or STRING}"


@dataclass(frozen=True)
class Grammar:
    """A checked context-free grammar; the first rule's parent is the start label."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        _check(self.rules)

    @staticmethod
    def parse(text: str, name: str = "grammar") -> Grammar:
        """Read rules like ``WORD -> PREFIX WORD | <string>``, one or more a line."""
        rules: list[Rule] = []
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if line:
                rules += _parse_line(line, f"{name}:{number}")
        try:
            return Grammar(tuple(rules))
        except GrammarError as error:
            raise GrammarError(f"{name}: {error}") from None

    @staticmethod
    def load(name: str) -> Grammar:
        """Return a built-in grammar (``paper``, ``compounds``, ``links``) or read a file."""
        if name in BUILT_IN:
            return BUILT_IN[name]
        what = f"give a file, or one of {', '.join(BUILT_IN)}: the grammar"
        return Grammar.parse(read_text(Path(name), what, GrammarError), name)

    def __str__(self) -> str:
        lines: dict[str, list[str]] = {}
        for rule in self.rules:
            lines.setdefault(rule.parent, []).append(" ".join(rule.children) or STRING)
        return "\n".join(f"{parent} -> {' | '.join(right)}" for parent, right in lines.items())

    @property
    def start(self) -> str:
        """The label of a whole parse."""
        return self.rules[0].parent

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels, in order of first use as a parent."""
        return tuple(dict.fromkeys(rule.parent for rule in self.rules))

    @cached_property
    def rule_numbers(self) -> dict[tuple[str, tuple[str, ...]], int]:
        """The place of each (parent, children) among the rules."""
        return {rule: number for number, rule in enumerate(self.rules)}

    @cached_property
    def has_silent_start(self) -> bool:
        """Whether the start label only wraps another one, so that trees leave it out."""
        return all(
            (rule.parent != self.start or len(rule.children) == 1)
            and self.start not in rule.children
            for rule in self.rules
        )

    def derives(self, tree: Tree) -> bool:
        """Whether every node of the tree is a rule and its top is what the start derives."""
        rules = self.rule_numbers
        top_fits = (
            (self.start, (tree.label,)) in rules
            if self.has_silent_start
            else tree.label == self.start
        )
        return top_fits and all(production in rules for production in tree.productions())

    def anchored(self, tree: Tree) -> Iterator[tuple[int, int, int, int]]:
        """Yield (label, start, end, rule) of every production of a tree of this grammar.

        Labels and rules are numbers; a start label that trees leave out comes first.
        """
        numbers, labels = self.rule_numbers, self.labels
        if self.has_silent_start:
            yield labels.index(self.start), 0, len(tree.form), numbers[self.start, (tree.label,)]
        for (parent, children), span in zip(tree.productions(), tree.spans(), strict=True):
            yield labels.index(parent), span.start, span.end, numbers[parent, children]

    @cached_property
    def branching(self) -> tuple[int, ...]:
        """The numbers of the labels that branch."""
        parents = {rule.parent for rule in self.rules if rule.is_branching}
        return tuple(n for n, label in enumerate(self.labels) if label in parents)

    def steps(self, label: str) -> tuple[tuple[str, ...], ...]:
        """Return the parts that a label can branch into, by their labels."""
        return tuple(rule.children for rule in self.rules
                     if rule.parent == label and rule.is_branching)  # fmt: skip

    @cached_property
    def affix_labels(self) -> tuple[str, ...]:
        """Labels that only spell, that no word need have, and that are no word on their own."""
        parents = {rule.parent for rule in self.rules if rule.children}
        alone = [self.start]  # labels of a whole word; the loop adds those below unary rules
        for label in alone:
            single = (rule.children for rule in self.rules if rule.parent == label)
            alone += [c[0] for c in single if len(c) == 1 and c[0] not in alone]
        return tuple(
            label
            for label in self.labels
            if label not in parents and label not in alone and self._derives_without(label)
        )

    def _derives_without(self, label: str) -> bool:
        """Whether there are words without some label that spells."""
        able: set[str] = set()
        while more := {
            rule.parent
            for rule in self.rules
            if rule.parent not in {*able, label} and able.issuperset(rule.children)
        }:
            able |= more
        return self.start in able

    @cached_property
    def binarised(self) -> BinaryGrammar:
        """The same grammar with at most two children a rule."""
        return _binarise(self)


@dataclass(frozen=True)
class BinaryGrammar:
    """Rules by kind, as label numbers; labels past those of the grammar are intermediate.

    Each rule names the grammar's rule whose weight it carries; the inner steps of a rule of
    more than two children carry none and say -1.
    """

    labels: tuple[str, ...]
    start: int
    leaves: tuple[tuple[int, int], ...]  # (label, rule number)
    unary: tuple[tuple[int, int, int], ...]  # (parent, child, rule number), children first
    binary: tuple[tuple[int, int, int, int], ...]  # (parent, left, right, rule number or -1)

    @cached_property
    def kernel_rules(self) -> Any:
        """The rules as the kernels read them."""
        leaf, branches = np.full((2, len(self.labels)), -1, np.int32)
        leaf[[label for label, _ in self.leaves]] = [number for _, number in self.leaves]
        branches[:] = [label in {rule[0] for rule in self.binary} for label in range(len(leaf))]
        unary = np.array(self.unary, np.int32).reshape(-1, 3)
        binary = np.array(self.binary, np.int32).reshape(-1, 4)
        last = {parent: place for place, (parent, _, _) in enumerate(self.unary)}
        order = sorted(range(len(leaf)), key=lambda label: last.get(label, -1))
        return kernels.chart.Rules(
            len(leaf), self.start, leaf, branches, unary, binary, np.array(order, np.int32)
        )

    def kernel_chart(
        self, m: int, rule_log: NDArray[np.float64], stored: int = 0, bonus: float = 0.0
    ) -> Any:
        """Return a kernel chart for forms of up to m letters.

        There is capacity for so many stored derivations, which weigh more than others by a bonus.
        """
        return kernels.chart.Chart(
            self.kernel_rules,
            rule_log,
            np.empty((3, m, m + 1, len(self.labels))),
            np.zeros((3, m, m + 1), np.int32),
            np.empty((m * (m + 1) // 2, 2), np.int32),
            np.zeros((2, (m + 1) * len(self.labels) * (m // 64 + 1)), np.uint64),
            np.empty(len(self.unary) + len(self.binary)),
            (np.empty((stored, 3), np.int32), bonus),
        )

    def lists(self, m: int, k: int) -> tuple[NDArray[Any], ...]:
        """Return the memory in which a kernel chart keeps the k best derivations of each cell."""
        cells = m * (m + 1) * len(self.labels)
        return np.empty(cells, np.int32), np.empty((cells, k)), np.empty((cells, k, 4), np.int32)

    def most_nodes(self, m: int) -> int:
        """Return how many nodes a derivation of m letters has at most."""
        return 2 * m * (1 + len(self.unary))


def _parse_line(line: str, place: str) -> list[Rule]:
    parent, arrow, right = line.partition("->")
    if not arrow or len(parent.split()) != 1:
        raise GrammarError(f"{place}: expected 'LABEL -> LABEL LABEL | {STRING}', found {line!r}")
    rules = []
    for side in right.split("|"):
        children = tuple(side.split())
        if not children:
            raise GrammarError(f"{place}: an empty right-hand side; epsilon rules are not allowed")
        if STRING in children and len(children) > 1:
            raise GrammarError(f"{place}: {STRING} must stand alone on its right-hand side")
        rules.append(Rule(parent.strip(), () if children == (STRING,) else children))
    return rules


def _check(rules: tuple[Rule, ...]) -> None:
    if not rules:
        raise GrammarError("the grammar has no rules")
    if len(rules) > MAX_RULES:
        raise GrammarError(f"{len(rules)} rules, more than {MAX_RULES}; is it a grammar of words?")
    for rule, times in Counter(rules).items():
        if times > 1:
            raise GrammarError(f"the rule '{rule}' stands twice")
        if len(rule.children) > MAX_CHILDREN:
            raise GrammarError(
                f"a rule of {rule.parent} has more than {MAX_CHILDREN} parts; write it as several"
            )
    parents = {rule.parent for rule in rules}
    for rule in rules:
        for child in rule.children:
            if child not in parents:
                raise GrammarError(f"no rule says what {child} is; add '{child} -> {STRING}'?")
    _require_all(parents, _productive(rules), "can never end in a string")
    _require_all(parents, _reachable(rules), f"cannot be reached from {rules[0].parent}")
    _unary_order(rules)


def _require_all(labels: Iterable[str], good: set[str], complaint: str) -> None:
    bad = sorted(set(labels) - good)
    if bad:
        raise GrammarError(f"{', '.join(bad)} {complaint}")


def _productive(rules: tuple[Rule, ...]) -> set[str]:
    good: set[str] = set()
    while more := {rule.parent for rule in rules if good.issuperset(rule.children)} - good:
        good |= more
    return good


def _reachable(rules: tuple[Rule, ...]) -> set[str]:
    good = {rules[0].parent}
    while more := {c for rule in rules if rule.parent in good for c in rule.children} - good:
        good |= more
    return good


def _unary_order(rules: tuple[Rule, ...]) -> list[Rule]:
    """Sort the unary rules so that a rule comes after those that build its child."""
    waiting = [rule for rule in rules if len(rule.children) == 1]
    ordered: list[Rule] = []
    while waiting:
        parents = {rule.parent for rule in waiting}
        ready = [rule for rule in waiting if rule.children[0] not in parents]
        if not ready:
            cycle = ", ".join(str(rule) for rule in waiting)
            raise GrammarError(f"unary rules form a cycle ({cycle}); a word would have no end")
        ordered += ready
        waiting = [rule for rule in waiting if rule not in ready]
    return ordered


def _binarise(grammar: Grammar) -> BinaryGrammar:
    labels = {label: number for number, label in enumerate(grammar.labels)}
    names = list(grammar.labels)
    rests: dict[tuple[str, ...], int] = {}  # what stands for two children and more
    binary: list[tuple[int, int, int, int]] = []

    def rest(children: tuple[str, ...]) -> int:
        """Return the label that stands for these children, made on first use."""
        if len(children) == 1:
            return labels[children[0]]
        if children not in rests:
            rests[children] = len(names)
            names.append("@" + "+".join(children))
            binary.append((rests[children], labels[children[0]], rest(children[1:]), -1))
        return rests[children]

    for number, rule in enumerate(grammar.rules):
        if len(rule.children) > 1:
            right = rest(rule.children[1:])
            binary.append((labels[rule.parent], labels[rule.children[0]], right, number))
    return BinaryGrammar(
        labels=tuple(names),
        start=labels[grammar.start],
        leaves=tuple((labels[r.parent], n) for n, r in enumerate(grammar.rules) if not r.children),
        unary=tuple(
            (labels[rule.parent], labels[rule.children[0]], grammar.rule_numbers[rule])
            for rule in _unary_order(grammar.rules)
        ),
        binary=tuple(binary),
    )


PAPER = Grammar.parse(
    """
    ROOT -> WORD
    WORD -> PREFIX WORD | WORD SUFFIX | <string>
    PREFIX -> <string>
    SUFFIX -> <string>
    """
)
COMPOUNDS = Grammar.parse(
    """
    ROOT -> WORD
    WORD -> PREFIX WORD | WORD SUFFIX | WORD WORD | <string>
    PREFIX -> <string>
    SUFFIX -> <string>
    """
)
# Linking elements (*arbeit-s-zimmer, arbeit-s-los, ab-zu-holen*) and circumfixes (*ge-kauf-t*).
LINKS = Grammar.parse(
    """
    ROOT -> WORD
    WORD -> PREFIX WORD | WORD SUFFIX | WORD WORD | <string>
    WORD -> PREFIX WORD SUFFIX | WORD LINK WORD | WORD LINK SUFFIX | PREFIX LINK WORD
    PREFIX -> <string>
    SUFFIX -> <string>
    LINK -> <string>
    """
)
BUILT_IN = {"paper": PAPER, "compounds": COMPOUNDS, "links": LINKS}
# So few circumfixes, as a share of all trees, are errors: the data of 2016 have one.
SLIPS = 0.001


def smallest(trees: Iterable[Tree]) -> Grammar:
    """Return the smallest built-in grammar that has what the trees have."""
    found = [*trees]
    others = [tree for tree in found if not COMPOUNDS.derives(tree)]
    linked = [tree for tree in others if LINKS.derives(tree)]
    has_links = any(leaf.label == LINK for tree in others for leaf in tree.leaves())
    if has_links or len(linked) > SLIPS * len(found):
        return LINKS
    is_larger = any(COMPOUNDS.derives(tree) and not PAPER.derives(tree) for tree in found)
    return COMPOUNDS if is_larger else PAPER
