"""Feature templates declared as data, and the index of the features a model knows.

A feature is a context and an outcome. The context is a stable 64-bit hash of what a template
looks at; the outcome says which decision is being scored there. Nothing depends on Python's own
hashes, on the machine, or on whether the kernels are compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.errors import ModelError

Ints = NDArray[np.int32]
mix = kernels.hashing.mix


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
        return _name("edit", self)


@dataclass(frozen=True)
class SpanTemplate:
    """What to look at when a constituent is scored."""

    string: bool = False  # its string
    label: bool = False  # its label
    attested: bool = False  # fires only if the string is in the lexicon
    left: int = 0  # letters of the form before it
    right: int = 0  # letters of the form after it

    def __str__(self) -> str:
        return _name("span", self)


@dataclass(frozen=True)
class RuleTemplate:
    """What to look at when a rule of the grammar, or a label bigram of a chain, is scored."""

    parent: bool = True
    children: bool = True

    def __str__(self) -> str:
        return _name("rule", self)


def _name(kind: str, template: object) -> str:
    parts = [
        name if value is True else f"{name}={value}"
        for name, value in vars(template).items()
        if value
    ]
    return f"{kind}({', '.join(parts)})"


@dataclass(frozen=True)
class Templates:
    """All templates of a model."""

    edits: tuple[EditTemplate, ...]
    spans: tuple[SpanTemplate, ...]
    rules: tuple[RuleTemplate, ...]


_EDITS = (
    EditTemplate(edit=False),
    EditTemplate(),
    *(EditTemplate(left=size) for size in range(1, 7)),
    *(EditTemplate(right=size) for size in range(1, 7)),
    EditTemplate(previous=True),
)

# The paper's templates (section 3, and the transducer of Cotterell, Vieira & Schuetze 2016).
PAPER = Templates(
    edits=_EDITS,
    spans=(
        SpanTemplate(string=True),
        SpanTemplate(string=True, label=True),
        SpanTemplate(attested=True),
    ),
    rules=(RuleTemplate(), RuleTemplate(children=False), RuleTemplate(parent=False)),
)

# The flat baseline: segments, their context, label bigrams.
PAPER_CHAIN = Templates(
    edits=_EDITS,
    spans=(
        *PAPER.spans,
        SpanTemplate(string=True, left=1),
        SpanTemplate(string=True, right=1),
    ),
    rules=(RuleTemplate(),),
)


def seed(template: EditTemplate | SpanTemplate | RuleTemplate) -> int:
    """Return the number that every context of a template starts from."""
    return hash_text(str(template))


def hash_text(text: str, start: int = 0) -> int:
    """Hash a string by its code points, as the kernels do."""
    h = start
    for letter in text:
        h = mix(h, ord(letter))
    return int(h)


def code_points(text: str) -> NDArray[np.int64]:
    """Return the code points of a string as the kernels read them."""
    return np.fromiter(map(ord, text), np.int64, len(text))


class HashTable:
    """A frozen map from 64-bit keys to row numbers, open-addressed, at most half full."""

    def __init__(self, keys: Iterable[int]) -> None:
        keys = list(keys)
        capacity = 1 << max(3, (2 * len(keys)).bit_length())
        self.keys = np.zeros(capacity, np.uint64)
        self.rows = np.full(capacity, -1, np.int32)
        for row, key in enumerate(keys):
            kernels.hashing.insert(self.keys, self.rows, key, row)

    def find(self, key: int) -> int:
        """Return the row of a key, or -1."""
        return int(kernels.hashing.look_up(self.keys, self.rows, key))


class FeatureIndex:
    """The features a model knows, numbered; frozen once made."""

    def __init__(self, features: Iterable[Feature]) -> None:
        self.features = tuple(sorted(set(features)))
        contexts = list(dict.fromkeys(feature.context for feature in self.features))
        self.table = HashTable(contexts)
        self.starts = np.searchsorted(
            np.array([f.context for f in self.features], np.uint64),
            np.array([*contexts], np.uint64),
        ).astype(np.int32)
        self.starts = np.append(self.starts, np.int32(len(self.features)))

    def __len__(self) -> int:
        return len(self.features)

    @cached_property
    def numbers(self) -> Mapping[Feature, int]:
        """The number of every feature."""
        return {feature: number for number, feature in enumerate(self.features)}

    def with_context(self, context: int) -> range:
        """Return the numbers of the features that share a context."""
        row = self.table.find(context)
        return range(self.starts[row], self.starts[row + 1]) if row >= 0 else range(0)

    def slots(self, slot_of: Mapping[int, int]) -> Ints:
        """Translate the outcome of every feature into the slot that the kernels use."""
        try:
            return np.array([slot_of[f.outcome] for f in self.features], np.int32)
        except KeyError as error:
            raise ModelError(f"a feature scores an unknown outcome ({error})") from None

    @property
    def arrays(self) -> tuple[NDArray[np.uint64], Ints, Ints]:
        """Keys, rows and starts, for the kernels."""
        return self.table.keys, self.table.rows, self.starts


@dataclass(frozen=True)
class Matches:
    """Which feature adds to which cell of an array of potentials: a sparse matrix of ones."""

    cells: Ints
    features: Ints
    shape: tuple[int, ...]

    @staticmethod
    def by(kernel: object, arguments: tuple[object, ...], shape: tuple[int, ...]) -> Matches:
        """Run a matching kernel, with more room if the first guess was too small."""
        room = 4096
        while True:
            cells, features = np.empty(room, np.int32), np.empty(room, np.int32)
            count: int = kernel(*arguments, cells, features)  # type: ignore[operator]
            if count <= room:
                return Matches(cells[:count].copy(), features[:count].copy(), shape)
            room = count

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
