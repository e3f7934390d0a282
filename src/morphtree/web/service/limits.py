"""Limits of the service: how large and slow a body may be, how much one client may ask for."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from morphtree.web.service.costs import request_cost

LARGEST_BODY = 1 << 20  # bytes
SLOWEST_BODY = 10.0  # seconds until it must be complete
MOST_CLIENTS = 10_000  # whose rates are remembered; the longest silent is forgotten first
PAUSE = 0.5  # seconds until a client that asks too much is told so: refusing it costs time, too
BURST = 5  # seconds' worth of words that a client may ask for at once


class TooLargeError(Exception):
    """A body has more bytes than are allowed."""


class BodyLimit:
    """Read each body, counting while it streams, before the application sees the request."""

    def __init__(self, app: ASGIApp, largest: int, seconds: float) -> None:
        self.app = app
        self.largest = largest
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 or 408, or hand the request on with its body complete."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self.seconds):
                body = await self._read(scope, receive)
        except TooLargeError:
            await problem(413, f"send at most {self.largest} bytes")(scope, receive, send)
        except TimeoutError:
            await problem(408, f"send the body within {self.seconds:g} s")(scope, receive, send)
        else:
            if body is not None:
                await self.app(scope, _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the body; None if the client has gone."""
        if announced(scope) > self.largest:
            raise TooLargeError
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self.largest:
                raise TooLargeError
            if not message.get("more_body", False):
                return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body once, then whatever the client does next."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def problem(status: int, detail: str) -> JSONResponse:
    """Say in one sentence what is wrong; the connection is not used again."""
    return JSONResponse({"detail": detail}, status, {"connection": "close"})


def come_back(status: int, seconds: int, detail: str) -> HTTPException:
    """Return the error that tells a client to ask again later."""
    return HTTPException(status, detail, {"connection": "close", "retry-after": str(seconds)})


class Rates:
    """A token bucket for each client, filled with so many words a second; 0 is no limit."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # words, when

    def wait(self, client: str, words: float, now: float | None = None) -> int:
        """Take words from a client's bucket; if there are too few, return the seconds to wait.

        What costs more than half of a bucket needs half of one; the client then owes the rest.
        """
        if not self.rate:
            return 0
        now = monotonic() if now is None else now
        left, then = self._buckets.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        needed = min(words, self.burst / 2)
        self._buckets[client] = (left - words if left >= needed else left, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0 if left >= needed else max(1, math.ceil((needed - left) / self.rate))

    async def spend(self, client: str, words: float) -> None:
        """Take words from a client's bucket, or tell it to come back."""
        if seconds := self.wait(client, words):
            await asyncio.sleep(PAUSE)
            detail = f"too many words, or too long ones; ask again in {seconds} s"
            raise come_back(429, seconds, detail)


class Billing:
    """Charge each request for being read, before its body is; pages by an account of their own."""

    def __init__(self, app: ASGIApp, rates: Rates, pages: Rates, path: str) -> None:
        self.app = app
        self.rates = rates
        self.pages = pages
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 429, or hand the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        rates = self.rates if scope["path"].startswith(self.path) else self.pages
        try:
            await rates.spend(client_of(scope), request_cost(announced(scope)))
        except HTTPException as error:
            refusal = JSONResponse({"detail": error.detail}, error.status_code, error.headers)
            await refusal(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def announced(scope: Scope) -> int:
    """Return how many bytes a body is to have; one that does not say may be the largest."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    if b"transfer-encoding" in headers or not length.isdigit():
        return LARGEST_BODY
    return int(length)


def client_of(scope: Scope) -> str:
    """Return who asks."""
    return network(scope["client"][0]) if scope.get("client") else ""


@lru_cache(MOST_CLIENTS)
def network(client: str) -> str:
    """Return what counts as one client: an address, or the /64 network of an IPv6 address."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address):
        return address.exploded[:19]
    return client
