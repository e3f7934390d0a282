"""Explanations of models that are not the English one, and what they are made of."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import morphtree
from morphtree.analyzer import Analyzer
from morphtree.errors import ModelError
from morphtree.explain import Explanation
from morphtree.explain.causes import kind_of, strengths
from morphtree.explain.precedents import NOT_FOR_CLASS
from morphtree.explain.sentence import article, frequencies, listed
from morphtree.explain.statements import likelier
from morphtree.features.sets import FULL
from morphtree.features.templates import SpanTemplate
from morphtree.model.model import Model
from tests.small_training import QUICK, trained


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return tmp_path / "small.model"


def test_a_flat_model_says_that_it_has_no_steps(small: Path) -> None:
    small.write_bytes(trained(*QUICK, "--structure", "chain")[0])
    found = morphtree.load(str(small)).explain("runner")
    assert found.sentences[0].text.startswith("This model cuts words into segments and builds")
    assert found.causes == ()
    found.to_dict()


def test_a_model_without_a_lexicon_or_affixes_explains_what_it_can(small: Path) -> None:
    small.write_bytes(trained(*QUICK)[0])
    for word in ("runner", "unhappiness", "zzz", "sun"):
        found = morphtree.load(str(small)).explain(word)
        assert 1 <= len(found.sentences) <= 5
        kinds = {sentence.kind for sentence in found.sentences}
        assert "precedents" not in kinds or len(morphtree.load(str(small)).model.stored)


def test_a_file_that_does_not_name_its_words_has_no_precedents() -> None:
    model = morphtree.load().model
    nameless = replace(model.stored, letters=np.zeros(0, np.uint8))
    analyzer = Analyzer(model.with_stored(nameless).as_stored())
    assert analyzer.model.stored.spelt == ()
    assert analyzer.explain("happily").sentences[0].text.startswith("The treebank has this reading")
    assert all(sentence.kind != "precedents" for sentence in analyzer.explain("happily").sentences)


def test_stored_words_are_named_in_the_file(tmp_path: Path) -> None:
    stored = morphtree.load().model.stored
    assert len(stored.spelt) == len(stored)
    assert all(word in stored for word in stored.spelt[:100])
    morphtree.load().model.save(tmp_path / "copy")
    assert Model.load(tmp_path / "copy").stored.spelt == stored.spelt


def test_precedents_can_be_shown_in_class() -> None:
    analyzer = morphtree.load()
    compounds = [word for word in analyzer.model.stored.spelt if word.startswith("mother")]
    assert any(map(NOT_FOR_CLASS.search, compounds))
    told = analyzer.explain("mother-in-law").sentences[-1]
    assert told.kind == "precedents"
    assert not NOT_FOR_CLASS.search(told.text)


def test_any_word_and_any_reading_can_be_explained() -> None:
    analyzer = morphtree.load()
    words = random.Random(20).sample(analyzer.model.stored.spelt, 100)
    made = [a + b for a, b in pairwise(words[:40])]
    written = [
        "x",
        "'",
        "a-b-c",
        "ABCs",
        "\N{LATIN SMALL LETTER SHARP S}e",
        "e\u0301t\u00e9s",
        "q" * 64,
    ]
    for word in (*words, *made, *written, *(f"{a}-{b}" for a, b in pairwise(words[:20]))):
        for number in range(1, 1 + min(3, len(analyzer.parse(word, 3).readings))):
            found = analyzer.explain(word, number)
            assert 1 <= len(found.sentences) <= 5
            assert all(sentence.text.endswith(".") for sentence in found.sentences)
            assert not NOT_FOR_CLASS.search(" ".join(precedents(found)))


def precedents(found: Explanation) -> list[str]:
    facts = (fact for sentence in found.sentences for fact in sentence.facts)
    return [fact.of for fact in facts if fact.claim == "precedent"]


def test_every_feature_has_a_kind() -> None:
    kinds = {kind_of(template) for template in FULL.spans}
    assert kinds == {
        "meaning", "derivations", "treebank", "spelling", "categories", "words", "affixes",
        "letters",
    }  # fmt: skip
    assert kind_of(SpanTemplate("complexity")) == "complexity"


def test_strengths_add_up() -> None:
    found = morphtree.load().explain("happily")
    total = sum(strengths(found.causes).values())
    assert total + found.spelling == pytest.approx(found.margin)


@pytest.mark.parametrize(
    ("zipfs", "said"),
    [
        ([3.0], "about once in a million words"),
        ([2.0], "about once in 10 million words"),
        ([3.6], "about 4 times in a million words"),
        ([6.0], "about 1,000 times in a million words"),
        ([5.43, 4.6], "about 270 and 40 times in a million words"),
        ([4.0, 2.5],
         "about 10 times in a million words and about once in 3 million words"),
    ],
)  # fmt: skip
def test_frequencies_are_rounded(zipfs: list[float], said: str) -> None:
    assert frequencies(zipfs) == said


def test_lists_and_articles() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert [article(noun) for noun in ("noun", "adjective", "e", "t")] == ["a", "an", "an", "a"]


@pytest.mark.parametrize(("number", "against"), [(0, None), (-1, None), (1, 0), (2, -1), ("2", 1)])
def test_readings_are_counted_from_one(number: Any, against: Any) -> None:
    with pytest.raises(ModelError, match="readings are counted 1, 2, 3, the best being 1, not"):
        morphtree.load().explain("unlockable", number, against)


def test_how_many_times_likelier_a_reading_is() -> None:
    said = [likelier(margin, "[cat]") for margin in (0.0, -0.01, 0.7, -3.0, 50.0)]
    assert said[:2] == ["about as likely as [cat]"] * 2
    assert said[2:4] == ["2.0 times as likely as [cat]", "20 times less likely than [cat]"]
    assert said[4] == "over 1,000 times as likely as [cat]"
