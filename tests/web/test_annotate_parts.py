"""What the editor is made of: trees as data, proposals from affixes, queues, checks."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.cli.main import main
from morphtree.errors import DataError, TreeError
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.word_facts import ADJ, NOUN, VERB, Facts, pack
from morphtree.treebank.affixes import Affix
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from morphtree.web.editor.checks import Guidelines, check_tree
from morphtree.web.editor.editor import Editor, Setup
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.queue import Ranking, agreement, margin, read_words
from morphtree.web.editor.shape import from_data, to_data, written
from morphtree.web.editor.training import Training
from tests.annotating import ESPERANTO, entry

NOTHING = Counts(())


def codes(word: str, tree: str, guidelines: Guidelines, counts: Counts = NOTHING) -> list[str]:
    return [finding.code for finding in check_tree(word, Tree.parse(tree), guidelines, counts)]


# -- trees as data ---------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["happiness [[happy] ness]", "untestably [[un [[test] able]] ly]"])
def test_trees_come_back_from_the_page(line: str) -> None:
    word, _, text = line.partition(" ")
    tree = Tree.parse(text)
    assert from_data(to_data(word, tree)) == tree


def test_leaves_say_where_they_are_written() -> None:
    data = to_data("happiness", Tree.parse("[[happy] ness]"))
    assert [(leaf["start"], leaf["end"]) for leaf in data["children"]] == [(0, 5), (5, 9)]
    wide = to_data("\U00010330\U00010330o", Tree.parse("[[\U00010330\U00010330] o]"))
    assert wide["children"][1]["start"] == 4  # in units of UTF-16, as the page counts


@pytest.mark.parametrize(
    "data", [None, [], {}, {"label": "X", "string": "a"}, {"label": "WORD"},
             {"label": "WORD", "string": 1}, {"label": "WORD", "children": [7]},
             {"label": "WORD", "children": {"a": 1}}],
)  # fmt: skip
def test_what_is_no_tree_is_refused(data: Any) -> None:
    with pytest.raises(TreeError):
        from_data(data)


def test_parts_are_spelt_as_words_of_their_own() -> None:
    parts = [spelt for _, spelt in written("untestably", Tree.parse("[[un [[test] able]] ly]"))]
    assert parts == ["untestably", "untestable", "testable", "test"]
    assert written("happiness", Tree.parse("[[happy] ness]"))[1][1] == "happy"


# -- proposals before there is a model -------------------------------------------------------------


def test_nothing_is_proposed_from_nothing() -> None:
    assert Counts(()).propose("hundo") == [(Tree.parse("[hundo]"), 1.0)]


def test_affixes_seen_so_far_propose() -> None:
    counts = Counts(Treebank.read(ESPERANTO).entries[:20])
    best, share = counts.propose("malsanulejestro")[0]
    assert str(best) == "[[[[[mal [san]] ul] ej] estr] o]"
    assert 0 < share <= 1


def test_proposals_grow_better_with_the_words() -> None:
    entries = Treebank.read(ESPERANTO).entries
    rest = entries[150:]
    right = [
        sum(Counts(entries[:count]).propose(e.word)[0][0] in e.readings for e in rest)
        for count in (0, 20, 150)
    ]
    assert right[0] < right[1] < right[2]
    assert right[2] > len(rest) / 2


def test_changed_stems_and_scopes_are_learned() -> None:
    counts = Counts([entry("happily", "[[happy] ly]"), entry("merrily", "[[merry] ly]"),
                 entry("unlocked", "[[un [lock]] ed]"), entry("untied", "[[un [tie]] ed]"),
                 entry("locked", "[[lock] ed]")])  # fmt: skip
    assert Tree.parse("[[greedy] ly]") in [tree for tree, _ in counts.propose("greedily")]
    ranked = [str(tree) for tree, _ in counts.propose("unwinded")]
    assert ranked.index("[[un [wind]] ed]") < ranked.index("[un [[wind] ed]]")


# -- queues ----------------------------------------------------------------------------------------


def test_a_queue_is_a_list_or_the_words_of_a_treebank(tmp_path: Path) -> None:
    listed = tmp_path / "words.txt"
    listed.write_text("# new\nHundo\nkato\n\nhundo\n", "utf-8")
    assert read_words(listed) == ["hundo", "kato"]
    assert read_words(ESPERANTO)[:2] == ["sana", "malsana"]


def test_the_least_sure_word_comes_first() -> None:
    model = morphtree.load()
    words = ["cats", "unlockable", "window"]
    ranking = Ranking(words, lambda word: margin(model, word))
    ranking.stop()
    ranking = Ranking(words, lambda word: margin(model, word))
    while len(ranking.scores) < len(words):
        time.sleep(0.01)
    assert ranking.ahead(3, ())[0] == "unlockable"
    assert ranking.ahead(3, ["unlockable"]) == sorted(
        ("cats", "window"), key=ranking.scores.__getitem__
    )
    ranking.stop()


def test_a_word_that_cannot_be_scored_stops_neither_the_queue_nor_the_others() -> None:
    def score(word: str) -> float:
        if word == "bad":
            raise ValueError(word)
        return float(len(word))

    ranking = Ranking(["long", "bad", "me"], score)
    assert ranking.begun.wait(60)  # whoever asks waits for this, once
    assert ranking.ahead(3, ()) == ["me", "long", "bad"]
    ranking.stop()


def test_a_second_treebank_is_read_again_only_if_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "second.brackets"
    other.write_text("hundo\t[hundo]\n", "utf-8")
    reads: list[str] = []

    def read(path: str) -> Treebank:
        reads.append(path)
        return plain(path)

    plain = Treebank.read
    monkeypatch.setattr(Treebank, "read", read)
    editor = Editor(Journal(tmp_path / "eo.brackets"), Setup(other=str(other)))
    for word in ("hundo", "kato", "hundo"):
        editor.word(word)
    assert len(reads) == 1
    other.write_text("hundo\t[[hund] o]\n", "utf-8")
    offered = [reading["notation"] for reading in editor.word("hundo")["readings"]]
    assert (len(reads), offered[0]) == (2, "[[hund] o]")
    editor.close()


@pytest.mark.parametrize("printed", ["no JSON", "[]", '{"epoch": 1}', "3"])
def test_a_training_run_ends_whatever_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str
) -> None:
    epoch = json.dumps({"epoch": 1, "dev": {"accuracy": 0.5, "exact_tree": 0.25}})
    command = [sys.executable, "-c", f"print({printed!r}); print({epoch!r})"]
    monkeypatch.setattr(Training, "command", lambda _: command)
    taken: list[Path] = []
    training = Training(tmp_path / "eo.brackets", (), taken.append)
    training.start(Treebank.read(ESPERANTO).entries)
    training.wait()
    assert training.state["running"] is False
    assert training.state["epochs"] == [{"epoch": 1, "accuracy": 0.5, "exact_tree": 0.25}]
    assert taken == [tmp_path / "eo.model"]


def test_a_training_run_that_cannot_start_is_not_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Training, "command", lambda _: [str(tmp_path / "no-such-program")])
    training = Training(tmp_path / "eo.brackets", (), lambda _: None)
    with pytest.raises(FileNotFoundError):
        training.start(Treebank.read(ESPERANTO).entries)
    assert training.state["running"] is False


@pytest.mark.parametrize("made", ["eo.model", "eo.parts/train.brackets", "eo.parts/dev.brackets"])
def test_training_does_not_write_to_the_treebank_by_a_link(tmp_path: Path, made: str) -> None:
    path = tmp_path / "eo.brackets"
    path.write_bytes(ESPERANTO.read_bytes())
    (tmp_path / made).parent.mkdir(exist_ok=True)
    (tmp_path / made).symlink_to(path)
    training = Training(path, (), lambda _: None)
    with pytest.raises(DataError, match="is the treebank itself"):
        training.start(Treebank.read(path).entries)
    assert path.read_bytes() == ESPERANTO.read_bytes()
    assert training.state["running"] is False


def test_a_file_in_the_way_of_training_is_named(tmp_path: Path) -> None:
    (tmp_path / "eo.parts").write_text("mine", "utf-8")
    training = Training(tmp_path / "eo.brackets", (), lambda _: None)
    with pytest.raises(DataError, match=r"eo\.parts is to be a folder"):
        training.start(Treebank.read(ESPERANTO).entries)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["annotate", "w.model"], 3, "name a bracket file, such as w.brackets"),
        (["train", "w", "--dev", "w", "-o", "w"], 2, "w is the treebank itself"),
        (["train", "v", "--dev", "w", "-o", "w"], 2, "w is the dev treebank itself"),
    ],
)
def test_a_command_does_not_replace_a_treebank_by_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("v", "w"):
        (tmp_path / name).write_text("hundo\t[[hund] o]\n", "utf-8")
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == code
    assert sentence in " ".join(result.stderr.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v", "w"]
    assert (tmp_path / "w").read_text("utf-8") == "hundo\t[[hund] o]\n"


def test_two_models_that_disagree_put_a_word_first() -> None:
    model = morphtree.load(stored=False)  # a stored word has probability 1
    other = morphtree.analyzer.Analyzer(model.model, overrides=[entry("cats", "[cats]")])
    assert agreement(model, other, "cats") < 0 < agreement(model, model, "cats")


def test_findings_make_a_queue(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text("hundo\t[[hund] o]\nkato\t[[[kat] o] [o] x]\nhundoj\t[hundo]\n", "utf-8")
    editor = Editor(Journal(path), Setup())
    assert editor.ahead("findings", 9) == ["kato", "hundoj"]
    editor.close()


# -- checks ----------------------------------------------------------------------------------------

KNOWN = Lexicon({"test": pack(Facts(5, 0, NOUN | VERB)), "happy": pack(Facts(5, 0, ADJ)),
                 "testable": pack(Facts(3, 0, ADJ))})  # fmt: skip
ABLE = (Affix("able", "SUFFIX", "V", "A"), Affix("ly", "SUFFIX", "A", "R"))


def test_a_span_must_be_a_word() -> None:
    guidelines = Guidelines(affixes=ABLE, lexicon=KNOWN)
    assert codes("testably", "[[[test] able] ly]", guidelines) == []
    assert codes("zestably", "[[[zest] able] ly]", guidelines) == ["unattested", "unattested"]
    assert codes(
        "testably", "[[[test] able] ly]", Guidelines(), Counts([entry("x", "[[y] able]")])
    ) == ["new-affix"]


def test_affixes_and_categories_are_checked() -> None:
    guidelines = Guidelines(affixes=ABLE, lexicon=KNOWN)
    assert codes("testness", "[[test] ness]", guidelines) == ["unknown-affix"]
    assert codes("happyable", "[[happy] able]", guidelines) == ["category"]
    assert codes("testably", "[[[test] able] ly]", guidelines) == []
    assert codes("testly", "[[test] ly]", guidelines) == ["category"]


def test_spelling_and_grammar_are_checked() -> None:
    english = Guidelines(english=True)
    assert codes("happily", "[[happy] ly]", english, Counts([entry("a", "[[a] ly]")])) == []
    assert "respell" in codes("happxly", "[[happy] ly]", english)
    assert codes("hundo", "[hund]", Guidelines()) == ["respell"]
    assert codes("hundo", "[[hundohundoh] o]", Guidelines())[0] == "respell"
    assert codes("hundo", "[[hund] o j]", Guidelines()) == ["out-of-grammar"]
