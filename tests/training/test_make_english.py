"""The synthetic words that the English model is trained on, and the header of its file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.model.model import Model
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import Tree, without_hyphens

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "src" / "morphtree" / "models" / "en.model"

pytestmark = pytest.mark.skipif(
    not (ROOT / "treebank").is_dir(), reason="needs the treebank of the repository"
)


@cache
def script() -> Any:
    pytest.importorskip("wordfreq", reason="pip install 'morphtree[train]'")
    return import_module("english_words")


@cache
def knowledge() -> tuple[list[Entry], list[Entry], dict[str, Any]]:
    make = script()
    return make.parts(make.PARTS[:1]), make.parts(make.PARTS[1:]), make.gather("en")


@cache
def stems() -> Any:
    train, held, facts = knowledge()
    return script().Stems(train, facts, [*held, *script().parts(script().CHOSEN)])


@pytest.mark.parametrize("maker", ["synthetic_words", "synthetic_compounds"])
def test_synthetic_words_are_new_well_spelt_and_of_no_family_held_out(maker: str) -> None:
    make, (train, held, facts) = script(), knowledge()
    made = getattr(make, maker)(train, stems(), 200)
    assert [*made] == getattr(make, maker)(train, stems(), 200)  # every time
    assert len({entry.word for entry in made}) == 200
    assert not {entry.word for entry in made} & {*facts}
    assert all(spellings(entry.readings[0])[0] == entry.word for entry in made)
    known = make.stems_of(train) | {*make.PARTICLES}
    assert not make.stems_of(made) & (make.stems_of(held) - known)


def test_there_are_stems_of_all_kinds() -> None:
    make, (train, _, facts) = script(), knowledge()
    made = [entry.readings[0] for entry in make.synthetic_words(train, stems(), 200)]
    found = [next(leaf.string for leaf in t.leaves() if leaf.label == "WORD") for t in made]
    known = make.stems_of(train)
    assert all(stem in known for stem in found[0::5])
    assert all(stem in facts and stem not in known for stem in found[1::5])
    assert not any(stem in facts for kind in (2, 3, 4) for stem in found[kind::5])
    assert any(spellings(tree)[0] != tree.form for tree in made[3::5])  # respelt
    assert any(tree.is_leaf for tree in made[2::5])
    compounds = make.synthetic_compounds(train, stems(), 50)
    assert all(len(make.stems_of([entry])) == 2 for entry in compounds)


def test_names_are_left_whole_and_of_no_family_held_out() -> None:
    make, (_, held, facts) = script(), knowledge()
    affixes = make.read_inventory(make.TREEBANK / "affixes.tsv")
    names = make.whole_names(stems(), affixes, 100)
    assert all(entry.readings[0].is_leaf and entry.word in facts for entry in names)
    assert not {entry.word for entry in names} & (make.stems_of(held) | {e.word for e in held})


def test_the_release_answers_every_entry_as_annotated() -> None:
    analyzer = morphtree.load()
    assert analyzer.model.header["build"] == "release"
    entries = Treebank.read(ROOT / "treebank" / "en" / "entries").entries
    analyses = analyzer.analyse([entry.word for entry in entries], n=3)
    for entry, analysis in zip(entries, analyses, strict=True):
        found = {without_hyphens(r.tree) for r in analysis.readings if isinstance(r.tree, Tree)}
        assert found == {*entry.readings}, entry.word
        is_word = any(map(str.isalpha, entry.word))  # digits alone are no matter for a model
        assert {r.source for r in analysis.readings} == {"treebank" if is_word else "model"}
        assert sum(reading.prob for reading in analysis.readings) == pytest.approx(1, abs=1e-5)


def test_words_inside_new_words_follow_their_entries() -> None:
    trees = {
        "footballers": "[[[[foot] [ball]] er] s]",
        "weekenders": "[[[[week] [end]] er] s]",
        "provisioned": "[[[provide] ion] ed]",
        "repetitiveness": "[[[repeat] itive] ness]",
    }
    analyzer = morphtree.load()
    for word, tree in trees.items():
        assert str(analyzer.parse(word).readings[0].tree) == tree


def test_the_header_of_the_release_names_the_build_that_was_measured() -> None:
    model = Model.load(MODEL)
    assert "dev" not in model.header  # its own scores would be on words that it has seen
    assert model.header["held_out"]["digest"]
    assert 0.9 < model.header["held_out"]["dev"]["exact_tree"] < 1
