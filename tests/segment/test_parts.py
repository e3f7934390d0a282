"""The parts of an unfinished output: none is lost, none is of another run."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
import stat
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree._util.files import locked, replacing
from morphtree._util.text import normalise
from morphtree.errors import DataError
from morphtree.segment import chunks, parts
from morphtree.segment.chunks import Task, results
from morphtree.segment.source import KEPT, LONGEST_LINE, InputFile, limited
from morphtree.segment.writer import Done
from tests.test_surface import run

WORDS = ["cats", "", "untestably", "blackbirds", "", "unhappier", "dogs", "test"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 2)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "words", WORDS)


def write(path: Path, words: list[str]) -> Path:
    path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return path


def segment(source: Path, out: Path, *options: str) -> tuple[int, str, str]:
    return run("segment", source, "-o", out, "--jobs", "1", *options)


def begin(source: Path, out: Path, count: int, **settings: str) -> None:
    """Leave a run as a kill would, with so many chunks done."""
    task = Task("tsv", "en", **settings)  # type: ignore[arg-type]
    analyzer = task.load()
    described = task.description(analyzer)
    with parts.opened(out, described, resume=False) as found, InputFile(str(source)).lines() as ls:
        for _ in results(task, analyzer, ls, 1, found):
            pass
        for part in sorted(found.folder.glob("*.part"))[count:]:
            part.unlink()


def whole(source: Path, tmp_path: Path) -> tuple[bytes, bytes]:
    out = tmp_path / "whole"
    assert segment(source, out)[0] == 3
    return contents(out)


def contents(out: Path) -> tuple[bytes, bytes]:
    return out.read_bytes(), out.with_name(f"{out.name}.errors").read_bytes()


def test_two_runs_cannot_write_one_output(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with parts.opened(out, {"chunk": 2}, resume=False):
        code, _, err = segment(source, out)
        assert (code, out.exists()) == (3, False)
        assert "another run is writing" in err
    assert segment(source, out)[0] == 3  # for the empty lines
    assert contents(out) == whole(source, tmp_path)


def test_a_folder_that_its_owner_removes_is_made_anew(tmp_path: Path) -> None:
    with locked(tmp_path / "x") as first, locked(tmp_path / "x") as second:
        assert (first, second) == (True, False)
        (tmp_path / "x").rmdir()
        with locked(tmp_path / "x") as third:
            assert third


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1,", b"[]\n", b"cut"])
def test_an_output_is_joined_only_if_every_part_is_whole(
    damage: bytes, source: Path, tmp_path: Path
) -> None:
    out, expected = tmp_path / "out", whole(source, tmp_path)
    begin(source, out, 4)
    part = tmp_path / "out.parts" / "00000002.part"
    part.write_bytes(part.read_bytes()[:-5] if damage == b"cut" else damage)
    with (
        parts.opened(out, Task("tsv", "en").description(morphtree.load()), resume=True) as found,
        pytest.raises(DataError, match="missing or damaged"),
    ):
        found.join(4, lambda rows, stream: stream.writelines(rows))
    assert not out.exists()
    assert segment(source, out, "--resume")[0] == 3
    assert contents(out) == expected


def test_a_run_with_other_overrides_under_the_same_name_is_not_resumed(
    source: Path, tmp_path: Path
) -> None:
    out, given = tmp_path / "out", tmp_path / "given"
    given.write_text("cats\t[cats]\n", encoding="utf-8")
    begin(source, out, 1, overrides=str(given))
    given.write_text("cats\t[[cat] s]\n", encoding="utf-8")
    code, _, err = segment(source, out, "--resume", "--overrides", str(given))
    assert (code, out.exists()) == (3, False)
    assert "belongs to another run" in err


def test_a_replaced_model_is_another_one(tmp_path: Path, source: Path) -> None:
    out, model = tmp_path / "out", tmp_path / "a.model"
    morphtree.load().model.save(model)
    task = Task("tsv", str(model))
    with parts.opened(out, task.description(task.load()), resume=False) as found:
        found.add(0, b"cats\n\n", Done(b"1\n2\n", [], 2))
    morphtree.load().model.changed(temperature=2.0).save(model)
    code, _, err = segment(source, out, "--resume", "--model", str(model))
    assert (code, "belongs to another run" in err) == (3, True)


def test_lines_that_changed_are_segmented_anew(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    begin(source, out, 3)
    write(source, ["cats", "", "unlockable", "blackbirds", "dogs", "unhappier", "", "test"])
    assert segment(source, out, "--resume")[0] == 3
    assert contents(out) == whole(source, tmp_path)


def test_what_is_done_is_not_done_again(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(source, tmp_path / "out", 3)
    added: list[int] = []
    add = parts.Parts.add

    def counted(self: parts.Parts, number: int, chunk: bytes, done: Done) -> None:
        added.append(number)
        add(self, number, chunk, done)

    monkeypatch.setattr(parts.Parts, "add", counted)
    assert segment(source, tmp_path / "out", "--resume")[0] == 3
    assert added == [3]


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_a_kill_during_the_clean_up_loses_nothing(
    kept: int, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, expected = tmp_path / "out", whole(source, tmp_path)

    def killed(folder: Path) -> None:
        for path in sorted(folder.iterdir())[kept:]:
            path.unlink()
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", killed)
    segment(source, out)
    monkeypatch.undo()
    monkeypatch.setattr(chunks, "CHUNK", 2)
    assert contents(out) == expected
    assert segment(source, out, "--resume")[0] == 3
    assert contents(out) == expected
    assert not out.with_name("out.parts").exists()


def test_a_parquet_file_is_complete_or_not_there(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out"

    class Full(parquet.ParquetWriter):  # type: ignore[misc, name-defined]
        def write_table(self, *_: Any) -> None:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "ParquetWriter", Full)
        code, _, err = segment(source, out, "--format", "parquet")
        assert (code, out.exists()) == (3, False)
        assert "No space left on device; --resume goes on" in err
    assert segment(source, out, "--format", "parquet", "--resume")[0] == 3
    assert parquet.read_table(out).num_rows == len(WORDS)


def test_a_missing_library_is_named_before_the_work(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    code, _, err = segment(source, tmp_path / "out", "--format", "parquet")
    assert (code, [*tmp_path.iterdir()]) == (3, [source])
    assert "morphtree[arrow]" in err


def test_an_endless_line_is_never_in_memory(tmp_path: Path) -> None:
    long = tmp_path / "words.gz"
    long.write_bytes(gzip.compress(b"cats\n" + b"a" * 50_000_000 + b"\ndogs\n"))
    largest = 0
    with InputFile(str(long)).lines() as lines:
        for line in lines:
            largest = max(largest, len(line))
    assert largest <= LONGEST_LINE
    code, out, err = run("segment", long, "--jobs", "1")
    assert (code, out.splitlines()[1]) == (3, "a" * KEPT + "…\t\t\t")
    assert "2\tit has more than 64 letters" in err


@pytest.mark.parametrize("size", range(LONGEST_LINE - 2, LONGEST_LINE + 3))
@pytest.mark.parametrize("end", [b"", b"\n", b"\nb", b"\n\nb\n"])
def test_long_lines_are_cut_and_no_other(size: int, end: bytes) -> None:
    text = b"a" * size + end
    expected = [
        ("a" * KEPT + "…\n").encode()
        if len(line) > LONGEST_LINE or len(line) == LONGEST_LINE != len(line.rstrip()) + 1
        else line
        for line in io.BytesIO(text)
    ]  # fmt: skip
    assert [*limited(io.BytesIO(text))] == expected


def test_links_and_modes_of_outputs_stay(source: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "there" / "real", tmp_path / "link"
    real.parent.mkdir()
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    assert segment(source, link)[0] == 3
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert real.read_bytes() == whole(source, tmp_path)[0]
    assert sorted(os.listdir(real.parent)) == ["real", "real.errors"]


def test_a_file_that_is_not_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old", encoding="utf-8")

    def interrupted() -> None:
        with replacing(path) as stream:
            stream.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["x"]


ENDLESS = "a" + "\u0315\u0300" * 32_000, "\u0315\u0300" * 200_000, "e\u0301" * 200_000


@pytest.mark.parametrize("word", ENDLESS, ids=["marks", "only marks", "short marks"])
def test_endless_marks_take_no_time(word: str, tmp_path: Path) -> None:
    began = time.process_time()
    assert morphtree.load().parse(word).to_dict()["word"] == word
    write(tmp_path / "w", [word])
    segment(tmp_path / "w", tmp_path / "o", "--format", "jsonl")
    assert time.process_time() - began < 5


@pytest.mark.parametrize("count", [29, 30, 31, 32, 60])
def test_marks_are_ordered_as_unicode_says(count: int) -> None:
    rng = random.Random(count)
    for _ in range(200):
        marks = "".join(rng.choices("\u0300\u0301\u0315\u0316\u0345\u1e69\u0327i", k=count))
        text = rng.choice("eES\u1e9b\u0130") + marks
        twice = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
        assert normalise(text) == twice
