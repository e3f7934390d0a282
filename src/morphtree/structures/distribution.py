"""The verbs that every structured distribution answers: lattice, chart and chain alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from morphtree.errors import ModelError

Structure = TypeVar("Structure")
LOST_WEIGHTS = "scaled numbers cannot hold these weights; use log space"


class Scored(NamedTuple, Generic[Structure]):
    """A structure and its log score."""

    structure: Structure
    score: float


@dataclass(frozen=True)
class Ranking(Generic[Structure]):
    """The k best structures, best first.

    ``complete`` is false if a search stopped at its cap: better ones may be missing, and
    ``log_rest`` is the log weight of everything that was not looked at.
    """

    items: tuple[Scored[Structure], ...]
    complete: bool = True
    log_rest: float = -np.inf

    def __iter__(self) -> Iterator[Scored[Structure]]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, number: int) -> Scored[Structure]:
        return self.items[number]


class Distribution(ABC, Generic[Structure]):
    """A log-linear distribution over structures: p(s) = exp(score(s)) / exp(log_partition)."""

    what: str  # what a structure is called in messages

    @abstractmethod
    def score(self, structure: Structure) -> float:
        """Log score of one structure; -inf if it is impossible."""

    @abstractmethod
    def log_partition(self) -> float:
        """Log of the summed scores of all structures; -inf if there is none."""

    @abstractmethod
    def marginals(self) -> Any:
        """Gradient of `log_partition` by the potentials: how often each part is expected."""

    @abstractmethod
    def counts(self, structure: Structure) -> Any:
        """Gradient of `score` by the potentials: how often a structure uses each part."""

    @abstractmethod
    def sample(self, size: int, *, rng: np.random.Generator) -> list[Structure]:
        """Draw structures independently."""

    @abstractmethod
    def top_k(self, k: int) -> Ranking[Structure]:
        """Return the k structures of highest score, best first."""

    @abstractmethod
    def log_count(self) -> float:
        """Log of the number of structures whose score is not zero."""

    def argmax(self) -> Structure:
        """Return the structure of highest score."""
        self._require_mass()
        return self.top_k(1)[0].structure

    def log_prob(self, structure: Structure) -> float:
        """Log probability of one structure."""
        self._require_mass()
        return self.score(structure) - self.log_partition()

    def _require_mass(self) -> float:
        """Return the log partition, or complain that there is nothing to choose from."""
        total = self.log_partition()
        if total == -np.inf:
            raise ModelError(f"no {self.what} is possible here, so there is none to choose")
        return total


def require(number: object, least: int, what: str) -> None:
    """Complain of what is no number of things, or of fewer than make sense."""
    if not isinstance(number, Integral) or number < least:
        raise ModelError(f"asked for {number!r} {what}; ask for a whole number, at least {least}")
