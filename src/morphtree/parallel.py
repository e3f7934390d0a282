"""Threads over words: the kernels release Python's lock, so words can share the cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], *, jobs: int | None = None
) -> Iterator[Result]:
    """Yield function(item) in the order of the items, whatever the number of threads.

    At most a few items a thread are taken ahead, so that any stream fits into memory.
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield from map(function, items)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > 16 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
