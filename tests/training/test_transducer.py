"""The likelihood of the transducer alone and its gradient, against the lattice's definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from morphtree.decoding.candidates import transducer_engine
from morphtree.joint.joint_model import JointModel, Weights
from morphtree.training.adagrad import AdaGrad
from morphtree.training.prepare import Prepared
from morphtree.training.transducer import TransducerLikelihood
from tests.small_training import prepared

LONGER = 3


def likelihood(ready: Prepared, weights: np.ndarray, jobs: int) -> TransducerLikelihood:
    engine = transducer_engine(ready.edits, weights, jobs)
    batch = engine.packer.pack([item.example() for item in ready.data.items])
    return TransducerLikelihood(engine, batch, LONGER)


@pytest.mark.parametrize("scale", [0.0, 0.5, 60.0])  # the last needs log space
def test_the_gradient_is_gold_counts_less_expected_counts(scale: float) -> None:
    ready = prepared()
    weights = np.random.default_rng(4).normal(scale=scale, size=len(ready.edits.index))
    spans = np.zeros(len(ready.spans.index))
    model: JointModel[Any] = JointModel(ready.edits, ready.spans, Weights(weights, spans), LONGER)
    total, gradient = 0.0, np.zeros_like(weights)
    for item in ready.data.items:
        lattice, match = model.lattice(item.word), ready.edits.match(item.word)
        ready.edits.add_expected(match, lattice.marginals(), gradient, -1.0)
        for gold in item.golds:
            total += gold.weight * (lattice.score(gold.form) - lattice.log_partition())
            ready.edits.add_expected(match, lattice.counts(gold.form), gradient, gold.weight)
    words = np.arange(len(ready.data.items), dtype=np.int32)
    entries, found = likelihood(ready, weights, 1).gradients(words)
    moved = np.zeros_like(weights)
    adagrad = AdaGrad(moved, learning_rate=1.0, l2=0.0, words=1, batch_size=1)
    adagrad.step(entries, 1)  # shows the squares and signs of the gradient
    assert found == pytest.approx(total, rel=1e-9)
    np.testing.assert_allclose(np.sign(moved) * np.sqrt(adagrad.accumulator), gradient, atol=1e-5)


def test_the_gradient_is_the_same_however_words_are_shared_out() -> None:
    ready = prepared()
    weights = np.random.default_rng(4).normal(scale=0.5, size=len(ready.edits.index))
    words = np.arange(len(ready.data.items), dtype=np.int32)
    results = []
    for jobs in (1, 3):
        of = likelihood(ready, weights, jobs)
        for _ in range(2):  # also in buffers that have been used
            moved = np.zeros_like(weights)
            AdaGrad(moved, learning_rate=1.0, l2=0.5, words=9, batch_size=9).step(
                of.gradients(words)[0], 9
            )
            results.append(moved.tobytes())
    assert len(set(results)) == 1
