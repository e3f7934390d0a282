"""The strings that a parser with the paper's features tells apart, and the trees of each.

A string has weights of its own if a feature names it or it is attested. All others weigh alike,
whatever their letters. The sum over the trees of such a string follows from those of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from morphtree._util.arrays import Floats, Ints
from morphtree._util.hashing import hash_text
from morphtree.errors import ModelError
from morphtree.features.span_features import ANY_LABEL, TreeFeatures, label_code
from morphtree.features.templates import Matches
from morphtree.trees.grammar import BinaryGrammar

KNOWN_ATTRIBUTES = {"string", "attested"}  # what depends on a few strings only
ATTESTED = 1  # the value of that attribute


@dataclass(frozen=True)
class Rules:
    """A binary grammar as arrays; the weight of an inner step of a long rule is one."""

    grammar: BinaryGrammar
    closed: dict[int, frozenset[str]]  # labels that spell only these strings

    @property
    def size(self) -> int:
        """The number of labels."""
        return len(self.grammar.labels)

    @cached_property
    def binary(self) -> Ints:
        """Parent, left, right and number of every rule of two children."""
        return np.array(self.grammar.binary, np.int32).reshape(-1, 4)

    def cuts(self, string: str) -> Iterator[tuple[int, int]]:
        """Yield (rule, place) where a rule can cut a string."""
        size = len(string)
        for rule, (_, left, right, _) in enumerate(self.grammar.binary):
            before, after = self.closed.get(left), self.closed.get(right)
            first = max(1, size - self._longest.get(right, size))
            for k in range(first, min(size, self._longest.get(left, size) + 1)):
                if (before is None or string[:k] in before) and (
                    after is None or string[k:] in after
                ):
                    yield rule, k

    @cached_property
    def _longest(self) -> dict[int, int]:
        return {label: max(map(len, listed), default=0) for label, listed in self.closed.items()}


def rules_of(spans: TreeFeatures) -> Rules:
    """Return the rules of a parser; complain if the exact sum does not know them."""
    for template in spans.templates.spans:
        known = template.names and set(template.names) <= KNOWN_ATTRIBUTES
        if not known or template.outcome == "shape":
            raise ModelError(
                f"the exact sum is for the paper's features of trees, not for {template}"
            )
    grammar = spans.grammar.binarised
    closed = {grammar.labels.index(name): s for name, s in spans.knowledge.closed.items()}
    branching = {rule[0] for rule in (*grammar.binary, *grammar.unary)}
    if spans.sparse or branching & closed.keys():
        raise ModelError("the exact sum needs labels that spell any string, or only listed ones")
    return Rules(grammar, closed)


class StringTable:
    """Strings by length, their features, and how they fall into parts; whatever the weights."""

    def __init__(self, spans: TreeFeatures, strings: Iterable[str], longest: int) -> None:
        self.spans = spans
        self.rules = rules_of(spans)
        closed = {string for listed in self.rules.closed.values() for string in listed}
        given = sorted({*strings, *closed} - {""})
        pairs = self._features(given)
        self._require_all(pairs)
        kept = {s for s in (*pairs, *closed) if len(s) <= longest}
        self.strings = sorted(self._with_parts(kept), key=lambda s: (len(s), s))
        self.number = {string: n for n, string in enumerate(self.strings)}
        self.lengths = np.array([len(s) for s in self.strings], np.int32)
        self.own = np.array([s in kept for s in self.strings], bool)  # may have weights
        self.matches = self._match({s: found for s, found in pairs.items() if s in kept})
        self.edges = self._edges()
        self.starts = np.searchsorted(
            self.lengths[self.edges[:, 0]], np.arange(int(self.lengths.max(initial=0)) + 2)
        )

    def _features(self, strings: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
        """Return the features of each string, as (label or -1, number)."""
        index, lexicon = self.spans.index, self.spans.knowledge.lexicon
        labels = {label_code(name): n for n, name in enumerate(self.spans.grammar.labels)}
        labels[ANY_LABEL] = -1
        found: dict[str, list[tuple[int, int]]] = {}
        for string in strings:
            values = {"string": hash_text(string), "attested": ATTESTED * bool(lexicon.get(string))}
            pairs = [
                (labels[int(index.outcomes[number])], number)
                for place, template in enumerate(self.spans.templates.spans)
                if (context := template.context(values, place))
                for number in index.with_context(context)
            ]
            if pairs:
                found[string] = pairs
        return found

    def _require_all(self, pairs: dict[str, list[tuple[int, int]]]) -> None:
        """Complain if the index has features of strings that were not given."""
        known = np.zeros(len(self.spans.index), bool)
        known[self.spans.rule_matches.features] = True
        known[[number for found in pairs.values() for _, number in found]] = True
        for number, template in enumerate(self.spans.templates.spans):
            if template.attributes == "attested":  # fires on nothing if no such word was given
                context = template.context({"attested": ATTESTED}, number)
                known[list(self.spans.index.with_context(context))] = True
        if not known.all():
            raise ModelError(
                f"{int((~known).sum())} features belong to strings that were not given;"
                " the exact sum needs every string with a weight"
            )

    def _with_parts(self, strings: set[str]) -> set[str]:
        """Return the strings with all parts that a rule can cut off, and theirs."""
        found, waiting = set(strings), list(strings)
        while waiting:
            string = waiting.pop()
            for _, k in self.rules.cuts(string):
                for part in (string[:k], string[k:]):
                    if part not in found:
                        found.add(part)
                        waiting.append(part)
        return found

    def _match(self, pairs: dict[str, list[tuple[int, int]]]) -> Matches:
        labels = len(self.spans.grammar.labels)
        cells, features = [], []
        for string, found in pairs.items():
            base = self.number[string] * self.rules.size
            for label, number in found:
                for column in range(labels) if label < 0 else (label,):
                    cells.append(base + column)
                    features.append(number)
        shape = len(self.strings), self.rules.size
        return Matches(np.array(cells, np.int32), np.array(features, np.int32), shape)

    def _edges(self) -> Ints:
        """Return (string, rule, left part, right part), shorter strings first."""
        number = self.number
        edges = [
            (n, rule, number[string[:k]], number[string[k:]])
            for n, string in enumerate(self.strings)
            for rule, k in self.rules.cuts(string)
        ]
        return np.array(edges, np.int32).reshape(-1, 4)

    def level(self, length: int) -> tuple[slice, Ints]:
        """Return the rows of the strings of one length, and their edges."""
        rows = slice(*np.searchsorted(self.lengths, [length, length + 1]).tolist())
        return rows, self.edges[self.starts[length] : self.starts[length + 1]]


class StringValues:
    """The weights of the strings and the sums over their trees, and the way back."""

    def __init__(self, table: StringTable, weights: Floats) -> None:
        self.table = table
        rules = table.rules
        self.rule = np.append(np.exp(table.spans.rule_matches.scores(weights)), 1.0)  # -1: one
        omega = table.matches.scores(weights)  # (strings, labels)
        self.boost, self.excess = np.exp(omega), np.expm1(omega)
        self.leaf = self._leaves()
        self.bare = self.leaf.copy()  # T0: the trees of a string, its own weight left out
        self.sums = np.zeros_like(omega)
        for length in range(1, len(table.starts) - 1):
            rows, edges = table.level(length)
            string, a, b, c, number = self._columns(edges)
            product = self.rule[number] * self.sums[edges[:, 2], b] * self.sums[edges[:, 3], c]
            np.add.at(self.bare, (string, a), product)
            self.sums[rows] = self.boost[rows] * self.bare[rows]
            for parent, child, n in rules.grammar.unary:
                self.sums[rows, parent] += self.rule[n] * self.sums[rows, child]

    def _leaves(self) -> Floats:
        """The weight of spelling each string, (strings, labels)."""
        table, rules = self.table, self.table.rules
        leaf = np.zeros((len(table.strings), rules.size))
        for label, number in rules.grammar.leaves:
            chosen = rules.closed.get(label)
            if chosen is None:
                leaf[:, label] = self.rule[number]
            else:
                leaf[[table.number[s] for s in chosen if s in table.number], label] = self.rule[
                    number
                ]
        return leaf

    def _columns(self, edges: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Return string, parent label, left label, right label and rule number of edges."""
        a, b, c, number = self.table.rules.binary[edges[:, 1]].T
        return edges[:, 0], a, b, c, number

    @cached_property
    def factor(self) -> Floats:
        """What a string's trees are multiplied with beyond what any string has."""
        factor = self.excess.copy()
        for label in self.table.rules.closed:  # has nothing of what any string has
            factor[:, label] = self.boost[:, label]
        return factor

    @property
    def extra(self) -> Floats:
        """What each string adds to the sum over any strings, (strings, labels)."""
        return self.factor * self.bare

    def backward(self, extra: Floats, rules: Floats) -> Floats:
        """Return how often each constituent is expected, given the derivative by `extra`.

        Adds to the expected number of uses of each rule.
        """
        table = self.table
        sums, expected = np.zeros_like(extra), np.zeros_like(extra)
        for length in range(len(table.starts) - 2, 0, -1):
            rows, edges = table.level(length)
            for parent, child, n in reversed(table.rules.grammar.unary):
                flow = self.rule[n] * sums[rows, parent]
                sums[rows, child] += flow
                rules[n] += float(flow @ self.sums[rows, child])
            own = sums[rows] + extra[rows]
            expected[rows] = own * self.boost[rows] * self.bare[rows]
            bare = sums[rows] * self.boost[rows] + extra[rows] * self.factor[rows]
            for label, n in table.rules.grammar.leaves:
                rules[n] += float(bare[:, label] @ self.leaf[rows, label])
            string, a, b, c, number = self._columns(edges)
            left, right = self.sums[edges[:, 2], b], self.sums[edges[:, 3], c]
            flow = bare[string - rows.start, a] * self.rule[number]
            np.add.at(sums, (edges[:, 2], b), flow * right)
            np.add.at(sums, (edges[:, 3], c), flow * left)
            np.add.at(rules, number, flow * left * right)
        return expected
