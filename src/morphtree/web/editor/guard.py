"""Keeping others out: only pages of this start, only under names of this machine."""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import HTTPException, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from morphtree.web.service.limits import problem

TOKEN = "x-morphtree-token"  # a header of our own: other sites' pages cannot send it unasked


class KnownHosts:
    """Refuse requests to names that are not ours: a foreign name may have been pointed at us."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.names = {"localhost", host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 to a foreign name."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == b"host"]
            if len(named) != 1 or not self._is_ours(named[0].decode("latin-1")):
                await problem(421, "this is not a name of the editor")(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _is_ours(self, netloc: str) -> bool:
        try:
            name = urlsplit(f"//{netloc}").hostname or ""
            if name.lower() in self.names:
                return True
            ip_address(name)
        except ValueError:
            return False
        return True  # an address cannot be pointed elsewhere


def need_token(request: Request) -> None:
    """Let only those in who know the token of this start."""
    given = request.headers.get(TOKEN, "")
    if not secrets.compare_digest(given.encode(), request.app.state.token.encode()):
        raise HTTPException(403, "open the address that 'morphtree annotate' has printed")
