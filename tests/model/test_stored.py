"""Stored derivations: whole words, inner words, sums; against the definition and enumeration."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import morphtree
from morphtree._util.hashing import hash_text
from morphtree.analyzer import Analyzer
from morphtree.decoding.decoder import Decoder
from morphtree.features.span_features import NOT_STORED
from morphtree.joint.estimators import Candidates
from morphtree.joint.joint_model import Parse
from morphtree.lexicon.stored import NOTHING_STORED, Stored
from morphtree.model.model import Model
from morphtree.structures.structure import parser
from morphtree.training.storing import derivations, fit_weight, with_derivations
from morphtree.trees.grammar import COMPOUNDS as GRAMMAR
from morphtree.trees.tree import WORD, Tree
from tests import oracle
from tests.small_training import (
    COMPOUNDS,
    DEV,
    TRAIN,
    command,
    model_of,
    prepared,
    random_weights,
    source,
    write_words,
)

WEIGHT = 2.5
TEXT = TRAIN + COMPOUNDS


@cache
def plain_model(seed: int = 0, features: str = "full") -> Model:
    ready = prepared(TEXT, grammar="compounds", features=features)
    return model_of(ready, random_weights(ready, seed=seed))


@cache
def stored_model(seed: int = 0) -> Model:
    return with_derivations(plain_model(seed), source(TEXT).entries, WEIGHT)


def penalties(tree: Tree, form: str, model: Model) -> int:
    """How many words inside a tree are made otherwise than the treebank says, by definition."""
    made: dict[str, set[tuple[str, ...]]] = {}
    for readings in derivations(source(TEXT).entries).values():
        for node in (node for reading in readings for node in reading.nodes()):
            if node.label == WORD:
                made.setdefault(node.form, set()).add(production(node))
    words = derivations(source(TEXT).entries)
    found = 0
    for node in tree.nodes():
        if node.label != WORD:
            continue
        if node.form in made:
            found += production(node) not in made[node.form]
        else:
            found += node.form in words
    return found


def production(node: Tree) -> tuple[str, ...]:
    """The last step of a word: labels and forms of its parts."""
    return tuple(f"{child.label} {child.form}" for child in node.children)


@pytest.mark.parametrize("form", ["sunny", "runer", "reuse", "tests", "rerun"])
def test_each_step_that_is_not_stored_weighs_less(form: str) -> None:
    """All trees of a form, against a count by hand; the word is written otherwise."""
    word = f"{form}q"  # not stored, and nothing is aligned with a stored word
    plain, stored = plain_model(), stored_model()
    weights = plain.joint.weights.spans
    before = parser(plain.spans, form, plain.spans.match(word, form), weights)
    after = parser(stored.spans, form, stored.spans.match(word, form), weights)
    trees = [tree for tree in oracle.trees(GRAMMAR, form) if before.score(tree) > -np.inf]
    assert len(trees) > 1
    for tree in trees:
        less = before.score(tree) - after.score(tree)
        assert less == pytest.approx(WEIGHT * penalties(tree, form, stored))
    assert after.log_partition() == pytest.approx(
        np.logaddexp.reduce([after.score(tree) for tree in trees])
    )


def test_an_unknown_string_contradicts_a_stored_word_that_is_written_so() -> None:
    stored = stored_model()
    match = stored.spans.match("happilys", "happiilys")
    assert match.stored[0, 8] != NOT_STORED  # "happiily" is written "happily"
    assert match.stored[0, 8] < 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("temperature", [1.0, 1.7])
def test_the_decoder_follows_stored_steps_as_the_joint_sum_does(
    seed: int, temperature: float
) -> None:
    """Words that are not stored, over their candidates; unknown stems at their temperature."""
    model = replace(stored_model(seed), new_word_temperature=0.6, new_stem_temperature=temperature)
    words = ["untests", "reuser", "blackbirder", "unhappiness", "zogly", "rezogs", "runs"]
    decoder = Decoder(model, jobs=1)
    assert not any(word in model.stored for word in words)
    lists = decoder.generator.strings(decoder.candidates(words, model.estimator))
    unknown = 0
    for word, forms, found in zip(words, lists, decoder.decode(words, n=5), strict=True):
        joint = model.joint.distribution(word, Candidates.of(forms))
        best = joint.argmax().structure
        stems = [leaf.string for leaf in best.leaves() if leaf.label == WORD]
        unknown += not all(stem in model.spans.knowledge.lexicon for stem in stems)
        cooler = model.for_word(word, best)
        joint = cooler.joint.distribution(word, Candidates.of(forms))
        probs = [np.exp(score - joint.log_partition()) for _, score in joint.top_k(5)]
        assert [h.prob for h in found.hypotheses] == pytest.approx(probs, abs=1e-9)
        assert not found.stored
    assert unknown


def test_stored_words_are_answered_as_annotated() -> None:
    analyzer = Analyzer(stored_model())
    for entry in source(TEXT).entries:
        analysis = analyzer.parse(entry.word, 5)
        assert {reading.tree for reading in analysis.readings} == {*entry.readings}
        assert sum(reading.prob for reading in analysis.readings) == pytest.approx(1)
        assert {reading.source for reading in analysis.readings} == {"treebank"}
        assert all(reading.form == "".join(reading.segments) for reading in analysis.readings)
    assert len(analyzer.parse("unlockable", 1).readings) == 1
    assert analyzer.parse("zogly").readings[0].source == "model"


def test_readings_of_a_stored_word_have_the_odds_of_the_model() -> None:
    model = stored_model()
    trees = derivations(source(TEXT).entries)["unlockable"]
    joint = model.joint.distribution("unlockable", Candidates.of(()))
    scores = np.array([joint.score(Parse(tree.form, tree)) for tree in trees])
    probs = np.exp(scores - np.logaddexp.reduce(scores))
    found = {r.tree: r.prob for r in Analyzer(model).parse("unlockable", 2).readings}
    assert [found[tree] for tree in trees] == pytest.approx(probs.tolist(), abs=1e-6)


def test_a_stored_word_inside_brings_its_form_among_the_candidates() -> None:
    """*capability* is *capableity*, so *capabilityless* may be *capableityless*."""
    model = stored_model()
    decoder = Decoder(model, jobs=1)
    words = ["capabilityless", "recapabilityless"]
    lists = decoder.generator.strings(decoder.candidates(words, model.estimator))
    assert "capableityless" in lists[0]
    assert "recapableityless" in lists[1]


def test_a_file_holds_stored_derivations(tmp_path: Path) -> None:
    model = stored_model()
    model.save(tmp_path / "model")
    again = Model.load(tmp_path / "model")
    assert again.stored.weight == WEIGHT
    for name, array in model.stored.arrays().items():
        assert np.array_equal(again.stored.arrays()[name], array)
    assert Analyzer(again).parse("unlockable", 2) == Analyzer(model.as_stored()).parse(
        "unlockable", 2
    )
    alone = morphtree.load(str(tmp_path / "model"), stored=False)
    assert len(alone.model.stored) == 0
    assert alone.parse("unlockable").readings[0].source == "model"


def test_a_long_word_that_shares_a_hash_is_no_stored_word() -> None:
    """Words are known by hashes: a record that does not fit the word is not followed."""
    model = plain_model()
    stored = Stored.of({"sunny": [Tree.parse("[[sun] y]")]}, GRAMMAR)
    hashes = np.array([hash_text("su")], np.uint64)
    other = model.with_stored(replace(stored, words=hashes))
    analysis = Analyzer(other).parse("su")
    assert analysis.readings[0].source == "model"


def test_the_weight_is_fitted_on_words_whose_bases_are_stored() -> None:
    """The treebank is made of steps, so following them is better than not."""
    model, dev = plain_model(), source(DEV).entries
    weight = fit_weight(model, source(TEXT).entries, dev)
    assert weight > 0
    assert fit_weight(model, source(TEXT).entries, dev[:1]) == 0.0  # nothing to fit it on


def test_nothing_is_stored_by_default() -> None:
    assert len(NOTHING_STORED) == 0
    assert "sunny" not in NOTHING_STORED
    assert len(plain_model().stored) == 0


def test_the_command_line_asks_the_model_alone(tmp_path: Path) -> None:
    stored_model().save(tmp_path / "model")
    for option, source_of in (("--stored", "treebank"), ("--no-stored", "model")):
        run = command("parse", "unlockable", "--format", "json", "--model",
                      str(tmp_path / "model"), option)  # fmt: skip
        assert json.loads(run.stdout)["readings"][0]["source"] == source_of


def test_evaluate_says_how_many_words_are_stored(tmp_path: Path) -> None:
    stored_model().save(tmp_path / "model")
    write_words(tmp_path)
    run = command("evaluate", str(tmp_path / "model"), str(tmp_path / "train"))
    assert "are stored in the model" in run.stderr
    run = command("evaluate", str(tmp_path / "model"), str(tmp_path / "train"), "--no-stored")
    assert "stored" not in run.stderr
