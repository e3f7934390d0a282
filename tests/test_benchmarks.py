"""The benchmarks end quietly when nobody reads on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import same_package

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path for path in (ROOT / "benchmarks").glob("*.py") if path.name != "machine.py")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_benchmark_lets_its_reader_leave(script: Path) -> None:
    assert "    piped(main)\n" in script.read_text(encoding="utf-8")


def test_what_nobody_reads_is_no_error() -> None:
    code = "from machine import piped; piped(lambda: print('x' * 10 ** 6))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT / "benchmarks", env=same_package(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0
