"""Categories, meanings and lemmas as users get them, with the built-in model."""

from __future__ import annotations

import json
import pickle

import pytest

import morphtree
from morphtree._kernels import _layout
from morphtree.analysis import Analysis
from morphtree.errors import DataError
from morphtree.model.model import Model
from morphtree.trees.nodes import CATEGORIES
from tests.cli.test_cli import run


@pytest.fixture(scope="module")
def analyzer() -> morphtree.Analyzer:
    return morphtree.load("en")


def test_categories_are_numbered_in_one_order() -> None:
    assert "".join(CATEGORIES) == _layout.CATEGORIES


def test_every_word_of_a_reading_has_a_category(analyzer: morphtree.Analyzer) -> None:
    reading = analyzer.parse("Untestably").readings[0]
    assert reading.categories == ("R", "A", "A", "V")
    assert str(reading.classified) == "[R: [A: un [A: [V: test] able]] ly]"
    assert next(iter(reading.meanings())) == "testable: that can be tested (adjective from verb)"


@pytest.mark.parametrize(
    ("word", "stem", "lemma", "feature"),
    [("mice", "mouse", "mouse", "plural"), ("Went", "go", "go", "past"),
     ("policemen", "man", "man", "plural"), ("rewritten", "write", "write", "participle"),
     ("cats", "cat", "", ""), ("founder", "found", "", ""), ("chainsaw", "saw", "", "")],
)  # fmt: skip
def test_an_irregular_form_has_a_lemma(
    word: str, stem: str, lemma: str, feature: str, analyzer: morphtree.Analyzer
) -> None:
    reading = analyzer.parse(word).readings[0]
    assert reading.stem == stem
    assert reading.lemma == ((lemma, feature) if lemma else None)


def test_they_survive_json_and_pickle(analyzer: morphtree.Analyzer) -> None:
    for word in ("mice", "untestably"):
        analysis = analyzer.parse(word)
        for again in (
            Analysis.from_dict(json.loads(json.dumps(analysis.to_dict()))),
            pickle.loads(pickle.dumps(analysis)),
        ):
            assert again.to_dict() == analysis.to_dict()
            assert str(again.readings[0].classified) == str(analysis.readings[0].classified)
            with pytest.raises(DataError, match="only beside its model"):
                again.readings[0].meanings()


def test_a_word_that_is_left_whole_has_them_too() -> None:
    for arguments in (["123"], ["unhappiness", "--min-prob", "1"]):
        status, output, _ = run("parse", "--meanings", "--categories", *arguments)
        assert status == 0
        assert arguments[0] in output


def test_the_model_file_keeps_them(analyzer: morphtree.Analyzer) -> None:
    model: Model = analyzer.model.as_stored()
    assert model.affixes == analyzer.model.affixes
    assert model.lemmas == analyzer.model.lemmas
    assert model.spans.knowledge.lexicon.categories("test") == ("N", "NV")


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--format", "brackets"], "[A: un [A: [V: test] able]]"),
        (["--format", "latex"], r"testable\textsubscript{A}"),
        (["--format", "dot"], 'label="testable (A)"'),
        (["--format", "svg"], ">A</text>"),
        (["--meanings"], "untestable: not testable (adjective from adjective)"),
        ([], "└─ testable (A)"),
    ],
)
def test_the_command_shows_them_on_request(options: list[str], shown: str) -> None:
    status, output, _ = run("parse", "untestable", "--categories", *options)
    assert status == 0
    assert shown in output
    assert shown not in run("parse", "untestable", *options[:2])[1] or "--meanings" in options
