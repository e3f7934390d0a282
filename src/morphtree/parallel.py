"""Threads over words: the kernels release Python's lock, so words can share the cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
CHUNK = 16  # items a thread takes at a time: handing over costs as much as a short word
AHEAD = 4  # chunks a thread may be ahead of the reader


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
