"""Connections: how many there may be, and how long one may take to ask and to read."""

from __future__ import annotations

import asyncio
import resource
from collections import defaultdict
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEADERS = 10.0  # seconds until they must be complete
SLOWEST_READER = 10.0  # seconds in which a client must read at least LEAST_READ
LEAST_READ = 1 << 18  # bytes
MOST_CONNECTIONS = 4096
MOST_OF_ONE = 32  # connections of one client that are served
SEND_BUFFER = 1 << 17  # bytes that the system holds for a client: what it reads soon shows
HOLD = 1 / 64  # seconds that one more waits for each that waits: opening many must not pay
AT_ONCE = 4  # connections that are accepted before those that are open are looked at


class Connections:
    """The open connections of each client, and which of them must go.

    Who has too many must wait with one more; then the one that has idled longest is closed for it.
    Where all together have too many, it is one of the client with the most.
    """

    def __init__(self, proxy: str = "") -> None:
        self.proxy = proxy  # has the connections of many clients
        self._open: defaultdict[str, set[PatientProtocol]] = defaultdict(set)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, one: PatientProtocol) -> None:
        """Note a new connection."""
        self._open[one.host].add(one)
        self._count += 1

    def remove(self, one: PatientProtocol) -> None:
        """Forget a connection."""
        if one in self._open[one.host]:
            self._open[one.host].discard(one)
            self._count -= 1
        if not self._open[one.host]:
            del self._open[one.host]

    def too_many(self, host: str) -> int:
        """Return how many connections a client has that are not served."""
        return 0 if host == self.proxy else max(0, len(self._open[host]) - MOST_OF_ONE)

    def make_room(self, new: PatientProtocol) -> None:
        """Close one connection if there are more than there may be."""
        most = most_connections()
        if self.too_many(new.host) > most // 2:
            new.transport.abort()
        elif self._count > most:
            self.drop_one_of(max(self._open, key=lambda host: len(self._open[host])))

    def drop_one_of(self, host: str) -> None:
        """Close the connection of a client that has idled longest."""
        idle = [one for one in self._open[host] if one.is_idle]
        if idle:
            min(idle, key=lambda one: one.active).transport.abort()


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, with limits on what a client that says or reads nothing can use up."""

    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    host = ""
    active = 0.0

    def __init__(self, *args: Any, all_open: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.all_open = all_open

    # -- how many ---------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        """Make room, and expect headers."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that every byte not yet read is known of
        self.host = self.client[0] if self.client else ""
        self.active = monotonic()
        self._expect()
        self.all_open.add(self)
        self.all_open.make_room(self)
        waiting = self.all_open.too_many(self.host)
        if waiting and not transport.is_closing():
            transport.pause_reading()
            self.loop.call_later(waiting * HOLD, self._enter)

    @property
    def is_idle(self) -> bool:
        """Whether no complete request waits for an answer."""
        if self.transport.is_closing():
            return False
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _enter(self) -> None:
        """Let a connection in that has waited."""
        if self.transport.is_closing():
            return
        self.active = monotonic()
        if self.all_open.too_many(self.host):
            self.all_open.drop_one_of(self.host)
        if not self.transport.is_closing():
            self.transport.resume_reading()

    # -- how long ---------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Go on expecting headers until they are complete."""
        self.active = monotonic()
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect()
        else:
            self._relax()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._relax()
        self.all_open.remove(self)
        self.resume_writing()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(SLOWEST_HEADERS, self.transport.close)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def pause_writing(self) -> None:
        """Expect the client to read."""
        super().pause_writing()
        self._expect_reader()

    def resume_writing(self) -> None:
        """The client has read all."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _expect_reader(self, before: int | None = None) -> None:
        """Close the connection unless less is left to read each time."""
        left = self.transport.get_write_buffer_size()
        if before is not None and left > before - LEAST_READ:
            self.transport.abort()
        else:
            self._reading = self.loop.call_later(SLOWEST_READER, self._expect_reader, left)


def most_connections() -> int:
    """Return how many connections there may be: files and those being accepted need room, too."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(MOST_CONNECTIONS, files // 2))


def allow_connections() -> None:
    """Ask the system for as many open files as the connections need."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(files, 2 * MOST_CONNECTIONS)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
