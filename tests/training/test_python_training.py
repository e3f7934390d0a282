"""`morphtree.train`: what a program gets, says and is told."""

from __future__ import annotations

import json
import pickle
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.errors import MorphtreeError, OptionError
from morphtree.lexicon.resources import languages
from morphtree.model.model import Model
from morphtree.trained import TrainedAnalyzer
from morphtree.training.settings import Settings
from morphtree.training.trainer import Epoch
from tests.small_training import DEV, LEXICON, TRAIN, command, source, write_words

ESPERANTO = Path(__file__).parents[2] / "examples" / "esperanto.brackets"
PAIRS = [(entry.word, entry.readings) for entry in source(TRAIN).entries]
DEV_PAIRS = [(entry.word, entry.readings) for entry in source(DEV).entries]
QUICK: dict[str, Any] = {"features": "paper", "epochs": 2, "progress": False}


def quick(**options: Any) -> TrainedAnalyzer:
    """Train on the small treebank in two epochs."""
    return morphtree.train(PAIRS, DEV_PAIRS, **{**QUICK, **options})


# -- what it returns --------------------------------------------------------------------------


def test_it_returns_an_analyzer_that_says_how_good_it_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trained = morphtree.train(PAIRS, DEV_PAIRS, epochs=3, language="en", lexicon=["test", "bake"])
    assert isinstance(trained, morphtree.Analyzer)
    assert str(trained.parse("tests").readings[0].tree) == "[[test] s]"
    assert [epoch.epoch for epoch in trained.history] == [0, 1, 2]
    assert trained.scores == trained.model.header["dev"]
    assert (trained.path, trained.skipped) == (None, ())
    right = round(trained.scores["exact_tree"] * len(DEV_PAIRS))
    assert f"{right} of {len(DEV_PAIRS)} trees right" in str(trained)
    shown = capsys.readouterr()
    assert shown.out.endswith(f"\n{trained}\n")
    assert shown.err == ""
    assert list(tmp_path.iterdir()) == []  # nothing is written unasked
    assert pickle.loads(pickle.dumps(trained)).parse("tests") == trained.parse("tests")


def test_python_and_the_command_write_the_same_bytes(tmp_path: Path) -> None:
    words = write_words(tmp_path)
    assert command("train", *words, "-o", str(tmp_path / "a"), "--epochs", "2").exit_code == 0
    lexicon = tmp_path / "lexicon"
    trained = morphtree.train(
        tmp_path / "train", str(tmp_path / "dev"), tmp_path / "b", language="en", lexicon=lexicon,
        epochs=2, progress=False,
    )  # fmt: skip
    assert trained.path == tmp_path / "b"
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert morphtree.load(str(tmp_path / "b")).parse("bakers") == trained.parse("bakers")


def test_words_in_a_file_and_in_memory_train_the_same() -> None:
    in_file = quick(l2="0.5")
    in_memory = morphtree.train(source(TRAIN), dict(DEV_PAIRS), l2=0.5, **QUICK)
    assert in_file.model.digest == in_memory.model.digest


def test_a_lexicon_is_a_file_or_words_or_words_with_frequencies(tmp_path: Path) -> None:
    plain = [line.split("\t")[0] for line in LEXICON.splitlines() if line]
    path = tmp_path / "words"
    path.write_text("\n".join(plain), encoding="utf-8")
    options: dict[str, Any] = {"features": "full", "epochs": 1}
    ways = [quick(lexicon=way, **options) for way in (path, plain, dict.fromkeys(plain, 3.0))]
    assert len({way.model.weights.tobytes() for way in ways}) == 1
    frequencies = {word: 2.0 + number % 5 for number, word in enumerate(plain)}
    other = quick(lexicon=frequencies, **options)
    assert other.model.weights.tobytes() != ways[0].model.weights.tobytes()
    assert "bake" in ways[1].model.spans.knowledge.lexicon
    assert "bake" not in quick(**options).model.spans.knowledge.lexicon


def test_a_grid_returns_the_best_run(tmp_path: Path) -> None:
    trained = quick(l2="grid", epochs=1)
    l2 = trained.model.header["settings"]["l2"]
    assert trained.model.digest == quick(l2=l2, epochs=1).model.digest


# -- what it shows ----------------------------------------------------------------------------


def test_progress_can_be_a_function_or_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Epoch] = []
    trained = quick(progress=seen.append)
    assert tuple(seen) == trained.history
    quick()
    assert capsys.readouterr() == ("", "")


def test_a_log_has_a_line_for_each_epoch(tmp_path: Path) -> None:
    log = tmp_path / "log"
    trained = quick(log=log)
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [asdict(epoch) for epoch in trained.history]
    quick(log=log)
    assert len(log.read_text(encoding="utf-8").splitlines()) == 2  # the old one is replaced


class EnoughError(Exception):
    """Stops a run."""


def stop_after(epochs: int) -> Any:
    def stop(epoch: Epoch) -> None:
        if epoch.epoch == epochs:
            raise EnoughError

    return stop


def test_a_run_that_was_stopped_goes_on_and_so_does_its_log(tmp_path: Path) -> None:
    whole = quick(epochs=6, lexicon=["bake"])
    model, log = tmp_path / "m", tmp_path / "log"
    options: dict[str, Any] = {"epochs": 6, "output": model, "log": log, "lexicon": ["bake"]}
    with pytest.raises(EnoughError):
        quick(progress=stop_after(2), **options)
    assert [path.name for path in tmp_path.iterdir() if path != log] == ["m.checkpoint"]
    with pytest.raises(MorphtreeError, match="belongs to other data or settings"):
        quick(resume=True, **{**options, "lexicon": ["bake", "cat"], "log": None})
    resumed = quick(resume=True, **options)
    assert resumed.model.digest == whole.model.digest
    logged = [json.loads(line)["epoch"] for line in log.read_text().splitlines()]
    assert logged[:3] == [0, 1, 2]
    assert logged[-1] == len(resumed.history) - 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "m"]


# -- dev words --------------------------------------------------------------------------------


def test_without_dev_words_some_are_held_out(capsys: pytest.CaptureFixture[str]) -> None:
    trained = morphtree.train(ESPERANTO, epochs=1, features="paper")
    train, dev = capsys.readouterr().out.splitlines()[0:3:2]
    assert train.startswith("train      176 words of ")
    assert dev.startswith("dev        31 more words of it, held out by family: ")
    assert "of 31 trees right" in str(trained)
    again = morphtree.train(ESPERANTO, epochs=1, features="paper", progress=False)
    assert again.model.digest == trained.model.digest


@pytest.mark.parametrize(
    ("dev", "warning"),
    [
        (PAIRS, "the dev words are the training words: dev scores will be too good"),
        (PAIRS[:3], "all 3 dev words are training words: dev scores"),
        (DEV_PAIRS + PAIRS[:2], "2 of the 20 dev words are training words: dev scores"),
    ],
)
def test_a_warning_says_that_dev_is_train(dev: Any, warning: str) -> None:
    with pytest.warns(UserWarning, match=warning) as caught:
        morphtree.train(PAIRS, dev, **QUICK)
    assert caught[0].filename == __file__  # it points at who called


# -- languages --------------------------------------------------------------------------------


def test_no_language_is_taken_by_accident() -> None:
    assert Settings().language == "none"
    assert quick().model.header["settings"]["language"] == "none"


def test_the_languages_are_those_of_wordfreq(monkeypatch: pytest.MonkeyPatch) -> None:
    wordfreq = pytest.importorskip("wordfreq")
    assert languages() == sorted(wordfreq.available_languages())
    with pytest.raises(MorphtreeError, match=r"'tlh'; give 'none', or one of ar, .*, zh$"):
        quick(language="tlh")
    monkeypatch.setattr("morphtree.lexicon.resources.find_spec", lambda name: None)
    assert languages() == []


def test_a_warning_doubts_the_language() -> None:
    pytest.importorskip("wordfreq")
    with pytest.warns(
        UserWarning, match="language 'is' has only .* is it their language?"
    ) as found:
        morphtree.train(ESPERANTO, language="is", **{**QUICK, "epochs": 1})
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick(language="en", epochs=1)


# -- what is wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"l2": "much"}, "l2 must be a number or 'grid', not 'much'"),
        ({"l2": [1]}, r"l2 must be a number or 'grid', not \[1\]"),
        ({"features": "most"}, "features must be full or paper, not 'most'"),
        ({"structure": "bush"}, "structure must be tree or chain, not 'bush'"),
        ({"jobs": 0}, "jobs must be a whole number from 1 on, not 0"),
        ({"output": "m", "log": "m"}, "m is the model itself; name another file"),
        ({"epochs": 0}, "epochs must be a whole number from 1 on, not 0"),
        ({"seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ({"jobs": 1.5}, "jobs must be a whole number from 1 on, not 1.5"),
        ({"resume": True}, "a run goes on from the checkpoint beside its output; name the output"),
        ({"output": "no/m"}, "there is no folder no to write m into"),
        ({"output": "."}, ". is a folder; name the file to write"),
        ({"log": "no/log"}, "the log no/log cannot be written"),
        ({"output": "words", "lexicon": "words"}, "words is the lexicon itself"),
        ({"log": "words", "lexicon": "words"}, "words is the lexicon itself"),
    ],
)
def test_options_that_cannot_be_used_are_one_sentence(
    options: dict[str, Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words").write_text("bake\n")
    with pytest.raises(OptionError, match=sentence):
        quick(**options)
    assert Path("words").read_text() == "bake\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"l2": -1}, "l2 must be a number from 0 on"),
        ({"lexicon": ["bake", "two words"]}, "the lexicon: 'two words' is not a word"),
        ({"lexicon": {"bake": -4}}, "the lexicon: zipf '-4'; give a number from 0 to 9"),
        ({"lexicon": "nowhere"}, "the lexicon nowhere cannot be read"),
        ({"train": [("cats", "[cat")]}, r"train, item 1 \(cats\)"),
        ({"dev": []}, "dev has no words"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MorphtreeError, match=sentence):
        morphtree.train(**{"train": PAIRS, "dev": DEV_PAIRS, **QUICK, **options})


def test_what_is_skipped_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    long: list[Any] = [*PAIRS, ("ab", "[[abcdef] gh]")]
    trained = morphtree.train(long, DEV_PAIRS, **{**QUICK, "epochs": 1, "progress": True})
    [note] = trained.skipped
    assert note.startswith(f"train:{len(long)}: ab: the form is more than 5 letters longer")
    skipped = f"{note}; skipped\n1 of {len(long)} words were skipped\n"
    assert capsys.readouterr().err == skipped


def test_a_model_in_memory_can_be_saved_later(tmp_path: Path) -> None:
    trained = quick()
    trained.model.save(tmp_path / "m")
    assert Model.load(tmp_path / "m").digest == trained.model.digest
