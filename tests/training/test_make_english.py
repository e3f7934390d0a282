"""The synthetic words that the English model is trained on, and the header of its file."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from morphtree.decoding.decoder import Decoder
from morphtree.evaluation.metrics import measure
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model
from morphtree.training.data import signature
from morphtree.treebank.entry import Entry
from morphtree.trees.spelling import spellings

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "src" / "morphtree" / "models" / "en.model"
SCRIPT = ROOT / "scripts" / "make_english.py"

pytestmark = pytest.mark.skipif(
    not (ROOT / "treebank").is_dir(), reason="needs the treebank of the repository"
)


@cache
def script() -> Any:
    pytest.importorskip("wordfreq", reason="pip install 'morphtree[train]'")
    spec = spec_from_file_location("make_english", SCRIPT)
    assert spec
    assert spec.loader
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def knowledge() -> tuple[list[Entry], list[Entry], dict[str, Any]]:
    make = script()
    held = [entry for name in make.HELD_OUT for entry in make.read(name).entries]
    return make.read("train").entries, held, make.gather("en")


@cache
def stems() -> Any:
    train, held, facts = knowledge()
    return script().Stems(train, facts, held)


@pytest.mark.parametrize("maker", ["synthetic_words", "synthetic_compounds"])
def test_synthetic_words_are_new_well_spelt_and_of_no_family_held_out(maker: str) -> None:
    make, (train, held, facts) = script(), knowledge()
    made = getattr(make, maker)(train, stems(), 200)
    assert [*made] == getattr(make, maker)(train, stems(), 200)  # every time
    assert len({entry.word for entry in made}) == 200
    assert not {entry.word for entry in made} & {*facts}
    assert all(spellings(entry.readings[0])[0] == entry.word for entry in made)
    assert not make.stems_of(made) & (make.stems_of(held) - make.stems_of(train))


def test_there_are_stems_of_all_kinds() -> None:
    make, (train, _, facts) = script(), knowledge()
    made = [entry.readings[0] for entry in make.synthetic_words(train, stems(), 200)]
    found = [next(leaf.string for leaf in t.leaves() if leaf.label == "WORD") for t in made]
    known = make.stems_of(train)
    assert all(stem in known for stem in found[0::5])
    assert all(stem in facts and stem not in known for stem in found[1::5])
    invented = [n for n in range(len(made)) if n % 5 > 1]
    assert not any(found[n] in facts for n in invented)
    assert 0 < sum(spellings(made[n])[0] != made[n].form for n in invented) < len(invented) / 2
    assert any(made[n].is_leaf for n in invented)
    compounds = make.synthetic_compounds(train, stems(), 50)
    assert all(len(make.stems_of([entry])) == 2 for entry in compounds)


def test_names_left_whole_are_simple_and_of_no_family_held_out() -> None:
    make, (train, held, facts) = script(), knowledge()
    affixes = make.read_inventory(make.TREEBANK / "affixes.tsv")
    names = make.whole_names(stems(), affixes, 200)
    assert all(make.is_name(facts, entry.word) for entry in names)
    assert all(entry.readings[0].is_leaf for entry in names)
    assert not {entry.word for entry in names} & (make.stems_of(held) | make.stems_of(train))
    assert make.known_levels(names) == {entry.word: 0 for entry in names}


def test_the_header_of_a_model_is_measured_anew(tmp_path: Path) -> None:
    path = tmp_path / "en.model"
    header, arrays = read_arrays(MODEL)
    about = {**header["about"], "dev": {"accuracy": 0.5}, "temperature": 9.0}
    write_arrays(path, {**header, "about": about}, {n: a.copy() for n, a in arrays.items()})
    script().write_header(path)
    assert path.read_bytes() == MODEL.read_bytes()


def test_the_header_of_the_english_model_is_true_of_its_bytes() -> None:
    model, dev = Model.load(MODEL), script().read("dev").entries
    assert "temperature" not in model.header
    assert model.header["data"]["dev"] == signature(dev)
    decoded = Decoder(model).decode([entry.word for entry in dev])
    scores = measure(dev, [item.best.structure for item in decoded])
    assert model.header["dev"] == {n: round(v, 6) for n, v in scores.items() if v is not None}
