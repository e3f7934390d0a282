"""The complexity classifier beside a model: what it says of words, what that does to trees."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import morphtree
from morphtree.errors import ModelError
from morphtree.model.complexity import (
    LOG_ODDS,
    TEMPLATE,
    read_complexity,
    with_complexity,
    with_known_stems,
    with_usual_ends,
)
from morphtree.model.model import Model
from morphtree.training.dev_set import calibrated
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import WORD, Tree
from tests.small_training import trained

COMMITTED = Path(__file__).parents[2] / "knowledge" / "complexity-en.tsv.gz"
LEVELS = {"testable": 6, "untestable": 5, "untestably": 4, "test": 0, "denied": 1}
WEIGHT = 0.7


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    path = tmp_path_factory.mktemp("complexity") / "small.model"
    path.write_bytes(trained()[0])
    return Model.load(path)


def words_of(tree: Tree) -> Iterator[Tree]:
    if tree.label == WORD:
        yield tree
        for child in tree.children:
            yield from words_of(child)


def lowered(tree: Tree, word: str) -> float:
    """How much a tree's score is lowered, by hand; the whole is written as the word is."""
    total = 0.0
    for part in words_of(tree):
        if (level := LEVELS.get(word if part is tree else part.form)) is not None:
            odds = LOG_ODDS[level]
            total += abs(odds) if (odds > 0) == part.is_leaf else 0.0
    return WEIGHT * total


def trees_of(model: Model, word: str, count: int = 1) -> list[Tree]:
    readings = morphtree.Analyzer(model).parse(word, count).readings
    return [reading.tree for reading in readings if isinstance(reading.tree, Tree)]


@pytest.mark.parametrize("word", ["untestably", "testable", "denied", "window"])
def test_the_classifier_lowers_trees_that_go_against_it(word: str, model: Model) -> None:
    classified = with_complexity(model, LEVELS, WEIGHT)
    trees = trees_of(classified, word, 6)
    shifts = [
        classified.joint.score(word, tree.form, tree)
        - model.joint.score(word, tree.form, tree)
        + lowered(tree, word)
        for tree in trees
    ]
    assert len(trees) > 1
    np.testing.assert_allclose(shifts, 0, atol=1e-9)


def test_a_classifier_decides_if_it_weighs_enough(model: Model) -> None:
    classified = [with_complexity(model, {"testable": level}, 30.0) for level in (0, 6)]
    (whole,), (parted,) = (trees_of(choice, "testable") for choice in classified)
    assert whole.is_leaf
    assert not parted.is_leaf


def test_words_that_were_not_classified_are_as_before(model: Model) -> None:
    classified = with_complexity(model, LEVELS, WEIGHT)
    for word in ("unhappily", "planner", "wug"):
        one, two = (morphtree.Analyzer(m).parse(word, 3).readings for m in (model, classified))
        assert [(r.tree, r.prob) for r in one] == [(r.tree, r.prob) for r in two]


def test_a_model_with_a_classifier_is_saved_whole(model: Model, tmp_path: Path) -> None:
    classified = with_complexity(model, LEVELS, WEIGHT)
    classified.save(tmp_path / "m")
    again = Model.load(tmp_path / "m")
    assert again.spans.templates.spans[-1] == TEMPLATE
    assert (again.spans.knowledge.lexicon.facts == classified.spans.knowledge.lexicon.facts).all()
    one, two = (morphtree.Analyzer(m).parse("untestably", 3).readings for m in (classified, again))
    assert [r.tree for r in one] == [r.tree for r in two]


def test_calibration_makes_a_model_that_errs_less_sure(model: Model) -> None:
    (tree,) = trees_of(model, "untestable")
    wrong = [Entry("untestable", (Tree.stem("untestable"),))]
    right = [Entry("untestable", (tree,))]
    assert calibrated(model, wrong).temperature > model.temperature
    assert calibrated(model, right).temperature < model.temperature


def test_levels_are_read(tmp_path: Path) -> None:
    path = tmp_path / "complexity.tsv.gz"
    path.write_bytes(gzip.compress(b"Testable\t6\ntest\t0\n"))
    assert read_complexity(path) == {"testable": 6, "test": 0}


@pytest.mark.parametrize("line", ["test", "test\t7", "test\tx", "\t1"])
def test_a_bad_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "complexity.tsv"
    path.write_text(f"happy\t0\n{line}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"complexity\.tsv:2: expected 'word<TAB>level', 0 to 6"):
        read_complexity(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"the classified words .* cannot be read"):
        read_complexity(tmp_path / "none")


@pytest.mark.skipif(not COMMITTED.exists(), reason="needs knowledge/complexity-en.tsv.gz")
def test_the_english_classifier_knows_its_words() -> None:
    levels = read_complexity(COMMITTED)
    assert min(levels[word] for word in ("maker", "lonely", "shipyard", "suitable")) > 3
    assert max(levels[word] for word in ("window", "hearth", "yellow", "committee")) < 4


@pytest.mark.parametrize("word", ["testable", "reader", "zogly"])
def test_unknown_stems_of_listed_words_weigh_less(word: str, model: Model) -> None:
    lexicon = model.spans.knowledge.lexicon
    strict = with_known_stems(model, WEIGHT)
    trees = trees_of(model, word, 12)
    assert len(trees) > 2
    for tree in trees:
        stems = [leaf.string for leaf in tree.leaves() if leaf.label == WORD]
        new = sum(stem not in lexicon for stem in stems) if word in lexicon else 0
        scores = [m.joint.score(word, tree.form, tree) for m in (model, strict)]
        assert scores[0] - scores[1] == pytest.approx(WEIGHT * new, abs=1e-6)


def test_unknown_stems_with_unusual_ends_weigh_less(model: Model) -> None:
    strict = with_usual_ends(model, ["bb", "gg"], WEIGHT)
    for tree, less in (
        ("[[trabb] er]", WEIGHT), ("[[trab] er]", 0.0), ("[trabber]", 0.0), ("[[trobg] er]", 0.0),
    ):  # fmt: skip
        found = Tree.parse(tree)
        scores = [m.joint.score("trabber", found.form, found) for m in (model, strict)]
        assert scores[0] - scores[1] == pytest.approx(less, abs=1e-6)
