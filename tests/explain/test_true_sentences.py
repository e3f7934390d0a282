"""What explanations say of words that are easily said to be what they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

import morphtree
from morphtree.analysis import Known
from morphtree.explain import Explanation
from morphtree.explain.comparison import Comparison
from morphtree.explain.evidence import misspelt
from morphtree.treebank.categories import Classified
from morphtree.trees.spelling import reaches
from morphtree.trees.tree import WORD, Tree


def explained(word: str, number: int = 1) -> Explanation:
    return morphtree.load().explain(word, number)


def said(word: str, number: int = 1) -> str:
    return explained(word, number).said


def precedents(word: str) -> list[str]:
    facts = (fact for sentence in explained(word).sentences for fact in sentence.facts)
    return [fact.of for fact in facts if fact.claim == "precedent"]


# -- what nobody has compared --------------------------------------------------------------------


def test_words_that_are_not_compared_are_not_said_to_differ() -> None:
    lexicon = morphtree.load().model.spans.knowledge.lexicon
    assert lexicon.nearness("lives", "life") is None
    assert lexicon.nearness("corner", "corn") is None
    for word in ("lives", "corner", "dealt"):
        assert "different contexts" not in said(word)
        assert "without" not in said(word)


def test_words_that_are_compared_and_far_are_said_to_differ() -> None:
    found = morphtree.load().model.spans.knowledge.lexicon.nearness("secretary", "secret")
    assert found is not None
    assert found.near == 0
    assert "*secretary* and *secret* occur in different contexts." in said("secretary")


@pytest.mark.parametrize("word", ["lives", "leaves", "analyses", "unlockable", "undoable"])
def test_a_base_in_the_treebank_is_never_said_to_be_unrelated(word: str) -> None:
    for number in (1, 2):
        claims = {f.claim for s in explained(word, number).sentences for f in s.facts}
        assert not claims & {"unlike", "unrelated"}


# -- what nobody knows -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["honeymoon", "sheep", "upon", "the", "apply"])
def test_where_no_fact_decides_it_is_said_how_much_the_features_do(word: str) -> None:
    assert "no single fact decides" in said(word)


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("words.txt", "what has other signs between its letters stays whole"),
        ("42nd", "what has figures stays whole, but for endings such as -th and -s"),
        ("O'Brien", "contractions and names with an apostrophe stay whole"),
    ],
)
def test_the_rule_that_is_named_is_about_the_word(word: str, rule: str) -> None:
    assert rule in said(word)


def test_numbers_say_nothing_of_nouns_in_the_same_letters() -> None:
    for word in ("strength", "depth", "growth", "canteen"):
        assert "makes numbers" not in said(word)
        assert "attaches to numbers" not in said(word)


def test_what_is_literal_has_one_sense() -> None:
    assert "literally" not in said("township")
    assert "literally" not in said("blockade")
    assert "one who or thing that teaches" in said("teacher")


# -- irregular forms -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["eaten", "oxen", "gotten", "dealt", "frozen", "written"])
def test_an_irregular_form_is_kept_whole_whatever_its_ending(word: str) -> None:
    text = said(word)
    assert "an irregular form, which the treebank keeps whole." in text
    assert "attaches to" not in text
    assert "is listed as" not in text


def test_an_ending_that_is_listed_to_make_the_word_is_not_said_to_attach_elsewhere() -> None:
    assert "attaches to" not in said("proven")


def test_irregular_forms_stand_beside_forms_of_the_same_kind() -> None:
    lemmas = explained("eaten").reading.known.lemmas  # type: ignore[union-attr]
    for word in ("eaten", "oxen", "became", "written"):
        assert precedents(word)
        assert {lemmas[other][1] for other in precedents(word)} == {lemmas[word][1]}
    assert precedents("outran") == ["outgrew"]
    assert precedents("misspelt") == ["misunderstood", "misled"]
    for word in ("undone", "foresaw", "dealt"):
        assert precedents(word) == []


# -- precedents ----------------------------------------------------------------------------------


def categories(classified: Classified) -> list[str]:
    return [word.category for word in classified.words() if word.tree.label == WORD]


@pytest.mark.parametrize("word", ["Londoners", "teachers", "golden", "lives", "unhappiness"])
def test_what_is_built_in_the_same_way_has_the_same_categories(word: str) -> None:
    analyzer = morphtree.load()
    found = precedents(word)
    assert found
    own = {"lives": ["V", "V"]}.get(word) or categories(explained(word).reading.classified)
    for other in found:
        assert categories(analyzer.parse(other).readings[0].classified) == own


def test_a_base_that_is_mostly_something_else_is_no_precedent() -> None:
    assert "drunken" not in precedents("golden")
    assert precedents("drunken") == precedents("greenish") == []
    assert not {"owners", "winners"} & {*precedents("Londoners")}


def test_precedents_share_the_change_of_spelling() -> None:
    assert precedents("knives") == ["wives"]
    assert all(other.endswith("ves") for other in precedents("wolves"))
    assert all(other.endswith("fs") for other in precedents("roofs"))


def test_a_simple_word_that_might_be_a_compound_stands_beside_others() -> None:
    text = "*raspberry* and *cranberry* end in *berry*, too, and are simple words in the treebank."
    assert text in said("strawberry")
    assert precedents("breakfast") == ["steadfast"]
    assert precedents("oppress") == ["suppress", "express"]
    assert precedents("double") == []  # nobody reads *uble* as a word


def test_simple_words_stand_beside_others_of_their_category() -> None:
    assert precedents("hammer") == ["summer", "customer"]  # not *former*
    assert precedents("width") == ["breadth", "health"]  # not *with*


# -- spelling ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "other"), [("kindness", "kindess"), ("reader", "readier"), ("finger", "finner")]
)
def test_how_the_other_reading_would_be_written(word: str, other: str) -> None:
    assert f"By the rules of spelling the other reading would be *{other}*." in said(word)


def test_another_form_of_a_simple_word_is_a_spelling_and_no_rule() -> None:
    text = "The other reading takes the word for another spelling of *marshall*."
    assert text in said("marshal")
    assert "another spelling" not in said("flibbertigibbet")  # of a word that nobody knows


@pytest.mark.parametrize("word", ["corner", "unlockable", "leaves", "width", "blackbirds"])
def test_no_reading_is_said_to_be_misspelt_that_is_written_as_the_word_is(word: str) -> None:
    found = explained(word)
    assert found.other is not None
    assert isinstance(found.other.tree, Tree)
    told = "rules of spelling" in str(found)
    assert told is (word == "width")
    assert told is not reaches(found.other.tree, word)


def test_the_rules_of_spelling_are_those_of_english_only() -> None:
    found = explained("kindness")
    assert found.other is not None
    tree, other, known = found.reading.tree, found.other.tree, found.reading.known
    assert isinstance(tree, Tree)
    assert isinstance(other, Tree)
    assert isinstance(known, Known)
    for is_english in (True, False):
        case = Comparison("kindness", tree, other, known, is_english=is_english)
        assert (misspelt(case) is not None) is is_english


# -- words that nobody lists ---------------------------------------------------------------------


@pytest.mark.parametrize("word", ["unbloggable", "antidisestablishmentarianism", "merry-go-round"])
def test_an_unlisted_word_is_no_evidence_where_both_readings_need_one(word: str) -> None:
    assert "word lists" not in said(word)


def test_an_unlisted_word_of_its_own_is_not_concealed() -> None:
    text = "are in none of the model's word lists, nor is *doomscroll*, which this reading needs."
    assert f"*doomscrol* and *scrol*, which the other reading needs, {text}" in said(
        "doomscrolling"
    )


def test_without_a_word_list_nothing_is_said_of_one() -> None:
    examples = Path(__file__).parents[2] / "examples" / "esperanto.brackets"
    explanation = morphtree.train(examples, progress=False, epochs=4).explain("lernantoj")
    assert explanation.reading.notation == "[[[[lern] ant] o] j]"
    assert explanation.other is not None
    assert explanation.other.notation == "[[[[lern] [ant]] o] j]"  # needs *ant*
    assert "word list" not in str(explanation)


# -- categories ----------------------------------------------------------------------------------


def test_an_affix_is_said_to_attach_to_what_its_base_is() -> None:
    assert "*-ly* makes adverbs from adjectives such as *quick*." in said("quickly")
    assert "*-able* makes adjectives from verbs and nouns such as *blog*," in said("unbloggable")
    assert "*un-* attaches" not in said("unknowns")
    assert "not smoking" not in said("non-smoking")
    assert "*un-* attaches to verbs: *unlock* is" in said("unlockable")
    assert "*-eer* attaches to nouns, but in the other reading to *teach*" in said("teacher")
    assert "*-s* attaches to verbs such as *live*." in said("lives")


@pytest.mark.parametrize("word", ["disposables", "inflatables", "counterclockwise"])
def test_no_step_attaches_to_what_the_step_before_has_not_made(word: str) -> None:
    assert "makes ad" in said(word)
    assert "attaches to" not in said(word)


# -- as people write -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["self-made", "x-ray", "self-control", "COVID-19", "e-mail"])
def test_no_string_that_cuts_a_part_between_hyphens_is_said_to_be_needed(word: str) -> None:
    assert "needs" not in said(word)


def test_whole_parts_between_hyphens_may_be_needed() -> None:
    assert "*out-of*, which the other reading needs, is in none" in said("out-of-date")


def test_words_inside_have_the_hyphens_of_the_word() -> None:
    assert "*un-unhappy* is literally" in said("un-un-unhappy")


def test_a_stand_in_is_not_cut() -> None:
    found = explained("COVID-19")
    whole = "the part with figures stays whole, and no part goes across a hyphen"
    assert found.said == f"In *COVID-19* {whole}."
    for number, reading in enumerate(morphtree.load().parse("COVID-19", 5).readings, 1):
        read = explained("COVID-19", number)
        assert read.reading == reading
        assert "ten" not in str(read)  # which the model is asked in place of the figures


@pytest.mark.parametrize("word", ["London's", "James's", "mother-in-law's"])
def test_the_treebank_is_not_said_to_have_what_was_not_asked(word: str) -> None:
    assert "The treebank has" not in said(word)


def test_names_have_the_capitals_of_the_word() -> None:
    assert "Wiktionary derives *Londoner* from *London*." in said("Londoners")
    assert "*America* loses its *a* before *-an*." in said("anti-American")
    assert "*IBM*" in said("IBM's")
    assert "*london*" in said("londoners")


def test_a_second_model_is_told_in_plain_words() -> None:
    text = "A second model, which only decides whether a word has parts, says that *darkroom* has"
    assert f"{text} some." in said("darkroom")
