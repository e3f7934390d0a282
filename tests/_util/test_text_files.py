"""Files that cannot be read or written get one clear sentence, and nothing is lost."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from morphtree._util import files
from morphtree._util.files import read_text, replaced_suffix, write_atomically
from morphtree.errors import TreebankError
from morphtree.treebank.split import entry_counts
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import PAPER, Grammar


@pytest.mark.parametrize("name", [".", "file/below", "x" * 300, "nowhere/file"])
def test_what_cannot_be_written_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(TreebankError, match="cannot be written"):
        write_atomically(tmp_path / name, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_long_but_legal_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    write_atomically(path, "new")
    assert path.read_text() == "new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "new")
    reader.join(60)
    assert got == ["new"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"", "empty"), (b"# only a comment\n", "no entries"), (b"a\n\xff\n", "file:2: not UTF-8")],
)
def test_files_without_entries_are_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(TreebankError, match=complaint):
        Treebank.read(path)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(TreebankError, match="missing does not exist"):
        read_text(tmp_path / "missing")
    with pytest.raises(TreebankError, match="cannot be read: Is a directory"):
        read_text(tmp_path)


def test_a_file_too_large_for_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_PIECES", 2)
    plain, packed = tmp_path / "plain", tmp_path / "packed.gz"
    plain.write_bytes(b"a\n" * files.PIECE)
    packed.write_bytes(gzip.compress(b"a\n" * (2 * files.PIECE)))
    assert len(read_text(plain)) == 2 * files.PIECE
    with pytest.raises(TreebankError, match=r"packed\.gz has more than 2 MiB; split the file"):
        read_text(packed)


def test_a_line_of_a_folder_is_found_in_its_file(tmp_path: Path) -> None:
    for name, text in (("a", "a\nb"), ("b", ""), ("c", "c\n"), ("d", "d")):
        (tmp_path / f"{name}.x").write_text(text)
    found = files.read_files(tmp_path, ".x")
    assert found.text == "a\nb\nc\nd\n"
    places = [found.place(line).removeprefix(f"{tmp_path}/") for line in range(1, 5)]
    assert places == ["a.x:1", "a.x:2", "c.x:1", "d.x:1"]


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "grammar"
    path.write_text(f"\ufeff{PAPER}", encoding="utf-8")
    assert Grammar.load(str(path)) == PAPER


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("a/eo.brackets", "a/eo.model"), ("eo.tsv.gz", "eo.model"), ("train0", "train0.model"),
        (".eo", ".eo.model"), ("entries/", "entries.model"),
    ],
)  # fmt: skip
def test_another_suffix_takes_the_place_of_the_old_one(name: str, model: str) -> None:
    assert replaced_suffix(Path(name), ".model") == Path(model)


def test_a_folder_without_a_name_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "eo").mkdir()
    monkeypatch.chdir(tmp_path / "eo")
    assert replaced_suffix(Path(), ".model") == tmp_path / "eo.model"


def test_sizes_are_fractions_or_entries() -> None:
    assert entry_counts((0.8, 0.1, 0.1), 100) == [80, 10, 10]
    assert entry_counts((1, 1, 1), 100) == [1, 1, 1]
    assert entry_counts((1, 0, 0), 100) == [100, 0, 0]
    for bad in ((float("nan"), 0, 0), (float("inf"), 0, 0), (0.9, 0.9, 0), (-1, 1, 1), (1, 1)):
        with pytest.raises(TreebankError):
            entry_counts(bad, 100)
