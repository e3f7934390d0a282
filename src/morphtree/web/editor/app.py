"""The application of the editor: its page, and what the page asks for."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field, StringConstraints

from morphtree._util.text import normalise
from morphtree.web.editor.editor import Editor
from morphtree.web.editor.guard import need_token
from morphtree.web.editor.journal import Change, ConflictError
from morphtree.web.editor.shape import from_data
from morphtree.web.service.app import add_pages, answer
from morphtree.web.service.hosts import KnownHosts
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


class TreesRequest(WordRequest):
    """A word and the readings that it is to have."""

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


def make_app(editor: Editor, host: str = "127.0.0.1", token: str = "") -> FastAPI:
    """Return the application that answers for this editor."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        editor.close()

    app = FastAPI(title="morphtree annotate", lifespan=lifespan, docs_url=None, redoc_url=None,
                  openapi_url=None)  # fmt: skip
    app.state.editor = editor
    app.state.token = token or secrets.token_urlsafe(24)
    app.include_router(edit)
    add_pages(app, {"/": "annotate.html"})
    app.add_middleware(KnownHosts, hosts=[host])
    app.add_exception_handler(ConflictError, _conflict)
    return app


async def _editor(request: Request) -> Editor:
    editor: Editor = request.app.state.editor
    return editor


CurrentEditor = Annotated[Editor, Depends(_editor)]
edit = APIRouter(prefix="/edit", dependencies=[Depends(need_token)])

# The routes below are plain functions, so that each runs in a thread: they read files and parse.


@edit.get("/state")
def state(editor: CurrentEditor) -> Response:
    """Describe the file, the model and the queue."""
    return answer(editor.state())


@edit.get("/queue")
def queue(
    editor: CurrentEditor,
    order: Annotated[str, Query(max_length=20)] = "",
    count: Annotated[int, Query(ge=1, le=MOST_AHEAD)] = 4,
) -> Response:
    """Return the next words."""
    orders = editor.orders()
    chosen = order if order in orders else orders[0]
    return answer({"order": chosen, "words": editor.ahead(chosen, count)})


@edit.post("/word")
def word(editor: CurrentEditor, asked: WordRequest) -> Response:
    """Return all that the editor needs for a word."""
    return answer(editor.word(asked.word))


@edit.post("/check")
def check(editor: CurrentEditor, asked: TreesRequest) -> Response:
    """Return what is to be said of readings."""
    trees = [*map(from_data, asked.trees)]
    return answer({"findings": editor.check(normalise(asked.word), trees)})


@edit.post("/family")
def family(editor: CurrentEditor, asked: TreesRequest) -> Response:
    """Return what a correction would change in the rest of the family."""
    trees = [*map(from_data, asked.trees[:1])]
    found = editor.family(normalise(asked.word), trees[0]) if trees else []
    return answer({"corrections": found})


@edit.post("/save")
def save(editor: CurrentEditor, asked: SaveRequest) -> Response:
    """Save changes; when this answers, they are on the disk."""
    changes = [change.change() for change in asked.changes]
    return answer({"records": editor.save(changes, asked.who)})


@edit.post("/pass")
def visit(editor: CurrentEditor, asked: WordRequest) -> Response:
    """Leave a word as it is, and go on."""
    editor.visited.add(normalise(asked.word))
    return answer({})


@edit.get("/compare")
def comparison(editor: CurrentEditor) -> Response:
    """Compare the two annotators."""
    return answer(editor.comparison())


@edit.get("/train")
def training(editor: CurrentEditor) -> Response:
    """Say how far the training is."""
    return answer(editor.training.state)


@edit.post("/train")
def train(editor: CurrentEditor) -> Response:
    """Start to train on what there is."""
    editor.training.start(editor.journal.entries())
    return answer(editor.training.state)


def _conflict(request: Request, error: Exception) -> JSONResponse:
    """Send the newest entry along, to choose between the two."""
    record = error.record if isinstance(error, ConflictError) else None
    shown = record and request.app.state.editor.record(record)
    return JSONResponse({"detail": str(error), "record": shown}, 409)
