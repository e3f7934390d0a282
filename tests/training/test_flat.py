"""Flat data: which segments are affixes, the published table."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path

import pytest

from morphtree.structures.structure import Structure
from morphtree.training.data import gather_items
from morphtree.training.flat_labels import guess_trees, possible_labels
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import COMPOUNDS, PAPER
from morphtree.trees.tree import PREFIX, SUFFIX, WORD

ROOT = Path(__file__).parents[2]
WORDS = [
    *([stem, "less"] for stem in ("end", "hair", "hope", "job", "use")),
    *([stem, "ly"] for stem in ("sad", "quick", "wise")),
    *(["un", stem] for stem in ("do", "tie", "wise")),
    ["un", "hope", "ful"], ["play", "ful"], ["care", "ful"],
    ["lamp", "light"], ["lamp"], ["light"], ["jaw", "light"],
]  # fmt: skip


def labels(trees: list[object]) -> Counter[tuple[str, str]]:
    """Count labelled leaves."""
    return Counter((leaf.label, leaf.string) for tree in trees for leaf in tree.leaves())  # type: ignore[attr-defined]


def test_affixes_are_what_comes_back_however_long_the_stem() -> None:
    found = labels([*guess_trees(WORDS)])
    assert found[SUFFIX, "less"] == 5
    assert found[PREFIX, "job"] == found[PREFIX, "end"] == found[WORD, "less"] == 0
    assert found[PREFIX, "un"] == 4
    assert found[WORD, "do"] == 1
    assert [tree.morphemes for tree in guess_trees(WORDS)] == [tuple(word) for word in WORDS]


def test_two_stems_are_a_compound_only_where_the_grammar_has_them() -> None:
    trees = dict(zip(map(tuple, WORDS), guess_trees(WORDS, compounds=True), strict=True))
    assert str(trees["lamp", "light"]) == "[[lamp] [light]]"
    assert str(trees["un", "hope", "ful"]) == "[[un [hope]] ful]"
    assert all(PAPER.derives(tree) for tree in guess_trees(WORDS))
    assert all(COMPOUNDS.derives(tree) for tree in trees.values())


@pytest.mark.parametrize(("size", "without", "having"), [(1, 1, 1), (2, 2, 3), (4, 4, 10)])
def test_every_labelling_is_tried_once(size: int, without: int, having: int) -> None:
    for compounds, count in ((False, without), (True, having)):
        rows = [*possible_labels(size, compounds)]
        assert len(rows) == len(set(rows)) == count
        assert all(len(row) == size and WORD in row for row in rows)


def test_closed_classes_of_flat_data_hold_no_stems(tmp_path: Path) -> None:
    path = tmp_path / "train"
    lines = ("\t".join(("".join(word), "".join(word), " ".join(word))) for word in WORDS)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    entries = Treebank.read(path).entries
    data = gather_items(entries, Structure(COMPOUNDS), max_extra_letters=5, name="train")
    closed = data.closed_strings()
    assert closed[PREFIX] == {"un"}
    assert closed[SUFFIX] == {"less", "ly", "ful"}
    assert all(gold.flat for item in data.items for gold in item.golds)


def test_the_table_is_that_of_the_results() -> None:
    table = runpy.run_path(str(ROOT / "experiments" / "flat_table.py"))["table"]()
    assert table in (ROOT / "docs" / "flat.md").read_text(encoding="utf-8")


def test_results_hold_figures_and_no_words() -> None:
    paths = [*(ROOT / "experiments" / "results" / "flat").glob("flat-*.json")]
    assert paths
    for path in paths:
        found = json.loads(path.read_text(encoding="utf-8"))
        test = found["test"]
        assert test["error_rate"] == pytest.approx(1 - test["accuracy"]["value"])
        assert test["words"] == 1000
        assert all(isinstance(count, int) for count in test["errors"].values())


def test_training_from_flat_words_finds_the_segments(tmp_path: Path) -> None:
    path = tmp_path / "train"
    lines = ("\t".join(("".join(word), "".join(word), " ".join(word))) for word in WORDS)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    source = Treebank("train", Treebank.read(path).entries)
    settings = Settings(language="none", epochs=8, transducer_words=12)
    trainer = Trainer(settings, source, source, jobs=1)
    epochs = [*trainer.run()]
    assert trainer.prepared.settings.transducer_words == 12
    assert epochs[-1].log_likelihood > epochs[0].log_likelihood
    assert trainer.best is not None
    assert trainer.best.dev["accuracy"] > 0.8
