"""What can be undone is read from the file: also after a reload, a restart, or a family."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from morphtree.trees.tree import Tree
from morphtree.web.editor.editor import Setup
from morphtree.web.editor.journal import Change, Journal
from tests.annotating import change, client, editing, rows, saved

DOG, WHOLE = (Tree.parse("[[hund] o]"),), (Tree.parse("[hundo]"),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eo.brackets"


def words(path: Path, who: str = "anna") -> list[str]:
    """Name the words of the save that would be undone, as somebody who opens the file sees it."""
    save = Journal(path).last_save(who)
    return [step.word for step in save.steps] if save else []


def put(path: Path, *changes: Change, who: str = "anna") -> None:
    """Save on top of what there is."""
    journal = Journal(path)
    found = [journal.get(change.word) for change in changes]
    based = [
        Change(c.word, c.trees, r.version if r else "", c.note, c.prov)
        for c, r in zip(changes, found, strict=True)
    ]
    journal.save(based, who)


def test_a_save_and_what_takes_it_back_are_both_gone(path: Path) -> None:
    assert Journal(path).last_save("anna") is None
    put(path, Change("hundo", WHOLE))
    put(path, Change("hundo", DOG))
    put(path, Change("kato", (), note="skipped"))
    assert words(path) == ["kato"]
    put(path, Change("kato", ()))
    assert words(path) == ["hundo"]
    put(path, Change("hundo", WHOLE))
    save = Journal(path).last_save("anna")
    assert save is not None
    assert (save.steps[0].before, save.steps[0].after.entry.readings) == (None, WHOLE)
    put(path, Change("hundo", ()))
    assert words(path) == []
    put(path, Change("hundo", WHOLE))  # done again
    assert words(path) == ["hundo"]
    assert len(rows(path)) == 7


def test_a_note_or_a_settlement_is_a_change(path: Path) -> None:
    put(path, Change("hundo", DOG))
    put(path, Change("hundo", DOG, note="a dog"))
    put(path, Change("hundo", DOG, note="a dog", prov="settled"))
    for note in ("a dog", ""):
        assert words(path) == ["hundo"]
        put(path, Change("hundo", DOG, note=note))
    assert words(path) == ["hundo"]
    put(path, Change("hundo", ()))
    assert words(path) == []


def test_a_family_is_taken_back_as_a_whole(path: Path) -> None:
    put(path, Change("hundo", WHOLE))
    put(path, Change("kato", DOG), Change("hundo", DOG))
    assert words(path) == ["kato", "hundo"]
    put(path, Change("hundo", WHOLE))  # a part of it is a change of its own
    assert words(path) == ["hundo"]
    put(path, Change("hundo", DOG))
    put(path, Change("kato", ()), Change("hundo", WHOLE))
    assert words(path) == ["hundo"]
    assert Journal(path).get("kato") is not None


def test_everybody_undoes_their_own(path: Path) -> None:
    put(path, Change("hundo", WHOLE), who="anna")
    put(path, Change("kato", DOG), who="ben")
    assert (words(path, "anna"), words(path, "ben"), words(path, "eva")) == (
        ["hundo"],
        ["kato"],
        [],
    )


def test_what_others_have_written_over_stays(path: Path) -> None:
    put(path, Change("kato", DOG))
    put(path, Change("hundo", WHOLE))
    put(path, Change("hundo", DOG), who="ben")
    assert (words(path), words(path, "ben")) == (["kato"], ["hundo"])
    put(path, Change("hundo", WHOLE), who="ben")  # ben takes it back
    assert (words(path), words(path, "ben")) == (["hundo"], [])


def test_lines_made_by_hand_and_cut_saves_are_not_undone(path: Path) -> None:
    path.write_text("hundo\t[hundo]\n", "utf-8")
    assert words(path) == []
    put(path, Change("hundo", DOG), Change("kato", DOG))
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"kato")])  # the second line of two was never written
    assert words(path) == []
    assert [e.readings for e in Journal(path).entries()] == [WHOLE]


def test_deleted_lines_leave_the_rest_to_undo(path: Path) -> None:
    put(path, Change("hundo", DOG), Change("kato", DOG), Change("birdo", DOG))
    put(path, Change("lupo", DOG))
    kept = [
        line for line in path.read_text("utf-8").splitlines(keepends=True) if "kato" not in line
    ]
    path.write_text("".join(kept), "utf-8")
    assert words(path) == ["lupo"]
    put(path, Change("lupo", ()))
    assert words(path) == ["birdo"]


def test_the_page_asks_for_the_last_save(path: Path) -> None:
    def asked(opened: httpx.Client, what: str, who: str = "") -> object:
        return opened.get(f"/edit/{what}", params={"who": who}).json()

    with editing(path, Setup(who="anna")) as base, client(base) as opened:
        assert asked(opened, "last") == {"save": None}
        assert opened.get("/edit/state").json()["undo"] == ""
        saved(opened, change("hundo", "[[hund] o]", note="who=x"), who="Zoë <b>")
        assert asked(opened, "last") == {"save": None}
        (write,) = asked(opened, "last", "Zoë <b>")["save"]["writes"]  # type: ignore[index]
        assert (write["word"], write["old"]["trees"]) == ("hundo", [])
        assert write["now"]["notations"] == ["[[hund] o]"]
        assert write["now"]["note"] == "who =x"
        assert opened.get("/edit/state", params={"who": "Zoë <b>"}).json()["undo"] == "hundo"
