"""A running service for tests: real sockets on loopback, one model for all."""

from __future__ import annotations

import http.client
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from importlib import import_module
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI

import morphtree
from morphtree.web.service.app import Settings, make_app
from morphtree.web.service.server import listen, make_server

NEEDED = "MORPHTREE_NEED_BROWSER"


def running(
    settings: Settings | None = None, languages: Sequence[str] = ("en",)
) -> AbstractContextManager[str]:
    """Serve the page and the service while the block runs; give the address."""
    analyzers = map(morphtree.load, languages)
    return serving(make_app(*analyzers, settings=settings or Settings(rate=0)))


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """Serve an application while the block runs; give the address."""
    listening = listen("127.0.0.1", 0)
    server = make_server(app)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        listening.close()
    assert not thread.is_alive()


def connection(base: str) -> closing[http.client.HTTPConnection]:
    """Open a connection that the block closes."""
    return closing(http.client.HTTPConnection(urlsplit(base).netloc, timeout=30))


def needed(module: str) -> Any:
    """Import what drives a browser, or skip the tests that need it."""
    if os.environ.get(NEEDED):
        return import_module(module)
    return pytest.importorskip(module, reason="pip install 'morphtree[browser]'")


def is_error(said: Any) -> bool:
    """Whether a page complains."""
    return bool(said.type == "error")


def watch(page: Any, *ours: str, is_bad: Callable[[Any], bool] = is_error) -> list[str]:
    """Note from now on if a page asks elsewhere, complains, throws or opens a dialog."""
    faults: list[str] = []

    def note(fault: str, *, bad: bool = True) -> None:
        if bad:
            faults.append(fault)

    page.on("pageerror", lambda error: note(str(error)))
    page.on("console", lambda said: note(said.text, bad=is_bad(said)))
    page.on("dialog", lambda dialog: note(dialog.message))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("request", lambda asked: note(asked.url, bad=not asked.url.startswith(ours)))
    return faults


def find_browser() -> str:
    """Return a chromium, or skip; where one is needed, its absence is a failure."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    message = "there is no chromium; on Debian, apt-get install chromium"
    if os.environ.get(NEEDED):
        pytest.fail(message)
    pytest.skip(message)
