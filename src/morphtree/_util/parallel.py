"""Batches of words, and processes or threads that work on them."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Thread, local
from typing import TYPE_CHECKING, Any, TypeVar

from morphtree.errors import DataError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 4  # items that a process may be ahead of the reader


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Cut a stream into lists of so many items; the last one may be shorter."""
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def in_processes(
    make: Callable[[], Callable[[Item], Result]], items: Iterable[Item], *, jobs: int
) -> Iterator[Result]:
    """Yield worker(item) in the order of the items; each process makes a worker for itself."""
    if jobs == 1:
        yield from map(make(), items)
        return
    # All that processes need takes a while to import; one word needs none.
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (make,))
    try:
        yield from _in_order(pool, _work, items, AHEAD * jobs)
        pool.shutdown()
    except BrokenProcessPool:
        raise DataError(
            "a process ended before its work was done; try fewer jobs or more memory (and a script "
            "that asks for processes must do so below 'if __name__ == \"__main__\":')"
        ) from None
    finally:
        for process in [*(pool._processes or {}).values()]:
            process.kill()  # nobody wants what it is still doing
        pool.shutdown(cancel_futures=True)


def in_threads(
    make: Callable[[], Callable[[Item], Result]], items: Iterable[Item], *, jobs: int
) -> Iterator[Result]:
    """Do the same by threads of this process, for work that leaves Python alone.

    A single one is a thread, too, so that the main thread can be interrupted at any moment.
    """
    from concurrent.futures import ThreadPoolExecutor

    own = local()

    def start() -> None:
        own.worker = make()

    def work(item: Item) -> Result:
        result: Result = own.worker(item)
        return result

    pool, wait = ThreadPoolExecutor(jobs, initializer=start), True
    try:
        yield from _in_order(pool, work, items, AHEAD * jobs)
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        pool.shutdown(wait, cancel_futures=True)


def _in_order(
    pool: Executor, work: Callable[[Item], Result], items: Iterable[Item], most: int
) -> Iterator[Result]:
    """Yield work(item) in the order of the items; at most so many are begun."""
    waiting: deque[Future[Result]] = deque()
    for item in items:
        with _without_interrupts():
            waiting.append(pool.submit(work, item))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started inside; this one gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: Callable[[Any], Any] | None = None  # of this process


def _start(make: Callable[[], Callable[[Any], Any]]) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    Thread(target=_end_with_parent, daemon=True).start()
    _worker = make()


def _end_with_parent() -> None:
    """Leave no process behind if the one that started it was killed."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(item: Any) -> Any:
    assert _worker is not None
    return _worker(item)
