"""Running the service: a socket, uvicorn, and a stop that lets answers finish."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from morphtree.errors import DataError

GRACE = 5  # seconds that answers have to finish after a signal to stop
IDLE = 15  # seconds that an idle connection stays open
SWITCH = 0.001  # seconds until a thread must let the event loop go on
SLOWEST_HEADERS = 10.0  # seconds until they must be complete
BACKLOG = 2048


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


def listen(host: str, port: int) -> socket.socket:
    """Open the socket; a clear error if that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(
            f"cannot listen on {host} port {port} ({reason}); choose another --host or --port"
        ) from None
    # asyncio does not do this for the sockets of ours; without it answers wait 40 ms
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def make_server(app: FastAPI, proxy: str = "") -> uvicorn.Server:
    """Return the server of an application; ``proxy`` is trusted to name the real client."""
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_level="warning",
        access_log=False,  # what people look up is nobody's business
        server_header=False,
        ws="none",
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
    )
    return uvicorn.Server(config)


def serve(
    app: FastAPI, host: str, port: int, ready: Callable[[str], None], proxy: str = ""
) -> None:
    """Serve until SIGINT or SIGTERM, then let what has begun finish; `ready` gets the address."""
    listening = listen(host, port)
    sys.setswitchinterval(SWITCH)
    signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn hands it back when it has stopped
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{listening.getsockname()[1]}/")
    with suppress(KeyboardInterrupt), listening:
        make_server(app, proxy).run(sockets=[listening])
