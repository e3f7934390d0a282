"""What is reported of predictions: unseen words, kinds of errors, signatures, the command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given

import morphtree
from morphtree.analysis import Analysis, Reading
from morphtree.cli.main import COMMANDS, main
from morphtree.errors import ModelError
from morphtree.evaluation.errors import KINDS, RIGHT, count_errors, error_kind
from morphtree.evaluation.evaluation import Evaluation, evaluate, signature
from morphtree.evaluation.metrics import (
    NAMES,
    Prediction,
    measure,
)
from morphtree.evaluation.report import to_dict, to_json, to_latex, to_text
from morphtree.evaluation.significance import Score
from morphtree.joint.estimators import Estimator, NBest
from morphtree.trees.tree import Tree
from tests.scoring import CASES, CONTRACT, GOLD, GUESSES, Case, entry, flat, halves

# -- unseen words and errors ------------------------------------------------------------------


def test_unseen_words_are_scored_by_themselves() -> None:
    result = evaluate(GOLD, GUESSES, train=["window", "happily", "elsewhere"])
    assert result.unseen is not None
    alone = evaluate(GOLD[:2], GUESSES[:2])
    assert result.unseen == alone.all
    assert result.all == evaluate(GOLD, GUESSES).all
    assert evaluate(GOLD, GUESSES).unseen is None
    none_new = evaluate(GOLD, GUESSES, train=[e.word for e in GOLD])
    assert to_dict(none_new)["unseen"] is None
    assert "every word is in the training data" in to_text(none_new)


@pytest.mark.parametrize(
    ("gold", "guess", "kind"),
    [
        ("[[happy] ly]", "[[happy] ly]", RIGHT),
        ("[un [[lock] able]]", "[[un [lock]] able]", "scope"),
        ("[un [do]]", "[[un] [do]]", "scope"),
        ("[un [couth]]", "[uncouth]", "boundary"),
        ("[[test] able]", "[[testa] ble]", "boundary"),
        ("[[admit] ible]", "[[admit] able]", "affix"),
        ("[[[act] ive] ity]", "[[act] ivity]", "affix"),
        ("[[black] [bird]]", "[[[black] [bird]] s]", "affix"),
        ("[[happy] ly]", "[[happi] ly]", "spelling"),
        ("[[happy] ly]", "[happily]", "spelling"),
        ("[[black] [bird]]", "[[bird] s]", "spelling"),
    ],
)
def test_kinds_of_errors_of_trees(gold: str, guess: str, kind: str) -> None:
    assert error_kind(entry("w", gold), Tree.parse(guess)) == (kind, Tree.parse(gold))


@pytest.mark.parametrize(
    ("guess", "kind"),
    [
        ("un test able", RIGHT),
        ("untest able", "boundary"),
        ("un test ible", "affix"),
        ("un tests able", "spelling"),
    ],
)
def test_kinds_of_errors_without_trees(guess: str, kind: str) -> None:
    segments = tuple(guess.split())
    longest_stem = flat("untestable", "un test able")
    assert error_kind(longest_stem, segments)[0] == kind
    assert error_kind(entry("untestable", "[un [[test] able]]"), segments)[0] == kind


def test_the_mildest_error_counts_and_examples_are_few() -> None:
    both = entry("w", "[[x] y]", "[[ab] c]")
    assert error_kind(both, Tree.parse("[[a] bc]")) == ("boundary", both.readings[1])
    assert error_kind(both, None)[0] == "refused"
    errors = count_errors([GOLD[3]] * 5 + GOLD, [None] * 5 + GUESSES)
    assert {kind: found.count for kind, found in errors.items()} == {
        "refused": 6,
        "scope": 1,
        "boundary": 1,
        "affix": 0,
        "spelling": 0,
    }
    assert errors["refused"].examples == (("happily", "[[happy] ly]", ""),) * 3
    assert errors["boundary"].examples == (("window", "[window]", "[[wind] ow]"),)


@given(CASES)
def test_every_wrong_word_has_one_kind_of_error(cases: list[Case]) -> None:
    entries, guesses = halves(cases)
    errors = count_errors(entries, guesses)
    assert tuple(errors) == KINDS
    wrong = 0
    for gold, guess in cases:
        found = measure([gold], [guess])
        right = found["accuracy"] if found["exact_tree"] is None else found["exact_tree"]
        wrong += right == 0
        assert (error_kind(gold, guess)[0] == RIGHT) == (right == 1)
    assert sum(found.count for found in errors.values()) == wrong


# -- signature and reports --------------------------------------------------------------------


def test_the_signature_names_data_variants_and_settings() -> None:
    text = signature(GOLD, data="my test.txt", train=["cats"], unseen=3, resamples=10, seed=5)
    parts = dict(part.split(":") for part in text.split("|"))
    assert re.fullmatch(r"my_test\.txt@[0-9a-f]{12}", parts["data"])
    assert (parts["words"], parts["unseen"], parts["bootstrap"], parts["seed"]) == (
        *("4", "3", "10", "5"),
    )
    assert parts["morpheme_f1"].startswith("micro")
    assert parts["morpheme_f1_macro"] != parts["morpheme_f1"]
    assert {*CONTRACT, "constituent_f1_inner", "constituent_f1_free", "morphtree"} < set(parts)


def test_the_signature_changes_with_the_data_and_only_with_them() -> None:
    assert signature(GOLD) == signature([replace(e, line=9) for e in GOLD[::-1]])
    others = [
        GOLD[:3],
        [*GOLD[:3], entry("happily", "[[happy] [ly]]")],
        [*GOLD[:3], entry("happyly", "[[happy] ly]")],
        [*GOLD[:3], flat("happily", "happy ly")],
    ]
    assert len({signature(GOLD), *map(signature, others)}) == 5
    assert signature(GOLD, train=["a"]) != signature(GOLD, train=["b"])


def full_report() -> Evaluation:
    return evaluate(GOLD, GUESSES, baseline=[None] * 4, data="t", train=["cats"], resamples=20)


def test_json_has_the_agreed_keys() -> None:
    result = json.loads(to_json(full_report()))
    assert set(result) == {*NAMES, "words", "compare", "errors", "unseen", "signature"}
    assert set(result["unseen"]) == {*NAMES, "words", "compare", "errors"}
    assert set(CONTRACT) < set(result)
    for part in (result, result["unseen"]):
        for name in NAMES:
            assert set(part[name]) == set(Score._fields)
            assert set(part["compare"][name]) == {"delta", "low", "high", "p"}
    assert result["accuracy"]["value"] == 0.5
    assert result["compare"]["accuracy"]["delta"] == 0.5
    assert result["unseen"]["words"] == 3
    assert result["errors"]["boundary"] == {
        "count": 1,
        "examples": [{"word": "window", "gold": "[window]", "predicted": "[[wind] ow]"}],
    }
    plain = to_dict(evaluate(GOLD, GUESSES, resamples=20))
    assert set(plain) == {*NAMES, "words", "errors", "signature"}


def test_text_is_an_aligned_table() -> None:
    lines = to_text(full_report()).splitlines()
    assert re.split("  +", lines[0]) == ["", "4 words", "3 unseen words"]
    table = lines[1 : lines.index("")]
    assert len(table) == 12
    for start in (lines[0].index("4 words"), lines[0].index("3 unseen")):
        assert all(re.match(r"  \S", line[start - 2 :]) for line in table)
    assert "50.00 [" in next(line for line in lines if line.startswith("accuracy"))
    assert any(re.match(r"edit distance +2\.250 \[", line) for line in lines)
    assert any("window: [[wind] ow], not [window]" in line for line in lines)
    assert lines[-1] == full_report().signature


@pytest.mark.parametrize("with_trees", [True, False])
@pytest.mark.parametrize("baseline", [None, [None] * 4])
@pytest.mark.parametrize("train", [None, ["cats"]])
def test_latex_is_a_whole_table(
    with_trees: bool, baseline: list[Prediction] | None, train: list[str] | None
) -> None:
    guesses = GUESSES if with_trees else [("a",)] * 4
    text = to_latex(evaluate(GOLD, guesses, baseline=baseline, train=train, resamples=20))
    comment, begin, top, head, middle, *body, bottom, end = text.splitlines()
    columns = re.fullmatch(r"\\begin\{tabular\}\{(l[r]+)\}", begin)
    assert comment.startswith("% data:")
    assert columns is not None
    assert (top, middle, bottom, end) == (
        *(r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"),
    )
    assert len(columns[1]) == 1 + (3 if baseline else 1) * (2 if train else 1)
    assert len(body) == (8 if with_trees else 4)
    for row in (head, *body):
        assert row.endswith(r" \\")
        assert row.count("&") == len(columns[1]) - 1
        assert row.count("$") % 2 == 0
        assert not re.search(r"(?<!\\)[%#]|_(?!1\$)", row)
        assert not re.search(r"-\d", row)  # a hyphen is no minus sign


# -- the command ------------------------------------------------------------------------------


class FakeAnalyzer:
    """Answers from a table, and refuses what is not in it."""

    def __init__(self, answers: dict[str, Prediction]) -> None:
        self.answers = answers
        self.name = "fake"

    def signature(self, decode: Estimator) -> dict[str, str]:
        return {"model": f"{len(self.answers)}@digest", "decode": str(decode)}

    def pipe(self, words: Sequence[str], *, decode: Estimator) -> Iterator[Analysis]:
        assert decode == NBest(7)
        for word in words:
            tree = self.answers.get(word)
            readings = (Reading(tree, word, 1.0),) if tree else ()
            yield Analysis(word, "ok" if tree else "refused", readings)


SYSTEMS = {
    "good": FakeAnalyzer({"cats": Tree.parse("[[cat] s]"), "window": Tree.parse("[window]")}),
    "bad": FakeAnalyzer({"cats": Tree.parse("[cats]")}),
    "chain": FakeAnalyzer({"cats": ("cat", "s"), "window": ("window",)}),
}


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def load(name: str, *, stored: bool, jobs: int | None) -> FakeAnalyzer:
        assert stored
        assert jobs == 2
        if name not in SYSTEMS:
            raise ModelError(f"there is no model {name!r}")
        return SYSTEMS[name]

    monkeypatch.setattr(morphtree, "load", load)
    monkeypatch.setitem(COMMANDS, "evaluate", "morphtree.cli.evaluate:evaluate")
    (tmp_path / "test.txt").write_text("cats\t[[cat] s]\nwindow\t[window]\n")
    (tmp_path / "train.txt").write_text("window\t[window]\n")
    return tmp_path


def run(*arguments: str | Path) -> Result:
    options = "evaluate", "--decode", "nbest:7", "--jobs", "2", *map(str, arguments)
    return CliRunner().invoke(main, options)


def test_the_command_scores_a_model(bank: Path) -> None:
    result = run("good", bank / "test.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "2 words" in result.stdout
    assert "exact tree %" in result.stdout
    assert "data:test.txt@" in result.stdout
    assert "model:2@digest|decode:nbest:7|" in result.stdout


def test_the_command_compares_on_all_and_unseen_words(bank: Path) -> None:
    result = run(
        "good", bank / "test.txt", "--train", bank / "train.txt", "--compare", "bad",
        "--format", "json", "--seed", "3",
    )  # fmt: skip
    found = json.loads(result.stdout)
    assert (found["exact_tree"]["value"], found["compare"]["exact_tree"]["delta"]) == (1, 1)
    assert found["unseen"]["words"] == 1
    assert found["unseen"]["compare"]["edit_distance"]["delta"] == -1
    assert "|seed:3|" in found["signature"]
    assert "|other_model:1@digest|other_decode:nbest:7|" in found["signature"]


def test_the_command_takes_a_chain(bank: Path) -> None:
    found = json.loads(run("chain", bank / "test.txt", "--format", "json").stdout)
    assert found["accuracy"]["value"] == 1
    assert found["constituent_f1"] is None
    assert r"\toprule" in run("chain", bank / "test.txt", "--format", "latex").stdout


def test_repairs_in_the_treebank_are_not_silent(bank: Path) -> None:
    (bank / "2016").write_text("cats (S (cat:stem) (s:suffix ))\nmen (S (man:stem) (\n")
    result = run("good", bank / "2016")
    assert result.exit_code == 0
    assert "repaired 1" in result.stderr
    assert "dropped 1" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("good", "empty.txt"), 3, "is empty"),
        (("good", "comment.txt"), 3, "no entries"),
        (("good", "missing.txt"), 3, "missing.txt"),
        (("good", "test.txt", "--train", "empty.txt"), 3, "is empty"),
        (("ugly", "test.txt"), 3, "no model 'ugly'"),
        (("good", "test.txt", "--compare", "ugly"), 3, "no model 'ugly'"),
        (("good", "test.txt", "--decode", "beam"), 3, "nbest:20"),
        (("good", "test.txt", "--format", "html"), 2, "html"),
        (("good",), 2, "TREEBANK"),
    ],
)
def test_mistakes_get_one_sentence(
    bank: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    complaint: str,
) -> None:
    monkeypatch.chdir(bank)
    Path("empty.txt").write_text("")
    Path("comment.txt").write_text("# nothing\n")
    result = run(*arguments)
    assert result.exit_code == code
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_scored_is_what_parse_answers(tmp_path: Path) -> None:
    """Without --decode the model's own way is taken, and the signature says which."""
    words = ["untestably", "unlockable", "cats", "windows", "rebuilding", "oxen"]
    analyzer = morphtree.load()
    gold = [(word, analyzer.parse(word).readings[0].notation) for word in words]
    (tmp_path / "gold").write_text("".join(f"{word}\t{tree}\n" for word, tree in gold))
    options = ["evaluate", "en", str(tmp_path / "gold"), "--format", "json"]
    found = json.loads(CliRunner().invoke(main, options).stdout)
    assert found["exact_tree"]["value"] == 1.0
    described = f"model:en@{analyzer.model.digest}|decode:{analyzer.model.decode}|"
    assert found["signature"].startswith(described)
