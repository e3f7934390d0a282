"""Ctrl-C: a vocabulary ends at once, keeps what is finished, and says how to go on."""

from __future__ import annotations

import fcntl
import os
import pty
import random
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from morphtree.segment.chunks import CHUNK
from tests.documents import same_package
from tests.interrupting import Ended, interrupt, start, wait_for
from tests.segment.test_kill import CHUNKS, finish, result, vocabulary

SECOND = 1.0
LATEST = 10.0  # seconds, of a machine that others use as well
KEEPS = "out.parts keeps what is finished; to go on: python -m morphtree "
TRIES = 25  # of each kind of run


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vocabulary(tmp_path_factory.mktemp("words") / "words", 12 * CHUNK)


def begin(source: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a run and wait until something is finished."""
    process = start("segment", source, "-o", out, *options)
    parts = out.with_name(f"{out.name}.parts")
    wait_for(lambda: any(parts.glob("*.part")) or process.poll() is not None)
    return process


def check(ended: Ended, out: Path, code: int = 130) -> str:
    """One line, the right code, no output yet; return the command that goes on."""
    assert ended.code == code
    assert ended.out == ""
    assert ended.err.count("\n") == 1, ended.err
    assert not out.exists()
    return ended.err.strip().partition("to go on: ")[2]


@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "2"),
                                     ("--jobs", "2", "--format", "jsonl")])  # fmt: skip
def test_what_is_finished_is_kept_and_the_command_that_is_named_goes_on(
    source: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    ended = interrupt(begin(source, out, *options))
    command = check(ended, out)
    assert ended.seconds < LATEST
    assert f"{tmp_path}/{KEEPS}segment {source} -o {out} " in ended.err
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out.parts").glob("*.part")}
    assert kept
    again = subprocess.Popen(shlex.split(command), env=same_package(), stderr=subprocess.PIPE)
    assert again.communicate()[1].decode().startswith("morphtree: 12 lines could not be")
    assert again.returncode == 3
    style = options[-1] if "jsonl" in options else "tsv"
    finish(source, whole, 1, style)
    assert result(out, style) == result(whole, style)
    assert not (tmp_path / "out.parts").exists()


def test_a_signal_to_terminate_does_the_same(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    check(interrupt(begin(source, out, "--jobs", "2"), signal.SIGTERM), out, 143)


def test_what_goes_to_standard_output_cannot_be_resumed(source: Path) -> None:
    process = start("segment", source, "--jobs", "1")
    assert process.stdout is not None
    first = process.stdout.readline()
    ended = interrupt(process)
    assert ended.code == 130
    assert first.count(b"\t") == 3
    assert ended.err.splitlines()[-1] == (
        "morphtree: interrupted; what was written to standard output is not complete; "
        "-o FILE can be resumed"
    )
    assert "Traceback" not in ended.err


AT_THE_END = """
import os, signal, sys
from morphtree.cli.main import main
from morphtree.segment import {module} as module
before = module.{name}
def interrupted(*arguments, **names):
    os.kill(os.getpid(), signal.SIGINT)
    return before(*arguments, **names)
module.{name} = interrupted
main(prog_name="morphtree")
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [("rows", "_write_rows"), ("parts", "replacing"), ("parts", "json.dumps"),
     ("writer", "RowWriter.__call__"), ("source", "limited")],
)  # fmt: skip
def test_any_moment_is_the_right_one(module: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("cats\n" * 30, encoding="utf-8")
    code = AT_THE_END.format(module=module, name=name)
    process = start("segment", tmp_path / "words", "-o", tmp_path / "out", code=code)
    out, err = process.communicate(timeout=60)
    check(Ended(process.returncode, out.decode(), err.decode(), 0), tmp_path / "out")
    again = start("segment", tmp_path / "words", "-o", tmp_path / "out", "--resume")
    assert again.communicate(timeout=60) == (b"", b"")
    assert (tmp_path / "out").read_bytes().count(b"\n") == 30
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "words"]


@pytest.mark.perf
@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "2"),
                                     ("--jobs", "2", "--format", "jsonl")])  # fmt: skip
def test_it_takes_less_than_a_second(
    source: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    assert interrupt(begin(source, tmp_path / "out", *options)).seconds < SECOND


@pytest.mark.campaign
@pytest.mark.parametrize("style", ["tsv", "jsonl"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_vocabularies_interrupted_at_random_moments(
    jobs: int, style: str, tmp_path: Path, tally: Callable[[int, int], None]
) -> None:
    source = vocabulary(tmp_path / "words", CHUNKS * CHUNK)
    seconds = finish(source, tmp_path / "whole", jobs, style)
    whole, out = result(tmp_path / "whole", style), tmp_path / "out"
    rng, tries, failures = random.Random(jobs), 0, 0
    while tries < TRIES:
        for path in (out, out.with_name("out.errors")):
            path.unlink(missing_ok=True)
        process = start("segment", source, "-o", out, "--resume", "--jobs", str(jobs),
                        "--format", style)  # fmt: skip
        time.sleep(rng.uniform(0.1, seconds))  # before, it is Python that starts
        if process.poll() is None:
            ended = interrupt(process)
            tries += 1
            done = ended.code == 3 and out.exists()  # at the very moment
            said = ended.err.count("\n") == 1 and "Traceback" not in ended.err
            failures += not (said and (done or ended.code == 130))
        else:
            process.communicate()
            failures += result(out, style) != whole
    finish(source, out, jobs, style)
    failures += result(out, style) != whole
    tally(tries, failures)


# -- progress -----------------------------------------------------------------------------------

SIZE = 30, 100  # rows and columns


def in_a_terminal(
    *arguments: str | Path, stdin: bytes = b"", size: tuple[int, int] = SIZE
) -> tuple[int, str]:
    """Run a command whose standard error is a terminal; return all that it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "morphtree", *map(str, arguments)], env=same_package(),
        stdin=subprocess.PIPE, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    assert process.stdin is not None
    with process.stdin as stream:
        stream.write(stdin)
    text = b""
    with suppress(OSError), os.fdopen(ours, "rb", 0) as stream:  # its end is an error
        while piece := stream.read(1000):
            text += piece
    return process.wait(), text.decode()


def states(text: str) -> list[str]:
    """Return the states of the bar."""
    return [state for state in text.replace("\n", "\r").split("\r") if " words, " in state]


def shown(text: str) -> list[int]:
    """Return the words that it counts, state by state."""
    return [int(state.partition(" words, ")[0].rpartition(" ")[2]) for state in states(text)]


@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "2", "--format", "jsonl")])
def test_the_bar_counts_finished_words(
    source: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    code, text = in_a_terminal("segment", source, "-o", tmp_path / "out", *options)
    assert code == 3
    counts = shown(text)
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert len({*counts}) >= 4, text  # little by little
    assert counts[-1] == 12 * CHUNK
    assert " words/s, about " in text
    assert " left" in text


def test_resumed_words_are_done_but_not_fast(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    interrupt(begin(source, out, "--jobs", "1"))
    for part in sorted((tmp_path / "out.parts").glob("*.part"))[1:]:
        part.unlink()
    (tmp_path / "first").write_bytes(b"".join(source.read_bytes().splitlines(True)[:CHUNK]))
    code, text = in_a_terminal("segment", tmp_path / "first", "-o", out, "--resume")
    assert code == 3
    assert shown(text)[-1] == CHUNK
    assert " ? words/s" in states(text)[-1]


@pytest.mark.parametrize("size", [SIZE, (0, 0)])  # some terminals do not know their size
def test_standard_input_has_no_end(tmp_path: Path, size: tuple[int, int]) -> None:
    out = tmp_path / "out"
    code, text = in_a_terminal("segment", "-", "-o", out, stdin=b"cats\n" * 10, size=size)
    assert code == 0
    assert shown(text)[-1] == 10
    assert "%" not in text
    assert "left" not in text


def test_nobody_sees_a_bar_without_a_terminal(source: Path, tmp_path: Path) -> None:
    process = start("segment", source, "-o", tmp_path / "out", "--jobs", "2")
    assert process.communicate()[1].count(b"\n") == 1
