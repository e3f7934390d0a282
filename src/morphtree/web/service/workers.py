"""Threads that parse, so that the event loop only ever waits, and no client for another."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, thread_time
from typing import Any

from starlette.exceptions import HTTPException

from morphtree.analyzer import Analyzer
from morphtree.errors import DataError
from morphtree.web.service.costs import word_cost, words_cost
from morphtree.web.service.fair import Entry, FairQueue
from morphtree.web.service.limits import come_back

Gone = Callable[[], Awaitable[bool]]
Texts = list[bytes]  # JSON, one for each word
MOST_TOGETHER = 16  # words in one call
LONGEST_CALL = 48.0  # cost of the words of one call: others need not wait longer, about 20 ms
MOST_WAITING = 512  # requests; more would only wait in vain
MOST_OF_ONE = 128  # requests of one client that may wait
STUCK = 60.0  # seconds; no call takes so long


@dataclass(eq=False)
class Job:
    """Something for a thread to do; jobs with words of a language and one n can share a call."""

    client: str
    cost: float
    answer: asyncio.Future[Texts]
    lang: str
    task: Callable[[Analyzer], Any] | None = None  # or else
    words: Sequence[str] = ()
    n: int = 1

    def can_join(self, other: Job) -> bool:
        """Whether this job and another are the same but for their words."""
        alike = (self.lang, self.n) == (other.lang, other.n)
        return alike and not (self.task or other.task)


@dataclass
class Totals:
    """What the threads have done."""

    words: int = 0
    seconds: float = 0.0  # of computing
    calls: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, seconds: float, words: int) -> None:
        """Count a call."""
        with self.lock:
            self.calls += 1
            self.words += words
            self.seconds += seconds


class Workers:
    """Threads, each with analyzers of its own on the same models, shared fairly by the clients.

    Each model is of one language, and the first answers who names none. An analyzer has a
    workspace, so that two threads cannot share one. All else happens in the event loop, without
    locks. One client never has all of the threads.
    """

    def __init__(self, analyzers: Sequence[Analyzer], threads: int | None = None) -> None:
        self.analyzers = {name_of(analyzer): analyzer for analyzer in analyzers}
        self.threads = threads or max(2, os.cpu_count() or 1)
        self.most_running = max(1, self.threads - 1)  # calls of one client
        self.totals = Totals()
        self.waiting: Counter[str] = Counter()  # requests by client, also those that run
        self._queue: FairQueue[Job] = FairQueue()
        self._running: Counter[str] = Counter()  # calls by client
        self._calls: dict[asyncio.Task[None], float] = {}  # and when they began
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(self.threads, "parse")

    def warm(self) -> None:
        """Let every thread parse a word, so that the first request is as fast as the next."""
        together = threading.Barrier(self.threads)

        def first() -> None:
            together.wait()
            for lang in self.analyzers:
                readings(self._own(lang), ["warmly"], 1)

        for future in [self._pool.submit(first) for _ in range(self.threads)]:
            future.result()

    @property
    def running(self) -> int:
        """How many calls run now."""
        return len(self._calls)

    @property
    def stuck(self) -> bool:
        """Whether a call has run for longer than any can."""
        return any(monotonic() - begun > STUCK for begun in self._calls.values())

    @property
    def full(self) -> bool:
        """Whether no more requests are taken."""
        return self.waiting.total() >= MOST_WAITING

    def language(self, lang: str | None) -> str:
        """Return the language that is asked for, by default the first; complain of others."""
        if lang is None:
            return next(iter(self.analyzers))
        if lang not in self.analyzers:
            served = ", ".join(self.analyzers)
            raise DataError(f"the language {lang!r:.40} is not served; ask for one of: {served}")
        return lang

    async def run(
        self, client: str, cost: float, task: Callable[[Analyzer], Any], lang: str | None = None
    ) -> bytes:
        """Run a task in a thread, with the thread's analyzer; return its result as JSON."""
        job = Job(client, cost, _future(), self.language(lang), task)
        with self._admitted(client):
            return (await self._answer(job))[0]

    async def parse(
        self, client: str, words: Sequence[str], n: int, gone: Gone | None = None,
        lang: str | None = None,
    ) -> Texts:  # fmt: skip
        """Parse words, a few at a time, so that a long request shares the threads with others.

        The rest is left undone when `gone` says that nobody waits for it.
        """
        found: Texts = []
        asked = self.language(lang)
        with self._admitted(client):
            for part in parts(words, n):
                if found and gone and await gone():
                    raise HTTPException(499, "the client has gone")
                cost = words_cost(part, n)
                found += await self._answer(Job(client, cost, _future(), asked, None, part, n))
        return found

    def close(self) -> None:
        """Finish what has begun, and let the threads end."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    @contextmanager
    def _admitted(self, client: str) -> Iterator[None]:
        """Count a request while it waits; complain of one that would wait in vain."""
        if self.full or self.waiting[client] >= MOST_OF_ONE:
            raise come_back(503, 1, "too many requests are waiting; ask again soon")
        self.waiting[client] += 1
        try:
            yield
        finally:
            _less(self.waiting, client)

    async def _answer(self, job: Job) -> Texts:
        """Wait for a job; it is dropped if its client has gone."""
        self._queue.put(job.client, job.cost, job)
        self._start()
        try:
            return await job.answer
        finally:
            if job.answer.cancelled():
                self._queue.drop(job.client, job)

    def _start(self) -> None:
        """Give free threads what is next."""
        while len(self._calls) < self.threads and (jobs := self._next()):
            clients = {job.client for job in jobs}
            self._running.update(clients)
            task = asyncio.create_task(self._call(jobs, clients))
            self._calls[task] = monotonic()

    def _next(self) -> list[Job]:
        """Take the next job, and those after it that can share its call."""
        jobs: list[Job] = []

        def may_run(entry: Entry[Job]) -> bool:
            most = 1 if entry.job.task else self.most_running  # tasks are Python: one at a time
            return self._running[entry.client] < most

        def fits(job: Job) -> bool:
            return not jobs or (
                job.can_join(jobs[0])
                and sum(len(each.words) for each in (*jobs, job)) <= MOST_TOGETHER
                and sum(each.cost for each in (*jobs, job)) <= LONGEST_CALL
            )

        while entry := self._queue.take(may_run, fits):
            jobs.append(entry.job)
        return jobs

    async def _call(self, jobs: list[Job], clients: set[str]) -> None:
        """Run jobs in one call, and answer each."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._pool, self._work, jobs)
        except Exception as error:
            for job in jobs:
                if not job.answer.done():
                    job.answer.set_exception(error)
        else:
            for job, texts in zip(jobs, found, strict=True):
                if not job.answer.done():  # its client may have gone
                    job.answer.set_result(texts)
        finally:
            for client in clients:
                _less(self._running, client)
            del self._calls[asyncio.current_task()]  # type: ignore[arg-type]
            self._start()

    def _work(self, jobs: list[Job]) -> list[Texts]:
        """Do jobs, in a thread: a task, or words that are decoded together."""
        begun, words = thread_time(), [word for job in jobs for word in job.words]
        try:
            own = self._own(jobs[0].lang)
            if task := jobs[0].task:
                return [[encode(task(own))]]
            texts = iter(readings(own, words, jobs[0].n))
            return [[next(texts) for _ in job.words] for job in jobs]
        finally:
            self.totals.add(thread_time() - begun, len(words))

    def _own(self, lang: str) -> Analyzer:
        own: dict[str, Analyzer] = self._local.__dict__
        if lang not in own:
            own[lang] = self.analyzers[lang].copy(jobs=1)
        return own[lang]


def name_of(analyzer: Analyzer) -> str:
    """Return the name that an analyzer is asked for by: the code of its language, or its file."""
    return analyzer.name.rpartition("/")[2]


def parts(words: Sequence[str], n: int) -> Iterator[list[str]]:
    """Cut words into parts that one call may have."""
    part: list[str] = []
    cost = 0.0
    for word in words:
        each = word_cost(word, n)
        if part and (len(part) == MOST_TOGETHER or cost + each > LONGEST_CALL):
            yield part
            part, cost = [], 0.0
        part.append(word)
        cost += each
    if part:
        yield part


def readings(analyzer: Analyzer, words: Sequence[str], n: int) -> Texts:
    """Return the n best readings of words."""
    return [encode(analysis.to_dict()) for analysis in analyzer.analyse(words, n=n)]


def encode(data: Any) -> bytes:
    """Write plain data as JSON; it has been built to the schema, so it is not checked again."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _less(counts: Counter[str], name: str) -> None:
    """Count one less; who has none is forgotten."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]


def _future() -> asyncio.Future[Texts]:
    return asyncio.get_running_loop().create_future()
