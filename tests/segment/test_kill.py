"""A vocabulary that was killed at any moment ends with the same bytes when it is resumed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from morphtree.segment.chunks import CHUNK

STEMS = ("test", "black", "happy", "corner", "read", "nation", "lock", "govern", "cat", "quick")
PREFIXES = ("", "un", "re", "non", "anti")
SUFFIXES = ("", "s", "ing", "able", "ness", "ly", "ize", "er", "ful", "ist")
KILLS = 50  # of each of four kinds of run
CHUNKS = 8


def vocabulary(path: Path, count: int) -> Path:
    """Write words that repeat, and a few lines that cannot be segmented."""
    rng = random.Random(1)
    makings = (
        "".join(map(rng.choice, (PREFIXES, STEMS, SUFFIXES, SUFFIXES))) for _ in range(count)
    )
    lines = [b"\xff" if n % 1000 == 7 else word.encode() for n, word in enumerate(makings)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def start(source: Path, out: Path, jobs: int, style: str = "tsv") -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "morphtree", "segment", str(source), "-o", str(out),
               "--jobs", str(jobs), "--resume", "--format", style]  # fmt: skip
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def finish(source: Path, out: Path, jobs: int, style: str = "tsv") -> float:
    """Run to the end; return how many seconds it took."""
    began = time.monotonic()
    assert start(source, out, jobs, style).wait() == 3  # some lines are bad
    return time.monotonic() - began


def result(out: Path, style: str = "tsv") -> tuple[object, bytes]:
    errors = out.with_name(f"{out.name}.errors").read_bytes()
    if style == "parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(out).to_pylist(), errors
    return out.read_bytes(), errors


def killed(process: subprocess.Popen[bytes], moment: float, out: Path) -> bool:
    """Kill a run after so many seconds, or while it cleans up; False if it ended before."""
    end = time.monotonic() + moment
    while process.poll() is None:
        if time.monotonic() > end or out.exists():
            process.kill()
            process.wait()
            return True
        time.sleep(0.0002)
    return False


@pytest.mark.campaign
@pytest.mark.parametrize("style", ["tsv", "parquet"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_vocabularies_killed_at_random_moments(
    jobs: int, style: str, tmp_path: Path, tally: Callable[[int, int], None]
) -> None:
    source = vocabulary(tmp_path / "words", CHUNKS * CHUNK)
    seconds = finish(source, tmp_path / "whole", jobs, style)
    whole, cut = result(tmp_path / "whole", style), tmp_path / "cut"
    rng, kills, failures = random.Random(jobs), 0, 0
    while kills < KILLS:
        for path in (cut, cut.with_name("cut.errors")):
            path.unlink(missing_ok=True)
        while kills < KILLS and killed(
            start(source, cut, jobs, style), rng.uniform(0, seconds / 2), cut
        ):
            kills += 1
            if cut.exists():
                break
        finish(source, cut, jobs, style)
        failures += result(cut, style) != whole or cut.with_name("cut.parts").exists()
    tally(kills, failures)


def test_a_run_that_was_killed_before_it_wrote_anything_starts_anew(tmp_path: Path) -> None:
    source = vocabulary(tmp_path / "words", 20)
    (tmp_path / "out.parts").mkdir()
    finish(source, tmp_path / "out", 1)
    assert (tmp_path / "out").read_bytes().count(b"\n") == 20


def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    source, out = vocabulary(tmp_path / "words", 3 * CHUNK), tmp_path / "out"
    process = start(source, out, 2, "jsonl")  # which is written by processes
    wait_for(lambda: (out.with_name("out.parts") / "00000000.part").exists())
    workers = children(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.wait()
    wait_for(lambda: not any(Path(f"/proc/{worker}/stat").exists() for worker in workers))


def children(parent: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)],
                           capture_output=True, check=False)  # fmt: skip
    return [int(word) for word in found.stdout.split()]


def wait_for(condition: object, seconds: float = 60) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
