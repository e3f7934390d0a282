"""How far chance could move a score: bootstrap intervals, and a paired test of two systems.

Both see only how often each distinct row of counts occurs. Drawing words with replacement is
then a multinomial draw over the rows, which is fast, and the order of the words plays no part.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree.evaluation.metrics import Counts, by_name, require_words, scores

RESAMPLES = 1000
PERCENTILES = (2.5, 97.5)  # of a 95 % interval
Z = 1.959964  # standard deviations on either side of the mean that hold 95 %
ROUNDING = 1e-12  # differences closer than this are equal


class Score(NamedTuple):
    """A metric and its 95 % interval."""

    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """How far a system is ahead of another in a metric, its 95 % interval, and the p value."""

    delta: float
    low: float
    high: float
    p: float


def share_interval(right: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share; unlike a bootstrap's it is wide for few words."""
    share, spread = right / total, Z**2 / total
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def bootstrap(
    counts: Counts, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> dict[str, Score | None]:
    """Score the words, with percentile intervals over resampled words; None: not defined."""
    rows, times = _distinct(counts)
    drawn = scores(_draw(times, resamples, rng) @ rows)  # (resamples, metrics)
    low, high = np.percentile(drawn, PERCENTILES, axis=0)
    table = np.stack([scores(times @ rows), low, high], axis=-1)  # (metrics, 3)
    return by_name(table.tolist(), Score)


def compare(
    ours: Counts, theirs: Counts, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> dict[str, Difference | None]:
    """Compare two systems on the same words: ours minus theirs; None: not defined for both.

    The interval is a paired bootstrap: both systems are scored on the same resampled words. The
    p value is two-sided approximate randomisation: under the null hypothesis the two analyses
    of a word could be exchanged, so each word's are, with probability 1/2, and p is the share
    of such trials (the observed one included) with a difference as large. It tests that
    hypothesis directly and, unlike a p value read off a bootstrap, does not take the sample for
    the population; for F1 it is also the less prone to false alarms (Riezler & Maxwell 2005).
    """
    rows, times = _distinct(np.hstack([ours, theirs]))
    ours, theirs = np.split(rows, 2, axis=1)
    delta = scores(times @ ours) - scores(times @ theirs)
    drawn = _draw(times, resamples, rng)
    low, high = np.percentile(scores(drawn @ ours) - scores(drawn @ theirs), PERCENTILES, axis=0)
    swapped = rng.binomial(times, 0.5, size=(resamples, len(times))) @ (theirs - ours)
    trials = scores(times @ ours + swapped) - scores(times @ theirs - swapped)
    extreme = (np.abs(trials) >= np.abs(delta) - ROUNDING).sum(axis=0)
    table = np.stack([delta, low, high, (extreme + 1) / (resamples + 1)], axis=-1)
    return by_name(table.tolist(), Difference)


def _distinct(counts: Counts) -> tuple[Counts, NDArray[np.int64]]:
    """Return the different rows, in order, and how often each occurs."""
    require_words(counts)
    comparable = np.nan_to_num(counts, nan=-1.0)  # NaN differs from itself; no count is negative
    rows, times = np.unique(comparable, axis=0, return_counts=True)
    return np.where(rows < 0, np.nan, rows), times


def _draw(times: NDArray[np.int64], resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw as many words as there are, with replacement: (resamples, rows)."""
    total = int(times.sum())
    return rng.multinomial(total, times / total, size=resamples)
