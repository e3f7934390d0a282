"""The exact sum against enumeration of all forms and trees; its gradient; what it refuses."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from morphtree.errors import ModelError
from morphtree.features.edit_features import EditFeatures
from morphtree.features.sets import FULL
from morphtree.features.span_features import TreeFeatures
from morphtree.joint.exact import Exact
from morphtree.joint.joint_model import JointModel, Weights
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.trees.chain import FLAT
from morphtree.trees.grammar import COMPOUNDS, PAPER, Grammar
from tests.joint.test_joint import ALL, all_forms, enumerate_joint
from tests.models import joint_model

LONG = Grammar.parse("S -> A S B | A A | <string>\nA -> B | <string>\nB -> <string>")
CLOSED = Knowledge(
    Lexicon(["ab", "a", "bab"]),
    closed={"PREFIX": frozenset(("a", "ba")), "SUFFIX": frozenset(("b", "ab", "bbb"))},
)
CASES: dict[str, tuple[Grammar, Knowledge | None]] = {
    "open": (PAPER, None),
    "closed": (PAPER, CLOSED),
    "compounds": (COMPOUNDS, None),
    "long and unary rules": (LONG, None),
}


def model_for(name: str, word: str, longer: int, *, scale: float = 0.5) -> JointModel[Any]:
    """A model of which half the features are known: most strings have no weight."""
    grammar, knowledge = CASES[name]
    whole = joint_model(
        grammar, [word], all_forms(len(word) + longer), "ab", ["ab", "a"],
        knowledge=knowledge, scale=scale, longer=longer,
    )  # fmt: skip
    rng = np.random.default_rng(1)
    kept = [rng.random(len(vector)) < 0.5 for vector in whole.weights]
    edits = EditFeatures(whole.edits.templates, "ab", whole.edits.index.keep(kept[0]))
    spans = TreeFeatures(
        whole.spans.templates, grammar, whole.spans.knowledge, whole.spans.index.keep(kept[1])
    )
    weights = [vector[chosen] for vector, chosen in zip(whole.weights, kept, strict=True)]
    return JointModel(edits, spans, Weights(*weights), longer=longer)


def exact_of(model: JointModel[Any], word: str) -> Exact:
    return Exact(model, all_forms(len(word) + model.longer), len(word))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    ("word", "longer"), [("", 2), ("a", 2), ("ba", 1), ("abb", 0), ("ab", 2), ("aXb", 1)]
)
def test_it_is_the_sum_over_all_forms_and_trees(name: str, word: str, longer: int) -> None:
    model = model_for(name, word, longer)
    exact = exact_of(model, word).sum(word)
    if "X" in word:  # a letter that the model does not know can only be copied
        log_z = model.distribution(word, ALL).log_partition()
    else:
        log_z = np.logaddexp.reduce(list(enumerate_joint(model, word).values()))
    assert exact.log_partition() == pytest.approx(log_z, abs=1e-9)
    assert exact.rounding < 1e-12


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("word", "longer"), [("", 2), ("ba", 1), ("abb", 1), ("aXb", 1)])
def test_its_gradient_is_that_of_the_sum_over_all_forms(name: str, word: str, longer: int) -> None:
    model = model_for(name, word, longer)
    exact, listed = (
        exact_of(model, word).sum(word).gradient(),
        model.distribution(word, ALL).marginals(),
    )
    for mine, theirs in zip(exact, listed, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)
    assert np.abs(exact.spans).sum() > 1


@pytest.mark.parametrize("name", CASES)
def test_its_gradient_agrees_with_finite_differences(name: str) -> None:
    word, step = "ab", 1e-5
    model = model_for(name, word, 1)
    exact = exact_of(model, word)
    gradient = exact.sum(word).gradient()
    rng = np.random.default_rng(2)
    for which, vector in enumerate(model.weights):
        for number in rng.permutation(len(vector))[:25].tolist():
            values = []
            for sign in (1, -1):
                weights = [v.copy() for v in model.weights]
                weights[which][number] += sign * step
                values.append(exact.with_weights(Weights(*weights)).sum(word).log_partition())
            slope = (values[0] - values[1]) / (2 * step)
            assert gradient[which][number] == pytest.approx(slope, abs=1e-7)


def test_three_letters_and_a_longer_word() -> None:
    word, alphabet = "cab", "abc"
    forms = ["".join(t) for size in range(1, 6) for t in itertools.product(alphabet, repeat=size)]
    model = joint_model(PAPER, [word], forms, alphabet, ["cab", "ab"], longer=2)
    exact, listed = Exact(model, forms, 3).sum(word), model.distribution(word, ALL)
    assert exact.log_partition() == pytest.approx(listed.log_partition(), abs=1e-9)
    for mine, theirs in zip(exact.gradient(), listed.marginals(), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


def test_strong_weights_keep_their_digits() -> None:
    word = "abb"
    model = model_for("open", word, 1, scale=4.0)
    exact, listed = exact_of(model, word).sum(word), model.distribution(word, ALL)
    assert exact.rounding < 1e-9
    assert exact.log_partition() == pytest.approx(listed.log_partition(), abs=1e-9)
    for mine, theirs in zip(exact.gradient(), listed.marginals(), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-8)


def test_lost_digits_are_not_passed_off_as_an_answer() -> None:
    """If every form weighs next to nothing, what is left of the terms is rounding."""
    word = "ab"
    whole = joint_model(PAPER, [word], all_forms(3), "ab", longer=1)
    weights = Weights(whole.weights.edits, np.full_like(whole.weights.spans, -25.0))
    model = whole.with_weights(weights)
    assert math.isfinite(model.distribution(word, ALL).log_partition())
    for ask in (Exact(model, all_forms(3), 2).sum(word).log_partition,
                Exact(model, all_forms(3), 2).sum(word).gradient):  # fmt: skip
        with pytest.raises(ModelError, match="loses its digits"):
            ask()


def test_every_string_with_a_weight_must_be_given() -> None:
    model = joint_model(PAPER, ["ab"], all_forms(3), "ab", longer=1)
    with pytest.raises(ModelError, match="strings that were not given"):
        Exact(model, all_forms(2), 2)


def test_what_it_is_not_for() -> None:
    chain = joint_model(FLAT, ["ab"], all_forms(3), "ab", longer=1)
    with pytest.raises(ModelError, match="for trees"):
        Exact(chain, all_forms(3), 2)
    full = joint_model(PAPER, ["ab"], all_forms(3), "ab", longer=1, templates=FULL)
    with pytest.raises(ModelError, match="paper's features"):
        Exact(full, all_forms(3), 2)
    model = joint_model(PAPER, ["ab"], all_forms(3), "ab", longer=1)
    with pytest.raises(ModelError, match="words of 2 letters"):
        Exact(model, all_forms(3), 2).sum("abb")
