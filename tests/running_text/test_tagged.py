"""Words whose part of speech is known from their sentence."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import morphtree
from morphtree.analysis import Analysis, Reading
from morphtree.errors import DataError

SENTENCES = Path(__file__).parents[1] / "integrations" / "ambiguous.tsv"


class Sentence(NamedTuple):
    """A sentence with an ambiguous word: its part of speech there, and its right analysis."""

    text: str
    word: str
    pos: str
    tree: str
    lemma: str

    def is_answered(self, analysis: Analysis) -> bool:
        reading = analysis.readings[0]
        lemma = reading.lemma.lemma if reading.lemma else ""
        return (str(reading.tree), lemma) == (self.tree, self.lemma)


def sentences() -> Iterator[Sentence]:
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, pos, tree, lemma = line.split("\t")
            yield Sentence(text.replace("*", ""), text.split("*")[1], pos, tree, lemma)


def test_every_word_of_the_sentences_has_two_readings() -> None:
    found = [*sentences()]
    for word in {sentence.word for sentence in found}:
        gold = [(s.tree, s.lemma) for s in found if s.word == word]
        assert len(gold) == len(set(gold)) == 2, word


def test_the_part_of_speech_chooses_between_readings() -> None:
    analyzer = morphtree.load()
    found = [*sentences()]
    plain = [
        s.is_answered(a) for s, a in zip(found, analyzer.pipe(s.word for s in found), strict=True)
    ]
    tagged = [
        s.is_answered(a)
        for s, a in zip(found, analyzer.tagged((s.word, s.pos) for s in found), strict=True)
    ]
    assert (len(found), sum(plain), sum(tagged)) == (96, 48, 83)
    assert all(after for before, after in zip(plain, tagged, strict=True) if before)


def best(word: str, pos: str) -> Reading:
    return morphtree.load().parse(word, pos=pos).readings[0]


def test_a_lemma_depends_on_the_part_of_speech() -> None:
    assert best("saw", "VERB").stem == "see"
    assert best("saw", "NOUN").stem == "saw"
    assert best("saw", "NOUN").categories == ("N",)
    assert pickle.loads(pickle.dumps(best("saw", "NOUN"))).stem == "saw"
    assert Reading.from_dict(best("saw", "NOUN").to_dict(), "saw").stem == "saw"


def test_an_inflected_verb_that_the_treebank_lacks_is_computed() -> None:
    assert str(best("shelves", "VERB").tree) == "[[shelve] s]"
    assert best("shelves", "VERB").source == "model"
    assert str(best("shelves", "NOUN").tree) == "[[shelf] s]"
    assert best("shelves", "NOUN").source == "treebank"


@pytest.mark.parametrize(
    ("word", "pos"),
    [
        ("official", "NOUN"), ("bitter", "NOUN"), ("wholesale", "ADJ"), ("happily", "NOUN"),
        ("package", "VERB"), ("the", "DET"), ("cats", ""), ("Cats", "PROPN"), ("42", "NUM"),
        ("", "NOUN"),
    ],
)  # fmt: skip
def test_a_tag_that_decides_nothing_changes_nothing(word: str, pos: str) -> None:
    assert morphtree.load().parse(word, pos=pos) == morphtree.load().parse(word)


def test_both_readings_of_unlockable_are_adjectives() -> None:
    analyzer = morphtree.load()
    plain = analyzer.parse("unlockable", 2)
    assert len(plain.readings) == 2
    tagged = analyzer.parse("unlockable", 2, pos="ADJ")
    assert [r.tree for r in tagged.readings] == [r.tree for r in plain.readings]
    assert [r.prob for r in tagged.readings] == pytest.approx([r.prob for r in plain.readings])


@pytest.mark.parametrize(
    ("word", "pos"), [("leaves", "VERB"), ("wugless", "NOUN"), ("saw", "NOUN")]
)
def test_probabilities_keep_their_sum_and_order(word: str, pos: str) -> None:
    analyzer = morphtree.load()
    tagged = analyzer.parse(word, 8, pos=pos).readings
    probs = [reading.prob for reading in tagged]
    assert probs == sorted(probs, reverse=True)
    assert sum(probs) == pytest.approx(sum(r.prob for r in analyzer.parse(word, 8).readings))


def test_overrides_stay(tmp_path: Path) -> None:
    given = tmp_path / "given.brackets"
    given.write_text("shelves\t[[shelf] s]\n")
    analyzer = morphtree.load(overrides=str(given))
    assert analyzer.parse("shelves", pos="VERB") == analyzer.parse("shelves")


def test_what_comes_from_elsewhere_cannot_be_ranked() -> None:
    analysis = morphtree.load().parse("leaves", 2)
    with pytest.raises(DataError, match="only beside their model"):
        Analysis.from_dict(analysis.to_dict()).for_category("V")


def test_flat_readings_have_no_categories() -> None:
    flat = Analysis("cats", "ok", (Reading(("cat", "s"), "cats", 1.0, "cats"),))
    assert flat.for_category("N") is flat
