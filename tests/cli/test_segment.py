"""The options of segment: where rows go, in which format, how many readings."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from morphtree._util.text import counted
from morphtree.segment import chunks
from tests.test_surface import run

WORDS = "unlockable\ncats\n"
TSV = "unlockable\tun lock able\t[[un [lock]] able]\t"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words"
    path.write_text(WORDS, encoding="utf-8")
    return path


def test_a_dash_is_standard_output(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(words.parent)
    assert run("segment", words, "-o", "-") == run("segment", words)
    assert [*words.parent.iterdir()] == [words]


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.tsv", TSV), ("a.jsonl", '{"schema"'), ("a.txt", TSV), ("a", TSV), ("a.tsv.gz", TSV),
     ("a.jsonl.gz", '{"schema"'), ("a.gz", TSV)],
)  # fmt: skip
def test_the_name_of_the_output_tells_the_format(words: Path, name: str, start: str) -> None:
    out = words.with_name(name)
    assert run("segment", words, "-o", out)[0] == 0
    data = gzip.decompress(out.read_bytes()) if name.endswith(".gz") else out.read_bytes()
    assert data.decode().startswith(start)
    assert data.count(b"\n") == 2


@pytest.mark.parametrize(("name", "other"), [("a.csv", ".tsv"), ("a.json.gz", ".jsonl")])
def test_a_name_that_promises_another_format_is_refused(words: Path, name: str, other: str) -> None:
    out = words.with_name(name)
    code, _, said = run("segment", words, "-o", out)
    assert code == 2
    assert f"{name}: end it in {other}, or name the --format" in said
    assert run("segment", words, "-o", out, "--format", "tsv")[0] == 0


def test_a_format_that_is_given_wins(words: Path) -> None:
    out = words.with_name("a.jsonl")
    assert run("segment", words, "-o", out, "--format", "morfessor")[0] == 0
    assert out.read_text(encoding="utf-8") == "un lock able\ncat s\n"


def test_parquet_has_a_column_of_all_readings(words: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    words.write_text(f"{WORDS}two words\n", encoding="utf-8")
    out = words.with_name("a.parquet")
    assert run("segment", words, "-o", out, "-n", "2", "--jobs", "1")[0] == 3
    first, _, bad = parquet.read_table(out).to_pylist()
    assert [len(first["readings"]), first["readings"][0]["tree"]] == [2, first["tree"]]
    assert first["readings"][1]["morphemes"] == ["un", "lock", "able"]
    assert bad == {
        "word": "two words",
        "morphemes": None,
        "tree": None,
        "prob": None,
        "readings": [],
    }
    assert run("segment", words, "-o", out, "--jobs", "1")[0] == 3
    assert parquet.read_table(out).column_names == ["word", "morphemes", "tree", "prob"]


def test_several_readings_are_the_same_by_processes(words: Path) -> None:
    one, two = (run("segment", words, "-n", "3", "--jobs", jobs) for jobs in "12")
    assert one == two
    assert one[1].splitlines()[0].count("\t") == 9


def test_json_has_as_many_readings(words: Path) -> None:
    rows = run("segment", words, "-n", "2", "--format", "jsonl", "--jobs", "1")[1].splitlines()
    assert len(json.loads(rows[0])["readings"]) == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("-n 2 --format morfessor", "morfessor has one reading a word"),
        ("-n 2 --format sigmorphon", "sigmorphon has one reading a word"),
        ("-n 0", "0 is not in the range"),
        ("--format parquet -o -", "parquet needs -o"),
        ("--resume -o -", "only what is written to a file"),
        ("-o a.tsv.zst", "only text is compressed, and to .gz"),
        ("-o a.parquet.gz", "only text is compressed, and to .gz"),
    ],
)
def test_what_cannot_be_is_wrong_usage(words: Path, options: str, complaint: str) -> None:
    code, out, err = run("segment", words, *options.split())
    assert (code, out) == (2, "")
    assert complaint in err


def test_standard_input_is_resumed_if_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 1)
    out = tmp_path / "out"
    command = "segment", "-", "-o", out, "--jobs", "1"
    with monkeypatch.context() as patch:
        patch.setattr("morphtree.segment.parts.Parts.join", interrupted)
        code, _, err = run(*command, stdin=WORDS)
        assert code == 130
        assert "to go on, with the same input: " in err
        assert err.endswith(" segment - -o " + str(out) + " --jobs 1 --resume\n")
    assert len([*(tmp_path / "out.parts").glob("*.part")]) == 2
    assert run(*command, "--resume", stdin=WORDS)[0] == 0
    assert out.read_text(encoding="utf-8").startswith(TSV)


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_parts_of_other_rows_are_not_mixed_in(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = words.with_name("out")
    with monkeypatch.context() as patch:
        patch.setattr("morphtree.segment.parts.Parts.join", interrupted)
        assert run("segment", words, "-o", out)[0] == 130
    for options in (["-n", "2"], ["--format", "jsonl"]):
        code, _, err = run("segment", words, "-o", out, "--resume", *options)
        assert (code, "belongs to another run" in err) == (3, True)
    monkeypatch.setattr("morphtree.segment.chunks.VERSION", 1)
    code, _, err = run("segment", words, "-o", out, "--resume")
    assert (code, "belongs to another run" in err) == (3, True)


def test_one_is_singular(tmp_path: Path) -> None:
    assert [counted(n, "line") for n in range(3)] == ["0 lines", "1 line", "2 lines"]
    assert counted(1, "entry", "entries") == "1 entry"
    assert counted(2, "entry", "entries") == "2 entries"
    assert "1 line could not" in run("segment", stdin="\n")[2]
    assert "2 lines could not" in run("segment", stdin="\n\n")[2]
    (tmp_path / "t").write_text("cats\t[[cat] s]\n", encoding="utf-8")
    assert run("treebank", "check", tmp_path / "t")[2].startswith("1 entry; 0 errors")
