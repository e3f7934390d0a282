"""`morphtree train` from end to end: the same bits whatever happens, and one clear sentence."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import morphtree
from morphtree._kernels._layout import ATTRIBUTES
from morphtree._util.hashing import hash_text
from morphtree.decoding.decoder import Decoder
from morphtree.evaluation.metrics import measure
from morphtree.features.sets import FULL
from morphtree.features.span_attributes import GROUPS
from morphtree.features.templates import SpanTemplate
from morphtree.model.complexity import with_complexity
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model
from morphtree.training.dev_set import calibrated, measured
from morphtree.training.settings import GRID, Settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from tests.small_training import (
    DEV,
    JSON,
    QUICK,
    TRAIN,
    prepared,
    run,
    source,
    start,
    trained,
    write_words,
)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    return write_words(tmp_path)


def parse(model: bytes, folder: Path, *words: str) -> list[Any]:
    path = folder / "some.model"
    path.write_bytes(model)
    return [morphtree.load(str(path)).parse(word, n=2) for word in words]


# -- what a run leaves behind ------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--structure", "chain"),
        QUICK,
        (*QUICK, "--structure", "chain"),
        ("--estimator", "importance:5"),
        (*QUICK, "--estimator", "importance:5"),
        ("--grammar", "compounds", "--l2", "0"),
        ("--estimator", "nbest:3", "--seed", "7"),
    ],
    ids=" ".join,
)
def test_every_kind_of_model_is_trained_and_used(options: tuple[str, ...], tmp_path: Path) -> None:
    model, output = trained(*options)
    epochs = [json.loads(line) for line in output.splitlines()]
    assert [epoch["epoch"] for epoch in epochs] == [0, 1, 2]
    likelihoods = [epoch["log_likelihood"] for epoch in epochs]
    assert likelihoods[0] < min(likelihoods[1:])  # it learns, as far as dropout lets one see
    for epoch in epochs:
        assert epoch["seconds"] >= 0
        names = {"accuracy", "morpheme_f1", "edit_distance", "log_likelihood", "recall"}
        assert names <= epoch["dev"].keys()
        assert ("exact_tree" in epoch["dev"]) == ("chain" not in options)
        assert 0 <= epoch["dev"]["accuracy"] <= 1
    for analysis in parse(model, tmp_path, "unhappily", "bakers", "n\u00e4her"):
        assert analysis.status == "ok"
        assert 0 < sum(reading.prob for reading in analysis.readings) <= 1 + 1e-9
        assert 0 <= analysis.candidate_coverage <= 1
        for reading in analysis.readings:
            tree = reading.tree
            segments = tree.morphemes if isinstance(tree, Tree) else tree
            assert "".join(segments) == reading.form
            assert isinstance(tree, Tree) == ("chain" not in options)
    if not options:
        [known] = parse(model, tmp_path, "tests")
        assert str(known.readings[0].tree) == "[[test] s]"


def test_the_files_beside_the_model_are_gone_when_it_is_there(
    words: list[str], tmp_path: Path
) -> None:
    before = set(tmp_path.iterdir())
    code, epochs, messages = run(words, "-o", str(tmp_path / "m"), "--epochs", "1", *QUICK)
    assert (code, len(epochs), messages) == (0, 1, "")
    assert set(tmp_path.iterdir()) - before == {tmp_path / "m"}


@pytest.mark.parametrize("options", [(), (*QUICK, "--estimator", "importance:5")], ids=" ".join)
def test_the_model_does_not_depend_on_the_number_of_threads(options: tuple[str, ...]) -> None:
    assert trained(*options, "--jobs", "1")[0] == trained(*options)[0]
    assert trained(*options, "--jobs", "3")[0] == trained(*options)[0]


def test_a_model_depends_on_the_seed_and_l2() -> None:
    models = [
        trained(*QUICK)[0],
        trained(*QUICK, "--seed", "2")[0],
        trained(*QUICK, "--l2", "9")[0],
    ]
    assert len(set(models)) == 3


def test_a_group_of_features_can_be_left_out() -> None:
    settings = Settings(language="none", epochs=1, without="letters")
    trainer = Trainer(settings, source(TRAIN), source(DEV), jobs=2)
    assert len([*trainer.run()]) == 1
    spans = trainer.model().spans.templates.spans
    assert 0 < len(spans) < len(FULL.spans)
    assert not {name for span in spans for name in span.names} & GROUPS["letters"]


def test_every_attribute_but_the_string_belongs_to_a_group() -> None:
    known = {name for group in GROUPS.values() for name in group}
    not_learned = {"complexity"}
    assert known | {"string", "length"} | not_learned == set(ATTRIBUTES)


def test_a_grid_keeps_the_best_l2(words: list[str], tmp_path: Path) -> None:
    code, epochs, _ = run(words, "-o", str(tmp_path / "m"), "--epochs", "1", "--l2", "grid", *QUICK)
    assert code == 0
    best = Model.load(tmp_path / "m").header
    scores = [(epoch["dev"]["exact_tree"], epoch["dev"]["log_likelihood"]) for epoch in epochs]
    assert best["settings"]["l2"] == GRID[scores.index(max(scores))]
    assert len(scores) == len(GRID) > 5
    alone = ("--epochs", "1", "--l2", str(best["settings"]["l2"]), *QUICK)
    assert run(words, "-o", str(tmp_path / "alone"), *alone)[0] == 0
    assert (tmp_path / "alone").read_bytes() == (tmp_path / "m").read_bytes()


def test_a_group_of_features_that_is_not_there_is_named() -> None:
    trainer = Trainer(Settings(language="none", without="luck"), source(TRAIN), source(DEV))
    with pytest.raises(ValueError, match="there is no group of features 'luck'"):
        next(trainer.run())


def scores_on_dev(path: Path) -> dict[str, float]:
    """What evaluating a model's file on the dev words gives."""
    entries = source(DEV).entries
    decoded = Decoder(Model.load(path)).decode([entry.word for entry in entries])
    scores = measure(entries, [item.best.structure for item in decoded])
    return {name: round(value, 6) for name, value in scores.items() if value is not None}


@pytest.mark.parametrize("options", [(), (*QUICK, "--structure", "chain")], ids=" ".join)
def test_the_header_is_true_of_the_file(options: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(trained(*options)[0])
    about = Model.load(path).header
    assert about["dev"] == scores_on_dev(path)
    assert "temperature" not in about  # it stands once, beside the weights


def test_a_changed_model_has_no_scores_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(trained()[0])
    model = Model.load(path)
    for changed in (
        model.at_temperature(2.0), model.pruned(0.1), model.with_words({"zwork": 64}),
        model.in_half_precision(),
        with_complexity(model, {"testable": 6}, 0.5), calibrated(model, source(DEV).entries),
    ):  # fmt: skip
        assert "dev" not in changed.header
        assert changed.header["data"] == model.header["data"]
    measured(model.pruned(0.3), source(DEV).entries).save(path)
    assert Model.load(path).header["dev"] == scores_on_dev(path)


def test_a_trained_model_is_what_its_file_holds(tmp_path: Path) -> None:
    settings = Settings(features="paper", language="none", epochs=1)
    trainer = Trainer(settings, source(TRAIN), source(DEV), jobs=2)
    assert next(trainer.run())
    model = trainer.model()
    model.save(tmp_path / "m")
    assert (Model.load(tmp_path / "m").weights == model.weights).all()


def test_rounded_weights_are_stored_in_half_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(trained()[0])
    model = Model.load(tmp_path / "m")
    rounded = model.in_half_precision()
    rounded.save(tmp_path / "half")
    model.changed().save(tmp_path / "m")  # without scores, too
    saved = (tmp_path / "m").stat().st_size - (tmp_path / "half").stat().st_size
    both = len(model.weights) + len(model.proposal_weights)
    assert abs(saved - 2 * both) < 200  # arrays begin at multiples of 64 bytes
    again = Model.load(tmp_path / "half")
    assert (again.weights == rounded.weights).all()
    assert np.allclose(again.weights, model.weights, rtol=2**-11, atol=2**-24)
    assert again.digest == rounded.digest != model.digest


@pytest.mark.parametrize("estimator", ["nbest:20", "importance:5"])
def test_what_another_run_prepared_changes_nothing(estimator: str) -> None:
    options = {"features": "paper", "language": "none", "epochs": 12, "patience": 12}
    settings = Settings(estimator=estimator, l2=0.3, **options)  # type: ignore[arg-type]
    other = Settings(estimator=estimator, l2=0.1, **options)  # type: ignore[arg-type]
    runs = {name: Trainer(settings, source(TRAIN), source(DEV), jobs=1) for name in ("alone", "")}
    first = Trainer(other, source(TRAIN), source(DEV), jobs=1)
    assert len(list(first.run())) == 12
    runs[""].like = first
    scores = {name: [epoch.dev for epoch in run.run()] for name, run in runs.items()}
    assert scores["alone"] == scores[""]
    assert runs[""].prepared is first.prepared
    assert (runs["alone"].weights == runs[""].weights).all()


def test_training_stops_when_dev_gets_no_better() -> None:
    settings = Settings(
        features="paper", language="none", epochs=60, patience=2, learning_rate=1.0, l2=0.0
    )
    trainer = Trainer(settings, source(TRAIN), source(DEV), jobs=2)
    epochs = list(trainer.run())
    assert trainer.best is not None
    scores = [epoch.dev["exact_tree"] for epoch in epochs]
    assert len(epochs) == scores.index(max(scores)) + 3 < 60
    metric = [(e.dev["exact_tree"], e.dev["log_likelihood"]) for e in epochs]
    assert metric[trainer.best.epoch] == max(metric)
    assert trainer.model().header["epoch"] == trainer.best.epoch


# -- interrupted runs --------------------------------------------------------------------------


def kill_after(lines: int, arguments: list[str], checkpoint: Path) -> None:
    """Start a run, and kill it without warning once some epochs are safe."""
    process = start("train", *arguments, *JSON)
    assert process.stdout is not None
    for _ in range(lines):
        assert json.loads(process.stdout.readline())
    for _ in range(600):
        if checkpoint.exists():
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "options",
    [("--jobs", "2"), (*QUICK, "--estimator", "importance:5", "--structure", "chain")],
    ids=" ".join,
)
@pytest.mark.parametrize("lines", [1, 4])
def test_a_killed_run_goes_on_to_the_same_bits(
    options: tuple[str, ...], lines: int, words: list[str], tmp_path: Path
) -> None:
    model = tmp_path / "m"
    arguments = [*words, "-o", str(model), "--epochs", "6", *options]
    checkpoint = tmp_path / "m.checkpoint"
    kill_after(lines, arguments, checkpoint)
    assert not model.exists()
    code, rest, _ = run(arguments, "--resume")
    assert code == 0
    assert rest[-1]["epoch"] == 5
    assert 0 < len(rest) < 6  # it did not start anew
    assert not checkpoint.exists()
    resumed = model.read_bytes()
    code, whole, _ = run(arguments)
    assert code == 0
    assert resumed == model.read_bytes()
    for epoch in (*rest, *whole):
        del epoch["seconds"]
    assert whole[-len(rest) :] == rest


def test_a_killed_grid_goes_on(words: list[str], tmp_path: Path) -> None:
    arguments = [*words, "-o", str(tmp_path / "m"), "--epochs", "1", "--l2", "grid", *QUICK]
    kill_after(2, arguments, tmp_path / "m.0.1.checkpoint")
    assert run(arguments, "--resume")[0] == 0


def test_a_run_that_was_killed_before_its_first_checkpoint_starts(
    words: list[str], tmp_path: Path
) -> None:
    code, epochs, _ = run([*words, "-o", str(tmp_path / "m"), "--epochs", "2", *QUICK], "--resume")
    assert (code, [epoch["epoch"] for epoch in epochs]) == (0, [0, 1])


def test_an_interrupted_run_can_only_be_resumed_as_it_was(words: list[str], tmp_path: Path) -> None:
    model = tmp_path / "m"
    plain = [*words, "-o", str(model), "--epochs", "4", *QUICK]
    kill_after(1, plain, tmp_path / "m.checkpoint")
    saved = (tmp_path / "m.checkpoint").read_bytes()
    for other in (["--l2", "3"], ["--seed", "5"], ["--structure", "chain"], ["--epochs", "9"]):
        code, epochs, message = run(plain, *other, "--resume")
        assert (code, epochs) == (3, []), other
        assert "m.checkpoint belongs to other data or settings" in message
    Path(words[0]).write_text(TRAIN + "cat\n", encoding="utf-8")
    assert "other data or settings" in run(plain, "--resume")[2]
    Path(words[0]).write_text(TRAIN, encoding="utf-8")
    assert (tmp_path / "m.checkpoint").read_bytes() == saved
    header, arrays = read_arrays(tmp_path / "m.checkpoint")
    write_arrays(tmp_path / "m.checkpoint", header | {"schema": 1}, arrays)
    code, epochs, message = run(plain, "--resume")
    assert (code, epochs) == (3, [])
    assert "m.checkpoint was written by another version of morphtree" in message
    for damaged in (saved[:-1], saved[:2000] + b"?" + saved[2001:], trained(*QUICK)[0], b""):
        (tmp_path / "m.checkpoint").write_bytes(damaged)
        code, epochs, message = run(plain, "--resume")
        assert (code, epochs) == (3, [])
        assert "m.checkpoint" in message
        assert message.count("\n") == 1
    (tmp_path / "m.checkpoint").write_bytes(saved)
    assert run(plain, "--resume")[0] == 0


def test_a_run_with_another_lexicon_cannot_be_resumed(words: list[str], tmp_path: Path) -> None:
    plain = [*words, "-o", str(tmp_path / "m"), "--epochs", "4"]
    kill_after(1, plain, tmp_path / "m.checkpoint")
    lexicon = Path(words[-1])
    lexicon.write_text("".join(lexicon.read_text(encoding="utf-8").splitlines(True)[:5]))
    code, _, message = run(plain, "--resume")
    assert code == 3
    assert "other data or settings" in message


# -- bad data ----------------------------------------------------------------------------------

BROKEN = "tests\t[[test] s]\ndark\t[dark\nkindly\t[[kind] ly]\n"
LONG = "ab\t[[abcdef] gh]\n"
FOREIGN = "cats\t[N: [N: cat] s]\n"
GOOD = "tests\t[[test] s]\ndarkly\t[[dark] ly]\nkind\t[kind]\nunkind\t[un [kind]]\n"
OTHERS = "walks\t[[walk] s]\nsoftly\t[[soft] ly]\nfair\t[fair]\nunfair\t[un [fair]]\n"


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_broken_lines_are_named(words: list[str], tmp_path: Path) -> None:
    broken = write(tmp_path / "broken", BROKEN)
    for files in ([broken, "--dev", words[2]], [words[0], "--dev", broken]):
        code, epochs, message = run(files, "-o", str(tmp_path / "m"), *QUICK)
        assert (code, epochs) == (3, [])
        assert "broken:2:" in message
        assert "Traceback" not in message
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing\n"])
def test_an_empty_dev_file_is_refused(text: str, words: list[str], tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", text)
    for files in ([words[0], "--dev", empty], [empty, "--dev", words[2]]):
        code, epochs, message = run(files, "-o", str(tmp_path / "m"), *QUICK)
        assert (code, epochs) == (3, [])
        assert str(tmp_path / "empty") in message


def test_no_dev_words_are_refused_in_python_too() -> None:
    with pytest.raises(ValueError, match="dev has no words"):
        Trainer(Settings(language="none"), source(TRAIN), Treebank("dev", ()))


def test_what_cannot_be_learned_is_skipped_counted_and_named(tmp_path: Path) -> None:
    words = [
        write(tmp_path / "t", GOOD + LONG + FOREIGN + GOOD),
        "--dev",
        write(tmp_path / "d", OTHERS),
    ]
    code, epochs, message = run(words, "-o", str(tmp_path / "m"), "--language", "none", "--epochs",
                                "1", *QUICK)  # fmt: skip
    assert (code, len(epochs)) == (0, 1)
    lines = message.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(f"{tmp_path / 't'}:5: ab: the form is more than 5 letters longer")
    assert lines[1].startswith(f"{tmp_path / 't'}:6: cats: the grammar does not derive the tree")
    assert lines[2] == "2 of 10 words were skipped"
    assert all(line.endswith("skipped") for line in lines)


def test_a_reading_that_cannot_be_learned_is_named_too(tmp_path: Path) -> None:
    two = "unlocks\t[[un [lock]] s]\t[[un] [lock] [s]]\n"
    words = [write(tmp_path / "t", GOOD + two), "--dev", write(tmp_path / "d", OTHERS)]
    code, _, message = run(words, "-o", str(tmp_path / "m"), "--language", "none", "--epochs", "1",
                           *QUICK)  # fmt: skip
    assert code == 0
    assert f"{tmp_path / 't'}:5: unlocks: " in message


@pytest.mark.parametrize(
    "text", [LONG + LONG, FOREIGN, "".join(("x" * 65, "\t[", "x" * 65, "]\n"))]
)
def test_a_file_of_which_nothing_can_be_learned_is_refused(text: str, tmp_path: Path) -> None:
    words = [write(tmp_path / "t", text), "--dev", write(tmp_path / "d", GOOD)]
    code, epochs, message = run(words, "-o", str(tmp_path / "m"), "--language", "none", *QUICK)
    assert (code, epochs) == (3, [])
    assert f"{tmp_path / 't'} has no word to learn from ({text.count(chr(10))} x " in message


def test_one_word_is_enough(tmp_path: Path) -> None:
    words = [write(tmp_path / "t", "tests\t[[test] s]\n"), "--dev", write(tmp_path / "d", OTHERS)]
    assert run(words, "-o", str(tmp_path / "m"), "--language", "none", "--epochs", "1")[0] == 0


def test_dev_words_that_the_model_cannot_derive_count_as_wrong(tmp_path: Path) -> None:
    words = [write(tmp_path / "t", GOOD), "--dev", write(tmp_path / "d", FOREIGN + LONG)]
    code, [epoch], _ = run(words, "-o", str(tmp_path / "m"), "--language", "none", "--epochs", "1")
    assert code == 0
    assert epoch["dev"]["exact_tree"] == 0.0
    assert np.isfinite(epoch["dev"]["log_likelihood"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--l2", "much"], "l2 must be a number or 'grid'"),
        (["--l2", "-1"], "l2 must be a number from 0 on"),
        (["--l2", "nan"], "l2 must be a number from 0 on"),
        (["--estimator", "best"], "nbest:20 or importance:1000"),
        (["--grammar", "nowhere"], "the grammar nowhere cannot be read"),
        (["--language", "tlh"], "tlh"),
        (["--lexicon", "nowhere"], "the lexicon nowhere cannot be read"),
        (
            ["--related", "nowhere", "--features", "full"],
            "the related words nowhere cannot be read",
        ),
        (["--epochs", "0"], "0 is not in the range"),
    ],
)
def test_wrong_options_are_one_sentence(
    options: list[str], sentence: str, tmp_path: Path, words: list[str]
) -> None:
    code, epochs, message = run(words[:3], "-o", str(tmp_path / "m"), *QUICK, *options)
    assert code in (2, 3)
    assert epochs == []
    assert sentence in message
    assert not (tmp_path / "m").exists()


def test_in_training_no_word_is_known_from_itself() -> None:
    """A stem is known in training if two words have it, and in the model if one has."""
    ready = prepared()
    words = {item.word: item for item in ready.data.items}
    counts = Counter(
        stem
        for item in words.values()
        for stem in {
            leaf.string for tree in item.trees for leaf in tree.leaves() if not leaf.is_affix
        }
    )
    for stem, count in counts.items():
        assert (hash_text(stem) in ready.spans.knowledge.stems) == (count > 1)
        assert hash_text(stem) in ready.knowledge.stems
    assert {1, 2} <= set(counts.values())


STEM = SpanTemplate("stem", "shape", "open")


def test_training_tells_known_stems_from_others() -> None:
    """The attribute `stem` fires on known and on unknown stems of training words."""
    ready = prepared(language="none")
    contexts = {
        value: STEM.context({"stem": value}, ready.spans.templates.spans.index(STEM))
        for value in (1, 2)
    }
    assert all(len(ready.spans.index.with_context(context)) for context in contexts.values())
