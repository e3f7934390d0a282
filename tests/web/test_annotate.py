"""What the editor's page asks for: words, checks, families, saves, comparisons, training."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from morphtree.trees.tree import Tree
from morphtree.web.editor.compare import compare
from morphtree.web.editor.editor import Setup
from morphtree.web.editor.journal import Change, Journal
from morphtree.web.editor.queue import read_words
from tests.annotating import ESPERANTO, change, client, editing, entry, lines, rows, saved


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


def posted(opened: httpx.Client, what: str, body: dict[str, Any]) -> httpx.Response:
    """Send JSON that names letters by number, as halves of letters can only be named."""
    headers = {"content-type": "application/json"}
    return opened.post(f"/edit/{what}", content=json.dumps(body), headers=headers)


# -- families ----------------------------------------------------------------------------------


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
    notes = [line.partition("note=")[2].split()[0] for line in rows(path)]
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
        {"changes": [{"word": "\ufeffa", "trees": [{"label": "WORD", "string": "a"}]}]},
        {"changes": [{"word": "a\ud800", "trees": [{"label": "WORD", "string": "a"}]}]},
        {"changes": [{"word": "a", "trees": [{"label": "WORD", "string": "\udc00"}]}]},
        {"changes": [{"word": "a", "trees": [], "note": "\udc00"}]},
        {"changes": [{"word": "a", "trees": [], "base": "\udc00"}]},
        {"changes": [{"word": "a", "trees": []}], "who": "\udc00"},
    ],
)  # fmt: skip
def test_nonsense_is_refused_and_not_written(
    editor: httpx.Client, path: Path, body: dict[str, Any]
) -> None:
    answer = posted(editor, "save", body)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert path.read_bytes() == b""


def test_what_is_being_edited_is_drawn(editor: httpx.Client) -> None:
    leaf = {"text": "san", "role": "stem", "children": []}
    root = {"text": "<sana>", "role": "word", "children": [leaf, {**leaf, "known": False}]}
    answer = posted(editor, "draw", root)
    name, attributes, *parts = answer.json()["picture"]
    assert (name, attributes["aria-label"]) == ("svg", "<sana> is made of san and san.")
    assert [part[1]["class"] for part in parts if part[0] == "g"] == [
        "mt-node mt-word mt-root", "mt-node mt-stem", "mt-node mt-stem mt-unknown",
    ]  # fmt: skip


def nested(depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"text": "a", "role": "stem", "children": []}
    for _ in range(depth):
        node = {"text": "a", "role": "word", "children": [node]}
    return node


@pytest.mark.parametrize("body", [{}, {"text": "a", "role": "stem"}, nested(201), nested(400)])
def test_what_cannot_be_drawn_is_refused(editor: httpx.Client, body: dict[str, Any]) -> None:
    answer = posted(editor, "draw", body)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert posted(editor, "draw", nested(200)).status_code == 200


@pytest.mark.parametrize("what", ["word", "check", "family", "pass"])
def test_half_a_letter_is_refused_everywhere(editor: httpx.Client, what: str) -> None:
    leaf = {"label": "WORD", "string": "a"}
    for word, string in (("\ud800", "a"), ("a", "a\udfff")):
        body = {"word": word, "trees": [{**leaf, "string": string}]}
        if word == "a" and what in ("word", "pass"):
            continue
        answer = posted(editor, what, body)
        assert answer.status_code == 422
        assert answer.json()["detail"]


# -- who may ask -----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "wrong", "a-token-of-the-test", "\xff"])
def test_without_the_token_nothing_is_told_or_written(
    editor: httpx.Client, path: Path, token: str
) -> None:
    headers = {b"x-morphtree-token": token.encode("latin-1")}
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
    assert found.counts == {"words": 4, "segments": 3, "trees": 2, "scoped": 2, "scopes": 1}
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
