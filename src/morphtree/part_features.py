"""Features of the parser and of its flat counterpart: from a form to log weights, and back (Eq. 2).

The same span templates serve both; they fire on every constituent, branching or not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from morphtree import _kernels as kernels
from morphtree.chain import Chain, ChainMarginals, ChainPotentials, SegmentChain
from morphtree.chart import Floats, TreeChart, TreeMarginals, TreePotentials
from morphtree.distribution import Distribution
from morphtree.features import (
    Feature,
    FeatureIndex,
    Matches,
    RuleTemplate,
    SpanTemplate,
    Templates,
    code_points,
    hash_text,
    mix,
    seed,
)
from morphtree.grammar import STRING, Grammar
from morphtree.lexicon import Lexicon

ANY_LABEL = 0
RULE = 0


def label_code(label: str) -> int:
    """Return the outcome code of a label: 31 bits of its hash, never zero."""
    return hash_text(label) >> 33 | 1


def named_span_features(
    templates: Iterable[SpanTemplate], lexicon: Lexicon, form: str, start: int, end: int, label: str
) -> Iterator[tuple[Feature, str]]:
    """Yield every feature that fires on one constituent, with its name."""
    codes = code_points(form)
    string = form[start:end]
    for template in templates:
        if template.attested and string not in lexicon:
            continue
        h = mix(seed(template), hash_text(string)) if template.string else seed(template)
        h = kernels.hashing.with_context(h, codes, start, end, template.left, template.right)
        if h == 0:
            continue
        padded = f"^{form}$"
        parts = [f"'{string}'"] if template.string else []
        parts += [f"as {label}"] if template.label else []
        parts += ["is attested"] if template.attested else []
        if template.left:
            parts.append(f"after '{padded[start + 1 - template.left : start + 1]}'")
        if template.right:
            parts.append(f"before '{padded[end + 1 : end + 1 + template.right]}'")
        outcome = label_code(label) if template.label else ANY_LABEL
        yield Feature(int(h), outcome), " ".join(parts)


def named_rule_features(
    templates: Iterable[RuleTemplate], parent: str, children: Iterable[str]
) -> Iterator[tuple[Feature, str]]:
    """Yield every feature of one rule of a grammar, or of one label bigram of a chain."""
    right = " ".join(children) or STRING
    for template in templates:
        name = f"{parent if template.parent else '_'} -> {right if template.children else '_'}"
        yield Feature(hash_text(name, seed(template)), RULE), name


class PartFeatures(ABC):
    """Templates, labels, lexicon and index of a model of a form's parts: all but its weights."""

    def __init__(
        self, templates: Templates, labels: tuple[str, ...], lexicon: Lexicon, index: FeatureIndex
    ) -> None:
        self.templates = templates
        self.labels = labels
        self.lexicon = lexicon
        self.index = index
        slots = {label_code(label): number for number, label in enumerate(labels)}
        slots[ANY_LABEL] = len(labels)
        self._slots = index.slots(slots)
        self._seeds = np.array([seed(t) for t in templates.spans], np.uint64)
        self._sizes = np.array(
            [[t.string, t.attested, t.left, t.right] for t in templates.spans], np.int32
        ).reshape(-1, 4)
        self._rule_matches = self._match_rules()

    def match(self, form: str) -> Matches:
        """Find the features that fire on the spans of a form."""
        table = self.lexicon.table
        arguments = (
            code_points(form), len(self.labels), self._seeds, self._sizes,
            table.keys, table.rows, *self.index.arrays, self._slots,
        )  # fmt: skip
        shape = len(form), len(form) + 1, len(self.labels)
        return Matches.by(kernels.hashing.span_features, arguments, shape)

    @abstractmethod
    def distribution(self, form: str, match: Matches, weights: Floats) -> Distribution[Any]:
        """Return the distribution over the structures of a form."""

    @abstractmethod
    def add_expected(self, match: Matches, expected: Any, gradient: Floats, scale: float) -> None:
        """Add how often each feature is expected to fire on a form."""

    @abstractmethod
    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """List (cell, parent, children) of all that rule templates apply to."""

    @abstractmethod
    def _rule_shape(self) -> tuple[int, ...]:
        """Return the shape of the array that those cells are in."""

    def _match_rules(self) -> Matches:
        pairs = [
            (cell, self.index.numbers[feature])
            for cell, parent, children in self._rules()
            for feature, _ in named_rule_features(self.templates.rules, parent, children)
            if feature in self.index.numbers
        ]
        cells, features = np.array(pairs, np.int32).reshape(-1, 2).T
        return Matches(cells, features, self._rule_shape())


class TreeFeatures(PartFeatures):
    """Features of a parser under a grammar."""

    def __init__(
        self, templates: Templates, grammar: Grammar, lexicon: Lexicon, index: FeatureIndex
    ) -> None:
        self.grammar = grammar
        super().__init__(templates, grammar.labels, lexicon, index)

    def distribution(self, form: str, match: Matches, weights: Floats) -> TreeChart:
        """Return the chart of a form."""
        scores = match.scores(weights)
        rules = self._rule_matches.scores(weights)
        return TreeChart(TreePotentials(scores, scores, rules), form, self.grammar)

    def add_expected(
        self, match: Matches, expected: TreeMarginals, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a form."""
        match.add_expected(expected.leaf + expected.span, gradient, scale)
        self._rule_matches.add_expected(expected.rules, gradient, scale)

    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        return [(number, *rule) for number, rule in enumerate(self.grammar.rules)]

    def _rule_shape(self) -> tuple[int, ...]:
        return (len(self.grammar.rules),)


class ChainFeatures(PartFeatures):
    """Features of a flat chain of segments."""

    def __init__(
        self, templates: Templates, chain: Chain, lexicon: Lexicon, index: FeatureIndex
    ) -> None:
        self.chain = chain
        super().__init__(templates, chain.labels, lexicon, index)

    def distribution(self, form: str, match: Matches, weights: Floats) -> SegmentChain:
        """Return the chain of a form."""
        bigrams = self._rule_matches.scores(weights)
        return SegmentChain(ChainPotentials(match.scores(weights), bigrams), form, self.chain)

    def add_expected(
        self, match: Matches, expected: ChainMarginals, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a form."""
        match.add_expected(expected.segments, gradient, scale)
        self._rule_matches.add_expected(expected.bigrams, gradient, scale)

    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        names = [*self.labels, "BOUNDARY"]
        return [
            (len(names) * a + b, last, (after,))
            for a, last in enumerate(names)
            for b, after in enumerate(names)
        ]

    def _rule_shape(self) -> tuple[int, ...]:
        return len(self.labels) + 1, len(self.labels) + 1
