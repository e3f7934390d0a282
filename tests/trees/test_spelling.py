"""Respelling: every row of the table by its examples, then whole trees."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.trees.spelling import MAX_SPELLINGS, attach, join, reaches, respell, spellings
from morphtree.trees.spelling_rules import RULES, VOWEL, SpellingRule
from morphtree.trees.tree import Tree

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def speaks_of(rule: SpellingRule, base: str, suffix: str) -> bool:
    suffixes = rule.suffixes.split()
    if suffix not in suffixes and not (VOWEL in suffixes and suffix[0] in "aeiouy"):
        return False
    stays, replaced = rule.ending.split("/")
    return re.search(f"{stays}(?:{replaced})\\Z", base) is not None


@every_rule
def test_examples_are_spelt_as_the_row_says(rule: SpellingRule) -> None:
    first, *others = rule.steps()
    assert attach(*first[:2], "suffix")[0] == first[2]
    for base, suffix, word in others:
        assert word in attach(base, suffix, "suffix")


@every_rule
def test_the_row_itself_decides_its_examples(rule: SpellingRule) -> None:
    for base, suffix, _ in rule.steps():
        assert next(row for row in RULES if speaks_of(row, base, suffix)) is rule


@every_rule
def test_every_spelling_of_a_row_has_an_example(rule: SpellingRule) -> None:
    used = set()
    for base, suffix, word in rule.steps():
        candidates = attach(base, suffix, "suffix")
        used.add(candidates.index(word))
    assert used == set(range(len(rule.becomes.split("|"))))


def test_names_are_distinct() -> None:
    assert max(Counter(rule.name for rule in RULES).values()) == 1


PREFERRED = """
test able testable, testable ly testably, fox s foxes, cry ed cried, day s days, box er boxer
decide ion decision, divide ion division, conclude ive conclusive, edit ion edition
act ion action, discuss ion discussion, confuse ion confusion, realize ation realization
add ition addition, clarify ation clarification, inform ation information
flexible ity flexibility, mobile ity mobility, final ity finality, basic ally basically
geography ical geographical, tragic al tragical, editor ial editorial, ceremony al ceremonial
nature al natural, nation al national, culture al cultural, remove al removal
consume tion consumption, receive tion reception, attend tion attention, create tion creation
comprehend sive comprehensive, submit ssive submissive, irony cal ironical
plan er planner, rain ed rained, open ing opening, admit ance admittance, prefer ence preference
big est biggest, lazy est laziest, sky s skies, play er player, snow ing snowing, fix ed fixed
refer ed referred, allot ed allotted, visit or visitor, limit ed limited, order ing ordering
agree ing agreeing, agree able agreeable, tie ed tied, dye ing dyeing, argue ing arguing
tax able taxable, trace able traceable, manage able manageable, value able valuable
horse y horsy, noise y noisy, bag y baggy, sun y sunny, leaf y leafy
busy ness business, kind ness kindness, pale ness paleness, penny less penniless
hope less hopeless, state ment statement, merry ment merriment, employ ment employment
sole ly solely, sad ly sadly, sudden ly suddenly, unique ly uniquely, hopeful ly hopefully
six th sixth, ninety th ninetieth, seven teen seventeen
wide en widen, red en redden, quick en quicken, brave ery bravery, rob ery robbery
magic ian magician, library ian librarian, america an american, canada ian canadian
hero ism heroism, type ist typist, energy ize energize, simple ify simplify, pure ify purify
fame ous famous, danger ous dangerous, mountain ous mountainous, study ous studious
child 's child's, use able usable, arrive al arrival, propose al proposal
"""


@pytest.mark.parametrize("step", re.split(r",|\n", PREFERRED.strip()), ids=str.strip)
def test_preferred_spelling(step: str) -> None:
    base, suffix, word = step.split()
    assert attach(base, suffix, "suffix")[0] == word


@pytest.mark.parametrize(
    ("base", "suffix", "words"),
    [
        ("focus", "ed", {"focused", "focussed"}),
        ("love", "able", {"lovable", "loveable"}),
        ("signal", "er", {"signaler", "signaller"}),
        ("acknowledge", "ment", {"acknowledgement", "acknowledgment"}),
        ("dwarf", "s", {"dwarfs", "dwarves"}),
        ("volcano", "s", {"volcanos", "volcanoes"}),
    ],
)
def test_both_spellings_where_both_are_used(base: str, suffix: str, words: set[str]) -> None:
    assert words <= set(attach(base, suffix, "suffix"))


def test_a_sure_rule_offers_one_spelling() -> None:
    assert attach("happy", "er", "suffix") == ("happier",)
    assert attach("stop", "ing", "suffix") == ("stopping",)
    assert attach("kind", "ness", "suffix") == ("kindness",)


def test_unknown_suffixes_drop_e_before_a_vowel_only() -> None:
    assert attach("frobe", "ax", "suffix")[0] == "frobax"
    assert attach("frobe", "tax", "suffix") == ("frobetax",)


def test_prefixes_do_not_change() -> None:
    assert attach("possible", "im", "prefix") == ("impossible",)
    assert attach("happy", "un", "prefix") == ("unhappy",)
    assert attach("enter", "re", "prefix") == ("reenter", "re-enter")


def test_join_prefers_one_word() -> None:
    assert join("black", "bird") == ("blackbird", "black-bird")


@given(st.text(max_size=12), st.text(max_size=6), st.sampled_from(["prefix", "suffix"]))
def test_there_is_always_a_spelling(base: str, affix: str, side: str) -> None:
    candidates = attach(base, affix, side)  # type: ignore[arg-type]
    assert candidates
    assert len(set(candidates)) == len(candidates)
    if side == "prefix":
        assert candidates[0] == affix + base


@given(
    st.from_regex(r"[a-z]{1,9}", fullmatch=True),
    st.sampled_from(
        sorted({suffix for rule in RULES for suffix in rule.suffixes.split() if suffix != VOWEL})
    ),
)
def test_the_first_matching_row_decides(base: str, suffix: str) -> None:
    row = next((row for row in RULES if speaks_of(row, base, suffix)), None)
    spelt = 1 if row is None else len(row.becomes.split("|"))
    candidates = attach(base, suffix, "suffix")
    assert len(candidates) == spelt
    if row is None:
        assert candidates == (base + suffix,)


# -- whole trees ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("brackets", "word"),
    [
        ("[window]", "window"),
        ("[[un [[test] able]] ly]", "untestably"),
        ("[[[[stop] able] ity] s]", "stoppabilities"),
        ("[[[happy] ness] s]", "happinesses"),
        ("[[[[purify] ation] al] ly]", "purificationally"),
        ("[[black] [bird]]", "blackbird"),
        ("[[[blue] [eye]] ed]", "blueeyed"),
        ("[[[sky] [[scrape] er]] s]", "skyscrapers"),
        ("[un [test] able ly]", "untestably"),  # flat
        ("[[[[lucky]]] er]", "luckier"),  # unary
        ("[re [un [tie]] ing]", "reuntying"),
        ("[N: [V: [bake] er] y]", "bakery"),
    ],
)
def test_respell(brackets: str, word: str) -> None:
    assert respell(Tree.parse(brackets)) == word


def test_unknown_labels_go_by_place_and_string() -> None:
    pre, noun, suf = Tree("A", string="un"), Tree.stem("happy"), Tree("B", string="er")
    assert respell(Tree("X", (pre, noun, suf))) == "unhappier"
    horse, apple = Tree("N", string="horse"), Tree("N", string="apple")
    assert respell(Tree("N", (horse, apple))) == "horseapple"
    assert respell(Tree("X", (Tree("N", string="able"), Tree("S", string="ity")))) == "ability"


def test_affixes_alone_and_affixes_with_parts() -> None:
    assert respell(Tree.word(Tree.prefix("un"), Tree.suffix("able"))) == "unable"
    assert respell(Tree.word(Tree.prefix("anti"), Tree.prefix("pro"))) == "antipro"
    split_suffix = Tree("SUFFIX", (Tree.suffix("i"), Tree.suffix("ng")))
    assert respell(Tree.word(Tree.stem("stop"), split_suffix)) == "stopping"


def test_a_prefix_between_words_is_kept() -> None:
    tree = Tree.word(Tree.stem("self"), Tree.prefix("re"), Tree.stem("make"), Tree.suffix("ing"))
    assert respell(tree) == "selfremaking"


def test_steps_are_spelt() -> None:
    steps = Tree.parse("[[un [[deny] able]] ly]").steps()
    assert steps == ("deny", "deniable", "undeniable", "undeniably")


def test_spellings_are_distinct_and_ranked() -> None:
    tree = Tree.parse("[[[travel] er] s]")
    assert spellings(tree) == ("travellers", "travelers")
    tree = Tree.parse("[[[judge] ment] [day]]")
    assert spellings(tree) == ("judgementday", "judgement-day", "judgmentday", "judgment-day")
    assert spellings(Tree.parse("[[happy] er]")) == ("happier",)


def test_the_list_of_spellings_has_a_cap() -> None:
    tree = Tree.stem("travel")
    for _ in range(30):
        tree = Tree.word(Tree.word(tree, Tree.suffix("er")), Tree.stem("focus"), Tree.suffix("ed"))
    found = spellings(tree)
    assert len(found) == MAX_SPELLINGS == len(set(found))
    assert found[0] == respell(tree)


def test_reaches_ignores_hyphens_and_case() -> None:
    eyed = Tree.parse("[[[blue] [eye]] ed]")
    assert reaches(eyed, "Blue-eyed")
    assert reaches(Tree.parse("[re [enter]]"), "re-enter")
    assert reaches(Tree.parse("[co [[operate] ion]]"), "co\N{HYPHEN}operation")
    assert not reaches(eyed, "blue-eye")


def test_reaches_wants_the_letters_of_the_word() -> None:
    happier = Tree.parse("[[happy] er]")
    assert reaches(happier, "happier")
    assert not reaches(happier, "happyer")
    assert not reaches(happier, "happyier")
    assert not reaches(Tree.parse("[[make] ing]"), "makeing")
    assert not reaches(Tree.parse("[[corn] er]"), "cornner")


PUBLISHED = Path(os.environ.get("MORPHTREE_DATA", "")) / "inside-out-2016" / "treebank.txt"


@pytest.mark.skipif("MORPHTREE_DATA" not in os.environ, reason="needs $MORPHTREE_DATA")
def test_published_treebank_is_reached() -> None:
    treebank = pytest.importorskip("morphtree.treebank.treebank")
    pairs = [(e.word, e.readings[0]) for e in treebank.Treebank.read(PUBLISHED).entries]
    total = len(pairs)
    assert total > 7000
    assert sum(reaches(tree, word) for word, tree in pairs) / total > 0.96
    assert sum(respell(tree) == word.lower() for word, tree in pairs) / total > 0.94
    assert sum(len(spellings(tree)) for _, tree in pairs) / total < 2
