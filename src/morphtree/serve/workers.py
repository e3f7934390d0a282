"""Threads that parse, so that the event loop only ever waits."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from morphtree.analysis import Analysis
from morphtree.analyzer import Analyzer

Result = TypeVar("Result")
CHUNK = 16  # words of a long request that are parsed at a time: others need not wait for all
MOST_WAITING = 512  # requests; more would only wait in vain


class BusyError(Exception):
    """More requests are waiting than can be answered soon."""


class Workers:
    """A pool of threads, each with an analyzer of its own on the one model.

    An analyzer has scratch space, so that two threads cannot share one.
    """

    def __init__(self, analyzer: Analyzer, threads: int | None = None) -> None:
        self.analyzer = analyzer
        self.threads = threads or max(2, os.cpu_count() or 1)
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(self.threads, "parse")
        self._waiting = 0

    def warm(self) -> None:
        """Let every thread parse a word, so that the first request is as fast as the next."""
        together = threading.Barrier(self.threads)

        def first() -> None:
            together.wait()
            readings(self._own(), ["warmly"], 2)
            readings(self._own(), ["warmly"], 1)

        for future in [self._pool.submit(first) for _ in range(self.threads)]:
            future.result()

    async def run(self, task: Callable[[Analyzer], Result]) -> Result:
        """Run a task in a thread, with the thread's analyzer."""
        if self._waiting >= MOST_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, lambda: task(self._own()))
        finally:
            self._waiting -= 1

    async def parse(self, words: Sequence[str], n: int) -> list[Analysis]:
        """Parse words, a few at a time, so that a long request shares the threads with others."""
        found: list[Analysis] = []
        for start in range(0, len(words), CHUNK):
            part = words[start : start + CHUNK]
            found += await self.run(lambda own, part=part: readings(own, part, n))  # type: ignore[misc]
        return found

    def close(self) -> None:
        """Finish what has begun, and let the threads end."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _own(self) -> Analyzer:
        own: Analyzer | None = getattr(self._local, "analyzer", None)
        if own is None:
            own = self._local.analyzer = self.analyzer.copy(jobs=1)
        return own


def readings(analyzer: Analyzer, words: Sequence[str], n: int) -> list[Analysis]:
    """Return the n best readings of words; the best one alone is found much faster."""
    if n == 1:
        return list(analyzer.pipe(words))
    return [analyzer.parse(word, n) for word in words]
