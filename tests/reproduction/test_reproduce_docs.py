"""The pages on the paper's experiment, the estimators and English show the committed figures."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from statistics import median

import pytest

from morphtree.reproduction.tables import facts

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

import english_card  # noqa: E402
import estimator_tables  # noqa: E402
import learning_curve  # noqa: E402
import marks  # noqa: E402
import peers  # noqa: E402
import reproduce_tables  # noqa: E402

PUBLISHED = json.loads(reproduce_tables.PUBLISHED.read_text(encoding="utf-8"))
ESTIMATES = json.loads((EXPERIMENTS / "results" / "estimators.json").read_text(encoding="utf-8"))


def test_the_page_on_the_experiment_shows_the_committed_results() -> None:
    tables = reproduce_tables.tables(PUBLISHED)
    assert marks.standing(reproduce_tables.DOCUMENT) == tables


def test_the_page_on_the_estimators_shows_the_committed_results() -> None:
    assert marks.standing(estimator_tables.DOCUMENT) == estimator_tables.tables(ESTIMATES)


def test_the_model_card_shows_the_committed_results() -> None:
    assert marks.standing(english_card.DOCUMENT) == english_card.tables()


def test_the_page_beside_other_tools_shows_the_committed_results() -> None:
    figures, speeds = (
        json.loads((EXPERIMENTS / "results" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("english", "peers")
    )
    assert marks.standing(peers.DOCUMENT) == {"peers": peers.table(figures, speeds)}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in peers.ROWS.values():
        assert f"| {peers.right(figures, 'test-random', name)} |" in readme, name


def test_the_page_on_small_treebanks_shows_the_committed_curve() -> None:
    page = (ROOT / "docs" / "small-treebank.md").read_text(encoding="utf-8")
    curve = json.loads(learning_curve.RESULTS.read_text(encoding="utf-8"))
    reached: dict[str, list[float]] = {}
    for old, new in zip(curve["before"], curve["after"], strict=True):
        language, words = new["language"], new["words"]
        assert (language, words) == (old["language"], old["words"])
        before = learning_curve.row(language, words, old["splits"]).split("|")
        row = learning_curve.row(language, words, new["splits"]).split("|")
        row = [*row[:5], before[5], *row[5:9], before[9], *row[9:]]
        assert "|".join(row) in page
        reached.setdefault(language, []).append(float(row[6]))
        assert row[-2].strip() == "0"  # no answer has anything that the training words lack
    assert len(reached) == 2
    for figures in reached.values():
        assert len(figures) == 5
        assert figures == sorted(set(figures))  # more words are better


def test_what_the_page_says_of_the_data_is_so() -> None:
    text = " ".join(reproduce_tables.DOCUMENT.read_text(encoding="utf-8").split())
    shares = [both["also in train"] / both["test"] for both in PUBLISHED["splits"].values()]
    assert len(shares) == 10
    assert "Between one in fourteen and one in ten test words" in text
    assert round(1 / min(shares)) == 14
    assert round(1 / max(shares)) == 10
    assert "With one exception" in text
    assert PUBLISHED["treebank"]["suffix attached first"] == 1
    assert PUBLISHED["treebank"]["prefix attached first"] > 800


def test_what_the_page_says_of_scoring_is_so() -> None:
    text = " ".join(reproduce_tables.DOCUMENT.read_text(encoding="utf-8").split())
    assert "rises by a little more than two points at most" in text
    _, found = reproduce_tables.committed()
    both = [result["test"] for result in found.values() if "as_released" in result["test"]]
    falls = {
        name: [test[name]["value"] - test["as_released"][name] for test in both]
        for name in ("accuracy", "morpheme_f1")
    }
    assert -0.022 < min(falls["accuracy"]) < max(falls["accuracy"]) < 0
    assert 0.014 < min(falls["morpheme_f1"]) < max(falls["morpheme_f1"]) < 0.06


def test_nbest_is_a_lower_bound_and_more_forms_are_better() -> None:
    """The figures are those of estimators, not of something else."""
    for kind in estimator_tables.KINDS:
        found = estimator_tables.columns(ESTIMATES, kind)
        assert max(max(found[f"nbest:{k}"]["bias"]) for k in (1, 5, 20, 100)) <= 1e-9
        for figures in zip(*(found[f"nbest:{k}"]["bias"] for k in (1, 5, 20, 100)), strict=True):
            assert list(figures) == sorted(figures)
        for m in (1, 10, 100, 1000):
            assert max(found[f"importance:{m}"]["size"]) <= m + 1e-6
    assert max(word["rounding"] for word in ESTIMATES["words"].values()) < 1e-9


def test_every_figure_in_the_text_stands_in_a_table() -> None:
    text = estimator_tables.DOCUMENT.read_text(encoding="utf-8")
    prose = text.split("### What it says")[1].split("## What it does")[0]
    shown = " ".join(estimator_tables.tables(ESTIMATES).values())
    figures = set(re.findall(r"-?\d+\.\d{3}", prose))
    assert len(figures) > 8
    for figure in figures:
        assert f"| {figure} |" in shown, figure
    assert max(word["rounding"] for word in ESTIMATES["words"].values()) < 1e-12


def test_what_the_text_concludes_is_so() -> None:
    middle = {
        kind: {
            name: {figure: median(values) for figure, values in figures.items()}
            for name, figures in estimator_tables.columns(ESTIMATES, kind).items()
        }
        for kind in estimator_tables.KINDS
    }
    before, after = middle["untrained"], middle["trained"]
    assert before["importance:10"]["ascent"] > before["nbest:100"]["ascent"] + 0.2
    assert after["nbest:20"]["ascent"] > after["importance:10"]["ascent"]
    assert after["nbest:20"]["seconds"] < after["importance:100"]["seconds"]
    alone, own = after[f"importance:10{estimator_tables.ALONE}"], after["importance:10"]
    assert alone["size"] > own["size"]
    assert alone["sd"] < own["sd"]
    assert alone["ascent"] < own["ascent"]


def test_the_pictures_are_there() -> None:
    text = estimator_tables.DOCUMENT.read_text(encoding="utf-8")
    assert "@@" not in text
    for name in ("bias", "ascent"):
        assert f"(estimators-{name}.svg)" in text
        assert (ROOT / "docs" / f"estimators-{name}.svg").stat().st_size < 60_000


def test_tables_are_put_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- x -->\nold\n<!-- end -->\nb\n", encoding="utf-8")
    marks.insert(page, {"x": "| new |"})
    marks.insert(page, {"x": "| new |"})
    assert page.read_text(encoding="utf-8") == "a\n<!-- x -->\n| new |\n<!-- end -->\nb\n"
    assert marks.standing(page) == {"x": "| new |"}
    with pytest.raises(SystemExit, match="needs the mark"):
        marks.insert(page, {"y": ""})


def test_the_published_data_are_as_counted() -> None:
    folder = Path(os.environ.get("MORPHTREE_DATA", "")) / "inside-out-2016"
    if not os.environ.get("MORPHTREE_DATA") or not folder.is_dir():
        pytest.skip("needs the published data: set MORPHTREE_DATA")
    assert facts(folder, reproduce_tables.SPLITS) == PUBLISHED
