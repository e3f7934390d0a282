"""`morphtree.evaluate` takes models and treebanks as programs have them, as the command does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import morphtree
from morphtree import Analyzer, Treebank
from morphtree.cli.main import main
from morphtree.errors import ModelError, TreebankError
from morphtree.evaluation.report import to_text
from morphtree.joint.estimators import NBest
from morphtree.lexicon.stored import NOTHING_STORED

GOLD = {
    "cats": "[[cat] s]",
    "untestably": "[[un [[test] able]] ly]",
    "corner": "[[corn] er]",  # which it is not
    "zworkless": "[[zwork] less]",
}
TRAIN = {"cats": "[[cat] s]"}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold"
    path.write_text("".join(f"{w}\t{t}\n" for w, t in GOLD.items()), encoding="utf-8")
    return path


def figures(found: Any) -> dict[str, Any]:
    """Leave out the name of the data, which is not always a file."""
    data: dict[str, Any] = found if isinstance(found, dict) else found.to_dict()
    return data | {"signature": re.sub("data:[^@]*@", "data:@", data["signature"])}


def test_the_command_calls_the_function(gold: Path) -> None:
    options = ["--train", str(gold), "--compare", "en", "--decode", "nbest:3", "--no-stored",
               "--jobs", "1", "--seed", "5"]  # fmt: skip
    done = CliRunner().invoke(main, ["evaluate", "en", str(gold), "--format", "json", *options])
    found = morphtree.evaluate(
        "en", gold, train=gold, compare="en", decode="nbest:3", stored=False, jobs=1, seed=5
    )
    assert json.loads(done.stdout) == found.to_dict()
    assert "|decode:nbest:3|" in found.signature
    done = CliRunner().invoke(main, ["evaluate", "en", str(gold)])
    assert done.stdout.rstrip("\n") == to_text(morphtree.evaluate("en", gold))
    assert done.stderr.splitlines() == [*morphtree.evaluate("en", gold).notes]


def test_models_and_treebanks_are_given_in_any_way(gold: Path) -> None:
    expected = figures(morphtree.evaluate("en", gold, train=TRAIN))
    analyzer, treebank = morphtree.load(), Treebank.read(gold)
    same = {key: value for key, value in expected.items() if key != "signature"}
    path = Path(morphtree.__file__).with_name("models") / "en.model"
    for data in (str(gold), treebank, treebank.entries, GOLD, [*GOLD.items()]):
        assert figures(morphtree.evaluate(analyzer, data, train=TRAIN)) == expected
    for model in (path, str(path), analyzer.model):
        found = morphtree.evaluate(model, GOLD, train=TRAIN).to_dict()
        assert {key: value for key, value in found.items() if key != "signature"} == same
    found = morphtree.evaluate("en", GOLD, decode=NBest(3)).to_dict()
    assert found == morphtree.evaluate("en", GOLD, decode="nbest:3").to_dict()


def test_an_analyzer_is_scored_as_it_answers() -> None:
    analyzer = morphtree.load(overrides={"corner": GOLD["corner"]})
    found = morphtree.evaluate(analyzer, GOLD, compare="en")
    assert found.scores["exact_tree"] is not None
    assert found.all.compare is not None
    assert found.scores["exact_tree"].value == 1.0
    assert found.all.compare["exact_tree"] is not None
    assert found.all.compare["exact_tree"].delta == pytest.approx(0.25)


def test_the_model_alone_is_scored_without_what_is_stored() -> None:
    with_stored = morphtree.evaluate("en", GOLD)
    assert with_stored.notes == (
        "3 of 4 words are stored in the model en and answered from there; --no-stored"
        " (stored=False) scores the model alone",
    )
    plain = Analyzer(morphtree.load().model.with_stored(NOTHING_STORED), "en")
    alone = morphtree.evaluate(plain, GOLD)
    assert alone.notes == ()
    for model in ("en", morphtree.load()):
        assert morphtree.evaluate(model, GOLD, stored=False, jobs=1).all == alone.all


def test_the_result_prints_what_a_reader_should_know() -> None:
    found = morphtree.evaluate("en", GOLD, train=TRAIN)
    *table, signature, note = str(found).splitlines()
    assert table[0].split() == ["4", "words", "3", "unseen", "words"]
    assert any(line.startswith("exact tree %") for line in table)
    assert (signature, note) == (found.signature, found.notes[0])
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()


def test_progress_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    morphtree.evaluate("en", GOLD)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    morphtree.evaluate("en", GOLD, progress=False)
    assert capsys.readouterr().err == ""
    morphtree.evaluate("en", GOLD)
    assert "word" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "treebank", "options", "error", "complaint"),
    [
        ("en", {}, {}, TreebankError, "no words"),
        ("en", Treebank("none", ()), {}, TreebankError, "none has no entries"),
        ("en", GOLD, {"train": []}, TreebankError, "train has no words"),
        ("en", {"cats": "[[cat] s"}, {}, TreebankError, "item 1 .cats.: ']' is missing"),
        ("en", "no-such-file", {}, TreebankError, "no-such-file does not exist"),
        ("klingon", GOLD, {}, ModelError, "no file or language 'klingon'"),
        ("en", GOLD, {"compare": "klingon"}, ModelError, "no file or language 'klingon'"),
        ("en", GOLD, {"decode": "beam"}, ModelError, "nbest:20"),
    ],
)
def test_mistakes_get_one_sentence(
    model: Any, treebank: Any, options: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        morphtree.evaluate(model, treebank, **options)
