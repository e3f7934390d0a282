"""The file of the editor: it only grows, the last line of a word counts, and no save is lost."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morphtree.errors import DataError, TreebankError
from morphtree.model.file import MAGIC
from morphtree.treebank.check import check_file
from morphtree.treebank.formats.brackets import HEADER
from morphtree.treebank.treebank import Treebank, load
from morphtree.trees.tree import Tree
from morphtree.web.editor.journal import Change, ConflictError, Journal, clean
from tests.annotating import lines, rows

DOG = Tree.parse("[[hund] o]")
DOGS = Tree.parse("[[[hund] o] j]")
TRIES, A_FILE = 200, 10  # kills, and kills while one file grows


def test_a_save_is_one_line_that_every_reader_understands(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    journal = Journal(path)
    (record,) = journal.save([Change("hundo", (DOG,), note="a dog")], "anna")
    header, line = path.read_text("utf-8").splitlines()
    assert header == HEADER
    assert line.startswith("hundo\t[[hund] o]\tnote=a dog who=anna when=2")
    assert Treebank.read(path).entries == (record.entry,)
    assert check_file(path)[1] == []


def test_a_later_line_replaces_and_an_empty_tree_withdraws(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text("hundo\t[hundo]\nkato\t[[kat] o]\n", "utf-8")
    journal = Journal(path)
    first = journal.get("hundo")
    assert first is not None
    (second,) = journal.save([Change("hundo", (DOG,), base=first.version)], "anna")
    assert [e.readings for e in Treebank.read(path).entries] == [(Tree.parse("[[kat] o]"),), (DOG,)]
    journal.save([Change("hundo", (), base=second.version, note="skipped")], "anna")
    assert [entry.word for entry in Treebank.read(path).entries] == ["kato"]
    assert load(path).problems == ()
    assert [entry.word for entry in Journal(path).entries()] == ["kato"]
    assert len(lines(path)) == 4


def test_an_empty_tree_needs_the_editors_fields(tmp_path: Path) -> None:
    path = tmp_path / "x.brackets"
    path.write_text("hundo\t[]\nkato\t[kato]\n", "utf-8")
    assert [problem.code for problem in load(path).problems] == ["malformed"]


def test_who_has_not_seen_the_newest_line_cannot_save(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "eo.brackets")
    journal.save([Change("hundo", (DOG,))], "anna")
    before = journal.path.read_bytes()
    with pytest.raises(ConflictError) as caught:
        journal.save([Change("kato", (DOG,)), Change("hundo", (DOGS,))], "ben")
    assert caught.value.record == journal.get("hundo")
    assert journal.path.read_bytes() == before  # all, or none


def test_what_others_write_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    one, two = Journal(path), Journal(path)
    (record,) = one.save([Change("hundo", (DOG,))], "anna")
    assert two.get("hundo") == record
    with pytest.raises(ConflictError):
        two.save([Change("hundo", (DOGS,))], "ben")
    path.write_text("kato\t[[kat] o]\n", "utf-8")  # by hand
    assert one.get("hundo") is None
    assert one.get("kato") is not None


@pytest.mark.parametrize("rest", ["kato\t[[kat", "kato", "kato\t[[kat] o]\twho", "\xff"])
def test_an_unfinished_line_becomes_a_comment(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "eo.brackets"
    journal = Journal(path)
    journal.save([Change("hundo", (DOG,))], "anna")
    with path.open("ab") as stream:
        stream.write(rest.encode("latin-1"))
    again = Journal(path)
    assert [entry.word for entry in again.entries()] == ["hundo"]
    assert path.read_text("utf-8").splitlines()[2].startswith("# unfinished: ")
    again.save([Change("kato", (DOG,))], "anna")
    assert [entry.word for entry in Treebank.read(path).entries] == ["hundo", "kato"]


def test_a_last_line_without_an_end_stays(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    path.write_text("hundo\t[[hund] o]", "utf-8")
    Journal(path).save([Change("kato", (DOG,))], "anna")
    assert [entry.word for entry in Treebank.read(path).entries] == ["hundo", "kato"]


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "eo.brackets")
    journal.save([Change("hundo", (DOG,))], "anna")
    before = journal.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="nothing was saved: No space"):
        journal.save([Change("kato", (DOG,))], "anna")
    monkeypatch.undo()
    assert journal.path.read_bytes() == before
    assert journal.get("kato") is None


def test_other_formats_and_broken_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "eo.derivation"
    path.write_text("hundo = hund + -o\n", "utf-8")
    with pytest.raises(TreebankError, match="convert"):
        Journal(path)
    assert path.read_text("utf-8") == "hundo = hund + -o\n"
    path.write_bytes(b"a\t[a]\n\xff\n")
    with pytest.raises(TreebankError, match="UTF-8"):
        Journal(path)


@settings(max_examples=100)
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_note_and_name_come_back(tmp_path_factory: Any, note: str, who: str) -> None:
    path = tmp_path_factory.mktemp("notes") / "eo.brackets"
    (record,) = Journal(path).save([Change("hundo", (DOG,), note=note)], who)
    assert (record.fields.note, record.fields.who) == (clean(note), clean(who))
    assert len(Treebank.read(path).entries) == 1
    assert len(rows(path)) == 1


@pytest.mark.parametrize(
    "word", ["a\tb", "a\nb", " a", "#a", "", "a\rb", "\ufeffa", "a\ud800", "\udfff", "\ufeff"]
)
def test_a_word_that_is_no_line_is_refused(tmp_path: Path, word: str) -> None:
    journal = Journal(tmp_path / "eo.brackets")
    with pytest.raises(DataError):
        journal.save([Change(word, (DOG,))], "anna")
    assert journal.path.read_bytes() == b""


@pytest.mark.parametrize(
    "change",
    [
        Change("a", (Tree.stem("\ud800"),)),
        Change("a", (DOG,), note="\ud83d"),
        Change("a", (DOG,), prov="\udc00"),
    ],
)
def test_half_a_letter_is_refused_before_anything_is_written(
    tmp_path: Path, change: Change
) -> None:
    journal = Journal(tmp_path / "eo.brackets")
    with pytest.raises(DataError, match="'a' cannot be saved"):
        journal.save([Change("b", (DOG,)), change], "anna")
    assert journal.path.read_bytes() == b""


# -- other files, and none -------------------------------------------------------------------------


def test_a_file_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "eo.brackets"
    journal = Journal(path)
    journal.save([Change("hundo", (DOG,))], "anna")
    kept = path.rename(tmp_path / "kept")
    for ask in (journal.records, lambda: journal.save([Change("kato", (DOG,))], "anna")):
        with pytest.raises(DataError, match="gone; put it back"):
            ask()
        assert not path.exists()
    kept.rename(path)
    journal.save([Change("kato", (DOG,))], "anna")
    assert [entry.word for entry in Treebank.read(path).entries] == ["hundo", "kato"]


def test_a_save_into_a_file_that_is_being_replaced_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "eo.brackets"
    journal = Journal(path)
    other = tmp_path / "other"
    other.write_text("kato\t[kato]\n", "utf-8")
    plain = os.fsync

    def replace(descriptor: int) -> None:
        plain(descriptor)
        if other.exists():
            other.rename(path)

    monkeypatch.setattr(os, "fsync", replace)
    with pytest.raises(DataError, match="replaced"):
        journal.save([Change("hundo", (DOG,))], "anna")
    journal.save([Change("hundo", (DOG,))], "anna")
    assert [entry.word for entry in Treebank.read(path).entries] == ["kato", "hundo"]


@pytest.mark.parametrize("name", ["w.model", "w.MODEL", "w.parts"])
def test_what_training_makes_is_no_treebank(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=r"name a bracket file, such as .*w\.brackets"):
        Journal(tmp_path / name)
    assert [*tmp_path.iterdir()] == []


def test_a_model_under_another_name_is_no_treebank(tmp_path: Path) -> None:
    path = tmp_path / "w.brackets"
    path.write_bytes(MAGIC + b"...")
    with pytest.raises(DataError, match="a model and not a treebank"):
        Journal(path)
    assert path.read_bytes() == MAGIC + b"..."


# -- at once, and killed --------------------------------------------------------------------------


def save_often(path: Path, who: str, count: int, acknowledged: list[str]) -> None:
    """Save one entry over and over, each time based on the newest version."""
    journal = Journal(path)
    for number in range(count):
        while True:
            found = journal.get("hundo")
            try:
                note = f"{who}{number}"
                journal.save([Change("hundo", (DOG,), found.version if found else "", note)], who)
            except ConflictError:
                continue
            acknowledged.append(note)
            break


def test_two_who_save_the_same_entry_200_times_lose_nothing(tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "eo.brackets", []  # type: tuple[Path, list[str]]
    Journal(path)
    threads = [
        threading.Thread(target=save_often, args=(path, who, 100, acknowledged)) for who in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    notes = [line.partition("note=")[2].split()[0] for line in rows(path)]
    assert sorted(notes) == sorted(acknowledged)
    assert len(notes) == 200
    assert len(Treebank.read(path).entries) == 1


SAVER = """
import sys
from morphtree.web.editor.journal import Change, Journal
from morphtree.trees.tree import Tree
journal, tree = Journal(sys.argv[1]), Tree.parse("[[hund] o]")
print("ready", flush=True)
number = int(sys.argv[2])
while True:
    family = [f"hundo{number}x{part}" for part in range(1 + number % 4)]
    journal.save([Change(w, (tree,), note="x" * (number * 37 % 1500)) for w in family], "anna")
    print(number, flush=True)
    number += 1
"""


def saves(words: Iterable[str]) -> tuple[set[int], list[str]]:
    """Return the numbers of the saves that words come from, and what is missing of them."""
    found = {*words}
    numbers = {int(word.removeprefix("hundo").partition("x")[0]) for word in found}
    whole = {f"hundo{n}x{part}" for n in numbers for part in range(1 + n % 4)}
    return numbers, sorted(whole - found)


def kill_while_saving(path: Path, kills: int, seed: int = 1) -> tuple[int, list[str]]:
    """Kill a process that saves, again and again; return how many saves there are, and faults."""
    rng, acknowledged, faults = random.Random(seed), set(), []  # type: tuple[random.Random, set[int], list[str]]
    for kill in range(kills):
        first = kill * 100_000
        command = [sys.executable, "-c", SAVER, str(path), str(first)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(rng.uniform(0, 0.25))
            process.kill()
            told = process.stdout.read().splitlines(keepends=True)
        done = {int(number) for number in told if number.endswith("\n")}
        acknowledged |= done
        last = {first + len(done)}  # it may have been saved and not told
        as_read = load(path).treebank.entries if acknowledged else ()
        for entries in (as_read, Journal(path).entries()):
            found, missing = saves(entry.word for entry in entries)
            faults += [f"{kill}: lost {n}" for n in acknowledged - found]
            faults += [f"{kill}: invented {n}" for n in found - acknowledged - last]
            faults += [f"{kill}: without {word}" for word in missing]
        acknowledged |= found
    return len(acknowledged), faults


def test_killed_while_saving(tmp_path: Path) -> None:
    acknowledged, faults = kill_while_saving(tmp_path / "eo.brackets", 3)
    assert acknowledged
    assert not faults


@pytest.mark.campaign
def test_saves_killed_at_random_moments(tmp_path: Path, tally: Callable[[int, int], None]) -> None:
    found = [
        kill_while_saving(tmp_path / f"{n}.brackets", A_FILE, n) for n in range(TRIES // A_FILE)
    ]
    assert sum(acknowledged for acknowledged, _ in found) > TRIES
    tally(TRIES, sum(len(failures) for _, failures in found))
