"""Features of the parser and of its flat counterpart: from a form to log weights, and back (Eq. 2).

The same span templates serve both; they fire on every constituent, branching or not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._kernels._layout import ATTRIBUTES, COMPUTED, KEY_SHIFT, NUMBER
from morphtree._util.arrays import Floats, Hashes, Ints
from morphtree._util.capacity import ENOUGH, FEW_ROWS, Capacity
from morphtree._util.hashing import HashTable, code_points, hash_text
from morphtree.features.potentials import (
    ChainMarginals,
    ChainPotentials,
    TreeMarginals,
    TreePotentials,
)
from morphtree.features.span_attributes import TABLE, SpanText
from morphtree.features.span_index import Group, SpanIndex, padded, strides
from morphtree.features.templates import (
    Feature,
    FeatureIndex,
    Matches,
    RuleTemplate,
    SpanTemplate,
    Templates,
    seed,
)
from morphtree.lexicon.lexicon import Knowledge
from morphtree.trees.chain import Chain
from morphtree.trees.grammar import STRING, Grammar

ANY_LABEL = 0
RULE = 0
SPELT, BRANCHING = 1, 2
NOT_STORED = -1  # of a span; _kernels/stored.pxd
LISTS, LISTED_ROWS = 1 << 11, 1 << 14  # of the index, kept at hand for letters seen before
PARADIGMS = 1 << 12  # strings whose paradigms are kept at hand


def label_code(label: str, shape: int = 0) -> int:
    """Return the outcome code of a label, or of a label that is spelt or branches."""
    return hash_text(label) >> 33 << 2 | 4 | shape


def outcome_code(template: SpanTemplate, label: str, branching: bool) -> int:
    """Return the outcome that a template scores on a constituent."""
    if template.outcome == "any":
        return ANY_LABEL
    shape = BRANCHING if branching else SPELT
    return label_code(label, shape if template.outcome == "shape" else 0)


def named_rule_features(
    templates: Iterable[RuleTemplate], parent: str, children: Iterable[str]
) -> Iterator[tuple[Feature, str]]:
    """Yield every feature of one rule of a grammar, or of one label bigram of a chain."""
    right = " ".join(children) or STRING
    for template in templates:
        name = f"{parent if template.parent else '_'} -> {right if template.children else '_'}"
        context = hash_text(name, seed(template)) >> KEY_SHIFT << KEY_SHIFT  # of no span template
        yield Feature(context, RULE), name


class Constituent(NamedTuple):
    """A label over a span of a form, and whether it branches there."""

    start: int
    end: int
    label: str
    branching: bool


class NamedFeature(NamedTuple):
    """A feature that fires, what it sees and scores in words, and the template that made it."""

    feature: Feature
    name: str
    template: SpanTemplate


def named_span_features(
    spans: SpanFeatures, word: str, form: str, constituents: Sequence[Constituent]
) -> Iterator[list[NamedFeature]]:
    """Yield the features that fire on each constituent of a form, with their names."""
    places = np.array([c[:2] for c in constituents], np.int32).reshape(-1, 2)
    for values, found in zip(spans.attributes(word, form, places), constituents, strict=True):
        closed = found.label in spans.knowledge.closed
        span = SpanText(word, form, found.start, found.end)
        yield [
            NamedFeature(
                Feature(context, outcome_code(template, *found[2:])),
                _name(template, values, span, found),
                template,
            )
            for number, template in enumerate(spans.templates.spans)
            if template.of == "all" or (template.of == "closed") == closed
            if (context := template.context(values, number))
        ]


def _name(
    template: SpanTemplate, values: Mapping[str, int], span: SpanText, found: Constituent
) -> str:
    """Say what a template sees in a span, and which decision it scores."""
    seen = ", ".join(TABLE[name].words(values[name], span) for name in template.names)
    shape = f"{'branching' if found.branching else 'spelt'} {found.label}"
    scored = {"any": "", "label": f" as {found.label}", "shape": f" as {shape}"}
    return f"{seen}{scored[template.outcome]}".strip()


class FormMatches(NamedTuple):
    """The features that fire on one form of a word; arrays (m, m+1, labels)."""

    leaf: Matches  # where the label spells the span
    span: Matches  # where it branches over it
    allowed: NDArray[np.bool_]  # whether the label over the span is part of any parse
    spelt: NDArray[np.bool_]  # whether it may spell it there
    stored: Ints  # (m, m+1)  number of the span's string among the stored forms


class SpanFeatures(ABC):
    """Templates, labels, knowledge and index of a model of a form's spans: all but its weights."""

    grammar: Grammar

    def __init__(
        self,
        templates: Templates,
        labels: tuple[str, ...],
        knowledge: Knowledge,
        index: FeatureIndex,
    ) -> None:
        self.templates = templates
        self.labels = labels
        self.knowledge = knowledge
        self.index = index
        self.rule_matches = self._match_rules()

    def match(self, word: str, form: str) -> FormMatches:
        """Find the features that fire on the spans of a form of a word."""
        m, labels = len(form), len(self.grammar.labels)
        need, spells = np.zeros((2, m, m + 1), np.int32)
        stored = np.full((m, m + 1), NOT_STORED, np.int32)
        codes = code_points(word), code_points(form)
        capacity = Capacity(features=1 << 12)

        def attempt() -> tuple[int, Ints]:
            workspace = self.workspace(max(len(word), m), 8 * capacity.features)
            found = np.empty((capacity.features, 4), np.int32)
            count = kernels.spans.span_matches(
                self.kernel_tables, workspace, *codes, found, need, spells, stored
            )
            return ENOUGH if 0 <= count <= len(found) else FEW_ROWS, found[:count]

        found = capacity.retry(attempt)
        allowed = (need[:, :, None] >> np.arange(labels)) & 1 == 1
        spelt = allowed & ((spells[:, :, None] >> np.arange(labels)) & 1 == 1)
        shape = m, m + 1, labels
        return FormMatches(
            _of_shape(found, SPELT, shape), _of_shape(found, BRANCHING, shape),
            allowed, spelt, stored,
        )  # fmt: skip

    def workspace(self, longest: int, capacity: int = 1 << 15, rows: int = 0) -> Any:
        """Return a workspace for the span kernels."""
        rows = rows or capacity // 4
        side = longest + 1
        places = 1 << (4 * rows).bit_length()
        slots = 1 + 3 * len(self.grammar.labels)
        strings = max(
            (len(s) for found in self.knowledge.closed.values() for s in found), default=0
        )
        sets = len(self.grammar.binarised.labels), side, side // 64 + 1
        endings = len(self.knowledge.endings)
        square, letters = (side, side), (side, len(COMPUTED["letters"]))
        return kernels.span_tables.Spans(
            (
                np.zeros(square, np.int32), np.zeros(side, np.int32), np.zeros(square, np.int32),
                np.zeros(side, np.int64), *np.zeros((2, side), np.int32),
                np.zeros(endings, np.uint64), np.zeros(endings, np.int32),
                np.zeros(side + 7, np.uint64),
            ),
            (
                np.zeros(square, np.uint64), np.zeros(square, np.uint64),
                *np.zeros((3, *square), np.int32), np.zeros(PARADIGMS, np.uint64),
            ),
            (
                *np.zeros((4, *square), np.int32), np.zeros(side, np.int32),
                *np.zeros((2, *sets), np.uint64), *np.zeros((2, side, strings + 2), np.int32),
                np.full(square, NOT_STORED, np.int32),
            ),
            (
                np.zeros(len(ATTRIBUTES), np.uint64),
                np.zeros(len(ATTRIBUTES) + len(self.templates.spans), np.int32),
                *np.zeros((2, *letters), np.uint64),
            ),
            self._list_arrays(),
            (
                np.zeros(places, np.uint64),
                np.full(places, -1, np.int32),
                np.zeros(rows, np.int32),
            ),
            (
                np.zeros(rows + 1, np.int32),
                np.zeros(capacity, np.int32),
                np.zeros(capacity, np.int32),
            ),
            (np.zeros((rows, slots)), np.zeros((rows, slots)), np.zeros(len(self.index))),
        )  # fmt: skip

    def _list_arrays(self) -> tuple[Any, ...]:
        """Return the part of a workspace in which matching rows and cells are listed."""
        most = self.span_index.most_rows
        lookups = most + len(self.knowledge.endings)
        return (
            np.zeros(LISTS, np.uint64), np.zeros((LISTS, 2), np.int32),
            np.zeros((LISTS, max(2, self.span_index.lanes))),
            np.zeros((max(LISTED_ROWS, 4 * lookups), 2), np.int32),
            np.zeros(lookups, np.uint64),
            np.zeros(most, np.int32),
        )  # fmt: skip

    @cached_property
    def span_index(self) -> SpanIndex:
        """The index as the kernels search it."""
        names = self.grammar.labels
        slots = {ANY_LABEL: 0}
        for label in self.labels:
            for shape in (0, SPELT, BRANCHING):
                slots[label_code(label, shape)] = 1 + 3 * names.index(label) + shape
        return SpanIndex(self.templates.spans, self._groups(), self.index, self.index.slots(slots))

    def _groups(self) -> list[Group]:
        """Put the span templates into groups."""
        every, closed = set(self.labels), set(self.knowledge.closed)
        scopes = {"all": every, "closed": every & closed, "open": every - closed}
        found: dict[tuple[str, str], list[int]] = {}
        for number, template in enumerate(self.templates.spans):
            found.setdefault((template.outcome, template.of), []).append(number)
        return [Group(tuple(numbers), self._bits(scopes[of])) for (_, of), numbers in found.items()]

    @cached_property
    def kernel_tables(self) -> Any:
        """Everything that the span kernels need to know of this model."""
        names = self.grammar.labels
        closed = self.knowledge.closed
        return kernels.span_tables.SpanTables(
            self.grammar.binarised.kernel_rules,
            (
                len(names),
                self._bits(self.labels),
                self._bits(closed),
                max((len(s) for strings in closed.values() for s in strings), default=0),
                self.sparse,
            ),
            self._template_arrays(),
            self.span_index.kernel,
            self._closed_table(),
            (*self.knowledge.lexicon.arrays, *self.knowledge.ending_arrays()),
            HashTable(self.knowledge.stems).kernel,
            self.knowledge.stored.kernel_steps(self.grammar),
        )

    @property
    def sparse(self) -> bool:
        """Whether of two words in a compound one must be known: if compounds and words are."""
        closed = self.knowledge.closed
        branching = {rule.parent for rule in self.grammar.rules if len(rule.children) > 1}
        compounds = any(
            sum(child in branching for child in rule.children) > 1 for rule in self.grammar.rules
        )
        return compounds and bool(closed) and len(self.knowledge.lexicon) > 0

    def _bits(self, labels: Iterable[str]) -> int:
        return sum(1 << self.grammar.labels.index(label) for label in labels)

    def _template_arrays(self) -> tuple[Hashes, Ints, Ints, Ints]:
        spans = self.templates.spans
        numbers = [[NUMBER[name] for name in (*t.letters, *t.digits)] for t in spans]
        worth = [[*[0] * len(t.letters), *strides(t.digits)] for t in spans]
        used = sorted({number for row in numbers for number in row})
        return (
            np.array([t.key_seed for t in spans], np.uint64), padded(numbers), padded(worth, 0),
            np.array(used, np.int32),
        )  # fmt: skip

    def _closed_table(self) -> Any:
        labels_of: dict[int, int] = {}
        for label, strings in self.knowledge.closed.items():
            for string in strings:
                h = hash_text(string)
                labels_of[h] = labels_of.get(h, 0) | self._bits([label])
        return HashTable(labels_of, np.array([*labels_of.values()], np.int32)).kernel

    def contexts(self, word: str, form: str, places: Ints, workspace: Any) -> Hashes:
        """Hash what every template sees in some spans: (places, templates), 0 where it is mute."""
        out = np.empty((len(places), len(self.templates.spans)), np.uint64)
        codes = code_points(word), code_points(form)
        kernels.spans.span_contexts(self.kernel_tables, workspace, *codes, places, out)
        return out

    def attributes(self, word: str, form: str, places: Ints) -> list[dict[str, int]]:
        """Return the values of the attributes of some spans of a form, (places, 2)."""
        values = np.empty((len(places), len(ATTRIBUTES)), np.uint64)
        codes = code_points(word), code_points(form)
        workspace = self.workspace(max(len(word), len(form)))
        kernels.spans.span_attributes(self.kernel_tables, workspace, *codes, places, values)
        return [dict(zip(ATTRIBUTES, row, strict=True)) for row in values.tolist()]

    @abstractmethod
    def potentials(self, match: FormMatches, weights: Floats) -> Any:
        """Score all that structures of a form are made of."""

    @abstractmethod
    def add_expected(
        self, match: FormMatches, expected: Any, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a form."""

    @abstractmethod
    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """List (number of a rule, parent, children) of all that rule templates apply to."""

    def _match_rules(self) -> Matches:
        """Find the features of the grammar's rules."""
        pairs = [
            (rule, number)
            for rule, parent, children in self._rules()
            for feature, _ in named_rule_features(self.templates.rules, parent, children)
            if (number := self.index.find(feature)) >= 0
        ]
        cells, features = np.array(pairs, np.int32).reshape(-1, 2).T
        return Matches(cells, features, (len(self.grammar.rules),))


def _of_shape(found: Ints, shape: int, size: tuple[int, ...]) -> Matches:
    """Pick the matches that count for one shape; those of any label count for all of them."""
    _, side, labels = size
    start, end, slot, feature = found.T
    base = (start * side + end) * labels
    own = (slot > 0) & (((slot - 1) % 3 == 0) | ((slot - 1) % 3 == shape))
    cells = [base[own] + (slot[own] - 1) // 3]
    features = [feature[own]]
    for label in range(labels):
        cells.append(base[slot == 0] + label)
        features.append(feature[slot == 0])
    return Matches(np.concatenate(cells), np.concatenate(features), size)


class TreeFeatures(SpanFeatures):
    """Features of a parser under a grammar."""

    def __init__(
        self, templates: Templates, grammar: Grammar, knowledge: Knowledge, index: FeatureIndex
    ) -> None:
        self.grammar = grammar
        super().__init__(templates, grammar.labels, knowledge, index)

    def potentials(self, match: FormMatches, weights: Floats) -> TreePotentials:
        """Score the anchored productions of a form."""
        leaf, span = match.leaf.scores(weights), match.span.scores(weights)
        leaf[~match.spelt] = span[~match.allowed] = -np.inf
        stored = self._follow_stored(match.stored, leaf, span)
        bonus = self.knowledge.stored.weight
        return TreePotentials(leaf, span, self.rule_matches.scores(weights), stored, bonus)

    def _follow_stored(self, numbers: Ints, leaf: Floats, span: Floats) -> Ints:
        """Lower the weights of what is not stored; return the stored splits, which rise again."""
        knowledge, rules = self.knowledge.stored, self.grammar.rules
        branching = [*self.grammar.branching]
        splits = []
        for i, j in np.argwhere(numbers != NOT_STORED).tolist():
            number = int(numbers[i, j])
            steps = knowledge.last_steps(number) if number >= 0 else []
            if all(rules[step.rule].children for step in steps):
                leaf[i, j, branching] -= knowledge.weight
            span[i, j, branching] -= knowledge.weight
            splits += [(i, i + first, j, rule) for rule, first in steps if 0 < first < j - i]
        return np.array(splits, np.int32).reshape(-1, 4)

    def add_expected(
        self, match: FormMatches, expected: TreeMarginals, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a form."""
        match.leaf.add_expected(expected.leaf, gradient, scale)
        match.span.add_expected(expected.span, gradient, scale)
        self.rule_matches.add_expected(expected.rules, gradient, scale)

    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        return [(number, *rule) for number, rule in enumerate(self.grammar.rules)]


class ChainFeatures(SpanFeatures):
    """Features of a flat chain of segments."""

    def __init__(
        self, templates: Templates, chain: Chain, knowledge: Knowledge, index: FeatureIndex
    ) -> None:
        self.chain = chain
        self.grammar = chain.grammar
        super().__init__(templates, chain.labels, knowledge, index)

    def potentials(self, match: FormMatches, weights: Floats) -> ChainPotentials:
        """Score the segments of a form and the label bigrams."""
        columns = [self.grammar.labels.index(label) for label in self.labels]
        segments = match.leaf.scores(weights)
        segments[~match.spelt] = -np.inf
        return ChainPotentials(segments[:, :, columns], self._bigrams(weights))

    def add_expected(
        self, match: FormMatches, expected: ChainMarginals, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a form."""
        counts = np.zeros(match.leaf.shape)
        columns = [self.grammar.labels.index(label) for label in self.labels]
        counts[:, :, columns] = expected.segments
        match.leaf.add_expected(counts, gradient, scale)
        self._bigram_matches.add_expected(expected.bigrams, gradient, scale)

    def _bigrams(self, weights: Floats) -> Floats:
        return self._bigram_matches.scores(weights)

    @cached_property
    def _bigram_matches(self) -> Matches:
        """The features of one label after another: an array (labels+1, labels+1)."""
        names = [*self.labels, "BOUNDARY"]
        pairs = [
            (len(names) * a + b, number)
            for a, last in enumerate(names)
            for b, after in enumerate(names)
            for feature, _ in named_rule_features(self.templates.rules, last, (after,))
            if (number := self.index.find(feature)) >= 0
        ]
        cells, features = np.array(pairs, np.int32).reshape(-1, 2).T
        return Matches(cells, features, (len(names), len(names)))

    def _rules(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """A rule of the chain's grammar takes a step, and perhaps a second one to the end."""
        names = [*self.labels, "BOUNDARY"]
        steps: list[tuple[int, str, tuple[str, ...]]] = []
        for number, (_, step) in enumerate(self.chain.rules):
            if step is not None:
                steps.append((number, names[step.last], (names[step.next],)))
                if step.ends:
                    steps.append((number, names[step.next], ("BOUNDARY",)))
        return steps
