"""The application of the editor: its page, and what the page asks for."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field, StringConstraints

from morphtree._util.text import normalise
from morphtree.errors import MorphtreeError
from morphtree.web.editor.desk import Desk
from morphtree.web.editor.guard import KnownHosts, need_token
from morphtree.web.editor.journal import Change, ConflictError
from morphtree.web.editor.shape import from_data
from morphtree.web.service.app import answer, impossible, invalid
from morphtree.web.service.limits import LARGEST_BODY, SLOWEST_BODY, BodyLimit
from morphtree.web.service.pages import SafeHeaders, send_file
from morphtree.web.service.schema import LONGEST_INPUT

MOST_AHEAD = 20
MOST_CHANGES = 1000
MOST_READINGS = 9
Word = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_INPUT)]
Short = Annotated[str, StringConstraints(max_length=2000)]
Trees = Annotated[list[dict[str, Any]], Field(max_length=MOST_READINGS)]


class WordRequest(BaseModel):
    """A word."""

    word: Word


class TreesRequest(BaseModel):
    """A word and the readings that it is to have."""

    word: Word
    trees: Trees


class ChangeRequest(TreesRequest):
    """A change, with the version of the entry that it is based on; empty if there was none."""

    base: Short = ""
    note: Short = ""
    prov: Short = ""

    def change(self) -> Change:
        """Return the change; an error if a tree is malformed."""
        trees = tuple(map(from_data, self.trees))
        return Change(self.word, trees, self.base, self.note, self.prov)


class SaveRequest(BaseModel):
    """Changes that are saved together, and by whom."""

    changes: Annotated[list[ChangeRequest], Field(min_length=1, max_length=MOST_CHANGES)]
    who: Short = ""


def make_app(desk: Desk, host: str = "127.0.0.1", token: str = "") -> FastAPI:
    """Return the application that works at this desk."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(title="morphtree annotate", lifespan=lifespan, docs_url=None, redoc_url=None,
                  openapi_url=None)  # fmt: skip
    app.state.desk = desk
    app.state.token = token or secrets.token_urlsafe(24)
    app.include_router(edit)
    app.include_router(pages)
    app.add_middleware(BodyLimit, largest=LARGEST_BODY, seconds=SLOWEST_BODY)
    app.add_middleware(SafeHeaders)
    app.add_middleware(KnownHosts, host=host)
    app.add_exception_handler(ConflictError, _conflict)
    app.add_exception_handler(MorphtreeError, impossible)
    app.add_exception_handler(RequestValidationError, invalid)
    return app


pages = APIRouter()
edit = APIRouter(prefix="/edit", dependencies=[Depends(need_token)])


@pages.get("/")
async def index(request: Request) -> Response:
    """Show the editor."""
    return send_file(request, "annotate.html")


@pages.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Send the icon to browsers that ask for it unasked."""
    return send_file(request, "icon.svg")


@pages.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """Send a file of the page."""
    return send_file(request, name)


# The routes below are plain functions, so that each runs in a thread: they read files and parse.


@edit.get("/state")
def state(request: Request) -> Response:
    """Describe the file, the model and the queue."""
    return answer(_desk(request).state())


@edit.get("/queue")
def queue(
    request: Request,
    order: Annotated[str, Query(max_length=20)] = "",
    count: Annotated[int, Query(ge=1, le=MOST_AHEAD)] = 4,
) -> Response:
    """Return the next words."""
    desk = _desk(request)
    orders = desk.orders()
    chosen = order if order in orders else orders[0]
    return answer({"order": chosen, "words": desk.ahead(chosen, count)})


@edit.post("/word")
def word(request: Request, asked: WordRequest) -> Response:
    """Return all that the editor needs for a word."""
    return answer(_desk(request).word(asked.word))


@edit.post("/check")
def check(request: Request, asked: TreesRequest) -> Response:
    """Return what is to be said of readings."""
    trees = [*map(from_data, asked.trees)]
    return answer({"findings": _desk(request).check(normalise(asked.word), trees)})


@edit.post("/family")
def family(request: Request, asked: TreesRequest) -> Response:
    """Return what a correction would change in the rest of the family."""
    trees = [*map(from_data, asked.trees[:1])]
    found = _desk(request).family(normalise(asked.word), trees[0]) if trees else []
    return answer({"corrections": found})


@edit.post("/save")
def save(request: Request, asked: SaveRequest) -> Response:
    """Save changes; when this answers, they are on the disk."""
    changes = [change.change() for change in asked.changes]
    return answer({"records": _desk(request).save(changes, asked.who)})


@edit.post("/pass")
def visit(request: Request, asked: WordRequest) -> Response:
    """Leave a word as it is, and go on."""
    _desk(request).visited.add(normalise(asked.word))
    return answer({})


@edit.get("/compare")
def comparison(request: Request) -> Response:
    """Compare the two annotators."""
    return answer(_desk(request).comparison())


@edit.get("/train")
def training(request: Request) -> Response:
    """Say how far the training is."""
    return answer(_desk(request).training.state)


@edit.post("/train")
def train(request: Request) -> Response:
    """Start to train on what there is."""
    desk = _desk(request)
    desk.training.start(desk.journal.entries())
    return answer(desk.training.state)


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def _conflict(request: Request, error: Exception) -> JSONResponse:
    """Send the newest entry along, to choose between the two."""
    record = error.record if isinstance(error, ConflictError) else None
    shown = record and _desk(request).record(record)
    return JSONResponse({"detail": str(error), "record": shown}, 409)
