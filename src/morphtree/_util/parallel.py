"""Batches of words, and processes or threads that work on them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
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
    except BrokenProcessPool:
        raise DataError(
            "a process ended before its work was done; try fewer jobs or more memory (and a script "
            "that asks for processes must do so below 'if __name__ == \"__main__\":')"
        ) from None


def in_threads(
    make: Callable[[], Callable[[Item], Result]], items: Iterable[Item], *, jobs: int
) -> Iterator[Result]:
    """Do the same by threads of this process, for work that leaves Python alone."""
    if jobs == 1:
        yield from map(make(), items)
        return
    from concurrent.futures import ThreadPoolExecutor

    own = local()

    def start() -> None:
        own.worker = make()

    def work(item: Item) -> Result:
        result: Result = own.worker(item)
        return result

    pool = ThreadPoolExecutor(jobs, initializer=start)
    yield from _in_order(pool, work, items, AHEAD * jobs)


def _in_order(
    pool: Executor, work: Callable[[Item], Result], items: Iterable[Item], most: int
) -> Iterator[Result]:
    """Yield work(item) in the order of the items; at most so many are begun."""
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


_worker: Callable[[Any], Any] | None = None  # of this process


def _start(make: Callable[[], Callable[[Any], Any]]) -> None:
    global _worker
    signal(SIGINT, SIG_IGN)  # the process that started this one ends it in order
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
