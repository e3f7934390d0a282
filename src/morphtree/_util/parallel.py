"""Threads over words, as the kernels release Python's lock; processes over batches of words."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any, TypeVar

from morphtree.errors import DataError

Item = TypeVar("Item")
Result = TypeVar("Result")
CHUNK = 16  # items a thread takes at a time: handing over costs as much as a short word
AHEAD = 4  # chunks a thread or process may be ahead of the reader


def in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], *, jobs: int | None = None
) -> Iterator[Result]:
    """Yield function(item) in the order of the items, whatever the number of threads.

    Only a few chunks a thread are taken ahead, so that any stream fits into memory.
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield from map(function, items)
        return
    stream = iter(items)
    waiting: deque[Future[list[Result]]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while chunk := list(islice(stream, CHUNK)):
                waiting.append(pool.submit(lambda part: list(map(function, part)), chunk))
                if len(waiting) > AHEAD * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


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

    waiting: deque[Future[Result]] = deque()
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (make,))
    try:
        for item in items:
            waiting.append(pool.submit(_work, item))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise DataError(
            "a process ended before its work was done; try fewer jobs or more memory (and a script "
            "that asks for processes must do so below 'if __name__ == \"__main__\":')"
        ) from None
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
