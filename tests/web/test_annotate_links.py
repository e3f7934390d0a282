"""Linking elements, circumfixes and reduplication: grammar, checks, proposals, training."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import morphtree
from morphtree.cli import annotate as command
from morphtree.errors import DataError
from morphtree.model.model import Model
from morphtree.treebank.affixes import Affix
from morphtree.trees.grammar import COMPOUNDS, LINKS, PAPER, Grammar
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, WORD, Tree
from morphtree.web.editor.checks import Guidelines, check_tree, complains
from morphtree.web.editor.editor import Editor, Setup
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.records import Record
from tests.annotating import change, client, editing, entry, saved

ROOM, BOUGHT = "[[arbeit] [LINK: s] [zimmer]]", "[ge [kaufen] t]"
GERMAN = Guidelines(grammar=LINKS)
NOBODY = Counts(())
STEMS = ["kauf", "hol", "mach", "sag", "lern", "lieb", "spiel", "tanz", "koch", "rauch", "such",
         "brauch", "glaub", "hör", "wohn", "zeig"]  # fmt: skip
ROOMS = ["arbeit", "hoffnung", "zeitung", "wohnung", "übung", "bildung", "kleidung", "meinung"]
WORDS = {
    **{f"ge{stem}t": f"[ge [{stem}en] t]" for stem in STEMS},
    **{f"{stem}te": f"[[{stem}en] te]" for stem in STEMS},
    **{f"{stem}szimmer": f"[[{stem}] [LINK: s] [zimmer]]" for stem in ROOMS},
    **{word: f"[{word}]" for word in ("zimmer", "gut", "alt", *ROOMS)},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "de.brackets"


@pytest.fixture
def german(path: Path) -> Path:
    path.write_text("".join(f"{word}\t{tree}\n" for word, tree in WORDS.items()), "utf-8")
    return path


# -- which grammar a session has -------------------------------------------------------------------


def set_up(path: Path, grammar: str = "", model: str = "") -> Setup:
    others = dict.fromkeys(("against", "lexicon"), "")
    return command._setup(Journal(path), None, affixes=None, language="none", who="x",
                          grammar=grammar, model=model, **others)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "grammar", "wanted"),
    [
        ("", "", COMPOUNDS),
        ("haus\t[haus]\n", "", COMPOUNDS),
        ("haus\t[haus]\n", "links", LINKS),
        ("haus\t[haus]\n", "paper", PAPER),
        (f"arbeitszimmer\t{ROOM}\n", "", LINKS),
        (f"gekauft\t{BOUGHT}\n", "", LINKS),
        (f"gekauft\t{BOUGHT}\n", "compounds", COMPOUNDS),
    ],
)
def test_the_grammar_is_asked_for_or_that_of_the_file(
    path: Path, line: str, grammar: str, wanted: Grammar
) -> None:
    path.write_text(line, "utf-8")
    setup = set_up(path, grammar)
    assert setup.guidelines.grammar == wanted
    asked = ("--grammar", grammar) if grammar else ()
    assert setup.training == ("--language", "none", *asked)


def test_a_model_that_proposes_links_brings_its_grammar(path: Path, german_model: Path) -> None:
    assert Model.load(german_model).structure.grammar == LINKS
    assert set_up(path, model=str(german_model)).guidelines.grammar == LINKS


def test_a_grammar_of_other_labels_is_refused(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.grammar"
    file.write_text("WORD -> NOUN WORD | <string>\nNOUN -> <string>\n", "utf-8")
    with pytest.raises(DataError, match="NOUN; the editor knows only PREFIX, WORD, SUFFIX, LINK"):
        set_up(path, str(file))
    file.write_text("WORD -> WORD SUFFIX | <string>\nSUFFIX -> <string>\n", "utf-8")
    assert set_up(path, str(file)).guidelines.grammar.steps(WORD) == ((WORD, SUFFIX),)


def test_the_page_is_told_the_steps(path: Path) -> None:
    for guidelines, has_links in ((Guidelines(), False), (GERMAN, True)):
        editor = Editor(Journal(path), Setup(guidelines=guidelines))
        found = editor.word("haus")["steps"]
        assert ((PREFIX, WORD, SUFFIX) in found, (WORD, LINK, WORD) in found) == (has_links,) * 2
        assert (LINK in editor.state()["labels"]) == has_links


# -- checks ----------------------------------------------------------------------------------------


def codes(word: str, tree: str, guidelines: Guidelines) -> set[str]:
    found = check_tree(word, Tree.parse(tree), guidelines, NOBODY)
    return {finding.code for finding in found if finding.level != "hint"}


@pytest.mark.parametrize(
    ("word", "tree"),
    [
        ("arbeitszimmer", ROOM),
        ("gekauft", BOUGHT),
        ("abzuholen", "[ab [LINK: zu] [holen]]"),
        ("arbeitslos", "[[arbeit] [LINK: s] los]"),
        ("häuser", "[[haus] er]"),
        ("gesungen", "[ge [singen] en]"),
        ("anak-anak", "[[anak] [anak]]"),
    ],
)
def test_checks_do_not_complain_of_other_languages(word: str, tree: str) -> None:
    assert codes(word, tree, GERMAN) == set()
    assert not complains(Record(entry(word, tree), "1.x"), GERMAN)


def test_without_the_grammar_they_are_errors() -> None:
    for guidelines in (Guidelines(), Guidelines(english=True)):
        assert codes("arbeitszimmer", ROOM, guidelines) == {"out-of-grammar"}
        assert codes("gekauft", BOUGHT, guidelines) == {"out-of-grammar"}
        assert complains(Record(entry("gekauft", BOUGHT), "1.x"), guidelines)
    assert codes("häuser", "[[haus] er]", Guidelines(english=True)) == {"respell"}


def test_what_a_node_can_be_is_told_by_the_grammar() -> None:
    [told] = check_tree("ab", Tree.parse("[[a] [b] [c]]"), Guidelines(), NOBODY)
    assert told.message == "a node is prefix + word, word + suffix, or two words"
    [told] = check_tree("ab", Tree.parse("[[a] [b] [c]]"), GERMAN, NOBODY)
    assert told.message.endswith("word + link + suffix, or prefix + link + word")


def test_a_link_of_the_inventory_is_no_news(path: Path) -> None:
    affixes = tuple(Affix(s, label) for s, label in (("s", LINK), ("ge", PREFIX), ("t", SUFFIX)))
    guidelines = Guidelines(grammar=LINKS, affixes=affixes)
    assert codes("arbeitszimmer", ROOM, guidelines) == set()
    assert codes("gastzimmer", "[[ga] [LINK: st] [zimmer]]", guidelines) == {"unknown-affix"}
    editor = Editor(Journal(path), Setup(guidelines=guidelines))
    assert editor.word("arbeitszimmer")["prefixes"] == ["ge"]


def test_a_save_is_read_back_and_checked(path: Path) -> None:
    with editing(path, Setup(guidelines=GERMAN)) as base, client(base) as opened:
        [record, _] = saved(opened, change("arbeitszimmer", ROOM), change("gekauft", BOUGHT))
        assert record["notations"] == [ROOM]
        assert opened.get("/edit/queue?order=findings").json()["words"] == []
    found = {e.word: str(e.readings[0]) for e in morphtree.Treebank.read(path).entries}
    assert found == {"arbeitszimmer": ROOM, "gekauft": BOUGHT}


# -- proposals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "tree"),
    [
        ("gemietet", "[ge [miete] t]"),
        ("hoffnungszug", "[[hoffnung] [LINK: s] [zug]]"),
        ("hoffnungslos", "[[hoffnung] [LINK: s] los]"),
        ("anzufangen", "[an [LINK: zu] [fangen]]"),
        ("ibu-ibu", "[[ibu] [ibu]]"),
        ("ibu-bapak", "[[ibu] [bapak]]"),
    ],
)
def test_what_was_annotated_is_proposed(word: str, tree: str) -> None:
    entries = [
        entry("gekauft", BOUGHT), entry("arbeitszimmer", ROOM), entry("zug", "[zug]"),
        entry("hoffnung", "[hoffnung]"), entry("arbeitslos", "[[arbeit] [LINK: s] los]"),
        entry("anzunehmen", "[an [LINK: zu] [nehmen]]"),
    ]  # fmt: skip
    assert tree in {str(found) for found, _ in Counts(entries).propose(word)}
    if "-" not in word:
        assert tree not in {str(found) for found, _ in NOBODY.propose(word)}


def test_a_link_is_no_stem_and_is_forgotten_with_its_entry() -> None:
    counts = Counts([entry("arbeitszimmer", ROOM), entry("gekauft", BOUGHT)])
    assert (counts.stems["s"], counts.affixes[LINK]["s"], len(counts.frames)) == (0, 1, 2)
    counts.update(["arbeitszimmer", "gekauft"], {})
    assert not any((counts.stems, counts.frames, counts.affixes[LINK], counts.rewrites))


# -- training --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def german_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("de") / "own.model"
    morphtree.train([*WORDS.items()], output=made, epochs=8, progress=False)
    return made


def test_a_model_learns_links_and_circumfixes(german_model: Path) -> None:
    analyzer = morphtree.load(str(german_model))
    for word, tree in (("gedreht", "[ge [drehen] t]"), ("sammlungszimmer", None)):
        best = analyzer.parse(word).best
        assert best is not None
        assert isinstance(best.tree, Tree)
        assert LINKS.derives(best.tree)
        assert str(best.tree) == (tree or "[[sammlung] [LINK: s] [zimmer]]")


def test_the_page_trains_and_proposes_them(german: Path) -> None:
    setup = set_up(german)
    with editing(german, setup) as base, client(base) as opened:
        assert opened.post("/edit/train").json()["problem"]
        while (state := opened.get("/edit/train").json())["running"]:
            time.sleep(0.2)
        assert (state["error"], state["model"]) == ("", "de.model")
        answer = opened.post("/edit/word", json={"word": "gedreht"}).json()
        assert "[ge [drehen] t]" in [reading["notation"] for reading in answer["readings"]]


def test_training_says_what_it_has_learnt_from(
    german: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {word: tree for word, tree in WORDS.items() if "szimmer" not in word}
    morphtree.train([*words.items()], epochs=1)
    assert "no compounds, " in (told := capsys.readouterr().out)
    assert "linking element" not in told
    assert " circumfixes" in told
