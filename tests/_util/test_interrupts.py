"""A signal ends any program within a second, with one line and without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from morphtree._util.interrupts import GRACE, interruptible
from morphtree.errors import Interrupted
from tests.interrupting import Ended, interrupt, start

LATEST = 10.0  # seconds, of a machine that others use as well

PROGRAM = """
import hashlib, os, signal, sys, threading, time
from morphtree._util.interrupts import ending_on_signals, interruptible

class Bad:
    def __del__(self):
        raise ValueError("this is nobody's business any more")

with ending_on_signals():
    with interruptible("go on like this"):
        {work}
    print("done")
"""
READY = "print('ready', flush=True); "
SLEEPS = f"{READY}time.sleep(60)"
BUSY = f"{READY}hashlib.pbkdf2_hmac('sha256', b'x', b'y', 1 << 30)"  # C that hears no signals
BUSY_THREAD = f"threading.Thread(target=lambda: {BUSY.removeprefix(READY)}).start(); {SLEEPS}"
CLEANS_UP = "\n        ".join(
    [f"try: {SLEEPS}", "finally:", "    print('cleaned up', flush=True); bad = Bad(); del bad"]
)
ENDLESS = "\n        ".join([f"try: {SLEEPS}", "finally: time.sleep(60)"])


def run(work: str, number: int = signal.SIGINT) -> Ended:
    process = ready(work)
    return interrupt(process, number)


def ready(work: str) -> subprocess.Popen[bytes]:
    process = start(code=PROGRAM.format(work=work))
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


@pytest.mark.parametrize("work", [SLEEPS, BUSY, BUSY_THREAD, CLEANS_UP, ENDLESS],
                         ids=["sleeps", "busy", "busy thread", "cleans up", "endless"])  # fmt: skip
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whatever_a_program_does_it_ends(work: str, number: int) -> None:
    ended = run(work, number)
    assert ended.code == 128 + number
    assert ended.err == "morphtree: interrupted; go on like this\n"
    assert ended.out == ("cleaned up\n" if work == CLEANS_UP else "")
    assert ended.seconds < LATEST


def test_what_is_half_written_is_removed_even_by_a_busy_program(tmp_path: Path) -> None:
    begin = "from pathlib import Path; from morphtree._util.files import replacing"
    write = f"with replacing(Path({os.fspath(tmp_path / 'out')!r})) as out: out.write(b'half')"
    ended = run(f"{begin}\n        {write}; {BUSY}")
    assert ended.code == 130
    assert [*tmp_path.iterdir()] == []


@pytest.mark.perf
@pytest.mark.parametrize("work", [BUSY, BUSY_THREAD, ENDLESS])
def test_it_ends_within_a_second(work: str) -> None:
    assert GRACE < run(work).seconds < 1


def test_a_second_signal_changes_nothing() -> None:
    process = ready(CLEANS_UP.replace("finally:", "finally:\n            time.sleep(0.2)"))
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    ended = interrupt(process)
    assert (ended.code, ended.out) == (130, "cleaned up\n")
    assert ended.err == "morphtree: interrupted; go on like this\n"


def test_what_a_shell_runs_in_the_background_is_not_interrupted() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = ready(f"{READY}time.sleep(0.5)")
    finally:
        signal.signal(signal.SIGINT, before)
    ended = interrupt(process)
    assert (ended.code, ended.out, ended.err) == (0, "done\n", "")


def test_a_program_that_was_not_interrupted_leaves_signals_as_they_were() -> None:
    code = (
        PROGRAM.format(work=f"{READY}pass")
        + "\nassert signal.getsignal(2) is signal.default_int_handler"
    )
    process = start(code=code)
    assert process.communicate() == (b"ready\ndone\n", b"")


def test_advice_is_the_innermost_one() -> None:
    with pytest.raises(Interrupted, match="inner"), interruptible("outer"):  # noqa: SIM117
        with interruptible("inner"):
            raise KeyboardInterrupt
    with pytest.raises(Interrupted, match="own"), interruptible("outer"):
        raise Interrupted("own")


LEAVING = """
import atexit, os, sys, types
from morphtree.cli.main import main
class Busy:
    def __del__(self, write=os.write):
        write(1, b"taken down")
if {used}:
    sys.modules["daft"] = types.ModuleType("daft")
sys.busy = Busy()
atexit.register(print, "closed")
main({arguments})
"""


@pytest.mark.parametrize("used", [True, False])
@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["nothing"], 2)])
def test_libraries_with_threads_are_closed_and_not_taken_down(
    used: bool, arguments: list[str], code: int
) -> None:
    """What Daft's threads do while Python goes down would end the process by a signal."""
    program = LEAVING.format(used=used, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == code
    assert ("closed" in done.stdout, "taken down" in done.stdout) == (True, not used)
