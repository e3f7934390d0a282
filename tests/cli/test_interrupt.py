"""Ctrl-C ends every command with one line and exit code 130."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from morphtree.cli.main import main
from morphtree.errors import Interrupted
from tests.interrupting import Ended, interrupt, start, wait_for
from tests.small_training import DEV, TRAIN

PLAIN = "morphtree: interrupted\n"


def check(ended: Ended, line: str = PLAIN) -> None:
    assert ended.code == 130
    assert ended.err.endswith(line)
    assert "Traceback" not in ended.err
    assert "leaked" not in ended.err


def test_a_command_that_waits_for_words() -> None:
    process = start("parse", "--format", "brackets")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"cats\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"cats\t[[cat] s]\t1.0000\n"
    ended = interrupt(process)
    check(ended)
    assert ended.err == PLAIN


def reads_nothing(*arguments: str | Path) -> Ended:
    """Interrupt a command while it waits for a file."""
    process = start(*arguments)
    wait_for(lambda: b"numpy" in Path(f"/proc/{process.pid}/maps").read_bytes())
    return interrupt(process)


@pytest.mark.parametrize(
    "command", ["evaluate en", "treebank check", "treebank stats", "parse --overrides"]
)
def test_commands_that_wait_for_a_file(command: str, tmp_path: Path) -> None:
    subprocess.run(["mkfifo", tmp_path / "pipe"], check=True)  # which nobody writes to
    ended = reads_nothing(*command.split(), tmp_path / "pipe")
    check(ended)
    assert ended.err == PLAIN


def test_training_stops_and_keeps_its_checkpoint(tmp_path: Path) -> None:
    for name, text in (("train", TRAIN), ("dev", DEV)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    process = start("train", tmp_path / "train", "--dev", tmp_path / "dev", "-o", tmp_path / "m",
                    "--language", "none", "--l2", "grid")  # fmt: skip
    wait_for(lambda: any(tmp_path.glob("m*.checkpoint")) or process.poll() is not None)
    ended = interrupt(process)
    assert ended.code == 130
    assert ended.err.splitlines()[-1].startswith("morphtree: interrupted")
    assert "Traceback" not in ended.err
    assert any(tmp_path.glob("m*.checkpoint"))


def test_fits_of_several_processes_stop(tmp_path: Path) -> None:
    folder = tmp_path / "inside-out-2016"
    folder.mkdir()
    for split in range(2):
        for part in ("train", "dev", "test"):
            text = "".join(
                f"{stem}er (S ({stem}:stem) (er:suffix))\n"
                for stem in ("read", "test", "black", "green", "lock", "teach", "help", "build")
            )
            (folder / f"{part}{split}").write_text(text, encoding="utf-8")
    process = start("reproduce", "--data", tmp_path, "--splits", "0-1", "--anew", "--jobs", "2",
                    "--fits", "paper-tree-nbest", "-o", tmp_path / "fits")  # fmt: skip
    wait_for(lambda: any(tmp_path.glob("fits/*/*/*")) or process.poll() is not None)
    check(interrupt(process))


def test_a_command_may_say_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise Interrupted("call it again")

    monkeypatch.setattr("morphtree.load", stopped)
    result = CliRunner().invoke(main, ["parse", "cats"])
    assert result.exit_code == 130
    assert result.stderr == "morphtree: interrupted; call it again\n"


@pytest.mark.parametrize(
    "words", [(), ("segment",), ("treebank",), ("treebank", "check"), ("train",)]
)
def test_help_is_short(words: tuple[str, ...]) -> None:
    short, long = (CliRunner().invoke(main, [*words, name]) for name in ("-h", "--help"))
    assert short.exit_code == 0
    assert short.stdout == long.stdout
    assert "-h, --help" in short.stdout
