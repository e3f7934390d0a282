"""Files and words that cannot be used: one sentence, the right exit code, nothing half done."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from morphtree.cli.main import main

FILES: dict[str, bytes] = {
    "words": b"cats\ndogs\n",
    "words.txt": b"cats\ndogs\n",
    "treebank": b"cats\t[[cat] s]\n",
    "broken": b"cats\t[[cat s]\n",
    "bytes": b"\x93\xff\x00\x81\n\xfe",
    "empty": b"",
    "short.gz": gzip.compress(b"cats\n" * 999)[:-30],
    "plain.gz": b"cats\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code", "complaint"),
    [
        ("parse --model folder cats", 3, "folder cannot be read"),
        ("parse --model bytes cats", 3, "bytes is not a morphtree model"),
        ("parse --model empty cats", 3, "empty cannot be read"),
        ("parse --overrides broken cats", 3, "broken:1: malformed"),
        ("parse --overrides bytes cats", 3, "bytes:1: not UTF-8"),
        ("parse --add-words folder cats", 3, "folder cannot be read"),
        ("parse --min-prob 2 cats", 2, "not in the range"),
        (
            "parse cats words.txt",
            2,
            "words.txt is a file; for its words use: morphtree segment words.txt, or morphtree"
            " parse - < words.txt",
        ),
        ("stem ./words", 2, "morphtree segment ./words, or morphtree stem - < ./words"),
        ("explain cats -n 999", 3, "'cats' has only"),
        ("explain cats --against 999", 3, "'cats' has only"),
        ("explain cats --against 1", 3, "cannot be compared with itself"),
        ("segment folder", 3, "folder is a folder; give a file"),
        ("segment words -o folder", 2, "folder is a folder; name the file"),
        ("segment words -o words", 2, "words is the file to be read"),
        ("segment short.gz --jobs 1", 3, "short.gz cannot be read"),
        ("segment plain.gz --jobs 1 -o out", 3, "plain.gz cannot be read"),
        ("segment words --jobs 0", 2, "0 is not in the range"),
        ("text none", 3, "none does not exist"),
        ("text folder", 3, "folder is a folder; give a text file"),
        ("text bytes", 3, "bytes:1: not UTF-8 text"),
        ("text bytes -o out", 3, "bytes:1: not UTF-8 text"),
        ("text words -o folder", 2, "folder is a folder; name the file"),
        ("text words -o words", 2, "words is the file to be read"),
        ("text words -o none/out", 3, "none/out cannot be written"),
        ("text short.gz", 3, "short.gz cannot be read"),
        ("text plain.gz -o out", 3, "plain.gz cannot be read"),
        ("text words --mark xx", 2, "'xx' is no mark"),
        ("evaluate en empty", 3, "empty is empty"),
        ("evaluate en treebank --compare bytes", 3, "bytes is not a morphtree model"),
        (
            "treebank check treebank --grammar none",
            3,
            "give a file, or one of paper, compounds, links: the grammar none cannot be read",
        ),
        ("treebank stats treebank --plot f.xyz", 3, ".svg, .png, .pdf"),
        ("treebank split treebank --by word --sizes 1,2 -o s", 3, "give three sizes"),
        ("train empty --dev treebank -o model", 3, "empty is empty"),
        ("train treebank --dev treebank -o folder", 2, "folder is a folder"),
        ("parse cats --min-prob nan", 3, "min_prob is nan; give a number from 0 to 1"),
        ("completion tcsh", 2, "'bash', 'zsh', 'fish'"),
    ],
)
def test_what_cannot_be_used_is_named(
    folder: Path, command: str, code: int, complaint: str
) -> None:
    before = {path.name for path in folder.iterdir()}
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == code
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr
    assert code == 2 or result.stderr.count("\n") == 1
    assert {path.name for path in folder.iterdir()} <= before | {"out.parts"}
    assert (folder / "words").read_bytes() == FILES["words"]


@pytest.mark.parametrize("command", ["parse", "stem"])
def test_a_file_whose_name_could_be_a_word_is_mentioned(folder: Path, command: str) -> None:
    result = CliRunner().invoke(main, [command, "words"])
    assert result.exit_code == 0
    assert result.stdout.startswith("words")
    assert result.stderr == (
        "morphtree: words is a file; for its words use: morphtree segment words, or morphtree"
        f" {command} - < words\n"
    )


@pytest.mark.parametrize("command", ["parse", "stem"])
def test_running_text_has_a_command_of_its_own(command: str) -> None:
    result = CliRunner().invoke(main, [command, "The cats sat", "a\tb"])
    assert (result.exit_code, result.stdout) == (3, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("morphtree: 'The cats sat' is refused: a word has no blanks")
    assert first.endswith("; for running text use: morphtree text")
    assert "morphtree text" in second
    assert "text" not in CliRunner().invoke(main, [command, ""]).stderr


def test_a_folder_that_is_not_ours_is_left_alone(folder: Path) -> None:
    (folder / "out.parts").mkdir()
    (folder / "out.parts" / "thesis").touch()
    result = CliRunner().invoke(main, ["segment", "words", "-o", "out", "--jobs", "1"])
    assert result.exit_code == 3
    assert "out.parts is needed for parts of the output; move it away" in result.stderr
    assert (folder / "out.parts" / "thesis").exists()


def test_zstandard_files_have_lines_in_all_their_frames(folder: Path) -> None:
    library = pytest.importorskip("zstandard")
    frames = library.compress(b"cats\ndo"), library.compress(b"gs\nbirds\n")
    (folder / "words.zst").write_bytes(b"".join(frames))
    result = CliRunner().invoke(main, ["segment", "words.zst", "--jobs", "1"])
    assert result.exit_code == 0
    assert [row.split("\t")[0] for row in result.stdout.splitlines()] == ["cats", "dogs", "birds"]


def test_a_word_with_a_blank_has_a_row_without_readings(folder: Path) -> None:
    command = ["segment", "--format", "jsonl", "--jobs", "1"]
    result = CliRunner().invoke(main, command, input="two words\ncats\n")
    assert result.exit_code == 3
    rows = [json.loads(row) for row in result.stdout.splitlines()]
    assert [(row["word"], row["status"]) for row in rows] == [
        ("two words", "refused"),
        ("cats", "ok"),
    ]
    assert rows[0]["readings"] == []
    assert "1\ta word has no blanks or control characters" in result.stderr


def test_a_word_left_whole_is_explained_and_one_that_is_none_is_not(folder: Path) -> None:
    whole = CliRunner().invoke(main, ["explain", "42"])
    assert whole.exit_code == 0
    assert "*42* is left whole: it has no letter." in whole.stdout
    none = CliRunner().invoke(main, ["explain", "two words"])
    assert none.exit_code == 3
    assert "'two words' cannot be explained: a word has no blanks" in none.stderr


def test_a_second_reading_is_explained_against_the_first(folder: Path) -> None:
    def explanation(*more: str) -> dict[str, Any]:
        command = ["explain", "--format", "json", "unlockable", *more]
        found: dict[str, Any] = json.loads(CliRunner().invoke(main, command).stdout)
        return found

    first, second = explanation(), explanation("-n", "2")
    assert (first["reading"], first["other"]) == (second["other"], second["reading"])
    assert first["margin"] == pytest.approx(-second["margin"])
