"""The laws that every structured distribution obeys, checked against brute force."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from morphtree.errors import ModelError
from morphtree.structures.distribution import Distribution

CLOSE = 1e-9


@dataclass(frozen=True)
class Case:
    """One distribution beside its enumeration.

    ``parts(structure)`` lists the potentials (array name, index) that a structure uses, with its
    share where a structure is a sum of paths; the expected marginals follow from it.
    """

    name: str
    distribution: Distribution[Any]
    scores: Mapping[Any, float]
    expected: Callable[[], Mapping[str, Any]]

    def __str__(self) -> str:
        return self.name


def total(scores: Mapping[Any, float]) -> float:
    return float(np.logaddexp.reduce(list(scores.values()))) if scores else -math.inf


def check_contract(case: Case) -> None:
    """All laws at once; samplers apart."""
    d, scores = case.distribution, case.scores
    assert d.log_partition() == pytest.approx(total(scores), abs=CLOSE)
    assert d.log_count() == pytest.approx(math.log(len(scores)) if scores else -math.inf, abs=CLOSE)
    for structure, score in scores.items():
        assert d.score(structure) == pytest.approx(score, abs=CLOSE)
    check_ranking(d, scores)
    if not scores:
        for verb in (d.argmax, d.marginals, lambda: d.sample(1, rng=np.random.default_rng(0))):
            with pytest.raises(ModelError, match="is possible here"):
                verb()
        return
    check_marginals(d, case.expected())
    log_z = total(scores)
    for name, array in d.marginals()._asdict().items():  # marginals are expected counts
        means = [math.exp(s - log_z) * getattr(d.counts(x), name) for x, s in scores.items()]
        np.testing.assert_allclose(array, np.sum(means, axis=0), rtol=CLOSE, atol=1e-14)


def check_ranking(d: Distribution[Any], scores: Mapping[Any, float]) -> None:
    ranked = d.top_k(len(scores) + 3)
    assert ranked.complete
    assert len(ranked) == len(scores)
    assert [item.score for item in ranked] == pytest.approx(
        sorted(scores.values(), reverse=True), abs=CLOSE
    )
    assert len({item.structure for item in ranked}) == len(scores)
    for item in ranked:
        assert item.score == pytest.approx(scores[item.structure], abs=CLOSE)
    for k in range(1, min(len(scores), 6)):
        first = d.top_k(k)  # top-k is a prefix of top-(k+1)
        assert [item.structure for item in first] == [i.structure for i in ranked.items[:k]]
        assert [i.score for i in first] == pytest.approx([i.score for i in ranked.items[:k]])
    if scores:
        assert scores[d.argmax()] == pytest.approx(max(scores.values()), abs=CLOSE)


def check_marginals(d: Distribution[Any], expected: Mapping[str, Any]) -> None:
    marginals = d.marginals()._asdict()
    assert marginals.keys() == expected.keys()
    for name, array in marginals.items():
        assert np.all(np.isfinite(array))
        assert np.all(array >= 0)
        np.testing.assert_allclose(array, expected[name], rtol=CLOSE, atol=1e-300)


def check_sampler(case: Case, size: int = 4000) -> None:
    """Pearson's chi-square of the draws against the exact distribution; rare ones pooled."""
    draws = Counter(case.distribution.sample(size, rng=np.random.default_rng(20161101)))
    assert draws.keys() <= case.scores.keys()
    log_z = total(case.scores)
    statistic, cells, pooled_seen, pooled_due = 0.0, 0, 0.0, 0.0
    for structure, score in case.scores.items():
        due = size * math.exp(score - log_z)
        if due < 5:
            pooled_seen, pooled_due = pooled_seen + draws[structure], pooled_due + due
        else:
            statistic, cells = statistic + (draws[structure] - due) ** 2 / due, cells + 1
    if pooled_due >= 5:
        statistic, cells = statistic + (pooled_seen - pooled_due) ** 2 / pooled_due, cells + 1
    else:
        assert pooled_seen <= pooled_due + 6 * math.sqrt(pooled_due) + 6
    assert chi_square_z(statistic, cells - 1) < 3.5


def chi_square_z(statistic: float, freedom: int) -> float:
    """Normal deviate of a chi-square statistic (Wilson and Hilferty)."""
    if freedom == 0:
        return 0.0 if statistic < CLOSE else math.inf
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))
