"""Which forms stand for all forms: the estimators of the joint partition function.

Z(w) = sum over forms u of S(u, w) Z_omega(u) has too many terms. Every estimator replaces it by
a sum over a short list, sum_i exp(offset_i) S(u_i, w) Z_omega(u_i), with offsets that are held
fixed when the gradient is taken.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from morphtree.errors import ModelError
from morphtree.structures.edit_lattice import EditLattice

MOST_FORMS = 100_000  # a longer list is a slip of the finger


@dataclass(frozen=True)
class Candidates:
    """A list of distinct forms with their fixed log offsets."""

    forms: tuple[str, ...]
    offsets: NDArray[np.float64]
    draws: NDArray[np.int64] | None = None  # how often each form was drawn, if they were; 0: added

    @staticmethod
    def of(forms: Iterable[str]) -> Candidates:
        """Return given forms as candidates, none of them weighted."""
        distinct = tuple(dict.fromkeys(forms))
        return Candidates(distinct, np.zeros(len(distinct)))

    def effective_sample_size(self, log_terms: NDArray[np.float64]) -> float:
        """Kish's (sum w)^2 / sum w^2 over the draws; ``log_terms`` include the offsets."""
        if self.draws is None:
            raise ModelError("an effective sample size is defined for sampled candidates only")
        drawn = self.draws > 0
        if not drawn.any() or np.max(log_terms[drawn]) == -np.inf:
            return 0.0
        weights = np.exp(log_terms[drawn] - np.max(log_terms[drawn]))
        return float(weights.sum() ** 2 / (weights**2 / self.draws[drawn]).sum())


class Estimator(Protocol):
    """Chooses the candidates of one word.

    ``keep`` names a form that must be in the sum (in training, the gold form).
    """

    def candidates(
        self, word: str, lattice: EditLattice, *, rng: np.random.Generator, keep: str | None = None
    ) -> Candidates:
        """Return the forms that stand for all."""
        ...


@dataclass(frozen=True)
class NBest:
    """The k best forms of a transducer: deterministic, and a lower bound of Z.

    ``proposal`` gives another transducer's lattice for a word; by default the model's own ranks.
    """

    k: int = 20
    proposal: Callable[[str], EditLattice] | None = None
    within: float = math.inf  # log probability that a form may lose against the best one

    def __str__(self) -> str:
        return f"nbest:{self.k}" + ("" if self.within == math.inf else f":{self.within:g}")

    def candidates(
        self,
        word: str,
        lattice: EditLattice,
        *,
        rng: np.random.Generator | None = None,
        keep: str | None = None,
    ) -> Candidates:
        """Return the k best forms, and the one to keep."""
        ranking = [*(self.proposal(word) if self.proposal else lattice).top_k(self.k)]
        least = max((item.score for item in ranking), default=0.0) - self.within
        forms = dict.fromkeys(item.structure for item in ranking if item.score >= least)
        if keep is not None:
            forms[keep] = None
        return Candidates.of(forms)


@dataclass(frozen=True)
class Importance:
    """m forms drawn from a transducer q, each divided by its probability: the paper's estimator.

    The estimate of Z is unbiased. ``proposal`` gives q's lattice for a word; by default q is the
    model's own transducer as it stands. A kept form is a stratum of its own: it counts in full
    and draws of it count for nothing, so the estimate stays unbiased and no probability passes 1.
    """

    m: int = 10
    proposal: Callable[[str], EditLattice] | None = None

    def __post_init__(self) -> None:
        if self.m < 1:
            raise ModelError(f"importance sampling needs at least one draw, not {self.m}")

    def __str__(self) -> str:
        return f"importance:{self.m}"

    def candidates(
        self, word: str, lattice: EditLattice, *, rng: np.random.Generator, keep: str | None = None
    ) -> Candidates:
        """Draw m forms, and add the one to keep."""
        q = self.proposal(word) if self.proposal else lattice
        counts = Counter(q.sample(self.m, rng=rng))
        if keep is not None:
            counts.pop(keep, None)
        drawn = sorted(counts)
        forms = (*drawn, *(() if keep is None else (keep,)))
        offsets = np.zeros(len(forms))
        for number, form in enumerate(drawn):
            offsets[number] = math.log(counts[form] / self.m) - q.log_prob(form)
        return Candidates(forms, offsets, np.array([counts[form] for form in forms], np.int64))


How: TypeAlias = str | NBest | Importance  # an estimator, or how it is written
_WRITTEN = re.compile(r"(nbest):(\d+)(?::(\d+(?:\.\d+)?))?|(importance):(\d+)", re.ASCII)


def parse_estimator(text: str) -> NBest | Importance:
    """Read ``nbest:20``, ``nbest:20:5`` (within 5 nats of the best form) or ``importance:1000``."""
    match = _WRITTEN.fullmatch(text)
    number = int(match[2] or match[5]) if match else 0
    if match is None or not 1 <= number <= MOST_FORMS:
        raise _no_estimator(text)
    if match[4]:
        return Importance(number)
    return NBest(number, within=float(match[3] or math.inf))


def as_estimator(how: How) -> NBest | Importance:
    """Return an estimator, given as such or written."""
    if isinstance(how, str):
        return parse_estimator(how)
    if not isinstance(how, NBest | Importance):
        raise _no_estimator(how)
    return how


def _no_estimator(given: object) -> ModelError:
    return ModelError(
        f"write the estimator as nbest:20 or importance:1000, with at most {MOST_FORMS} forms,"
        f" not {given!r:.60}"
    )
