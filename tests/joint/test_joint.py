"""The joint model against enumeration of all forms and trees; its gradients; its estimators."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from morphtree._util.hashing import hash_text
from morphtree.errors import ModelError
from morphtree.features.sets import FULL
from morphtree.joint.estimators import Importance, NBest, parse_estimator
from morphtree.joint.joint_model import JointModel, Parse, Weights
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.structures.segment_chain import SegmentChain
from morphtree.trees.chain import FLAT, Chain
from morphtree.trees.grammar import COMPOUNDS, PAPER, Grammar
from morphtree.trees.tree import Tree
from tests import oracle
from tests.contract import Case, check_contract, check_sampler
from tests.models import joint_model

ALPHABET = "ab"
STRUCTURES: dict[str, Grammar | Chain] = {
    "paper": PAPER,
    "compounds": COMPOUNDS,
    "chain": FLAT,
    "full compounds": COMPOUNDS,
    "full chain": FLAT,
}
KNOWN = Knowledge(
    Lexicon({"ab": 3 << 8 | 60, "a": 1 << 10 | 90, "aba": 20, "bb": 1 << 8}),
    {"PREFIX": frozenset(("a", "ba")), "SUFFIX": frozenset(("b", "ab", "bbb"))},
    ("b", "a"),
    np.array(sorted(map(hash_text, ("ab", "bb"))), np.uint64),
)
ALL = NBest(10_000)


def all_forms(longest: int) -> list[str]:
    return [
        "".join(letters)
        for length in range(longest + 1)
        for letters in itertools.product(ALPHABET, repeat=length)
    ]


def model_for(
    name: str, word: str, longer: int, seed: int = 0, *, calibrated: bool = False
) -> JointModel[Any]:
    """A model with the paper's features or all of them; the latter with closed classes."""
    forms = all_forms(len(word) + longer)
    full = name.startswith("full")
    model = joint_model(
        STRUCTURES[name], [word], forms, ALPHABET, ["ab", "a"],
        templates=FULL if full else None, knowledge=KNOWN if full else None,
        scale=0.1 if full else 0.5, seed=seed, longer=longer,
    )  # fmt: skip
    if not calibrated:
        return model
    proposal = np.random.default_rng(9).normal(size=len(model.weights.edits), scale=0.3)
    return replace(model, temperature=1.5625, stacking=0.3, proposal=proposal)


def lattices_of(model: JointModel[Any], word: str) -> list[dict[str, float]]:
    """Log score of every form by the transducer, and by the one trained alone."""
    weights = [
        model.weights.edits,
        model.weights.edits if model.proposal is None else model.proposal,
    ]
    found = []
    for vector in weights:
        lattice = model.with_weights(Weights(vector, model.weights.spans)).lattice(word)
        found.append(oracle.form_scores(lattice.potentials, ALPHABET, lattice.longest))
    return found


def enumerate_joint(model: JointModel[Any], word: str) -> dict[Parse[Any], float]:
    """Joint log score of every form and structure, with nothing but the potentials."""
    scores = {}
    alone = lattices_of(model, word)
    for form in alone[0]:
        edit = (alone[0][form] + model.stacking * alone[1][form]) / model.temperature
        parts: Any = model.parser(word, form)
        inner: dict[Any, float]
        if isinstance(parts, SegmentChain):
            inner = dict(oracle.chain_scores(parts.potentials, parts.chain, form))
        else:
            inner = dict(oracle.tree_scores(parts.potentials, parts.grammar, form))
        scores.update({Parse(form, s): edit + score for s, score in inner.items()})
    return scores


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize(("word", "longer"), [("a", 2), ("ba", 1), ("abb", 0), ("ab", 2)])
def test_the_joint_sum_is_the_sum_over_all_forms_and_structures(
    name: str, word: str, longer: int
) -> None:
    model = model_for(name, word, longer)
    scores = enumerate_joint(model, word)
    joint = model.distribution(word, ALL)
    log_z = np.logaddexp.reduce(list(scores.values()))
    assert joint.log_partition() == pytest.approx(log_z, abs=1e-9)
    best = sorted(scores.items(), key=lambda item: -item[1])
    for (_, score), item in zip(best, joint.top_k(20), strict=False):
        parse = item.structure  # trees of equal score may change places
        assert item.score == pytest.approx(score, abs=1e-9)
        assert scores[parse] == pytest.approx(score, abs=1e-9)
        assert model.score(word, *parse) == pytest.approx(score, abs=1e-9)
        assert joint.log_prob(parse) == pytest.approx(score - log_z, abs=1e-9)
    assert len({item.structure for item in joint.top_k(20)}) == min(20, len(scores))
    assert joint.argmax() == joint.top_k(20)[0].structure
    assert joint.log_count() == pytest.approx(math.log(len(scores)), abs=1e-9)
    assert joint.estimate().candidate_coverage == pytest.approx(1.0, abs=1e-9)
    assert joint.estimate().effective_sample_size is None


@pytest.mark.parametrize("calibrated", [False, True])
@pytest.mark.parametrize("name", STRUCTURES)
def test_the_joint_model_obeys_the_laws_of_every_distribution(name: str, calibrated: bool) -> None:
    word = "ba"
    model = model_for(name, word, 1, calibrated=calibrated)
    joint, scores = model.distribution(word, ALL), enumerate_joint(model, word)
    log_z = np.logaddexp.reduce(list(scores.values()))

    def expected() -> dict[str, Any]:
        found: Any = {key: np.zeros_like(v) for key, v in model.weights._asdict().items()}
        match, lattice = model.edits.match(word), model.lattice(word)
        for form in all_forms(3):
            inner = [score for parse, score in scores.items() if parse.form == form]
            if inner:
                share = math.exp(np.logaddexp.reduce(inner) - log_z)
                counts = lattice.counts(form)
                model.edits.add_expected(match, counts, found["edits"], share / model.temperature)
                spans = model.spans.match(word, form)
                trees = model.parser(word, form).marginals()
                model.spans.add_expected(spans, trees, found["parts"], share)
        return dict(found)

    case = Case(name, joint, scores, expected)
    check_contract(case)
    check_sampler(case)


def test_the_joint_sum_of_a_four_letter_word() -> None:
    word = "abba"
    model = model_for("paper", word, 2)
    scores = enumerate_joint(model, word)
    joint = model.distribution(word, ALL)
    assert joint.log_partition() == pytest.approx(
        np.logaddexp.reduce(list(scores.values())), abs=1e-9
    )
    assert scores[joint.argmax()] == pytest.approx(max(scores.values()), abs=1e-9)
    assert joint.log_count() == pytest.approx(math.log(len(scores)), abs=1e-9)


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_gradient_is_the_expected_gradient_of_all_analyses(name: str) -> None:
    word = "ba"
    model = model_for(name, word, 1)
    scores = enumerate_joint(model, word)
    log_z = np.logaddexp.reduce(list(scores.values()))
    joint = model.distribution(word, ALL)
    expected = [np.zeros_like(vector) for vector in model.weights]
    for key, score in scores.items():
        for total, part in zip(expected, joint.counts(key), strict=True):
            total += math.exp(score - log_z) * part
    for mine, theirs in zip(joint.marginals(), expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-14)


def numeric_gradient(
    model: JointModel[Any], word: str, candidates: Any, step: float = 1e-5
) -> Weights:
    """Central differences of log Z, candidates and offsets fixed."""
    parts = []
    for which in range(2):
        gradient = np.zeros_like(model.weights[which])
        for number in range(len(gradient)):
            values = []
            for sign in (1, -1):
                weights = [vector.copy() for vector in model.weights]
                weights[which][number] += sign * step
                moved = model.with_weights(Weights(*weights))
                values.append(moved.distribution(word, candidates).log_partition())
            gradient[number] = (values[0] - values[1]) / (2 * step)
        parts.append(gradient)
    return Weights(*parts)


@pytest.mark.parametrize("name", ["paper", "compounds", "chain"])
@pytest.mark.parametrize("estimator", [NBest(3), Importance(4), ALL])
@pytest.mark.parametrize("keep", [None, "ba"])
@pytest.mark.parametrize("calibrated", [False, True])
def test_gradients_agree_with_finite_differences(
    name: str, estimator: NBest | Importance, keep: str | None, calibrated: bool
) -> None:
    word = "ab"
    model = model_for(name, word, 1, seed=3, calibrated=calibrated)
    rng = np.random.default_rng(7)
    joint = model.distribution(word, estimator, rng=rng, keep=keep)
    exact = joint.marginals()
    numeric = numeric_gradient(model, word, joint.candidates)
    np.testing.assert_allclose(exact.edits, numeric.edits, atol=1e-7)
    np.testing.assert_allclose(exact.spans, numeric.spans, atol=1e-7)
    assert np.abs(exact.edits).sum() > 1
    assert np.abs(exact.spans).sum() > 1


@pytest.mark.parametrize("name", ["full compounds", "full chain"])
@pytest.mark.parametrize("estimator", [NBest(3), Importance(4), ALL])
def test_gradients_by_many_features_agree_with_finite_differences(
    name: str, estimator: NBest | Importance
) -> None:
    """Along random directions."""
    word = "abb"
    model = model_for(name, word, 1, seed=3)
    rng = np.random.default_rng(7)
    joint = model.distribution(word, estimator, rng=rng, keep="abbb")
    gradient = joint.marginals()
    slopes: list[float] = []
    for _ in range(10):
        direction = [rng.normal(size=len(vector)) for vector in model.weights]
        values = []
        for step in (1e-5, -1e-5):
            moved = [v + step * d for v, d in zip(model.weights, direction, strict=True)]
            sums = model.with_weights(Weights(*moved)).distribution(word, joint.candidates)
            values.append(sums.log_partition())
        slopes.append(sum(float(g @ d) for g, d in zip(gradient, direction, strict=True)))
        assert slopes[-1] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-5)
    assert np.abs(slopes).max() > 0.5


@pytest.mark.parametrize("name", ["compounds", "full compounds"])
@pytest.mark.parametrize("calibrated", [False, True])
def test_the_gradient_of_a_score_agrees_with_finite_differences(
    name: str, calibrated: bool
) -> None:
    word, form, tree = "aba", "abba", Tree.parse("[[ab] [ba]]")
    share = 0.2 if name == "compounds" else 0.01
    model = model_for(name, word, 1, calibrated=calibrated)
    exact = model.distribution(word, NBest(2)).counts(Parse(form, tree))
    for which, gradient in enumerate(exact):
        for number in np.flatnonzero(np.random.default_rng(0).random(len(gradient)) < share):
            values = []
            for sign in (1, -1):
                weights = [vector.copy() for vector in model.weights]
                weights[which][number] += sign * 1e-5
                values.append(model.with_weights(Weights(*weights)).score(word, form, tree))
            assert gradient[number] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-7)


@pytest.mark.parametrize("keep", [None, "ab"])
@pytest.mark.parametrize("own_proposal", [True, False])
def test_importance_sampling_is_unbiased(keep: str | None, own_proposal: bool) -> None:
    word = "ab"
    model = model_for("paper", word, 1, seed=1)
    other = model_for("paper", word, 1, seed=2)
    estimator = Importance(5, None if own_proposal else other.lattice)
    exact = model.distribution(word, ALL).log_partition()
    ratios = []
    for run in range(2000):
        joint = model.distribution(word, estimator, rng=np.random.default_rng(run), keep=keep)
        ratios.append(math.exp(joint.log_partition() - exact))
        assert 0 < joint.estimate().effective_sample_size <= 5 + 1e-9  # type: ignore[operator]
    error = float(np.std(ratios)) / math.sqrt(len(ratios))
    assert error < 0.05
    assert np.mean(ratios) == pytest.approx(1.0, abs=3.5 * error)


def test_with_its_own_transducer_the_estimate_is_a_mean_of_tree_sums() -> None:
    word = "ba"
    model = model_for("paper", word, 1)
    joint = model.distribution(word, Importance(8), rng=np.random.default_rng(5))
    draws = joint.candidates.draws
    assert draws is not None
    sums = [model.parser(word, form).log_partition() for form in joint.candidates.forms]
    mean = np.sum(draws * np.exp(sums)) / 8
    lattice_z = model.lattice(word).log_partition()
    assert joint.log_partition() == pytest.approx(lattice_z + math.log(mean), abs=1e-9)


def test_nbest_is_a_lower_bound_that_grows_to_the_exact_value() -> None:
    word = "ab"
    model = model_for("paper", word, 2)
    exact = model.distribution(word, ALL).log_partition()
    values = [model.distribution(word, NBest(k)).log_partition() for k in range(1, 31)]
    assert values == sorted(values)
    assert values[-1] <= exact + 1e-12
    assert model.distribution(word, NBest(31)).log_partition() == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("estimator", [NBest(1), Importance(1)])
def test_a_kept_form_keeps_probabilities_below_one(estimator: NBest | Importance) -> None:
    model = model_for("paper", "abb", 1)
    form, tree = "bbaa", Tree.parse("[[bb] aa]")
    joint = model.distribution("abb", estimator, rng=np.random.default_rng(0), keep=form)
    assert form in joint.candidates.forms
    assert joint.log_prob(Parse(form, tree)) < 0


def test_a_word_without_analyses_says_so() -> None:
    model = model_for("paper", "", 0)
    joint = model.distribution("", ALL)
    assert joint.log_partition() == -math.inf
    for ask in (joint.argmax, joint.marginals):
        with pytest.raises(ModelError, match="is possible here"):
            ask()


def test_weights_must_fit() -> None:
    model = model_for("paper", "ab", 0)
    for bad in (np.zeros(3), np.full(len(model.weights.edits), np.nan)):
        with pytest.raises(ModelError, match="finite edit weights"):
            model.with_weights(Weights(bad, model.weights.spans))


def test_estimators_are_read_from_text() -> None:
    assert parse_estimator("nbest:20") == NBest(20)
    assert parse_estimator("nbest:7:2.5") == NBest(7, within=2.5)
    assert parse_estimator("importance:1000") == Importance(1000)
    for written in ("nbest:20", "nbest:7:2.5", "importance:1000"):
        assert str(parse_estimator(written)) == written
    for bad in ("nbest", "nbest:0", "nbest:-1", "beam:4", ""):
        with pytest.raises(ModelError, match="nbest:20"):
            parse_estimator(bad)
