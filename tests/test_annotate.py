"""What the editor's page asks for: words, checks, families, saves, comparisons, training."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import morphtree
from morphtree.annotate.checks import Guidelines, check_tree
from morphtree.annotate.compare import compare
from morphtree.annotate.desk import Desk, Setup
from morphtree.annotate.journal import Change, Journal
from morphtree.annotate.queue import Ranking, agreement, margin, read_words
from morphtree.annotate.seen import Seen
from morphtree.annotate.shape import from_data, to_data, written
from morphtree.attested import ADJ, NOUN, VERB, Facts, pack
from morphtree.errors import TreeError
from morphtree.lexicon import Lexicon
from morphtree.tree import Tree
from morphtree.treebank import Treebank
from morphtree.treebank_affixes import Affix
from morphtree.treebank_entry import Entry
from tests.annotating import ESPERANTO, change, client, editing, lines, saved

NOTHING = Seen(())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eo.brackets"


@pytest.fixture
def editor(path: Path) -> Iterator[httpx.Client]:
    words = read_words(ESPERANTO)
    with editing(path, Setup(words=words, who="anna")) as base, client(base) as opened:
        yield opened


def ask(opened: httpx.Client, what: str, **data: Any) -> Any:
    answer = opened.post(f"/edit/{what}", json=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


def entry(word: str, *trees: str) -> Entry:
    return Entry(word, tuple(map(Tree.parse, trees)))


def codes(word: str, tree: str, guidelines: Guidelines, seen: Seen = NOTHING) -> list[str]:
    return [finding.code for finding in check_tree(word, Tree.parse(tree), guidelines, seen)]


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
    assert Seen(()).propose("hundo") == [(Tree.parse("[hundo]"), 1.0)]


def test_affixes_seen_so_far_propose() -> None:
    seen = Seen(Treebank.read(ESPERANTO).entries[:20])
    best, share = seen.propose("malsanulejestro")[0]
    assert str(best) == "[[[[[mal [san]] ul] ej] estr] o]"
    assert 0 < share <= 1


def test_proposals_grow_better_with_the_words() -> None:
    entries = Treebank.read(ESPERANTO).entries
    rest = entries[150:]
    right = [
        sum(Seen(entries[:count]).propose(e.word)[0][0] in e.readings for e in rest)
        for count in (0, 20, 150)
    ]
    assert right[0] < right[1] < right[2]
    assert right[2] > len(rest) / 2


def test_changed_stems_and_scopes_are_learned() -> None:
    seen = Seen([entry("happily", "[[happy] ly]"), entry("merrily", "[[merry] ly]"),
                 entry("unlocked", "[[un [lock]] ed]"), entry("untied", "[[un [tie]] ed]"),
                 entry("locked", "[[lock] ed]")])  # fmt: skip
    assert Tree.parse("[[greedy] ly]") in [tree for tree, _ in seen.propose("greedily")]
    ranked = [str(tree) for tree, _ in seen.propose("unwinded")]
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
    assert ranking.ahead(3, lambda _: False)[0] == "unlockable"
    assert ranking.ahead(3, lambda word: word == "unlockable") == sorted(
        ("cats", "window"), key=ranking.scores.__getitem__
    )
    ranking.stop()


def test_two_models_that_disagree_put_a_word_first() -> None:
    model = morphtree.load()
    other = morphtree.analyzer.Analyzer(model.model, overrides=[entry("cats", "[cats]")])
    assert agreement(model, other, "cats") < 0 < agreement(model, model, "cats")


def test_findings_make_a_queue(path: Path) -> None:
    path.write_text("hundo\t[[hund] o]\nkato\t[[[kat] o] [o] x]\nhundoj\t[hundo]\n", "utf-8")
    desk = Desk(Journal(path), Setup())
    assert desk.ahead("findings", 9) == ["kato", "hundoj"]
    desk.close()


# -- checks ----------------------------------------------------------------------------------------

KNOWN = Lexicon({"test": pack(Facts(5, 0, NOUN | VERB)), "happy": pack(Facts(5, 0, ADJ)),
                 "testable": pack(Facts(3, 0, ADJ))})  # fmt: skip
ABLE = (Affix("able", "SUFFIX", "V", "A"), Affix("ly", "SUFFIX", "A", "R"))


def test_a_span_must_be_a_word() -> None:
    guidelines = Guidelines(affixes=ABLE, lexicon=KNOWN)
    assert codes("testably", "[[[test] able] ly]", guidelines) == []
    assert codes("zestably", "[[[zest] able] ly]", guidelines) == ["unattested", "unattested"]
    assert codes(
        "testably", "[[[test] able] ly]", Guidelines(), Seen([entry("x", "[[y] able]")])
    ) == ["new-affix"]


def test_affixes_and_categories_are_checked() -> None:
    guidelines = Guidelines(affixes=ABLE, lexicon=KNOWN)
    assert codes("testness", "[[test] ness]", guidelines) == ["unknown-affix"]
    assert codes("happyable", "[[happy] able]", guidelines) == ["category"]
    assert codes("testably", "[[[test] able] ly]", guidelines) == []
    assert codes("testly", "[[test] ly]", guidelines) == ["category"]


def test_spelling_and_grammar_are_checked() -> None:
    english = Guidelines(english=True)
    assert codes("happily", "[[happy] ly]", english, Seen([entry("a", "[[a] ly]")])) == []
    assert "respell" in codes("happxly", "[[happy] ly]", english)
    assert codes("hundo", "[hund]", Guidelines()) == ["respell"]
    assert codes("hundo", "[[hundohundoh] o]", Guidelines())[0] == "respell"
    assert codes("hundo", "[[hund] o j]", Guidelines()) == ["out-of-grammar"]


def test_the_family_must_agree_and_can_be_corrected(editor: httpx.Client, path: Path) -> None:
    saved(editor, change("malsanulo", "[[malsanul] o]"), change("hundo", "[[hund] o]"),
          change("malsanulejo", "[[[malsanul] ej] o]"))  # fmt: skip
    tree = change("malsanula", "[[[mal [san]] ul] a]")["trees"]
    found = ask(editor, "check", word="malsanula", trees=tree)["findings"]
    assert [f["message"] for f in found if f["code"] == "family"] == [
        "malsanul is analysed differently in malsanulejo, malsanulo"
    ]
    corrections = ask(editor, "family", word="malsanula", trees=tree)["corrections"]
    assert [c["after"] for c in corrections] == [
        ["[[[[mal [san]] ul] ej] o]"], ["[[[mal [san]] ul] o]"]
    ]  # fmt: skip
    assert len(lines(path)) == 3  # shown before it is done
    rest = [{k: c[k] for k in ("word", "trees", "base")} for c in corrections]
    saved(editor, {"word": "malsanula", "trees": tree}, *rest)
    assert ask(editor, "family", word="malsanula", trees=tree)["corrections"] == []
    assert lines(path)[3:] == ["malsanula\t[[[mal [san]] ul] a]",
                               "malsanulejo\t[[[[mal [san]] ul] ej] o]",
                               "malsanulo\t[[[mal [san]] ul] o]"]  # fmt: skip


def test_another_entry_for_the_word_is_a_conflict(editor: httpx.Client) -> None:
    saved(editor, change("hundo", "[hundo]"), who="ben")
    tree = change("hundo", "[[hund] o]")["trees"]
    found = ask(editor, "check", word="hundo", trees=tree)["findings"]
    assert ("conflict", "ben has [hundo]") in [(f["code"], f["message"]) for f in found]


# -- saving over HTTP ------------------------------------------------------------------------------


def test_a_word_has_readings_and_goes_on_when_saved(editor: httpx.Client, path: Path) -> None:
    assert editor.get("/edit/queue").json() == {
        "order": "list", "words": ["sana", "malsana", "malsanulo", "malsanulejo"]
    }  # fmt: skip
    assert [r["notation"] for r in ask(editor, "word", word="sana")["readings"]] == ["[sana]"]
    saved(editor, change("sana", "[[san] a]"))
    data = ask(editor, "word", word="sano")
    assert data["suffixes"] == ["a"]
    assert editor.get("/edit/queue?count=1").json()["words"] == ["malsana"]
    state = editor.get("/edit/state").json()
    assert (state["done"], state["entries"], state["model"]) == (1, 1, "")
    assert lines(path) == ["sana\t[[san] a]"]


def test_a_skipped_word_waits_in_a_queue_of_its_own(editor: httpx.Client) -> None:
    saved(editor, change("sana", note="skipped: what is it?"))
    assert editor.get("/edit/queue?count=1").json()["words"] == ["malsana"]
    skipped = editor.get("/edit/queue?order=skipped").json()["words"]
    assert skipped == []  # visited just now
    editor_two = ask(editor, "word", word="sana")["record"]
    assert editor_two["note"] == "skipped: what is it?"


def test_two_tabs_get_a_conflict_with_what_is_there(editor: httpx.Client) -> None:
    saved(editor, change("sana", "[[san] a]"))
    body = {"changes": [change("sana", "[sana]")], "who": "ben"}
    answer = editor.post("/edit/save", json=body)
    assert answer.status_code == 409
    assert answer.json()["record"]["notations"] == ["[[san] a]"]
    newest = answer.json()["record"]["version"]
    saved(editor, change("sana", "[sana]", base=newest), who="ben")


def test_two_clients_and_200_saves_of_one_entry(path: Path) -> None:
    done: list[str] = []

    def work(base: str, who: str) -> None:
        with client(base) as opened:
            for number in range(100):
                note, code = f"{who}{number}", 409
                while code == 409:
                    record = ask(opened, "word", word="hundo")["record"]
                    version = record["version"] if record else ""
                    body = {"changes": [change("hundo", "[hundo]", base=version, note=note)]}
                    code = opened.post("/edit/save", json=body).status_code
                assert code == 200
                done.append(note)

    with editing(path) as base:
        threads = [threading.Thread(target=work, args=(base, who)) for who in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    notes = [line.partition("note=")[2].split()[0] for line in path.read_text().splitlines()]
    assert sorted(notes) == sorted(done)
    assert len(done) == 200


@pytest.mark.parametrize(
    "body",
    [
        {}, {"changes": []}, {"changes": [{"word": "", "trees": []}]},
        {"changes": [{"word": "a", "trees": [{"label": "WORD", "string": ""}]}]},
        {"changes": [{"word": "a\nb", "trees": [{"label": "WORD", "string": "a"}]}]},
        {"changes": [{"word": "a", "trees": [{"label": "<b>", "string": "a"}]}]},
        {"changes": [{"word": "a" * 300, "trees": []}]},
    ],
)  # fmt: skip
def test_nonsense_is_refused_and_not_written(
    editor: httpx.Client, path: Path, body: dict[str, Any]
) -> None:
    answer = editor.post("/edit/save", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert path.read_bytes() == b""


# -- who may ask -----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "wrong", "a-token-of-the-test", "\xff"])
def test_without_the_token_nothing_is_told_or_written(
    editor: httpx.Client, path: Path, token: str
) -> None:
    headers = {"x-morphtree-token": token.encode("latin-1")}
    for name in ("state", "queue", "compare", "train"):
        assert editor.get(f"/edit/{name}", headers=headers).status_code == 403
    body = {"changes": [change("sana", "[sana]")]}
    assert editor.post("/edit/save", json=body, headers=headers).status_code == 403
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[x"]
)
def test_a_foreign_name_is_refused(editor: httpx.Client, host: str) -> None:
    assert editor.get("/", headers={"host": host}).status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1", "[::1]:8766", "192.168.0.7:8766"])
def test_names_of_this_machine_are_known(editor: httpx.Client, host: str) -> None:
    assert editor.get("/", headers={"host": host}).status_code == 200


def test_other_sites_get_no_permission(editor: httpx.Client) -> None:
    headers = {"origin": "https://evil.example", "access-control-request-method": "POST",
               "access-control-request-headers": "x-morphtree-token"}  # fmt: skip
    answer = editor.options("/edit/save", headers=headers)
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers
    page = editor.get("/")
    assert "script-src 'self'" in page.headers["content-security-policy"]


# -- two annotators --------------------------------------------------------------------------------


def test_agreement_is_counted_by_segments_tree_and_scope() -> None:
    first = [entry("unlockable", "[un [[lock] able]]"), entry("cats", "[[cat] s]"),
             entry("dogs", "[dogs]"), entry("alone", "[alone]"),
             entry("unreadable", "[un [[read] able]]")]  # fmt: skip
    second = [entry("unlockable", "[[un [lock]] able]"), entry("cats", "[[cat] s]"),
              entry("dogs", "[[dog] s]"), entry("unreadable", "[un [[read] able]]")]  # fmt: skip
    found = compare({e.word: e for e in first}, {e.word: e for e in second})
    assert found.to_dict() == {"words": 4, "segments": 3, "trees": 2, "scoped": 2, "scopes": 1}
    assert [(d.word, d.kind) for d in found.differences] == [
        ("unlockable", "scope"), ("dogs", "segments")
    ]  # fmt: skip


def test_differences_are_settled(tmp_path: Path, path: Path) -> None:
    other = tmp_path / "second.brackets"
    Journal(other).save([Change("sana", (Tree.parse("[sana]"),)),
                         Change("hundo", (Tree.parse("[[hund] o]"),))], "ben")  # fmt: skip
    with editing(path, Setup(who="anna", other=str(other))) as base, client(base) as opened:
        records = saved(opened, change("sana", "[[san] a]"), change("hundo", "[[hund] o]"))
        found = opened.get("/edit/compare").json()
        assert (found["words"], found["trees"]) == (2, 1)
        assert [d["word"] for d in found["differences"]] == ["sana"]
        offered = ask(opened, "word", word="sana")["readings"]
        assert [(r["notation"], r["source"]) for r in offered] == [
            ("[[san] a]", "anna"), ("[sana]", "ben")
        ]  # fmt: skip
        saved(opened, change("sana", "[[san] a]", base=records[0]["version"], prov="settled"))
        assert opened.get("/edit/compare").json()["differences"][0]["settled"]
        assert opened.get("/edit/queue?order=differences").json()["words"] == []


# -- from words to a model -------------------------------------------------------------------------


def test_training_starts_on_the_page_and_its_model_proposes(tmp_path: Path, path: Path) -> None:
    text = "".join(ESPERANTO.read_text("utf-8").splitlines(keepends=True)[:62])
    path.write_text(text, "utf-8")
    setup = Setup(words=["malsanulino", "bonulo"], training=("--language", "none"))
    with editing(path, setup) as base, client(base) as opened:
        before = set(tmp_path.iterdir())
        assert ask(opened, "train")["running"]
        assert opened.post("/edit/train").status_code == 422  # one at a time
        while (state := opened.get("/edit/train").json())["running"]:
            time.sleep(0.2)
        assert state["error"] == ""
        assert state["model"] == "eo.model"
        assert state["train"] + state["dev"] == 60
        assert 0 <= state["epochs"][-1]["accuracy"] <= 1
        assert opened.get("/edit/state").json()["model"] == "eo.model"
        assert opened.get("/edit/queue").json()["order"] == "margin"
        readings = ask(opened, "word", word="bonulo")["readings"]
        assert len(readings) > 1
        assert readings[0]["prob"] is not None
        made = {p.name for p in set(tmp_path.iterdir()) - before}
        assert made == {"eo.model", "eo.parts"}
    assert path.read_text("utf-8") == text


def test_too_few_words_are_no_training_data(editor: httpx.Client) -> None:
    answer = editor.post("/edit/train")
    assert answer.status_code == 422
    assert "at least 20 words" in answer.json()["detail"]
