"""An end to waiting: connections that do not finish their headers are closed."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEADERS = 10.0  # seconds


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, with a limit on how long the headers of a request may take.

    Without it a client that opens connections and says nothing could use up all of them.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Expect headers."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Go on expecting headers until they are complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect()
        else:
            self._relax()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._relax()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(SLOWEST_HEADERS, self.transport.close)

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
