"""A queue that gives every client its share: who has asked for little is served first."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Job = TypeVar("Job")
MOST_REMEMBERED = 10_000  # clients whose last share is known


class Entry(NamedTuple, Generic[Job]):
    """A job, by whom, and when its share of the work begins."""

    start: float
    client: str
    job: Job


class FairQueue(Generic[Job]):
    """Start-time fair queueing (Goyal, Vin & Cheng 1996).

    Each client has a line of its own. A job begins, in virtual time, when the client's job before
    it ends, as if all clients were served side by side; the job that begins first is taken. So the
    work that one client has waiting never delays another.
    """

    def __init__(self) -> None:
        self._lines: defaultdict[str, deque[Entry[Job]]] = defaultdict(deque)
        self._ends: dict[str, float] = {}
        self._now = 0.0

    def put(self, client: str, cost: float, job: Job) -> None:
        """Add a job to the line of a client."""
        start = max(self._now, self._ends.get(client, 0.0))
        self._ends[client] = start + cost
        self._lines[client].append(Entry(start, client, job))
        if len(self._ends) > MOST_REMEMBERED:
            self._ends = {name: end for name, end in self._ends.items() if end > self._now}

    def take(
        self, may_run: Callable[[Entry[Job]], bool], fits: Callable[[Job], bool]
    ) -> Entry[Job] | None:
        """Take the next job of those that may run, if it fits."""
        heads = (line[0] for line in self._lines.values() if may_run(line[0]))
        head = min(heads, key=lambda entry: entry.start, default=None)
        if head is None or not fits(head.job):
            return None
        self._now = max(self._now, head.start)
        self.drop(head.client, head.job)
        return head

    def drop(self, client: str, job: Job) -> None:
        """Forget a job, if it still waits."""
        line = deque(entry for entry in self._lines.pop(client, ()) if entry.job is not job)
        if line:
            self._lines[client] = line
