"""Feature templates declared as data, and the index of the features a model knows.

A feature is a context and an outcome. The context is a stable 64-bit hash of what a template
looks at; the outcome says which decision is being scored there. Nothing depends on Python's own
hashes, on the machine, or on whether the kernels are compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree._kernels._layout import (
    ATTRIBUTES,
    KEY_SHIFT,
    LETTERS,
    MOST_DIGITS,
    SIZES,
    TEMPLATE_BITS,
    VALUE_BITS,
)
from morphtree._util.arrays import Hashes, Ints
from morphtree._util.hashing import HashTable, hash_text, mix
from morphtree.errors import ModelError


class Feature(NamedTuple):
    """What the template saw (a hash), and the decision it is about (a code)."""

    context: int
    outcome: int


@dataclass(frozen=True)
class EditTemplate:
    """What to look at when an edit is scored."""

    edit: bool = True  # the letters read and written; otherwise only copy, change, insert, delete
    left: int = 0  # letters of the word before the edit
    right: int = 0  # letters of the word after the edit
    previous: bool = False  # the letter of the form that was written last

    def __post_init__(self) -> None:
        if self.previous and (self.left or self.right or not self.edit):
            raise ModelError("the letter written last goes with the edit itself and nothing else")

    def __str__(self) -> str:
        parts = [
            name if value is True else f"{name}={value}"
            for name, value in vars(self).items()
            if value
        ]
        return f"edit({', '.join(parts)})"


@dataclass(frozen=True)
class SpanTemplate:
    """What to look at when a constituent is scored, and what to tell apart.

    ``attributes`` are joined by "+". ``outcome`` is the label, the label and whether it branches
    ("shape"), or nothing ("any"). ``of`` restricts it to labels of the closed or open class.
    """

    attributes: str
    outcome: Literal["any", "label", "shape"] = "any"
    of: Literal["all", "open", "closed"] = "all"

    def __post_init__(self) -> None:
        unknown = [name for name in self.names if name not in ATTRIBUTES]
        if unknown:
            known = ", ".join(ATTRIBUTES)
            raise ModelError(f"a span template looks at {known}, not at {unknown[0][:40]}")
        if len({*self.names}) < len(self.names):
            raise ModelError(f"{self} looks at an attribute twice")
        if self.outcome == "any" and self.of != "all":
            raise ModelError("a template for any label cannot be restricted to some labels")
        values = prod(SIZES[name] for name in self.digits)
        if values > 1 << VALUE_BITS or len(self.digits) > MOST_DIGITS:
            raise ModelError(f"{self} tells too many cases apart; leave an attribute out")

    @cached_property
    def names(self) -> list[str]:
        """The names of its attributes."""
        return [name for name in self.attributes.split("+") if name]

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Its attributes over letters, which are hashed."""
        return tuple(sorted(LETTERS.intersection(self.names), key=ATTRIBUTES.index))

    @cached_property
    def digits(self) -> tuple[str, ...]:
        """Its other attributes, which are small numbers."""
        return tuple(name for name in self.names if name not in LETTERS)

    @cached_property
    def key_seed(self) -> int:
        """What the hash of its attributes over letters starts from; 0 if it has none."""
        if not self.letters:
            return 0
        return hash_text(f"{self.outcome} {self.of} {'+'.join(self.letters)}")

    def context(self, values: Mapping[str, int], number: int) -> int:
        """Pack the values of its attributes, given its number in the model; see `_layout.py`.

        0 if one of the values is 0, for then it does not fire.
        """
        if not all(values[name] for name in self.names):
            return 0
        key = int(reduce(mix, [values[name] for name in self.letters], self.key_seed))
        value = reduce(lambda v, name: v * SIZES[name] + values[name], self.digits, 0)
        return key >> KEY_SHIFT << KEY_SHIFT | (number + 1) << VALUE_BITS | value

    def __str__(self) -> str:
        return f"span({self.attributes}, {self.outcome}, {self.of})"


@dataclass(frozen=True)
class RuleTemplate:
    """What to look at when a rule of the grammar, or a label bigram of a chain, is scored."""

    parent: bool = True
    children: bool = True

    def __str__(self) -> str:
        parts = [name for name, value in vars(self).items() if value]
        return f"rule({', '.join(parts)})"


Template = EditTemplate | SpanTemplate | RuleTemplate


@dataclass(frozen=True)
class Templates:
    """All templates of a model."""

    edits: tuple[EditTemplate, ...]
    spans: tuple[SpanTemplate, ...]
    rules: tuple[RuleTemplate, ...]

    def __post_init__(self) -> None:
        if len(self.spans) + 1 >= 1 << TEMPLATE_BITS:
            raise ModelError(f"a model can have {(1 << TEMPLATE_BITS) - 2} span templates at most")


@cache
def seed(template: Template) -> int:
    """Return the number that every context of a template starts from."""
    return hash_text(str(template))


def seeds(templates: Iterable[Template]) -> Hashes:
    """Return the seeds of some templates, for the kernels."""
    return np.array([seed(template) for template in templates], np.uint64)


class FeatureIndex:
    """The features a model knows, numbered by context and outcome; frozen once made."""

    def __init__(
        self, contexts: Hashes, outcomes: NDArray[np.int64], bases: Ints | None = None
    ) -> None:
        if not _sorted(contexts, outcomes):  # those of a model's file are
            order = np.lexsort((outcomes, contexts))
            contexts, outcomes = contexts[order], outcomes[order]
            new = np.ones(len(contexts), bool)
            new[1:] = (contexts[1:] != contexts[:-1]) | (outcomes[1:] != outcomes[:-1])
            contexts, outcomes = contexts[new], outcomes[new]
        self.contexts: Hashes = contexts
        self.outcomes: NDArray[np.int64] = outcomes
        self.bases = bases  # of the rows of span features, once they are known; see span_index.py

    @cached_property
    def starts(self) -> Ints:
        """The first feature of each context."""
        first = np.ones(len(self.contexts), bool)
        first[1:] = self.contexts[1:] != self.contexts[:-1]
        return np.flatnonzero(first).astype(np.int32)

    @cached_property
    def table(self) -> HashTable:
        """The number of each context's first feature."""
        return HashTable(self.contexts[self.starts], self.starts)

    @cached_property
    def ends(self) -> Ints:
        """Where the features of a feature's context end."""
        bounds = np.append(self.starts, len(self.contexts)).astype(np.int32)
        return np.repeat(bounds[1:], np.diff(bounds))

    @staticmethod
    def of(features: Iterable[Feature]) -> FeatureIndex:
        """Make an index of some features."""
        pairs = [*features]
        return FeatureIndex(
            np.array([pair.context for pair in pairs], np.uint64),
            np.array([pair.outcome for pair in pairs], np.int64),
        )

    @staticmethod
    def stored(
        contexts: Hashes, outcomes: NDArray[np.int64], bases: Ints | None = None
    ) -> FeatureIndex:
        """Return an index of features that a file has in order; other arrays go by their order."""
        index = FeatureIndex(contexts, outcomes, bases)
        if index.contexts is not contexts:
            raise ModelError("the features are not in order, or one is there twice")
        return index

    def keep(self, chosen: NDArray[np.bool_]) -> FeatureIndex:
        """Return an index of some of the features, in the same order."""
        return FeatureIndex(self.contexts[chosen], self.outcomes[chosen])

    def __len__(self) -> int:
        return len(self.contexts)

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """All features in order."""
        pairs = zip(self.contexts.tolist(), self.outcomes.tolist(), strict=True)
        return tuple(Feature(*pair) for pair in pairs)

    @cached_property
    def numbers(self) -> Mapping[Feature, int]:
        """The number of every feature."""
        return {feature: number for number, feature in enumerate(self.features)}

    def with_context(self, context: int) -> range:
        """Return the numbers of the features that share a context."""
        first = self.table.find(context)
        return range(first, self.ends[first]) if first >= 0 else range(0)

    def find(self, feature: Feature) -> int:
        """Return the number of a feature, or -1."""
        same = self.with_context(feature.context)
        place = same.start + int(
            np.searchsorted(self.outcomes[same.start : same.stop], feature.outcome)
        )
        return place if place in same and self.outcomes[place] == feature.outcome else -1

    def slots(self, slot_of: Mapping[int, int]) -> Ints:
        """Translate the outcome of every feature into the slot that the kernels use."""
        known = np.array(sorted(slot_of), np.int64)
        slots = np.array([slot_of[outcome] for outcome in known.tolist()], np.int32)
        places = np.minimum(np.searchsorted(known, self.outcomes), len(known) - 1)
        strange = self.outcomes[known[places] != self.outcomes]
        if len(strange):
            raise ModelError(f"a feature scores an unknown outcome ({strange[0]})")
        return slots[places]

    @property
    def arrays(self) -> tuple[Any, Ints]:
        """The table of each context's first feature, and where its features end."""
        return self.table.kernel, self.ends


def _sorted(contexts: Hashes, outcomes: NDArray[np.int64]) -> bool:
    """Whether features are in order, and each is there once."""
    same = contexts[1:] == contexts[:-1]
    return not (
        (contexts[1:] < contexts[:-1]).any() or (same & (outcomes[1:] <= outcomes[:-1])).any()
    )


@dataclass(frozen=True)
class Matches:
    """Which feature adds to which cell of an array of potentials: a sparse matrix of ones."""

    cells: Ints
    features: Ints
    shape: tuple[int, ...]

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the weights of the features that fire in each cell."""
        size = int(np.prod(self.shape))
        sums = np.bincount(self.cells, weights[self.features], size)
        return sums.astype(np.float64, copy=False).reshape(self.shape)

    def add_expected(
        self, counts: NDArray[np.float64], gradient: NDArray[np.float64], scale: float
    ) -> None:
        """Add how often each feature is expected, given how often each cell is."""
        values = scale * counts.reshape(-1)[self.cells]
        np.add.at(gradient, self.features, values)

    def by_cell(self) -> tuple[Ints, Ints]:
        """Return starts and features, sorted by cell, for the kernels."""
        order = np.argsort(self.cells, kind="stable")
        starts = np.searchsorted(self.cells[order], np.arange(np.prod(self.shape) + 1))
        return starts.astype(np.int32), self.features[order].astype(np.int32)
