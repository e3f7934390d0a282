"""How well readings agree with the part of speech that their word has in a sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import morphtree
from morphtree.analysis import Known
from morphtree.errors import DataError
from morphtree.treebank.categories import Classifier
from morphtree.treebank.entry import Entry
from morphtree.treebank.parts_of_speech import (
    HARDLY,
    HARDLY_COMPUTED,
    MOSTLY,
    POSSIBLY,
    agreements,
    can_express,
    category_of,
)
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree

ENTRIES = Path(__file__).parents[2] / "treebank" / "en" / "entries"


@cache
def english() -> Classifier:
    known = morphtree.load().parse("cats").readings[0].known
    assert isinstance(known, Known)
    return known.classifier


@cache
def entries() -> tuple[Entry, ...]:
    return Treebank.read(ENTRIES).entries


def test_tags_of_open_classes_have_categories() -> None:
    assert [category_of(tag) for tag in ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV")] == [
        *"NNVVAR"
    ]
    assert [category_of(tag) for tag in ("", "DET", "X", "SPACE")] == [""] * 4
    with pytest.raises(DataError, match="no part of speech is called 'noun'"):
        category_of("noun")


@pytest.mark.parametrize(
    ("tree", "mostly", "possible"),
    [
        ("[[leaf] s]", "N", "NV"),
        ("[[leave] s]", "V", "NV"),
        ("[[un [lock]] ed]", "V", "AV"),
        ("[un [[lock] ed]]", "A", "A"),  # a prefix takes no past
        ("[un [[test] able]]", "A", "A"),
        ("[[black] [bird]]", "N", "N"),
        ("[[wug] er]", "", ""),
        ("[thought]", "N", "NV"),
    ],
)
def test_the_parts_of_a_word_say_what_it_can_be(tree: str, mostly: str, possible: str) -> None:
    made = english().by_parts(Tree.parse(tree))
    assert (made.mostly, "".join(sorted(made.possible))) == (mostly, possible)


def test_a_stored_reading_speaks_against_another_one() -> None:
    trees = [Tree.parse("[[leaf] s]"), Tree.parse("[[leave] s]"), Tree.parse("[[leave] ly]")]
    assert agreements(english(), trees, "V") == [HARDLY, MOSTLY, HARDLY]
    assert agreements(english(), trees[:1], "V") == [POSSIBLY]
    assert agreements(english(), trees, "V", computed=True) == [POSSIBLY, MOSTLY, HARDLY_COMPUTED]
    assert agreements(english(), [Tree.parse("[wugish]")], "V") == [POSSIBLY]  # nothing is known


def test_irregular_forms_are_of_the_category_that_they_express() -> None:
    assert can_express("past,participle", "V")
    assert not can_express("past,participle", "N")
    assert can_express("comparative", "R")
    assert can_express("", "N")


def test_the_shares_are_those_of_the_treebank() -> None:
    """Of what the parts of derived words make them mostly, and can make them, how much is true."""
    counts = {"mostly": [0, 0], "possibly": [0, 0], "hardly": [0, 0]}
    for entry in entries():
        for tree, fields in zip(entry.readings, entry.fields, strict=True):
            if tree.is_leaf or fields.pos not in ("N", "V", "A", "R"):
                continue
            mostly, possible = english().by_parts(tree)
            for letter in "NVAR" if possible else "":
                kind = (
                    "mostly" if letter in mostly else "possibly" if letter in possible else "hardly"
                )
                counts[kind][0] += letter == fields.pos
                counts[kind][1] += 1
    shares = {kind: right / of for kind, (right, of) in counts.items()}
    assert shares["mostly"] == pytest.approx(MOSTLY, abs=0.01)
    assert shares["possibly"] == pytest.approx(POSSIBLY, abs=0.01)
    assert shares["hardly"] == pytest.approx(0.005, abs=0.001)


def test_categories_choose_among_the_readings_of_the_treebank() -> None:
    """The words that the treebank has with readings of several categories, by each of these."""
    analyzer = morphtree.load()
    tries = before = after = 0
    for entry in entries():
        if len({fields.pos for fields in entry.fields}) < 2:
            continue
        analysis = analyzer.parse(entry.word, 8)
        for tree, fields in zip(entry.readings, entry.fields, strict=True):
            if fields.pos in ("N", "V", "A", "R"):
                tries += 1
                before += analysis.readings[0].tree == tree
                after += analysis.for_category(fields.pos).readings[0].tree == tree
    assert (tries, before, after) == (91, 46, 82)
