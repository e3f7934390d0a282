"""The card of a language, and the baselines on it, of a few words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import morphtree
from morphtree.languages import baselines as simpler
from morphtree.languages.__main__ import _command
from morphtree.languages.baselines import DEEPEST, baselines, listed_bases, looking_up, morfessor_on
from morphtree.languages.card import Scored, write_card
from morphtree.languages.description import Language
from morphtree.languages.listed_words import Derived, ListedWords
from morphtree.languages.parts import RANDOM
from morphtree.languages.recipe import Recipe
from morphtree.lexicon.word_facts import UNKNOWN, Facts
from morphtree.training.data import signature
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

UN, ABLE, LY = (
    Tree(PREFIX, string="un"), Tree(SUFFIX, string="able"), Tree(SUFFIX, string="ly")
)  # fmt: skip
TESTABLE = Tree.word(Tree.stem("test"), ABLE)
UNTESTABLE = Tree.word(UN, TESTABLE)
STEMS = ("walk", "talk", "jump", "look", "play", "help", "work", "kick", "paint", "sail")
ENDS = ("", "ing", "ed", "er", "s", "ers")


def few() -> ListedWords:
    listed = ListedWords.__new__(ListedWords)
    words = [stem + end for stem in STEMS for end in ENDS]
    listed.facts = {word: Facts(4.0, UNKNOWN, 0) for word in words}
    listed.derived = {
        "untestable": [Derived("testable", "un-", True)],
        "Untestably": [Derived("untestable", "-ly", False), Derived("other", "-ly", False)],
    }
    return listed


# -- baselines ---------------------------------------------------------------------------------


def test_look_up_follows_known_trees_and_listed_steps() -> None:
    tree = looking_up(listed_bases(few().derived), {"testable": TESTABLE})
    assert tree("testable") == TESTABLE
    assert tree("untestable") == UNTESTABLE
    assert tree("untestably") == Tree.word(UNTESTABLE, LY)
    assert tree("unheard") == Tree.stem("unheard")


def test_look_up_leaves_a_circle_of_lists() -> None:
    circle = {"a": [Derived("b", "x", True)], "b": [Derived("a", "y", True)]}
    assert len(looking_up(listed_bases(circle), {})("a").morphemes) == DEEPEST + 1


def test_morfessor_cuts_words_and_is_the_same_again() -> None:
    pytest.importorskip("morfessor")
    facts = few().facts
    state = random.getstate()
    system = morfessor_on(facts, by_count=False)
    assert random.getstate() == state
    found = [system(word) for word in facts]
    assert all("".join(parts) == word for parts, word in zip(found, facts, strict=True))
    assert sum(len(parts) > 1 for parts in found) > len(STEMS)
    again = morfessor_on(facts, by_count=False)
    assert [again(word) for word in facts] == found


def test_without_the_package_morfessor_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simpler, "find_spec", lambda name: None)
    assert [*baselines((), few(), 1)] == ["look-up"]


# -- the card ----------------------------------------------------------------------------------


def test_the_cells_of_one_system() -> None:
    entries = [
        Entry("untestable", (UNTESTABLE,)),
        Entry("testable", (TESTABLE,)),
        Entry("test", (Tree.stem("test"),)),
        Entry("table", (Tree.stem("table"),)),
    ]
    other = Tree.word(Tree.word(UN, Tree.stem("test")), ABLE)
    answers = [other, TESTABLE, Tree.stem("test"), Tree.word(Tree.stem("t"), ABLE)]
    cells = Scored(entries, answers, [0.9, 0.8, 1.0, 0.6]).cells
    assert cells["segments right"] == "75.0"
    assert cells["exact tree"] == "50.0"
    assert cells["scope"] == "0.0 (0/1)"
    assert cells["simple words whole"] == "50.0 (1/2)"
    assert cells["boundary F1"] == "85.7"
    # two words of probability 0.9 and 1 share a bin, with one right
    assert cells["calibration error"] == f"{(2 * 0.45 + 0.2 + 0.6) / 4:.3f}"
    assert Scored(entries, answers).cells["calibration error"] == ""


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    treebank = tmp_path / "treebank"
    (treebank / "entries").mkdir(parents=True)
    (treebank / "made").mkdir()
    steps = (
        "test\ntestable = test + -able\nuntestable = un- + testable\nwalk\nwalker = walk + -er\n"
        "stone\n"  # of a dev family
    )
    (treebank / "entries" / "a.derivation").write_text(steps, encoding="utf-8")
    (treebank / "made" / "random-words.txt").write_text("untestable\nwalk\n", encoding="utf-8")
    (treebank / "made" / "random-bases.txt").write_text("", encoding="utf-8")
    described = 'name = "X"\ncode = "xx"\ngrammar = "paper"\ntreebank = "treebank"\nmodel = "x"\n'
    (tmp_path / "language.toml").write_text(described, encoding="utf-8")
    made = Recipe(Language.read(tmp_path), tmp_path / "work")
    made.listed = few()
    return made


def test_the_card_names_data_seed_and_command_and_has_all_systems(recipe: Recipe) -> None:
    model = morphtree.load("en").model
    card = write_card(recipe, model, 1_500_000, recipe.known(None), _command("xx", 7, True))
    assert "`python -m morphtree.languages build xx --hand 7 --no-silver`; 1.5 MB; seed 1." in card
    assert signature(recipe.hand) in card
    rows = [line.split(" | ") for line in card.splitlines() if line.startswith("| ")]
    shown = {row[0]: row[1:] for row in rows}
    full = shown[f"| `{RANDOM}`: words drawn at random from the frequency list"]
    assert full[:3] == ["2", "100.0", "100.0"]
    assert "100.0 (1/1)" in full  # scope, and the simple word
    # look-up knows neither word, and the lists have one of them
    looked_up = shown[f"| look-up, `{RANDOM}`"]
    assert looked_up[0] == "2"
    assert looked_up[-1] == "100.0 (1/1) |"
    assert f"| model, `{RANDOM}`" in shown


def test_look_up_knows_only_what_the_build_has_learnt(recipe: Recipe) -> None:
    model = morphtree.load("en").model
    [nothing, all_words] = (
        next(line for line in card.splitlines() if line.startswith(f"| look-up, `{RANDOM}`"))
        for card in (
            write_card(recipe, model, 1, known, "") for known in ((), recipe.hand)
        )
    )  # fmt: skip
    assert nothing != all_words
    assert "| 2 | 100.0 | 100.0 |" in all_words
