"""Candidate lists in training: what is left of them after the first epoch."""

from __future__ import annotations

import numpy as np

from morphtree.joint.estimators import Candidates
from morphtree.training.listed_forms import LEAST_SHARE, ListedForms
from tests.small_training import engine_for, joint_model, plain, prepared, random_weights


def test_forms_with_a_share_of_the_posterior_and_gold_forms_stay() -> None:
    ready = prepared(features="paper")
    weights = random_weights(ready)
    examples = [plain(example) for example in ready.examples]
    engine, model = engine_for(ready, weights), joint_model(ready, weights)
    listed = ListedForms(examples, engine)
    words = np.arange(len(examples), dtype=np.int32)
    engine.gradients(listed.of_epoch(0), words)
    shares, kept = [], []
    for example in examples:
        terms = model.distribution(example.word, Candidates.of(example.forms)).terms
        masses = np.exp([term.log_mass for term in terms])
        shares += (masses / masses.sum()).tolist()
        gold = {gold.form for gold in example.golds}
        kept += [form in gold for form in example.forms]
    np.testing.assert_allclose(listed.shares, shares, rtol=1e-6, atol=1e-12)
    expected = np.array(kept) | (np.array(shares) >= LEAST_SHARE)
    assert (listed.kept == expected).all()
    assert 0 < listed.kept.sum() < len(shares)
    left = listed.of_epoch(1)
    assert (np.isfinite(left.offsets) == expected).all()
    _, log_probs = engine.gradients(left, words)
    assert np.isfinite(log_probs).all()


def test_a_resumed_run_keeps_the_same_forms() -> None:
    ready = prepared(features="paper")
    engine = engine_for(ready, random_weights(ready))
    one, two = (ListedForms(ready.examples, engine) for _ in range(2))
    engine.gradients(one.of_epoch(0), ready.usable)
    two.restore(one.kept)
    assert (one.of_epoch(1).offsets == two.of_epoch(1).offsets).all()
