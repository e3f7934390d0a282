"""Ending on Ctrl-C or SIGTERM: within a second, with one line and without a traceback.

The main thread gets a KeyboardInterrupt, so that files are closed and what is half done is removed.
If that takes too long, in a kernel or in a pipe that nobody reads, another thread ends the process.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from morphtree.errors import Interrupted

GRACE = 0.5  # seconds to put everything in order
SIGNALS = (signal.SIGINT, signal.SIGTERM)

_caught = 0  # the signal that ends this program
_advice = ""  # how to go on with what is being done
_unfinished: set[str] = set()  # files that nobody needs if they are not completed
_saying = threading.Lock()  # held for good by who says that the program ends


@contextmanager
def unfinished(path: str) -> Iterator[None]:
    """Remove a file at the end, also if the process ends while the main thread is busy."""
    _unfinished.add(path)
    try:
        yield
    finally:
        _remove(path)
        _unfinished.discard(path)


def _remove(path: str) -> None:
    with suppress(OSError, ValueError):
        os.unlink(path)


@contextmanager
def interruptible(advice: str) -> Iterator[None]:
    """Say this sentence to who interrupts what is done inside."""
    global _advice
    before, _advice = _advice, advice
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(str(error) or advice) from None
    finally:
        _advice = before


def exit_code() -> int:
    """Return the exit code of an interrupted program: 130 after Ctrl-C, 143 after SIGTERM."""
    return 128 + (_caught or signal.SIGINT)


def may_say() -> bool:
    """Whether the line is still to be written; of all threads, one writes it."""
    return not _caught or _saying.acquire(blocking=False)


def last_line(advice: str) -> str:
    """Return the only line that an interrupted program writes."""
    start = "\n" if _caught and os.isatty(2) else ""  # the terminal has written ^C
    return start + "; ".join(filter(None, ("morphtree: interrupted", advice)))


def _say(advice: str) -> None:
    if may_say():
        os.write(2, f"{last_line(advice)}\n".encode(errors="backslashreplace"))


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Run a program inside this."""
    if threading.current_thread() is not threading.main_thread() or _raise in _handlers():
        yield
        return
    before = dict(zip(SIGNALS, _handlers(), strict=True))
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    wakes = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number, handler in before.items():
        if handler != signal.SIG_IGN:  # as it is for what a shell runs in the background
            signal.signal(number, _raise)
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()
    atexit.register(_leave)  # as the last of all
    try:
        yield
    except KeyboardInterrupt as error:  # before there was a command
        _say(str(error))
        sys.exit(exit_code())
    except SystemExit:
        before = dict.fromkeys(SIGNALS, signal.SIG_IGN)  # all is done; a signal comes too late
        raise
    finally:
        if not _caught:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakes)
            os.close(writer)
            atexit.unregister(_leave)


def _handlers() -> list[Any]:
    return [signal.getsignal(number) for number in SIGNALS]


def _raise(number: int, _: object) -> None:
    """Interrupt the main thread, once; what else fails for that reason is not worth a line."""
    global _caught
    if not _caught:
        _caught = number
        sys.unraisablehook = threading.excepthook = _ignore
        raise KeyboardInterrupt


def _ignore(_: object) -> None:
    """Say nothing."""


def _leave() -> None:
    """Exit with our code: Python itself would sometimes end by the signal."""
    if _caught:
        _exit(exit_code())


def leave(code: int) -> None:
    """Exit without taking Python down, which kills a process whose libraries have threads."""
    atexit._run_exitfuncs()
    _exit(code)


def _exit(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _watch(reader: int) -> None:
    """End the process some time after a signal; it wakes this thread whatever others are doing."""
    while numbers := os.read(reader, 1):
        if numbers[0] in SIGNALS and signal.getsignal(numbers[0]) is _raise:
            time.sleep(GRACE)
            for path in [*_unfinished]:
                _remove(path)
            _say(_advice)
            os._exit(128 + numbers[0])
    os.close(reader)
