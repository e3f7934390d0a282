"""Starts programs, interrupts them as a terminal does, and sees how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.documents import same_package


class Ended(NamedTuple):
    """How a program ended."""

    code: int
    out: str
    err: str
    seconds: float  # from the signal to the end of all its processes


def start(*arguments: str | Path, code: str = "") -> subprocess.Popen[bytes]:
    """Start a command in a group of its own, as a shell does; or some Python code."""
    program = ["-c", code] if code else ["-m", "morphtree"]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)], env=same_package(),
        start_new_session=True, stdin=pipe, stdout=pipe, stderr=pipe,
    )  # fmt: skip


def interrupt(process: subprocess.Popen[bytes], number: int = signal.SIGINT) -> Ended:
    """Send a signal to the whole group, as Ctrl-C does, and wait for its end."""
    assert process.poll() is None, "it was done before it could be interrupted"
    began = time.monotonic()
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)  # until nobody holds the pipes
    seconds = time.monotonic() - began
    return Ended(process.returncode, out.decode(), err.decode(), seconds)


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is the case."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)
