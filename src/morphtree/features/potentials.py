"""Potentials: the log weights that features give and distributions are made of; and marginals."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints
from morphtree.errors import ModelError

WIDEST = 100.0  # scaled numbers are not trusted with a log weight beyond this


def indicator(log_weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Keep only what is possible: 0 where a weight is finite, -inf elsewhere."""
    return np.where(log_weights > -np.inf, 0.0, -np.inf)


def checked(name: str, array: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Return log weights as a C array of doubles; -inf is allowed, NaN and +inf are not."""
    weights = np.ascontiguousarray(array, dtype=np.float64)
    if weights.shape != shape:
        raise ModelError(f"the {name} weights have shape {weights.shape}, not {shape}")
    if weights.size and not weights.max() < np.inf:  # NaN compares false
        raise ModelError(
            f"the {name} weights hold NaN or +inf; only finite ones and -inf mean anything"
        )
    return weights


def fit(*arrays: Floats) -> bool:
    """Whether every finite weight is moderate enough for scaled numbers."""
    return all(bool(((np.abs(a) < WIDEST) | (a == -np.inf)).all()) for a in arrays)


def _finite(*arrays: Floats) -> bool:
    """Whether no weight is -inf."""
    return all(bool(np.isfinite(a).all()) for a in arrays)


@dataclass(frozen=True)
class Bigrams:
    """Log weights of an edit given the letter written last; shared by all words.

    A is the size of the alphabet; index A stands for "nothing written yet". C is the number of
    classes of input letters.
    """

    substitute: Floats  # (C, A+1, A)
    insert: Floats  # (A+1, A)
    delete: Floats  # (C, A+1)

    def __post_init__(self) -> None:
        classes, _, size = np.shape(self.substitute)
        for name, shape in (
            ("substitute", (classes, size + 1, size)),
            ("insert", (size + 1, size)),
            ("delete", (classes, size + 1)),
        ):
            object.__setattr__(self, name, checked(f"bigram {name}", getattr(self, name), shape))

    @cached_property
    def fits(self) -> bool:
        """Whether scaled numbers can hold these weights."""
        return fit(self.substitute, self.insert, self.delete)

    @cached_property
    def finite(self) -> bool:
        """Whether no weight is -inf."""
        return _finite(self.substitute, self.insert, self.delete)

    @cached_property
    def indicator(self) -> Bigrams:
        """The same tables with every possible edit weighing one."""
        return Bigrams(*map(indicator, (self.substitute, self.insert, self.delete)))

    @cached_property
    def joined(self) -> Any:
        """The pair table's view: (C+1, A+1, A+1), read (C: none), last and written (A: none)."""
        classes, _, size = self.substitute.shape
        logs = np.zeros((classes + 1, size + 1, size + 1))
        logs[:-1, :, :-1] = self.substitute
        logs[:-1, :, -1] = self.delete
        logs[-1, :, :-1] = self.insert
        return kernels.pair.BigramWeights(logs, np.exp(logs) if self.fits else logs, self.fits)

    @cached_property
    def as_logs(self) -> Any:
        """The kernel's tables in log space."""
        return _tables(self.substitute, self.insert, self.delete, -np.inf)

    @cached_property
    def as_numbers(self) -> Any:
        """The kernel's tables as plain numbers."""
        return _tables(np.exp(self.substitute), np.exp(self.insert), np.exp(self.delete), 0.0)


def _tables(substitute: Floats, insert: Floats, delete: Floats, zero: float) -> Any:
    """Return the tables of the kernels: forward ones, and transposed ones for the way back."""
    forward = substitute, insert[None]
    back = (table.transpose(0, 2, 1) for table in forward)
    padded = [_padded(table, zero) for table in (*forward, *back)]
    return kernels.arcs.Tables(*padded[:2], delete, *padded[2:])


def _padded(table: Floats, zero: float) -> Floats:
    """Fill rows and columns up to multiples of four, so that the kernels need no remainders."""
    classes, *sides = table.shape
    padded = np.full((classes, *(padded_size(side) for side in sides)), zero)
    padded[:, : sides[0], : sides[1]] = table
    return padded


def padded_size(size: int) -> int:
    """Return the next multiple of four."""
    return -(-size // 4) * 4


@dataclass(frozen=True)
class EditPotentials:
    """Log weights of one word's edits: by place here, by last written letter in ``bigrams``."""

    substitute: Floats  # (n, A)    write d for w[i]; copying is writing the same letter
    insert: Floats  # (n+1, A)  write d before w[i]
    delete: Floats  # (n,)      write nothing for w[i]
    classes: NDArray[np.int32]  # (n,)  the row of ``bigrams`` that w[i] uses
    bigrams: Bigrams

    def __post_init__(self) -> None:
        n, size = len(self.delete), self.bigrams.insert.shape[1]
        for name, shape in (("substitute", (n, size)), ("insert", (n + 1, size)), ("delete", (n,))):
            object.__setattr__(self, name, checked(name, getattr(self, name), shape))
        object.__setattr__(self, "classes", np.ascontiguousarray(self.classes, dtype=np.int32))
        rows = len(self.bigrams.substitute)
        if self.classes.shape != (n,) or not ((self.classes >= 0) & (self.classes < rows)).all():
            raise ModelError(f"the classes must be {n} numbers below {rows}")

    @cached_property
    def finite(self) -> bool:
        """Whether no weight is -inf."""
        return self.bigrams.finite and _finite(self.substitute, self.insert, self.delete)

    @cached_property
    def indicator(self) -> EditPotentials:
        """The same lattice with every possible edit weighing one."""
        return EditPotentials(
            indicator(self.substitute),
            indicator(self.insert),
            indicator(self.delete),
            self.classes,
            self.bigrams.indicator,
        )


class EditMarginals(NamedTuple):
    """Probability of each edit at each place, given the letter written last (index A: none)."""

    substitute: Floats  # (n, A+1, A)
    insert: Floats  # (n+1, A+1, A)
    delete: Floats  # (n, A+1)


class PairMarginals(NamedTuple):
    """Probability of each edit of an alignment with one form; (i, j): where the edit starts."""

    substitute: Floats  # (n, m)
    insert: Floats  # (n+1, m)
    delete: Floats  # (n, m+1)


@dataclass(frozen=True)
class TreePotentials:
    """Log weights of the anchored productions of an m-letter form; labels as in the grammar.

    A stored derivation weighs more than others by a bonus: a rule, split at one place.
    """

    leaf: Floats  # (m, m+1, labels)  the label spells u[i:j]
    span: Floats  # (m, m+1, labels)  the label branches over u[i:j]
    rules: Floats  # (rules,)          the rule, wherever it is used
    stored: Ints = field(
        default_factory=lambda: np.zeros((0, 4), np.int32)
    )  # start, split, end, rule
    bonus: float = 0.0

    def __post_init__(self) -> None:
        m, _, labels = np.shape(self.leaf)
        object.__setattr__(self, "leaf", checked("leaf", self.leaf, (m, m + 1, labels)))
        object.__setattr__(self, "span", checked("span", self.span, (m, m + 1, labels)))
        object.__setattr__(self, "rules", checked("rule", self.rules, np.shape(self.rules)))


class TreeMarginals(NamedTuple):
    """Expected number of uses of each production; shapes as in `TreePotentials`."""

    leaf: Floats
    span: Floats
    rules: Floats


@dataclass(frozen=True)
class ChainPotentials:
    """Log weights of labelled segments, and of one label after another."""

    segments: Floats  # (m, m+1, labels)
    bigrams: Floats  # (labels+1, labels+1)  from: label or start; to: label or end


class ChainMarginals(NamedTuple):
    """Expected number of uses; shapes as in `ChainPotentials`."""

    segments: Floats
    bigrams: Floats
