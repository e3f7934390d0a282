"""Threads that parse, so that the event loop only ever waits."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from morphtree._util.parallel import batches
from morphtree.analyzer import Analyzer
from morphtree.web.service.limits import come_back

Data = dict[str, Any]  # an analysis as plain data
Result = TypeVar("Result")
CHUNK = 16  # words of a long request that are parsed at a time: others need not wait for all
MOST_WAITING = 512  # requests; more would only wait in vain


class Workers:
    """A pool of threads, each with an analyzer of its own on the one model.

    An analyzer has a workspace, so that two threads cannot share one.
    """

    def __init__(self, analyzer: Analyzer, threads: int | None = None) -> None:
        self.analyzer = analyzer
        self.threads = threads or max(2, os.cpu_count() or 1)
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(self.threads, "parse")
        self._waiting = 0
        self._asked: list[tuple[str, asyncio.Future[Data]]] = []
        self._batches: set[asyncio.Task[None] | None] = set()

    def warm(self) -> None:
        """Let every thread parse a word, so that the first request is as fast as the next."""
        together = threading.Barrier(self.threads)

        def first() -> None:
            together.wait()
            readings(self._own(), ["warmly"], 1)

        for future in [self._pool.submit(first) for _ in range(self.threads)]:
            future.result()

    async def run(self, task: Callable[[Analyzer], Result]) -> Result:
        """Run a task in a thread, with the thread's analyzer."""
        _admit(self._waiting)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, lambda: task(self._own()))
        finally:
            self._waiting -= 1

    async def parse(self, words: Sequence[str], n: int) -> list[Data]:
        """Parse words, a few at a time, so that a long request shares the threads with others."""
        found: list[Data] = []
        for part in batches(words, CHUNK):
            found += await self.run(lambda own, part=part: readings(own, part, n))  # type: ignore[misc]
        return found

    async def best(self, word: str) -> Data:
        """Parse one word, together with others that wait: that takes half of the time."""
        _admit(len(self._asked))
        answer: asyncio.Future[Data] = asyncio.get_running_loop().create_future()
        self._asked.append((word, answer))
        if len(self._batches) < self.threads:
            self._batches.add(asyncio.create_task(self._answer()))
        return await answer

    async def _answer(self) -> None:
        """Answer those who wait for the best reading of a word, until nobody waits."""
        while self._asked:
            part, self._asked = self._asked[:CHUNK], self._asked[CHUNK:]
            try:
                found = await self.parse([word for word, _ in part], 1)
            except Exception as error:
                for _, answer in part:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), analysis in zip(part, found, strict=True):
                    if not answer.done():  # its client may have gone
                        answer.set_result(analysis)
        self._batches.discard(asyncio.current_task())

    def close(self) -> None:
        """Finish what has begun, and let the threads end."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _own(self) -> Analyzer:
        own: Analyzer | None = getattr(self._local, "analyzer", None)
        if own is None:
            own = self._local.analyzer = self.analyzer.copy(jobs=1)
        return own


def _admit(waiting: int) -> None:
    """Complain if more requests are waiting than can be answered soon."""
    if waiting >= MOST_WAITING:
        raise come_back(503, 1, "too many requests are waiting; ask again soon")


def readings(analyzer: Analyzer, words: Sequence[str], n: int) -> list[Data]:
    """Return the n best readings of words."""
    return [analysis.to_dict() for analysis in analyzer.analyse(words, n=n)]
