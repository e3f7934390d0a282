"""The names of this machine: a request to any other name has been led here by a foreign site."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from morphtree.web.service.limits import problem


class KnownHosts:
    """Refuse requests to names that are not ours: a foreign name may have been pointed at us."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.names = {name.lower() for name in ("localhost", socket.gethostname(), *hosts)}
        self.is_ours = lru_cache(100)(self._is_ours)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 to a foreign name."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == b"host"]
            if len(named) != 1 or not self.is_ours(named[0].decode("latin-1")):
                await problem(421, "the host of this address is not known here")(
                    scope, receive, send
                )
                return
        await self.app(scope, receive, send)

    def _is_ours(self, netloc: str) -> bool:
        """Whether a name, perhaps with a port, is one of ours or an address."""
        try:
            name = urlsplit(f"//{netloc}").hostname or ""
            if name.lower() in self.names:
                return True
            ip_address(name)
        except ValueError:
            return False
        return True  # an address cannot be pointed elsewhere
