"""Silver steps from small lists: endings, layers, circumfixes, compounds with links."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from morphtree.languages.description import BuildRules, Language
from morphtree.languages.listed_words import Derived, Lemma, ListedWords
from morphtree.languages.recipe import known_facts
from morphtree.languages.silver import SilverSteps
from morphtree.languages.stem_shapes import StemShapes
from morphtree.lexicon.word_facts import ADJ, NOUN, ORDINARY, UNKNOWN, VERB, Facts
from morphtree.treebank.formats.steps import parse_step

GERMAN = Language.read(Path(__file__).parents[2] / "languages" / "de")
assert GERMAN.silver
RULES = GERMAN.silver
BITS = {"N": NOUN, "V": VERB, "A": ADJ}
CITED = "haus:N tag:N kind:N arbeit:N zimmer:N student:N blume:N kaufen:V singen:V sagen:V " \
    "holen:V lesen:V klein:A gesund:A lesbar:A deutsch:A abholen:V"  # fmt: skip
FORMS = "häuser:haus:N häusern:haus:N tage:tag:N tagen:tag:N blumen:blume:N studenten:student:N " \
    "gekauft:kaufen:V gesungen:singen:V sagte:sagen:V sagten:sagen:V geholt:holen:V " \
    "abgeholt:abholen:V abzuholen:abholen:V lesend:lesen:V kleine:klein:A kleinste:klein:A " \
    "kleinsten:klein:A"  # fmt: skip


def small() -> ListedWords:
    listed = ListedWords.__new__(ListedWords)
    listed.facts, listed.nouns, listed.names = {}, set(), set()
    listed.lemmas, listed.categories = defaultdict(set), defaultdict(set)
    for item in CITED.split():
        word, category = item.split(":")
        listed.facts[word] = Facts(5.0, ORDINARY, BITS[category])
        listed.lemmas[word].add(Lemma(word, category))
        listed.categories[word].add(category)
    for item in FORMS.split():
        form, lemma, category = item.split(":")
        listed.facts[form] = Facts(4.0, UNKNOWN, 0)
        listed.lemmas[form].add(Lemma(lemma, category))
    listed.derived = {"unlesbar": [Derived("lesbar", "un", True)]}
    listed.derived["lesbar"] = [Derived("lesen", "bar", False)]
    return listed


@pytest.fixture(scope="module")
def maker() -> SilverSteps:
    return SilverSteps(RULES, small(), ())


@pytest.mark.parametrize(
    "line",
    [
        "häuser = haus + -er",
        "häusern = häuser + -n",
        "tage = tag + -e",
        "blumen = blume + -n",
        "studenten = student + -en",
        "gekauft = ge- + kaufen + -t",
        "gesungen = ge- + singen + -en",
        "sagte = sagen + -te",
        "sagten = sagte + -n",
        "abgeholt = ab- + geholt",
        "abzuholen = ab- + -zu- + holen",
        "lesend = lesen + -d",
        "kleine = klein + -e",
        "kleinste = klein + -ste",
        "kleinsten = kleinste + -n",
        "unlesbar = un- + lesbar",
        "lesbar = lesen + -bar",
        "arbeitszimmer = arbeit + -s- + zimmer",
        "haus",
        "singen",
    ],
)
def test_the_last_step(maker: SilverSteps, line: str) -> None:
    step = parse_step(0, line)
    assert maker.step(step.word).bare() == step.bare()


def test_a_chain_goes_down_and_takes_what_was_read(maker: SilverSteps) -> None:
    read = {"lesbar": parse_step(0, "lesbar")}
    steps = maker.chain(["unlesbar", "häusern"], read)
    assert [step.bare() for step in steps.values()] == [
        "lesbar", "unlesbar = un- + lesbar", "haus", "häuser = haus + -er", "häusern = häuser + -n",
    ]  # fmt: skip


def test_only_forms_of_words_read_by_hand_are_trusted(maker: SilverSteps) -> None:
    read = {"haus": parse_step(0, "haus"), "lesbar": parse_step(0, "lesbar")}
    steps = maker.chain(["häusern", "tage", "unlesbar"], read)
    assert maker.trusted(steps, read) == {"häuser", "häusern"}


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ("lesbar = lesen + -bar", True),
        ("gesungen = ge- + singen + -en", True),
        ("entwicklung = entwickeln + -ung", True),
        ("organisation = organisieren + -ation", True),
        ("häuser = haus + -er", True),
        ("lehrerinnen = lehrerin + -en", True),
        ("haus", True),
        ("lesbar = lachen + -bar", False),
        ("haustür = haus + tor", False),
    ],
)
def test_the_parts_of_a_step_spell_its_word(line: str, is_right: bool) -> None:
    assert StemShapes(RULES).spells(parse_step(0, line)) == is_right


def test_rare_words_are_left_out_as_the_description_says() -> None:
    listed = small()
    listed.facts |= {
        "selten": Facts(2.1, UNKNOWN, 0), "donaudampf": Facts(0.0, ORDINARY, NOUN),
        "rar": Facts(1.9, UNKNOWN, 0),
    }  # fmt: skip
    usual = known_facts(listed, BuildRules())
    assert {"selten", "donaudampf"} <= usual.keys()
    assert "rar" not in usual
    fewer = known_facts(listed, BuildRules(least_zipf=2.25, longest_uncounted=9))
    assert usual.keys() - fewer.keys() == {"selten", "donaudampf"}
