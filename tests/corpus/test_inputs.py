"""What is read of files: all texts of each, whatever lies beside them."""

from __future__ import annotations

import bz2
import gzip
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from morphtree.errors import DataError
from tests.corpus.running import faults, pa, rows, run, vocabulary, write_lines

pytest.importorskip("daft")
from morphtree.corpus import listing
from morphtree.corpus.inputs import Inputs, found

NESTED = ['{"text": {"k": "wrong"}}', "", '{"text": ["wrong"]}', '{"text": null}', '{"x": 1}',
          '{"text": 42}', '{"text": true}', '{"text": ""}', '{"text": "mice"}']  # fmt: skip


def texts_of(inputs: Inputs) -> dict[str, list[str | None]]:
    """Return the texts of each file, by the names of the files."""
    told: dict[str, list[str | None]] = {}
    for paths in inputs.alike(inputs.sizes):
        frame = inputs.texts(paths, place=True).to_pydict()
        for path, text in zip(frame["path"], frame["text"], strict=True):
            told.setdefault(Path(path).name, []).append(text)
    return told


def write_parquet(path: Path, texts: Any) -> None:
    pa.parquet.write_table(pa.table({"text": texts}), path)


# -- columns ------------------------------------------------------------------------------------


def test_files_whose_columns_have_other_types_have_all_their_texts(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", pa.nulls(2))
    write_parquet(tmp_path / "b.parquet", [1, 2])
    write_parquet(tmp_path / "c.parquet", ["cats", None])
    write_parquet(tmp_path / "d.parquet", [b"dogs"])
    write_lines(tmp_path / "a.csv", ["text,x", "1,1"])
    write_lines(tmp_path / "b.csv", ["text,x", "mice,a", "nan,2", ",3"])
    write_lines(tmp_path / "c.tsv", ["text", *["7"] * 3000, "birds"])
    assert texts_of(found([str(tmp_path)], "text")) == {
        "a.parquet": [None, None], "b.parquet": ["1", "2"], "c.parquet": ["cats", None],
        "d.parquet": ["dogs"], "a.csv": ["1"], "b.csv": ["mice", "nan", ""],
        "c.tsv": [*["7"] * 3000, "birds"],
    }  # fmt: skip


def test_a_column_path_is_a_column_like_others(tmp_path: Path) -> None:
    source = tmp_path / "a.csv"
    write_lines(source, ["text,path", "cats,wrong"])
    run(source, "-o", tmp_path / "out", "--tokens")
    [token] = rows(tmp_path / "out", "tokens")
    assert (token["path"].removeprefix("file://"), token["word"]) == (str(source), "cats")


def test_a_field_that_comes_late_is_found(tmp_path: Path) -> None:
    """Daft looks at the first megabyte of a file to tell its columns."""
    late = ['{"x": "%s"}' % ("y" * 1000)] * 3000
    write_lines(tmp_path / "late.jsonl", [*late, '{"text": "cats"}'])
    write_lines(tmp_path / "list.jsonl", ['{"text": ["wrong"]}', '{"text": "dogs"}'])
    write_lines(tmp_path / "never.jsonl", late)
    inputs = found([str(tmp_path)], "text")
    assert {Path(path).name for path in inputs.without_texts} == {"never.jsonl"}
    assert texts_of(inputs)["late.jsonl"][-1] == "cats"


# -- rows without text --------------------------------------------------------------------------


def test_rows_without_text_are_told_where_there_is_no_word(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"text\n\xff\n")
    run(tmp_path / "x.csv", "-o", tmp_path / "out", code=3)
    assert faults(tmp_path / "out")["x.csv"].startswith("rows left out: 1 (")


def test_a_line_has_the_same_text_whatever_the_others_have(tmp_path: Path) -> None:
    clean, bad = tmp_path / "clean.jsonl", tmp_path / "bad.jsonl"
    write_lines(clean, NESTED)
    bad.write_bytes(clean.read_bytes() + b'{"text": "\xff"}\n{"text": NaN}\n')
    inputs = found([str(tmp_path)], "text")
    told = inputs.texts([str(clean)]).to_pydict()["text"]
    assert told == [None] * 4 + ["42", "true", "", "mice"]
    assert inputs.good_lines(str(bad)).to_pydict()["text"] == told[2:]
    assert [fault for _, fault in inputs.rows_without_text([str(clean)])] == [
        "lines left out: 1, 3 (bytes that are not UTF-8, or no JSON with a text)"
    ]
    assert inputs.bad_lines(str(bad)).startswith("lines left out: 1, 3, 10, 11 (")


def test_a_mark_of_the_order_of_bytes_is_no_fault(tmp_path: Path) -> None:
    lines = '{"text": "cats"}\n{"text": "dogs"}\n'
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8-sig")
    run(tmp_path / "a.jsonl", "-o", tmp_path / "out", "--tokens")
    assert vocabulary(tmp_path / "out") == Counter(["cats", "dogs"])
    assert len(rows(tmp_path / "out", "tokens")) == 2


def zstd(data: bytes) -> bytes:
    compressed: bytes = pa.compress(data, codec="zstd", asbytes=True)
    return compressed


@pytest.mark.parametrize(
    ("ending", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("zst", zstd)]
)
def test_the_good_lines_of_a_compressed_file(
    tmp_path: Path, ending: str, compress: Callable[[bytes], bytes]
) -> None:
    path = str(tmp_path / f"a.txt.{ending}")
    Path(path).write_bytes(compress(b"cats\n\xff\n") + compress(b"dogs\n"))
    inputs = found([path], "text")
    assert inputs.good_lines(path).to_pydict()["text"] == ["cats\n", "dogs\n"]
    assert inputs.bad_lines(path).startswith("lines left out: 2 (")


# -- folders ------------------------------------------------------------------------------------


def test_hidden_files_pipes_and_links_that_lead_back_are_not_read(tmp_path: Path) -> None:
    source = tmp_path / ".hidden above" / "in"
    for name in (".git/a.txt", "_temporary/a.txt", "deep/_SUCCESS", "deep/.a.crc", "deep/a.txt"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        write_lines(source / name, ["cats"])
    os.mkfifo(source / "pipe")
    (source / "deep" / "back").symlink_to(source)
    (source / "other").symlink_to(source / "deep")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "back").symlink_to(source)
    (source / "beside").symlink_to(tmp_path / "beside")
    files = listing.listed(str(source))
    assert sorted(files.sizes) == [str(source / of / "a.txt") for of in ("deep", "other")]
    assert files.changed.keys() == files.sizes.keys()
    assert files.faults == {}


def test_what_cannot_be_read_in_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "gone").symlink_to("nowhere")
    write_lines(tmp_path / "a.txt", ["cats"])
    write_lines(Path(os.fsdecode(bytes(tmp_path / "b") + b"\xff")), ["cats"])
    scan = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    inputs = found([str(tmp_path)], "text")
    assert [*inputs.sizes] == [str(tmp_path / "a.txt")]
    assert inputs.without_texts == {
        str(tmp_path / "closed"): "it cannot be read: Permission denied",
        str(tmp_path / "gone"): "it cannot be read: No such file or directory",
        str(tmp_path / "b\\udcff"): "its name is not UTF-8; rename it",
    }
    with pytest.raises(DataError, match=r"closed cannot be read: .*Permission denied"):
        found([str(tmp_path / "closed")], "text")


def test_the_tables_of_an_output_are_no_inputs_however_they_are_reached(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    write_lines(tmp_path / "in" / "a.txt", ["cats"])
    write_lines(tmp_path / "out" / "b.txt", ["wrong"])
    (tmp_path / "in" / "link").symlink_to("../out")
    inputs = found([str(tmp_path / "in")], "text", str(tmp_path / "out"))
    assert [*inputs.sizes] == [*inputs.files.changed] == [str(tmp_path / "in" / "a.txt")]


def test_a_json_file_of_one_list_is_read(tmp_path: Path) -> None:
    rows_of = [{"text": "cats"}, {"text": None}, {"text": ["wrong"]}]
    (tmp_path / "a.json").write_text(json.dumps(rows_of), encoding="utf-8")
    inputs = found([str(tmp_path)], "text")
    assert inputs.without_texts == {}
    assert texts_of(inputs) == {"a.json": ["cats", None, None]}
