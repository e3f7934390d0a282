"""Running the service: a socket, uvicorn, and a stop that lets answers finish."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from morphtree.errors import DataError
from morphtree.web.service.connections import (
    AT_ONCE,
    SEND_BUFFER,
    Connections,
    PatientProtocol,
    allow_connections,
)

GRACE = 5  # seconds that answers have to finish after a signal to stop
IDLE = 15  # seconds that an idle connection stays open
SWITCH = 0.001  # seconds until a thread must let the event loop go on
BACKLOG = 1024  # connections that wait to be accepted
MOST_LINES = 20  # of the log a minute


class Server(uvicorn.Server):
    """uvicorn's server, which says when it is ready: from then on it honours signals."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)  # uvicorn's setting is also how many it accepts at once
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at a second signal at once, and what that cuts off is no news."""
        if self.should_exit:
            logging.getLogger("uvicorn.error").disabled = True
        super().handle_exit(sig, frame)


class Sparingly(logging.Filter):
    """Let so many lines a minute into the log: whoever provokes them must not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._times: deque[float] = deque(maxlen=MOST_LINES)

    def filter(self, _: logging.LogRecord) -> bool:
        """Whether to write a line."""
        now = monotonic()
        if len(self._times) == MOST_LINES and now - self._times[0] < 60:
            return False
        self._times.append(now)
        return True


def listen(host: str, port: int) -> socket.socket:
    """Open the socket; a clear error if that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        reason = reason.partition(" (")[0]  # Python adds the address in brackets
        raise DataError(
            f"cannot listen on {host} port {port} ({reason}); choose another --host or --port"
        ) from None
    # asyncio does not do this for the sockets of ours; without it answers wait 40 ms
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    return listening


def make_server(app: FastAPI, proxy: str = "", ready: Callable[[], None] = lambda: None) -> Server:
    """Return the server of an application; ``proxy`` is trusted to name the real client."""
    all_open = Connections(proxy)
    protocol: Any = partial(PatientProtocol, all_open=all_open)
    config = uvicorn.Config(
        app,
        http=protocol,
        log_level="error",  # what is wrong with a request is said to who sent it
        access_log=False,  # what people look up is nobody's business
        server_header=False,
        ws="none",
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        backlog=AT_ONCE,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
    )
    server = Server(config, ready)
    app.state.is_stopping = lambda: server.should_exit
    app.state.connections = all_open
    return server


def serve(
    app: FastAPI, host: str, port: int, ready: Callable[[str], None], proxy: str = ""
) -> None:
    """Serve until SIGINT or SIGTERM, then let what has begun finish; `ready` gets the address."""
    listening = listen(host, port)
    sys.setswitchinterval(SWITCH)
    allow_connections()
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(Sparingly())
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    with suppress(KeyboardInterrupt), listening:
        for number in (signal.SIGINT, signal.SIGTERM):
            # uvicorn hands the signal back when it has stopped
            signal.signal(number, signal.default_int_handler)
        make_server(app, proxy, lambda: ready(address)).run(sockets=[listening])
