"""The sentences of explanations on forty words: every fact that they state is checked elsewhere.

The sources are the treebank's files, the inventory of affixes, the frequency list, the listed
derivations and the file of related words: not what the explanations look at, which is the model.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.explain import Explanation, Fact
from morphtree.lexicon.resources import gather_derivations
from morphtree.lexicon.similarity import Meaning, Nearness, read_related
from morphtree.model.complexity import read_complexity
from morphtree.treebank.affixes import Affix, read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import attach, spellings
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree, without_hyphens

ROOT = Path(__file__).parents[2]
NAIVELY = "na\N{LATIN SMALL LETTER I WITH DIAERESIS}vely"
FORTY = (
    # derived and inflected, with and without changes of spelling
    "untestably", "happily", "unhappiness", "teacher", "judgment", "beautifully", "wooden",
    "deregulation", "misunderstanding", "hierarchically", "running", "boxes", "leaves", "cats",
    # two scopes
    "unlockable", "unhappier", "decaffeinated",
    # compounds
    "blackbird", "football", "blackboard", "mother-in-law",
    # simple words that look complex, irregular forms
    "corner", "butter", "family", "understand", "brother", "reindeer", "mice", "better",
    # new words
    "unbloggable", "wugless", "quickify", "tweetstorm", "antidisestablishmentarianism",
    # as people write them: hyphens, numbers, names, accents
    "dog-friendly", "20-year-old", "44th", "Londoner", "McDonald", NAIVELY,
)  # fmt: skip
OF_SPANS = (  # claims of which the subject must be a part of one of the two readings
    "attested", "unattested", "category", "only", "written", "derived", "related", "similar",
    "unrelated", "unlike",
)  # fmt: skip
SPELT_OUT = ("other reading", "this reading", "Against it", "treebank")


@cache
def explanation(word: str) -> Explanation:
    return morphtree.load().explain(word)


# -- other sources -----------------------------------------------------------------------------


@cache
def entries() -> dict[str, Entry]:
    return {entry.word: entry for entry in Treebank.read(ROOT / "treebank/en/entries").entries}


@cache
def inventory() -> tuple[Affix, ...]:
    return read_inventory(ROOT / "treebank/en/affixes.tsv")


@cache
def related() -> dict[str, Meaning]:
    return read_related(ROOT / "knowledge/related-en.tsv.gz")


@cache
def derivations() -> set[tuple[str, str]]:
    return {(found.word, found.base) for found in gather_derivations("en")}


def rows(affix: str) -> list[Affix]:
    return [row for row in inventory() if str(row) == affix]


def zipf(text: str) -> float:
    wordfreq = pytest.importorskip("wordfreq")
    return float(wordfreq.zipf_frequency(text, "en", "large"))


def trees(word: str) -> list[Tree]:
    entry = entries().get(word)
    return [without_hyphens(tree) for tree in entry.readings] if entry else []


def can_be(text: str) -> set[str]:
    """What a word can be by the lexicon; what has -ed and -ing is a verb as well."""
    lexicon = morphtree.load().model.spans.knowledge.lexicon
    found = set("".join(lexicon.categories(text)))
    inflected = all(any(t in lexicon for t in attach(text, e, "suffix")) for e in ("ed", "ing"))
    return found | {"V"} if found and inflected else found


# -- each claim --------------------------------------------------------------------------------


def is_attested(fact: Fact) -> bool:
    if fact.of not in morphtree.load().model.spans.knowledge.lexicon:
        return False
    return fact.value is None or abs(math.log10(fact.value) + 3 - zipf(fact.of)) < 0.04


def is_unattested(fact: Fact) -> bool:
    return fact.of not in morphtree.load().model.spans.knowledge.lexicon and zipf(fact.of) == 0


def makes(fact: Fact) -> bool:
    taken, made = fact.value.split(">")
    return any(taken in row.attaches and made in row.makes for row in rows(fact.of))


def is_written(fact: Fact) -> bool:
    base, affix = fact.value
    if affix.startswith("-"):
        return fact.of in attach(base, affix[1:], "suffix")
    return fact.of in attach(base, affix[:-1], "prefix")


def nearness(fact: Fact) -> Nearness:
    return related()[fact.of].bases.get(fact.value, Nearness())


def is_compared(fact: Fact) -> bool:
    """Whether a pair is in the file: of those that are not there nobody knows a thing."""
    return fact.value in related()[fact.of].bases


def is_precedent(fact: Fact) -> bool:
    return Tree.parse(fact.value["tree"]) in trees(fact.of)


CLAIMS: dict[str, Callable[[Fact], bool]] = {
    "attested": is_attested,
    "unattested": is_unattested,
    "category": lambda fact: fact.value in can_be(fact.of),
    "makes": makes,
    "only": lambda fact: set(fact.value) == can_be(fact.of),
    "attaches": lambda fact: set(fact.value) == {x for row in rows(fact.of) for x in row.attaches},
    "makes_only": lambda fact: set(fact.value) == {x for row in rows(fact.of) for x in row.makes},
    "written": is_written,
    "misspelt": lambda fact: fact.of == spellings(Tree.parse(fact.value))[0],
    "derived": lambda fact: (fact.of, fact.value) in derivations(),
    "related": lambda fact: nearness(fact).told == 2,
    "similar": lambda fact: related()[fact.of].by_vector and nearness(fact).near >= 3,
    "unrelated": lambda fact: (
        is_compared(fact) and related()[fact.of].by_dictionary and nearness(fact).told == 0
    ),
    "unlike": lambda fact: (
        is_compared(fact) and related()[fact.of].by_vector and nearness(fact).near == 0
    ),
    "stored": lambda fact: without_hyphens(Tree.parse(fact.value)) in trees(fact.of),
    "precedent": is_precedent,
    "lemma": lambda fact: fact.value[0] == entries()[fact.of].fields[0].lemma,
    "level": lambda fact: (
        read_complexity(ROOT / "knowledge/complexity-en.tsv.gz")[fact.of] + 1 == fact.value
    ),
    "asked": lambda fact: morphtree.load().asked(fact.of) == fact.value,
    "rule": lambda fact: morphtree.load().asked(fact.of) == "",
    "figures": lambda fact: any(part.isdigit() for part in fact.of.split("-")),
}


@pytest.mark.parametrize("word", FORTY)
def test_every_claim_is_true(word: str) -> None:
    found = explanation(word)
    for sentence in found.sentences:
        for fact in sentence.facts:
            assert CLAIMS[fact.claim](fact), (sentence.text, fact)


FALSE = (
    Fact("attested", "untest"), Fact("attested", "test", 3.0), Fact("unattested", "testable"),
    Fact("category", "happy", "N"), Fact("makes", "-ness", "V>A"), Fact("only", "test", "N"),
    Fact("attaches", "-ness", "N"), Fact("makes_only", "-ly", "R"),
    Fact("written", "happyly", ["happy", "-ly"]), Fact("derived", "corner", "corn"),
    Fact("misspelt", "readyer", "[[ready] er]"),
    Fact("related", "corner", "corn"), Fact("similar", "corner", "corn"),
    Fact("unrelated", "happily", "happy"), Fact("unlike", "happily", "happy"),
    Fact("unrelated", "corner", "corn"), Fact("unlike", "lives", "life"),
    Fact("stored", "corner", "[[corn] er]"), Fact("lemma", "mice", ["mic", "plural"]),
    Fact("precedent", "corner", {"tree": "[[corn] er]", "shares": "same steps"}),
    Fact("asked", "iPad", "ipad"), Fact("rule", "cats", "[cats]"),
    Fact("figures", "forty-two", "[[forty-] [two]]"),
)  # fmt: skip


@pytest.mark.parametrize("fact", FALSE, ids=str)
def test_what_is_false_would_be_found_out(fact: Fact) -> None:
    assert not CLAIMS[fact.claim](fact)


@pytest.mark.parametrize("word", FORTY)
def test_there_are_at_most_five_sentences_that_can_be_read_aloud(word: str) -> None:
    sentences = explanation(word).sentences
    texts = [sentence.text for sentence in sentences]
    assert 1 <= len(texts) <= 5
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert re.match(r"[A-Z*]", text)
        assert text.endswith(".")
        assert text.count("*") % 2 == 0
        assert not re.search(r"WORD|zipf|None|\.\.\.|  ", text)


def spans(found: Explanation) -> set[str]:
    """How the words inside either reading may be written, and the word itself."""
    told = {found.word}
    for reading in filter(None, (found.reading, found.other)):
        assert isinstance(reading.tree, Tree)
        for node in without_hyphens(reading.tree).nodes():
            told |= {*spellings(node)} if node.label == WORD else {_affix(node)}
    return told


def _affix(tree: Tree) -> str:
    return {PREFIX: f"{tree.string}-", SUFFIX: f"-{tree.string}"}[tree.label]


@pytest.mark.parametrize("word", FORTY)
def test_no_sentence_speaks_of_a_span_outside_both_readings(word: str) -> None:
    found = explanation(word)
    inside = spans(found)
    for sentence in found.sentences:
        for fact in sentence.facts:
            if fact.claim in OF_SPANS:
                assert fact.of in inside, sentence.text
            if fact.claim in ("derived", "related", "similar", "unrelated", "unlike"):
                assert fact.value in inside, sentence.text
        stated = {fact.of for fact in sentence.facts} | {*map(str, _values(sentence.facts))}
        for mention in re.findall(r"\*(.+?)\*", sentence.text):
            letter = sentence.kind == "spelling" and len(mention) <= 2
            said = any(words in sentence.text for words in SPELT_OUT)
            named = {mention, mention.lower()} & (inside | stated)  # names have capitals
            assert named or letter or said, (mention, sentence.text)


def _values(facts: tuple[Fact, ...]) -> Iterator[Any]:
    for fact in facts:
        yield from fact.value if isinstance(fact.value, list) else [fact.value]


# -- precedents --------------------------------------------------------------------------------


def steps(tree: Tree) -> list[str]:
    """The affixes of a tree from the last step inwards."""
    inner = [child for child in tree.children if not child.is_affix]
    own = [_affix(child) for child in tree.children if child.is_affix]
    return own + [step for child in inner for step in steps(child)]


@pytest.mark.parametrize("word", FORTY)
def test_precedents_are_built_as_it_is_said(word: str) -> None:
    found = explanation(word)
    tree = found.reading.tree
    assert isinstance(tree, Tree)
    tree = without_hyphens(tree)
    for sentence in found.sentences:
        for fact in sentence.facts:
            if fact.claim == "precedent":
                other, shares = Tree.parse(fact.value["tree"]), fact.value["shares"]
                assert fact.of != found.word
                assert fact.of in sentence.text
                if shares == "same steps":
                    assert steps(other) == steps(tree)
                elif shares == "same last step":
                    assert steps(other)[0] == steps(tree)[0]
                elif shares == "simple":
                    assert tree.is_leaf
                    assert other.is_leaf
                else:
                    place = {"same first part": 0, "same second part": 1}[shares]
                    assert other.children[place] == tree.children[place]


def test_frequencies_are_said_as_they_are() -> None:
    for word in FORTY:
        for sentence in explanation(word).sentences:
            rates = [f.value for f in sentence.facts if f.claim == "attested" and f.value]
            if said := re.search(
                r"\(about ([\d,]+)(?: and ([\d,]+))? times in a mill", sentence.text
            ):
                numbers = [float(n.replace(",", "")) for n in said.groups() if n]
                assert numbers == pytest.approx(rates, rel=0.05, abs=0.5)
            if said := re.search(r"\(about once in (\S+) million", sentence.text):
                millions = 1.0 if said[1] == "a" else float(said[1].replace(",", ""))
                assert [1 / rate for rate in rates] == pytest.approx([millions], rel=0.05, abs=0.5)


# -- what is said without the model -------------------------------------------------------------


def texts(word: str, **options: Any) -> list[str]:
    return [sentence.text for sentence in morphtree.load(**options).explain(word).sentences]


def test_who_answered_is_said_where_the_model_did_not(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("corner\t[[corn] er]\n")
    assert texts("corner", overrides=str(path)) == [
        "The overrides have this reading; the model by itself has [corner] (99.2%)."
    ]
    assert texts("42") == ["*42* is left whole: it has no letter."]
    [text] = texts("wugless", min_prob=0.9)
    assert text == "*wugless* is left whole: no reading has a probability of 0.9."
    for whole in ("they'dn't've", "O'Brien"):
        assert "contractions and names with an apostrophe stay whole" in texts(whole)[0]
    assert "a name like this, with a capital inside, stays whole but" in texts("McDonald's")[0]
    assert texts("do's")[0].endswith("the best reading of *do's* is [[do] 's].")
    assert texts("qqqq")[0] == "It is the only reading that the model finds."


def test_a_reading_that_the_treebank_lacks_is_not_said_to_be_there() -> None:
    found = morphtree.load().explain("unhappiness", 2)
    assert found.reading.source == "model"
    assert found.sentences[0].text == "The treebank has [[un [happy]] ness], not this reading."


def test_the_second_reading_is_the_one_that_parse_has() -> None:
    analyzer = morphtree.load()
    second = analyzer.parse("unlockable", 2).readings[1]
    assert analyzer.explain("unlockable", 2).reading == second
