"""Categories of the words in a tree, and steps said in words."""

from __future__ import annotations

import pytest

from morphtree.treebank.affixes import Affix, Inventory
from morphtree.treebank.categories import Classifier, meanings
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

INVENTORY = Inventory(
    (
        Affix("un", PREFIX, "A", "A", gloss="not ..."),
        Affix("un", PREFIX, "V", "V", gloss="do the reverse of ..."),
        Affix("able", SUFFIX, "V", "A", gloss="that can be ...ed"),
        Affix("able", SUFFIX, "N", "A", gloss="having ..."),
        Affix("ly", SUFFIX, "A", "R", gloss="in a ... way"),
        Affix("ed", SUFFIX, "V", "V", gloss="past of ..."),
        Affix("ed", SUFFIX, "NV", "A", gloss="having ..."),
        Affix("er", SUFFIX, "V", "N", gloss="one who ...s"),
        Affix("er", SUFFIX, "A", "A", gloss="more ..."),
    )
)
WORDS = {
    "test": "NV", "lock": "NV", "black": "A", "bird": "N", "beard": "NV", "bearded": "A",
    "clean": "AV", "cleaner": "N", "back": "R", "up": "X", "backup": "N", "talk": "V",
}  # fmt: skip
MOST = {"bearded": "A", "cleaner": "N", "backup": "N", "thanks": "N"}
CLASSIFIER = Classifier(INVENTORY, lambda word: (MOST.get(word, ""), WORDS.get(word, "")))


@pytest.mark.parametrize(
    ("tree", "categories"),
    [
        ("[[un [[test] able]] ly]", "[R: [A: un [A: [V: test] able]] ly]"),
        ("[un [[lock] able]]", "[A: un [A: [V: lock] able]]"),
        ("[[un [lock]] able]", "[A: [V: un [V: lock]] able]"),
        ("[[black] [bird]]", "[N: [A: black] [N: bird]]"),
        ("[[beard] ed]", "[A: [N: beard] ed]"),  # as the word is listed
        ("[[talk] ed]", "[V: [V: talk] ed]"),
        ("[[clean] er]", "[N: [V: clean] er]"),
        ("[[wug] er]", "[N: [V: wug] er]"),  # the upper row, for want of anything else
        ("[[back] [up]]", "[N: [R: back] [X: up]]"),  # not what its head is
        ("[wug]", "[wug]"),
    ],
)
def test_affixes_heads_and_lists_decide(tree: str, categories: str) -> None:
    assert str(CLASSIFIER.classify(Tree.parse(tree))) == categories


def test_an_unknown_affix_or_label_is_no_obstacle() -> None:
    assert str(CLASSIFIER.classify(Tree.parse("[[test] ington]"))) == "[[N: test] ington]"
    assert str(CLASSIFIER.classify(Tree.parse("[S: [S: test] ly]"))) == "[S: [S: test] ly]"


def test_the_words_of_a_tree_come_in_the_order_of_its_nodes() -> None:
    found = CLASSIFIER.classify(Tree.parse("[[un [[test] able]] ly]"))
    assert [word.category for word in found.words()] == ["R", "A", "A", "V"]


def test_each_step_is_said_in_words() -> None:
    found = CLASSIFIER.classify(Tree.parse("[[un [[test] able]] ly]"))
    assert [*meanings(found, INVENTORY)] == [
        "testable: that can be tested (adjective from verb)",
        "untestable: not testable (adjective from adjective)",
        "untestably: in an untestable way (adverb from adjective)",
    ]
    compound = CLASSIFIER.classify(Tree.parse("[[black] [bird]]"))
    assert [*meanings(compound, INVENTORY)] == ["blackbird: black + bird (noun)"]
