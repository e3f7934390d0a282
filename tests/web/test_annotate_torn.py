"""A file of the editor, cut anywhere: it is in the state before the save that was cut."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.check import check_file
from morphtree.treebank.treebank import Treebank, load
from morphtree.trees.tree import Tree
from morphtree.web.editor.journal import Change, Journal

TRIES = 100
READINGS = ("[hundo]", "[[hund] o]", "[[[hund] o] j]", "[mal [[san] o]]", "[[ŝtat] estr]")
State = dict[str, tuple[Tree, ...]]


def state(journal: Journal) -> State:
    return {word: record.entry.readings for word, record in journal.records().items()}


def as_read(path: Path) -> State | None:
    """Return what other commands find in a file; None if a letter is cut, which they refuse."""
    try:
        return {entry.word: entry.readings for entry in Treebank.read(path).entries}
    except TreebankError as error:
        if "UTF-8" in str(error):
            return None
        if "is empty" in str(error) or "no entries" in str(error):
            return {}
        raise


def saved_states(path: Path, rng: random.Random, saves: int) -> list[tuple[int, State]]:
    """Save words and families; return the size of the file and its state after each save."""
    journal = Journal(path)
    states = [(path.stat().st_size, state(journal))]
    for _ in range(saves):
        words = rng.sample([f"vorto{n}" for n in range(9)], rng.choice((1, 1, 2, 4)))
        changes = []
        for word in words:
            found = journal.get(word)
            trees = tuple(map(Tree.parse, rng.sample(READINGS, rng.randint(0, 2))))
            note = rng.choice(("", "a note", "ĉu?", "more=3"))
            changes.append(Change(word, trees, found.version if found else "", note))
        journal.save(changes, rng.choice(("anna", "ŝi")))
        states.append((path.stat().st_size, state(journal)))
    return states


def before(states: list[tuple[int, State]], size: int) -> State:
    """Return the state of the last save that is whole in so many bytes."""
    return [found for end, found in states if end <= size][-1]


def cut(path: Path, data: bytes, states: list[tuple[int, State]], size: int, rest: bytes) -> str:
    """Leave the first bytes of a file, and perhaps others; say how it is read wrongly, if it is."""
    path.write_bytes(data[:size] + rest)
    wanted = before(states, size)
    entries = {word: readings for word, readings in wanted.items() if readings}
    if as_read(path) not in (entries, None):
        return f"{size}: read as {as_read(path)}"
    journal = Journal(path)
    if state(journal) != wanted:
        return f"{size}: opened as {state(journal)}"
    journal.save([Change("post", (Tree.parse("[post]"),))], "anna")
    after = {**entries, "post": (Tree.parse("[post]"),)}
    return "" if as_read(path) == after == state_of_entries(path) else f"{size}: {as_read(path)}"


def state_of_entries(path: Path) -> State:
    return {entry.word: entry.readings for entry in Journal(path).entries()}


def faults(path: Path, seed: int, text: str) -> Iterator[str]:
    """Yield what is wrong with some cuts of a file that began with a text."""
    rng = random.Random(seed)
    path.write_text(text, "utf-8")
    states = saved_states(path, rng, rng.randint(1, 6))
    data = path.read_bytes()
    for _ in range(3):
        size = rng.randint(states[0][0], len(data))
        rest = rng.choice((b"", b"", b"\0" * 40)) if size < len(data) else b""
        if fault := cut(path, data, states, size, rest):
            yield f"{seed}: {fault}"


@pytest.mark.parametrize("text", ["", "kato\t[[kat] o]\n"], ids=["new", "made by hand"])
def test_wherever_the_last_save_is_cut_the_state_is_the_one_before(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text(text, "utf-8")
    journal = Journal(path)
    states = [(path.stat().st_size, state(journal))]
    two = tuple(map(Tree.parse, READINGS[:2]))
    journal.save([Change("hundo", two, note="a dog"), Change("ŝtato", (), note="x")], "anna")
    states.append((path.stat().st_size, state(journal)))
    data = path.read_bytes()
    found = [cut(path, data, states, size, b"") for size in range(len(text), len(data) + 1)]
    assert [*filter(None, found)] == []


@pytest.mark.campaign
def test_torn_files(tmp_path: Path, tally: Callable[[int, int], None]) -> None:
    texts = ("", "kato\t[[kat] o]\nhundo\t[hundo]\n", "# mine\n\n")
    failures = [
        fault
        for seed in range(TRIES)
        for fault in faults(tmp_path / f"{seed}.brackets", seed, texts[seed % len(texts)])
    ]
    tally(3 * TRIES, len(failures))  # three cuts each


OLD = "sana\t[[san] a]\twho=anna when=2026-11-15T20:07:42Z\n"
OLDER = "hundo\t[hundo]\t[[hund] o]\tnote=ho who=anna when=2026-11-15T20:07:46Z\n"


def test_files_of_earlier_versions_are_read_by_their_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    for size in range(len(OLDER)):
        path.write_text(OLD + OLDER[:size], "utf-8")
        assert (as_read(path) or {}).keys() == {"sana"}, OLDER[:size]
        assert state(Journal(path)).keys() == {"sana"}, OLDER[:size]
    path.write_text(OLD + OLDER, "utf-8")
    assert state(Journal(path)).keys() == {"sana", "hundo"}


def test_a_line_made_by_hand_needs_no_end_before_the_editor_has_written(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text("kato\t[[kat] o]\nhundo\t[[hund] o]\tnote=mine", "utf-8")
    assert state(Journal(path)).keys() == {"kato", "hundo"}
    assert (as_read(path) or {}).keys() == {"kato", "hundo"}


def test_a_last_line_that_the_editor_cannot_have_cut_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "eo.derivation"
    path.write_text("hundo = hund + -o", "utf-8")
    with pytest.raises(TreebankError, match="convert"):
        Journal(path)
    assert path.read_text("utf-8") == "hundo = hund + -o"


def test_a_cut_line_is_reported_and_stays_as_a_comment(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text(f"{OLD}kato\t[[kat] o]", "utf-8")
    assert [(p.line, p.code) for p in check_file(path)[1]] == [(2, "unfinished")]
    assert load(path).problems == ()
    Journal(path)
    assert path.read_text("utf-8") == f"{OLD}# unfinished: kato [[kat] o]\n"
    assert "kato" in caplog.text
    assert check_file(path)[1] == []


def test_a_look_at_the_file_does_not_change_it(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    journal = Journal(path)
    journal.save([Change("hundo", (Tree.parse("[hundo]"),))], "anna")
    with path.open("a", encoding="utf-8") as stream:
        stream.write("kato\t[[kat] o]")  # another program is still at it
        stream.flush()
        assert state(journal).keys() == {"hundo"}
        stream.write("\n")
    assert state(journal).keys() == {"hundo", "kato"}


def test_a_family_is_written_on_by_readers_as_single_entries(tmp_path: Path) -> None:
    path, copy = tmp_path / "eo.brackets", tmp_path / "copy.brackets"
    tree = (Tree.parse("[hundo]"),)
    Journal(path).save([Change(word, tree) for word in ("a", "b", "c")], "anna")
    treebank = Treebank.read(path)
    treebank.write(copy, "brackets")
    assert "more=" in path.read_text("utf-8")
    assert "more=" not in copy.read_text("utf-8")
    assert Treebank.read(copy) == treebank
