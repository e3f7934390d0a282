"""The paper's experiment on a tiny synthetic treebank: fits, resuming, shards, the table."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from morphtree.cli.main import main
from morphtree.cli.reproduce import committed, numbers, part_of
from morphtree.errors import DataError
from morphtree.reproduction.experiment import (
    KINDS,
    TUNING,
    Fit,
    Kind,
    Reproduction,
    chosen_l2,
    fit_of,
    read_results,
    shared_l2,
)
from morphtree.reproduction.fit import Result, as_released, cut_alike, without_examples
from morphtree.reproduction.tables import cell, facts, faults, notes, released, scores
from morphtree.training.settings import RENAMED, same_settings
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from tests.small_training import DEV, TRAIN

QUICK = {"language": "none", "epochs": 2}
TREE = Kind("paper", "tree", "importance:10", "importance:1000")
CHAIN = Kind("paper", "chain", "nbest:20", "nbest:20")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two splits in the published format, the second with train and dev exchanged."""
    folder = tmp_path_factory.mktemp("data") / "inside-out-2016"
    folder.mkdir()
    for name, text in (("a", TRAIN), ("b", DEV)):
        (folder / name).write_text(text, encoding="utf-8")
    for split, (train, dev) in enumerate((("a", "b"), ("a", "b"))):
        for part, source in (("train", train), ("dev", dev), ("test", dev)):
            Treebank.read(folder / source).write(folder / f"{part}{split}", "2016")
    return folder


class Few(Kind):
    """A kind with two L2 weights only."""

    @property
    def l2_grid(self) -> tuple[float, ...]:
        return (0.1, 0.5)


def experiment(data: Path | None, output: Path, **names: object) -> Reproduction:
    said: list[str] = []
    chosen = {"kinds": [Few(*TREE), Few(*CHAIN)], "splits": [0, 1], "others": QUICK} | names
    return Reproduction(data, output, **({"jobs": 1, "say": said.append} | chosen))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def done(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    run = experiment(data, tmp_path_factory.mktemp("fits"))
    assert run.run(grid=True)
    return run


def test_every_fit_has_its_folder_and_result(done: Reproduction) -> None:
    assert len(done.found) == 2 * 2 * 2
    for fit, result in done.found.items():
        kept = json.loads((done.output / fit.folder / "result.json").read_text(encoding="utf-8"))
        assert kept == json.loads(json.dumps(result))
        assert fit_of(kept) == fit
        assert kept["test"]["decode"] == fit.kind.decode
        assert kept["test"]["words"] == 18
        assert not list((done.output / fit.folder).glob("checkpoint*"))
        assert "examples" not in json.dumps(kept)  # no published word leaves the machine


def test_a_second_run_fits_nothing(done: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    again = experiment(done.data, done.output)
    monkeypatch.setattr(Reproduction, "_fit", lambda *_: pytest.fail("fitted again"))
    assert again.run(grid=True)
    assert again.run()
    elsewhere = experiment(done.data, done.output / "none", results=[done.output])
    assert elsewhere.run()


def test_results_of_other_settings_or_data_do_not_count(done: Reproduction, data: Path) -> None:
    assert not experiment(data, done.output, others=QUICK | {"seed": 2}).found
    other = experiment(data, done.output)
    read = other._source
    other._source = lambda name: read("dev0" if name == "train0" else name)
    assert {fit.split for fit in other.found} == {1}


def test_a_result_from_before_there_was_a_setting_counts(done: Reproduction) -> None:
    fit, fitted = next(iter(done.found.items()))
    result = json.loads(json.dumps(fitted))  # as it is read
    older = {k: v for k, v in result["task"]["settings"].items() if k != "transducer_words"}
    assert done._is_valid(fit, {**result, "task": {**result["task"], "settings": older}})
    other = {**older, "seed": 2}
    assert not done._is_valid(fit, {**result, "task": {**result["task"], "settings": other}})


def test_results_count_whatever_their_settings_were_called(done: Reproduction) -> None:
    fit, fitted = next(iter(done.found.items()))
    fitted = json.loads(json.dumps(fitted))  # as it is read
    old = {new: name for name, new in RENAMED.items()}
    names = {old.get(name, name): v for name, v in fitted["task"]["settings"].items()}
    assert {"rate", "longer"} <= names.keys()
    assert done._is_valid(fit, {**fitted, "task": {**fitted["task"], "settings": names}})
    other = {**names, "rate": 7.0}
    assert not done._is_valid(fit, {**fitted, "task": {**fitted["task"], "settings": other}})


def test_the_committed_results_are_of_the_present_settings(tmp_path: Path) -> None:
    experiment = Reproduction(tmp_path, tmp_path, range(10))
    committed = [*read_results([ROOT / "experiments" / "results"])]
    assert len(committed) > 150
    for result in committed:
        fit = fit_of(result)
        assert same_settings(asdict(experiment.settings(fit)), result["task"]["settings"]), fit


def test_a_stopped_fit_goes_on_to_the_same_result(
    done: Reproduction, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = Fit(done.kinds[0], 0.1, 0)
    stopped = experiment(data, tmp_path)

    def stop(text: str) -> None:
        if "epoch 2" in text:
            raise KeyboardInterrupt

    stopped.say = stop
    with pytest.raises(KeyboardInterrupt):
        stopped._fit_all([fit])
    assert not list(tmp_path.rglob("result.json"))
    resumed = experiment(data, tmp_path)
    assert resumed._fit_all([fit])
    assert resumed.found[fit]["resumed"]
    for part in ("dev", "epochs", "task"):
        assert resumed.found[fit][part] == done.found[fit][part]
    assert resumed.found[fit]["test"]["accuracy"] == done.found[fit]["test"]["accuracy"]


def test_shards_share_the_work(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[Fit] = []

    def fit(self: Reproduction, fit: Fit, place: str) -> Result:
        fitted.append(fit)
        return synthetic_result(fit, 0.5)

    monkeypatch.setattr(Reproduction, "_fit", fit)
    runs = [experiment(data, tmp_path / str(i), shard=(i, 3)) for i in (1, 2, 3)]
    assert not any(run.run(grid=True) for run in runs)  # each lacks what the others did
    assert len(fitted) == len(set(fitted)) == 8


def test_processes_come_to_the_same_results(
    done: Reproduction, data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kinds = [kind for kind in done.kinds if kind.estimator == CHAIN.estimator]
    both = experiment(data, tmp_path, jobs=2, kinds=kinds, say=partial(click.echo, err=True))
    assert both.run(grid=True)
    assert len(both.found) == 4
    for fit, result in both.found.items():
        assert result["test"]["accuracy"] == done.found[fit]["test"]["accuracy"]
        assert result["dev"] == done.found[fit]["dev"]
    assert "split-1 (4 of 4): epoch 2" in capfd.readouterr().err


def synthetic_result(fit: Fit, dev: float, test: float = 0.7) -> Result:
    """A result as a fit might leave it."""
    settings = {"features": fit.kind.features, "structure": fit.kind.structure,
                "estimator": fit.kind.estimator, "l2": fit.l2}  # fmt: skip
    names = ("accuracy", "morpheme_f1", "morpheme_f1_macro", "edit_distance")
    figures = {name: {"value": test} for name in names}
    figures |= {"constituent_f1": {"value": test}, "constituent_f1_free": {"value": test}}
    return {
        "task": {"settings": settings, "version": "0"}, "split": fit.split,
        "dev": {"exact_tree": dev, "accuracy": 0.0, "log_likelihood": -1.0},
        "test": {**figures, "decode": fit.kind.decode, "unseen": figures,
                 "as_released": dict.fromkeys(names, 0.9), "calibration_error": 0.1},
        "seconds": 2.0, "peak_megabytes": 3, "machine": {"cores": 1, "python": "3"},
    }  # fmt: skip


def test_the_l2_weight_is_chosen_on_dev_for_all_splits_or_for_each() -> None:
    dev = {(0.1, 0): 0.5, (0.2, 0): 0.6, (0.1, 1): 0.9, (0.2, 1): 0.7, (0.1, 5): 0.1}
    found = {
        Fit(TREE, l2, s): synthetic_result(Fit(TREE, l2, s), value)
        for (l2, s), value in dev.items()
    }
    assert shared_l2(TREE, found) == 0.1
    assert chosen_l2(TREE, found, grid=False) == {0: 0.1, 1: 0.1, 5: 0.1}
    assert chosen_l2(TREE, found, grid=True) == {0: 0.2, 1: 0.1, 5: 0.1}
    assert chosen_l2(CHAIN, found, grid=True) == {}
    late = Fit(TREE, 0.2, 5)  # splits after the first do not change the choice for all
    found[late] = synthetic_result(late, 0.9)
    assert chosen_l2(TREE, found, grid=False) == {0: 0.1, 1: 0.1, 5: 0.1}
    assert chosen_l2(TREE, found, grid=True) == {0: 0.2, 1: 0.1, 5: 0.2}


def test_the_plan_is_the_papers(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[Fit] = []

    def fit(self: Reproduction, fit: Fit, place: str) -> Result:
        fitted.append(fit)
        return synthetic_result(fit, 0.5 - abs(fit.l2 - 0.3))

    monkeypatch.setattr(Reproduction, "_fit", fit)
    run = experiment(data, tmp_path, kinds=KINDS, splits=range(10))
    assert run.run()
    at_first = [f for f in fitted if f.split in TUNING and f.kind.features == "paper"]
    assert {f.l2 for f in at_first} == {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}
    assert {f.l2 for f in fitted if f.split == 9 and f.kind.features == "paper"} == {0.3}
    assert {f.kind.structure for f in fitted} == {"tree", "chain"}
    assert len(fitted) == len(set(fitted)) == 4 * (3 * 6 + 7) + 10
    fitted.clear()
    assert experiment(data, tmp_path, kinds=KINDS, splits=range(10)).run(grid=True)
    assert len(fitted) == len(set(fitted)) == 4 * 6 * 10 + 10  # rows of trees and of chains


def test_the_table_shows_the_papers_rows_and_ours() -> None:
    found = {
        Fit(TREE, 0.1, split): synthetic_result(Fit(TREE, 0.1, split), 0.5, value)
        for split, value in enumerate((0.7, 0.8))
    }
    lines = list(scores(KINDS, found))
    assert any("73.19 (1.09)" in line for line in lines)
    ours = [line for line in lines if TREE.name in line]
    assert len(ours) == 2
    assert "| 2 | all | 75.00 (7.07) |" in ours[0]
    assert "| 2 | unseen |" in ours[1]
    assert "0.750 (0.071)" in ours[0]
    assert "90.00 (0.00)" in list(released(KINDS, found))[-1]
    note, all_of_them = notes(KINDS, found)
    assert all_of_them.startswith("all 2 fits that are there")
    assert "lambda by split 0: 0.1, 1: 0.1; 2 s a fit, at most 3 MB (1 core," in note
    assert cell([], percent=True) == ""


def test_faults_of_the_data_are_counted(data: Path, tmp_path: Path) -> None:
    tree = "unable (S (un:prefix) (able:stem))"
    (tmp_path / "treebank.txt").write_text(
        f"{tree}\n{tree}\nable (S (able:stme))\n", encoding="utf-8"
    )
    (tmp_path / "train0").write_text(f"{tree}\n", encoding="utf-8")
    (tmp_path / "test0").write_text(f"{tree}\nuses (S (use:stem) (s:suffix))\n", encoding="utf-8")
    counted = facts(tmp_path, [0])
    assert counted["splits"] == {"0": {"test": 2, "also in train": 1}}
    assert counted["treebank"]["repeated words"] == 1
    assert counted["treebank"]["faults"] == {"misspelt-label": 1}
    lines = list(faults(counted))
    assert "| fault: misspelt-label | 1 |" in lines
    assert "| test words that are also in train | 50.0 to 50.0 % |" in lines
    assert "treebank" not in facts(data, [0])


def test_gold_cut_out_of_the_guess_hides_spelling_errors() -> None:
    assert cut_alike(("happy", "ness"), "happiness") == ("happi", "ness")
    assert cut_alike(("a", "b", "c"), "xyzz") == ("x", "y", "z")
    assert cut_alike(("a", "b", "c"), "x") == ("x", "", "")
    entries = [Entry("happiness", segments=("happy", "ness"))]
    assert as_released(entries, [("happi", "ness")])["accuracy"] == 1.0
    assert as_released(entries, [("happine", "ss")])["accuracy"] == 0.0
    assert as_released(entries, [None])["accuracy"] == 0.0


def test_examples_are_left_out_at_any_depth() -> None:
    report = {"errors": {"affix": {"count": 1, "examples": ["x"]}}, "unseen": {"examples": 1}}
    assert without_examples(report) == {"errors": {"affix": {"count": 1}}, "unseen": {}}


def test_the_command_fits_and_prints(data: Path, tmp_path: Path) -> None:
    arguments = ["reproduce", "--data", str(data.parent), "--splits", "0", "--epochs", "1",
                 "--fits", "full", "-o", str(tmp_path), "--jobs", "1"]  # fmt: skip
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "| full-tree-nbest20-nbest75 | 1 | all |" in result.output
    assert "epoch 1, dev accuracy" in result.output
    assert (tmp_path / "data.json").exists()
    again = CliRunner().invoke(main, [*arguments, "--table"])
    assert "epoch 1" not in again.output
    assert "| full-tree-nbest20-nbest75 | 1 | unseen |" in again.output
    elsewhere = [*arguments[:-4], "-o", str(tmp_path / "new"), "--results", str(tmp_path)]
    assert "| 1 | all |" in CliRunner().invoke(main, [*elsewhere, "--table"]).output
    assert "| 1 | all |" not in CliRunner().invoke(main, [*elsewhere, "--table", "--anew"]).output


def test_without_data_there_is_one_sentence(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MORPHTREE_DATA", raising=False)
    result = CliRunner().invoke(main, ["reproduce"])
    assert result.exit_code == 3
    assert "set MORPHTREE_DATA" in result.output
    assert "https://github.com/ryancotterell/treeseg" in result.output
    assert len(result.output.strip().splitlines()) == 1
    usual = ["reproduce", "--data", str(data.parent)]
    assert "no train7" in CliRunner().invoke(main, [*usual, "--splits", "7"]).output
    for wrong in (["--splits", "x"], ["--shard", "3/2"], ["--fits", "nothing"]):
        assert CliRunner().invoke(main, [*usual, *wrong]).exit_code == 2


def test_the_table_needs_no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MORPHTREE_DATA", raising=False)
    monkeypatch.chdir(ROOT)
    to_folder = ["-o", str(tmp_path)]
    result = CliRunner().invoke(main, ["reproduce", "--table", *to_folder])
    assert result.exit_code == 0, result.output
    page = (ROOT / "docs" / "reproduce.md").read_text(encoding="utf-8")
    rows = [line for line in result.output.splitlines() if line.startswith("| ")]
    assert len(rows) > 40
    assert [row for row in rows if row not in page] == []
    assert not [*tmp_path.iterdir()]
    one = CliRunner().invoke(
        main, ["reproduce", "--table", "--splits", "3", "--fits", "full", *to_folder]
    )
    assert "| full-tree-nbest20-nbest75 | 1 | all |" in one.output
    none = CliRunner().invoke(main, ["reproduce", "--table", "--anew", *to_folder])
    assert (none.exit_code, none.output.count("\n")) == (3, 1)
    assert "no results are stored here" in none.output


def test_results_are_found_where_it_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Installed from a wheel, the package does not lie in a checkout."""
    monkeypatch.setattr("morphtree.cli.reproduce.CHECKOUTS", (Path(), tmp_path))
    monkeypatch.chdir(tmp_path)
    assert committed() == []
    monkeypatch.chdir(ROOT)
    assert [folder.resolve() for folder in committed()] == [
        (ROOT / "experiments" / "results").resolve()
    ]


def test_lists_of_numbers_and_shards_are_read() -> None:
    assert numbers("0-2,5") == [0, 1, 2, 5]
    assert part_of("2/3") == (2, 3)


def test_a_broken_result_is_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "a-b-c-0.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"a-b-c-0\.json is no result"):
        _ = experiment(data, tmp_path, results=[tmp_path]).found


def test_the_committed_results_can_be_used() -> None:
    found = {fit_of(result): result for result in read_results([ROOT / "experiments" / "results"])}
    kinds = {fit.kind for fit in found}
    assert Kind("full", "tree", "nbest:20", "nbest:7:5") in kinds
    assert len(list(scores(sorted(kinds), found))) == 4 + 2 * len(kinds)
    for result in found.values():
        assert "examples" not in json.dumps(result)
