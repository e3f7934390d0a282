"""Words as people write them: every rule of the table in docs/english.md, and any text at all."""

from __future__ import annotations

import json
import re
import string
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import morphtree
from morphtree.analysis import Analysis, Reading
from morphtree.analyzer import Analyzer
from morphtree.cli.main import main
from morphtree.evaluation.metrics import measure
from morphtree.explain import explain
from morphtree.joint.estimators import Importance
from morphtree.segment.writer import RowWriter
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import text_of
from morphtree.trees.tree import Tree, without_hyphens
from morphtree.written.asking import Vocabulary, ask
from morphtree.written.question import Question
from morphtree.written.text import clean, is_plain

TREES = {  # words whose trees do not depend on what a model finds likelier
    # hyphens
    "e-mail": "[[e-] [mail]]",
    "e-commerce": "[[e-] [commerce]]",
    "X-ray": "[[x-] [ray]]",
    "T-shirt": "[[t-] [shirt]]",
    "ex-wife": "[ex- [wife]]",
    "co-operate": "[co- [operate]]",
    "long-term": "[[long-] [term]]",
    "self-esteem": "[[self-] [esteem]]",
    "e\u2010mail": "[[e-] [mail]]",
    "e\u2011mail": "[[e-] [mail]]",
    "e\u2013mail": "[[e-] [mail]]",
    "win\u00addow": "[window]",
    "-window-": "[window]",
    # digits
    "4th": "[[4] th]",
    "20th": "[[20] th]",
    "112TH": "[[112] th]",
    "1st": "[1st]",
    "2nd": "[2nd]",
    "21st": "[21st]",
    "1990s": "[[1990] s]",
    "'90s": "[['90] s]",
    "1990's": "[[1990] 's]",
    "49ers": "[[[49] er] s]",
    "mp3": "[mp3]",
    "MP3s": "[[mp3] s]",
    "h2o": "[h2o]",
    "B2B": "[b2b]",
    "3D": "[3d]",
    "covid19": "[covid19]",
    "COVID-19": "[[covid-] [19]]",
    "21st-century": "[[21st-] [century]]",
    # apostrophes
    "teacher's": "[[[teach] er] 's]",
    "teacher\u2019s": "[[[teach] er] 's]",
    "cat's": "[[cat] 's]",
    "cats'": "[[[cat] s] 's]",
    "James's": "[[james] 's]",
    "e-mail's": "[[[e-] [mail]] 's]",
    "don't": "[don't]",
    "don\u2019t": "[don't]",
    "DON'T": "[don't]",
    "we'll": "[we'll]",
    "it's": "[it's]",
    "that's": "[that's]",
    "Where's": "[where's]",
    "there\u2019s": "[there's]",
    "shouldn't've": "[shouldn't've]",
    "o'clock": "[o'clock]",
    "rock'n'roll": "[rock'n'roll]",
    "O'Brien": "[o'brien]",
    "O'Brien's": "[[o'brien] 's]",
    "'tis": "['tis]",
    "'s": "['s]",
    "n't": "[n't]",
    "\u2019ll": "['ll]",
    "\u2018em": "['em]",
    "goin'": "[[go] ing]",
    "TALKIN'": "[[talk] ing]",
    "walkin\u2019": "[[walk] ing]",
    # punctuation
    "cats,": "[[cat] s]",
    "(cats)": "[[cat] s]",
    '"cats"': "[[cat] s]",
    "'cats'": "[[cat] s]",
    "\u201ccats!\u201d": "[[cat] s]",
    "cats...": "[[cat] s]",
    "'window": "[window]",
    "window'": "[window]",
    "e.g.": "[e.g.]",
    "U.S.A.": "[u.s.a.]",
    "(i.e.,": "[i.e.]",
    "Ph.D.": "[ph.d.]",
    "non-U.S.": "[non- [u.s.]]",
    "etc.": "[etc]",
    "and/or": "[and/or]",
    "AT&T": "[at&t]",
    # capitals
    "iPhone": "[[i] [phone]]",
    "YouTube": "[[you] [tube]]",
    "JavaScript": "[javascript]",  # as in the treebank
    "MacBook": "[[mac] [book]]",
    "McDonald": "[mcdonald]",
    "McCall": "[mccall]",
    "McDonald's": "[[mcdonald] 's]",
    "LaTeX": "[latex]",
    "PhD": "[phd]",
    "PhDs": "[[phd] s]",
    "CATS": "[[cat] s]",
    "Cats": "[[cat] s]",
    # accents
    "na\u00efvely": "[[na\u00efve] ly]",
    "nai\u0308vely": "[[na\u00efve] ly]",
    "caf\u00e9s": "[[caf\u00e9] s]",
    "r\u00e9sum\u00e9s": "[[r\u00e9sum\u00e9] s]",
    "CAF\u00c9S": "[[caf\u00e9] s]",
    "\u043a\u043e\u0448\u043a\u0430": "[\u043a\u043e\u0448\u043a\u0430]",
}
SEGMENTS = {  # words of which only the morphemes are certain, and their order
    "state-of-the-art": "state- of- the- art",
    "mother-in-law": "mother- in- law",
    "20-year-old": "20- year- old",
    "well-being": "well- be ing",
    "blue-eyed": "blue- eye ed",
    "mid-1990s": "mid- 1990 s",
    "'70s-style": "'70 s- style",
    "rock-\u2019n\u2019-roll": "rock- 'n'- roll",
    "iPhones": "i phone s",
    "mother-in-law's": "mother- in- law 's",
    "24-7-365a": "24- 7- 365a",
    "don't-wanters": "don't- want er s",
}
KINDS = ["ok", "whole", "refused"]


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return morphtree.load()


def best(analyzer: Analyzer, word: str) -> Reading:
    return analyzer.parse(word).readings[0]


@pytest.mark.parametrize(("word", "tree"), TREES.items(), ids=map(ascii, TREES))
def test_each_rule(analyzer: Analyzer, word: str, tree: str) -> None:
    analysis = analyzer.parse(word)
    assert analysis.status == "ok"
    assert analysis.readings[0].notation == tree
    assert analysis.readings[0].form == Tree.parse(tree).form


@pytest.mark.parametrize(("word", "segments"), SEGMENTS.items(), ids=map(ascii, SEGMENTS))
def test_no_morpheme_crosses_a_boundary(analyzer: Analyzer, word: str, segments: str) -> None:
    assert " ".join(best(analyzer, word).segments) == segments


@pytest.mark.parametrize("word", [*TREES, *SEGMENTS], ids=map(ascii, [*TREES, *SEGMENTS]))
def test_morphemes_cover_the_word_but_for_its_punctuation(analyzer: Analyzer, word: str) -> None:
    for reading in analyzer.parse(word, 3).readings:
        places = [place for m in reading.morphemes for place in (m.start, m.end)]
        assert places == sorted(places)
        covered = "".join(word[m.start : m.end] for m in reading.morphemes)
        text = clean(word)
        assert covered == word[text.start : text.end]
        assert word.strip("(),\"-'.!\u201c\u201d\u2018\u2019") in (
            covered,
            covered.strip("'.\u2018\u2019"),
        )
        assert text.text.lower() == text.text


def test_places_of_hyphens_and_punctuation(analyzer: Analyzer) -> None:
    def places(word: str) -> list[tuple[str, int, int]]:
        return [(m.form, m.start, m.end) for m in best(analyzer, word).morphemes]

    assert places("E-mail") == [("e-", 0, 2), ("mail", 2, 6)]
    assert places('"(cats),"') == [("cat", 2, 5), ("s", 5, 6)]
    assert places("win\u00addow!") == [("window", 0, 7)]
    assert places("goin'") == [("go", 0, 2), ("ing", 2, 5)]
    assert places("cats'") == [("cat", 0, 3), ("s", 3, 4), ("'s", 4, 5)]
    assert places("(...)") == [("(...)", 0, 5)]


@pytest.mark.parametrize(
    ("word", "status"),
    [("", "refused"), ("a b", "refused"), ("...", "whole"), ("2019", "whole"), ("(2019)", "whole"),
     ("x" * 65, "whole"), ("--", "whole")],
)  # fmt: skip
def test_what_is_no_word_is_answered_as_ever(analyzer: Analyzer, word: str, status: str) -> None:
    analysis = analyzer.parse(word)
    assert analysis.status == status
    assert [reading.segments for reading in analysis.readings] == (
        [(word,)] if word != "a b" and word else []
    )


@pytest.mark.parametrize("word", [w for w in TREES if "\u2019" in w or "\u2018" in w], ids=ascii)
def test_apostrophes_are_one_letter(analyzer: Analyzer, word: str) -> None:
    plain = word.replace("\u2019", "'").replace("\u2018", "'")
    assert best(analyzer, word).tree == best(analyzer, plain).tree
    assert best(analyzer, word).morphemes == best(analyzer, plain).morphemes


def test_the_documentation_has_the_same_examples() -> None:
    text = (Path(__file__).parents[1] / "docs" / "english.md").read_text(encoding="utf-8")
    section = text.split("## Words as people write them")[1].split("\n\n")[1]
    examples = re.findall(r"\*([^*|]+)\* `(\[[^`]+\])`", section)
    assert len(examples) > 40
    assert not [pair for pair in examples if TREES.get(pair[0]) != pair[1]]


# -- what is known of a reading ----------------------------------------------------------------


def test_lookups_leave_hyphens_out(analyzer: Analyzer) -> None:
    reading = best(analyzer, "ex-wife")
    assert reading.attested[1]
    assert reading.categories == ("N", "N")
    assert [*reading.meanings()][-1].startswith("ex-wife: former wife")
    assert str(reading.classified) == "[N: ex- [N: wife]]"
    assert reading.stem == "wife"
    assert best(analyzer, "grand-children").lemma == morphtree.analysis.Lemma("child", "plural")
    again = Analysis.from_dict(json.loads(json.dumps(analyzer.parse("ex-wife").to_dict())))
    assert again.readings[0].classified == reading.classified


def test_a_prefix_is_drawn_with_one_hyphen(analyzer: Analyzer) -> None:
    tree = best(analyzer, "ex-wife").tree
    assert isinstance(tree, Tree)
    assert [text_of(node) for node in tree.nodes()] == ["ex-wife", "ex-", "wife"]
    assert tree.steps() == ("wife", "ex-wife")
    assert Tree.parse("[[well-] [[be] ing]]").steps() == ("well", "be", "being", "well-being")


def test_evaluation_leaves_hyphens_out() -> None:
    gold = [
        Entry("ex-wife", (Tree.parse("[ex [wife]]"),)),
        Entry("e-mails", segments=("e", "mail", "s")),
    ]
    scores = measure(gold[:1], [Tree.parse("[ex- [wife]]")])
    assert scores["exact_tree"] == scores["accuracy"] == scores["morpheme_f1"] == 1
    assert measure(gold[1:], [("e-", "mail", "s")])["accuracy"] == 1


def test_trees_without_hyphens() -> None:
    tree = Tree.parse("[[[mother-] [in- [law]]] 's]")
    assert str(without_hyphens(tree)) == "[[[mother] [in [law]]] 's]"
    assert without_hyphens(Tree.stem("-")) == Tree.stem("-")
    same = Tree.parse("[[cat] s]")
    assert without_hyphens(same) is same


@pytest.mark.parametrize(
    ("word", "given", "tree"),
    [
        ("e-mail", "[e [mail]]", "[e- [mail]]"),
        ("e-mail", "[e-mail]", "[e-mail]"),
        ("e-mail", "[email]", "[e-mail]"),
        ("E-mail,", "[[e-] [mail]]", "[[e-] [mail]]"),
        ("mak-ing", "[[make] ing]", "[[make-] ing]"),
        ("caf\u00e9s", "[[caf\u00e9] s]", "[[caf\u00e9] s]"),
        ("don\u2019t", "[[do] [n't]]", "[[do] [n't]]"),
    ],
)
def test_overrides_have_no_hyphens(word: str, given: str, tree: str) -> None:
    model = morphtree.load().model
    entry = Entry(clean(word).text, (Tree.parse(given),))
    analysis = Analyzer(model, overrides=[entry]).parse(word)
    assert analysis.reason == "given by the overrides"
    assert analysis.readings[0].notation == tree


def test_explanations_are_of_what_the_model_was_asked(analyzer: Analyzer) -> None:
    found = explain(analyzer, "ex-wife")
    assert found.spelling + sum(c.weight for c in found.causes) == pytest.approx(
        found.margin, abs=1e-6
    )
    assert explain(analyzer, "iPad").word == "i-pad"
    by_rule = explain(analyzer, "44th")
    assert (by_rule.reading.notation, by_rule.other, by_rule.causes) == ("[[44] th]", None, ())


# -- models that are not English ---------------------------------------------------------------

NOTHING = Vocabulary(lambda word: 0, lambda word: False, frozenset())


@pytest.mark.parametrize(
    ("word", "asked"),
    [
        ("l'homme", "l'homme"),
        ("gl\u00e4ser", "gl\u00e4ser"),
        ("teacher's", "teacher's"),
        ("goin'", "goin'"),
        ("anak-anak", "anak-anak"),
        ("\u043a\u043e\u0442", "\u043a\u043e\u0442"),
        ("iPhone", ""),
        ("4th", ""),
    ],
)
def test_rules_need_what_they_speak_of(word: str, asked: str) -> None:
    assert ask(word, NOTHING).asked == asked


def test_what_the_model_cuts_against_a_rule_is_put_together() -> None:
    question = ask("mp3-player", NOTHING)
    assert question.asked == "mp3-player"
    assert question.restored(Tree.parse("[[[mp] [3]] [player]]"), "mp3player") is None
    assert question.restored(("mp3", "play", "er"), "mp3player") == ("mp3-", "play", "er")
    assert str(question.compound) == "[[mp3-] [player]]"


def test_plain_words_are_asked_as_they_are() -> None:
    for word in ("cats", "Cats", "CATS", "a", "I"):
        assert is_plain(word)
        assert ask(word, NOTHING) == Question(word.lower(), word.lower())
    assert not any(map(is_plain, ("cat-s", "iPhone", "caf\u00e9", "", "4", "DVDs")))


# -- any text ----------------------------------------------------------------------------------

ODD = st.text(
    string.ascii_letters[:30] + "--''\u2019\u00ad.,()\"19\u00e9\u00efe\u0301 ", max_size=14
)
PIECES = st.lists(
    st.sampled_from(
        ("iPhone", "cat", "s", "'s", "-", "19", "th", "in'", "\u00e9", "\u2019", "(", "Mc")
    ),
    min_size=1,
    max_size=5,
).map("".join)


@settings(max_examples=150)
@given(st.one_of(ODD, PIECES, st.text(max_size=12)))
def test_any_text_has_places_in_order(text: str) -> None:
    analysis = morphtree.load().parse(text, 2)
    assert analysis.status in KINDS
    for reading in analysis.readings:
        places = [place for m in reading.morphemes for place in (m.start, m.end)]
        assert places == sorted(places)
        assert 0 <= places[0] <= places[-1] <= len(text)
        assert isinstance(reading.tree, Tree)
        assert reading.tree.form == reading.form
        assert len(reading.attested) == len(reading.categories)
    assert Analysis.from_dict(analysis.to_dict()) == analysis


@settings(max_examples=60)
@given(st.lists(st.one_of(ODD, PIECES), min_size=1, max_size=4))
def test_any_text_has_one_answer(texts: list[str]) -> None:
    analyzer = morphtree.load()
    parsed = [analyzer.parse(text) for text in texts]
    assert [*analyzer.pipe(texts)] == parsed
    for style in ("tsv", "morfessor"):
        writer = RowWriter(analyzer, style)
        for text, analysis in zip(texts, parsed, strict=True):
            if analysis.readings and text.strip("\ufeff\r\n \t") == text:
                assert writer(text.encode() + b"\n").rows == writer._row(analysis)


HYPHENATED = st.lists(st.text("abeinrstxz\u00e9", min_size=1, max_size=8), min_size=2, max_size=5)


@settings(max_examples=60)
@given(HYPHENATED.map("-".join))
@example("n\u00e9ei-\u00e9n\u00e9e")  # whose best forms have a letter in place of the hyphen
def test_every_word_with_hyphens_has_trees_that_keep_them_apart(word: str) -> None:
    for how in (None, Importance(20)):
        analysis = morphtree.load().parse(word, 3, decode=how)
        assert analysis.status == "ok"
        for reading in analysis.readings:
            assert sum(string.endswith("-") for string in reading.segments) == word.count("-")
            assert "-" not in "".join(string[:-1] for string in reading.segments)


@settings(max_examples=60)
@given(st.one_of(ODD, PIECES))
def test_composed_and_decomposed_texts_have_one_tree(text: str) -> None:
    one, two = (
        morphtree.load().parse(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")
    )
    assert [r.tree for r in one.readings] == [r.tree for r in two.readings]


def test_what_is_evaluated_has_no_hyphens(tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.write_text("e-mail\t[[e] [mail]]\nex-wife\t[ex [wife]]\n4th\t[[4] th]\n", encoding="utf-8")
    found = CliRunner().invoke(main, ["evaluate", "en", str(gold), "--format", "json"])
    assert json.loads(found.stdout)["exact_tree"]["value"] == 1.0


def test_no_entry_of_the_treebank_crosses_a_hyphen() -> None:
    entries = Treebank.read(Path(__file__).parents[1] / "treebank" / "en" / "entries").entries
    for entry in entries:
        if "-" in entry.word:
            for tree in entry.readings:
                found = ask(entry.word, NOTHING).hyphenated(tree)
                assert not any("-" in leaf.string[:-1] for leaf in found.leaves()), entry.word


def test_a_model_that_has_never_seen_a_hyphen_writes_each_once() -> None:
    question = Question("mal-sana", "mal-sana", frozenset({3}))
    copied = Tree.parse("[[mal [-san]] a]")
    assert str(question.restored(copied, copied.form)) == "[[mal- [san]] a]"
    assert question.restored(("mal", "-san", "a"), "mal-sana") == ("mal-", "san", "a")
