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
from morphtree.errors import TreeError
from morphtree.trees.nodes import Node
from morphtree.trees.picture import picture
from morphtree.trees.tree import MAX_DEPTH
from morphtree.web.editor.editor import Editor
from morphtree.web.editor.guard import need_token
from morphtree.web.editor.journal import Change, ConflictError
from morphtree.web.editor.shape import from_data
from morphtree.web.service.app import add_pages, answer
from morphtree.web.service.hosts import KnownHosts
from morphtree.web.service.schema import LONGEST_INPUT, NodeModel

MOST_AHEAD = 20
MOST_CHANGES = 1000
MOST_WORDS = 10_000  # that are pasted at once; more are a file
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


class WordsRequest(BaseModel):
    """Words to annotate."""

    words: Annotated[list[Word], Field(min_length=1, max_length=MOST_WORDS)]


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


Who = Annotated[str, Query(max_length=2000)]
CurrentEditor = Annotated[Editor, Depends(_editor)]
edit = APIRouter(prefix="/edit", dependencies=[Depends(need_token)])

# The routes below are plain functions, so that each runs in a thread: they read files and parse.


@edit.get("/state")
def state(editor: CurrentEditor, who: Who = "") -> Response:
    """Describe the file, the model and the queue."""
    return answer(editor.state(who))


@edit.get("/choices")
def choices(editor: CurrentEditor) -> Response:
    """Say what there is to annotate."""
    return answer(editor.choices())


@edit.post("/words")
def words(editor: CurrentEditor, asked: WordsRequest) -> Response:
    """Queue words that somebody has typed."""
    return answer(editor.add(asked.words))


@edit.post("/frequent")
def frequent(
    editor: CurrentEditor, letters: Annotated[int, Query(ge=1, le=LONGEST_INPUT)] = 1
) -> Response:
    """Queue the next words of the frequency list."""
    return answer(editor.add_frequent(letters))


@edit.get("/queue")
def queue(
    editor: CurrentEditor,
    order: Annotated[str, Query(max_length=20)] = "",
    count: Annotated[int, Query(ge=1, le=MOST_AHEAD)] = 4,
    anew: bool = False,
) -> Response:
    """Return the next words; anew, also those that were visited before."""
    if anew:
        editor.visited.clear()
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


@edit.post("/draw")
def draw(asked: NodeModel) -> Response:
    """Return the picture of a tree that is being edited."""
    return answer({"picture": picture(as_node(asked)).data()})


def as_node(asked: NodeModel, depth: int = 0) -> Node:
    """Return the node that a page describes."""
    if depth > MAX_DEPTH:
        raise TreeError(f"a tree is at most {MAX_DEPTH} nodes deep")
    below = tuple(as_node(child, depth + 1) for child in asked.children)
    return Node(asked.text, asked.role, asked.known, asked.category, below)


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


@edit.get("/last")
def last(editor: CurrentEditor, who: Who = "") -> Response:
    """Return the last save that can be taken back."""
    return answer({"save": editor.last_save(who)})


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
    """Say how far the training is, or why none can be started."""
    return answer(editor.training_state())


@edit.post("/train")
def train(editor: CurrentEditor) -> Response:
    """Start to train on what there is."""
    editor.training.start(editor.journal.entries())
    return answer(editor.training_state())


def _conflict(request: Request, error: Exception) -> JSONResponse:
    """Send the newest entry along, to choose between the two."""
    record = error.record if isinstance(error, ConflictError) else None
    shown = record and request.app.state.editor.record(record)
    return JSONResponse({"detail": str(error), "record": shown}, 409)
