"""The pages: files read once into memory, and headers that let nothing foreign in."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class File(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str
    tag: str


def _read() -> dict[str, File]:
    found = {}
    drawn = files("morphtree.trees") / "tree.css"  # also inside every SVG file
    for path in (drawn, *(files("morphtree.web") / "static").iterdir()):
        ending = path.name.rpartition(".")[2]
        if ending in TYPES:
            content = path.read_bytes()
            tag = f'"{sha256(content).hexdigest()[:20]}"'
            found[path.name] = File(content, TYPES[ending], tag)
    return found


FILES = _read()  # a request chooses among these by name; it never reaches the disk


class SafeHeaders:
    """Add the headers that keep a page to itself to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with more headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class HeadAsGet:
    """Answer HEAD as GET; uvicorn sends no body then."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


async def send_file(request: Request, name: str) -> Response:
    """Send a file, unless the browser has it."""
    if name not in FILES:
        raise HTTPException(404, "there is no such page")
    file = FILES[name]
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)


def page_routes(pages: Mapping[str, str]) -> APIRouter:
    """Return the routes to pages (path and file), to the icon and to what the pages load."""
    files = {**pages, "/favicon.ico": "icon.svg"}

    async def page(request: Request) -> Response:
        return await send_file(request, files[request.url.path])

    router = APIRouter(include_in_schema=False)
    for path in files:
        router.add_api_route(path, page, methods=["GET", "HEAD"])
    router.add_api_route("/static/{name}", send_file, methods=["GET", "HEAD"])
    return router
