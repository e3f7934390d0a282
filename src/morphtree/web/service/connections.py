"""Connections: how many there may be, and how long one may take to ask and to read."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEADERS = 10.0  # seconds until they must be complete
SLOWEST_READER = 10.0  # seconds in which a client must read at least LEAST_READ
LEAST_READ = 1 << 18  # bytes
MOST_CONNECTIONS = 512
MOST_OF_ONE = 32  # connections of one client
SEND_BUFFER = 1 << 17  # bytes that the system holds for a client: what it reads soon shows
BACKLOG = 128  # connections that are accepted at a time


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, with limits on what a client that says or reads nothing can use up.

    Where there are too many connections, the one that has idled longest is closed: first of this
    client, then of the client with the most. A trusted proxy has the connections of many clients.
    """

    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    host = ""
    active = 0.0

    # -- how many ---------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        """Make room, and expect headers."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that every byte not yet read is known of
        self.host = self.client[0] if self.client else ""
        self.active = monotonic()
        self._make_room()
        self._expect()

    @property
    def is_idle(self) -> bool:
        """Whether no complete request waits for an answer."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _make_room(self) -> None:
        counts = Counter(one.host for one in self._open())
        if counts[self.host] > MOST_OF_ONE and not self._is_proxy():
            self._drop_one_of(self.host)
        elif counts.total() > most_connections():
            self._drop_one_of(counts.most_common(1)[0][0])

    def _drop_one_of(self, host: str) -> None:
        mine = (one for one in self._open() if one.host == host and one.is_idle)
        min(mine, key=lambda one: one.active, default=self).transport.abort()

    def _open(self) -> list[PatientProtocol]:
        return [
            one for one in self.connections
            if isinstance(one, PatientProtocol) and not one.transport.is_closing()
        ]  # fmt: skip

    def _is_proxy(self) -> bool:
        return self.config.proxy_headers and self.host == self.config.forwarded_allow_ips

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
