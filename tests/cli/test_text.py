"""The command for running text."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morphtree.cli.main import main
from morphtree.running_text.formats import unmarked

TEXT = "The cats sat, unhappily.\r\nCats · untestably; naïve"


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["text", *map(str, arguments)], input=stdin)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_bytes(TEXT.encode())
    return path


def test_the_text_is_marked(source: Path, tmp_path: Path) -> None:
    shown = "The cat·s sat, un·happi·ly.\r\nCat·s ·· un·test·abl·y; naïve"
    assert run(source).stdout_bytes.decode() == shown
    assert run("-", stdin=TEXT.encode()).stdout_bytes.decode() == shown
    assert run(stdin=TEXT.encode()).stdout_bytes.decode() == shown
    assert unmarked(shown) == TEXT
    assert run(source, "--mark", "|").stdout_bytes.decode().startswith("The cat|s sat, un|happi|ly")
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert run(packed, "-o", "-").stdout_bytes.decode() == shown


def test_a_zstd_file_is_read_too_and_a_damaged_one_named(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="pip install 'morphtree[zstd]'")
    packed = tmp_path / "text.zst"
    packed.write_bytes(zstandard.compress(b"The cats"))
    assert run(packed).stdout_bytes.decode() == "The cat·s"
    packed.write_bytes(b"no such thing")
    result = run(packed)
    assert result.exit_code == 3
    assert "text.zst cannot be read" in result.stderr


def test_an_output_is_replaced_at_the_end(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("old")
    assert run(source, "-o", out, "--format", "table").exit_code == 0
    rows = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["cats", "2", "[[cat] s]", "cat s", "1.0000"]
    assert len(rows) == 6
    source.write_bytes(b"cats " * 100_000 + b"\xff")
    assert run(source, "-o", out).exit_code == 3
    assert len(out.read_text(encoding="utf-8").splitlines()) == 6
    assert {path.name for path in tmp_path.iterdir()} == {"text", "out"}


def test_lines_of_json(source: Path) -> None:
    lines = [json.loads(line) for line in run(source, "--format", "jsonl").stdout.splitlines()]
    assert [TEXT[line["start"] : line["end"]] for line in lines] == [line["word"] for line in lines]
    assert lines[3]["morphemes"] == [
        {"form": "un", "role": "prefix", "start": 14, "end": 16},
        {"form": "happy", "role": "stem", "start": 16, "end": 21},
        {"form": "ly", "role": "suffix", "start": 21, "end": 23},
    ]


def test_the_model_is_overruled_as_elsewhere(source: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("cats\t[cats]\n")
    assert run(source, "--overrides", given).stdout.startswith("The cats sat, un·happi·ly")
    assert "un·test·abl·y" in run(source, "--no-stored").stdout


def test_ctrl_c_ends_it_at_once_and_nothing_is_lost(source: Path, tmp_path: Path) -> None:
    source.write_bytes(b"cats " * 10_000_000)
    out = tmp_path / "out"
    out.write_text("old")
    command = [sys.executable, "-m", "morphtree", "text", str(source), "-o", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while not [*tmp_path.glob(".morphtree.*")]:  # it has begun
            time.sleep(0.05)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        complaint = process.stderr.read()
    assert process.returncode == 130
    assert complaint == f"morphtree: interrupted; {out} is as it was\n"
    assert time.monotonic() - began < 10
    assert out.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"text", "out"}
