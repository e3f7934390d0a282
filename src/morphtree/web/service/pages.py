"""The pages: files read once into memory, and headers that let nothing foreign in."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from morphtree.web.service.schema import Health

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
    for path in (files("morphtree.web") / "static").iterdir():
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


pages = APIRouter()


@pages.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
async def index(request: Request) -> Response:
    """Show the page to look at words."""
    return send_file(request, "index.html")


@pages.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
async def docs(request: Request) -> Response:
    """Show what the service answers."""
    return send_file(request, "docs.html")


@pages.api_route("/favicon.ico", methods=["GET", "HEAD"], include_in_schema=False)
async def icon(request: Request) -> Response:
    """Send the icon to browsers that ask for it unasked."""
    return send_file(request, "icon.svg")


@pages.api_route("/static/{name}", methods=["GET", "HEAD"], include_in_schema=False)
async def static(request: Request, name: str) -> Response:
    """Send a file of the pages."""
    return send_file(request, name)


@pages.get("/healthz", response_model=Health)
async def health() -> dict[str, str]:
    """Say that the service is there."""
    return {"status": "ok"}


def send_file(request: Request, name: str) -> Response:
    """Send a file, unless the browser has it."""
    if name not in FILES:
        raise HTTPException(404, "there is no such page")
    file = FILES[name]
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)
