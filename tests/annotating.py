"""A running editor for tests: real sockets on loopback, a treebank of its own."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx

from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree
from morphtree.web.editor.app import make_app
from morphtree.web.editor.editor import Editor, Setup
from morphtree.web.editor.guard import TOKEN
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.shape import to_data
from tests.serving import serving

SECRET = "a-token-of-the-tests"
ESPERANTO = Path(__file__).parents[1] / "examples" / "esperanto.brackets"


def editing(path: Path, setup: Setup | None = None) -> AbstractContextManager[str]:
    """Serve the editor of a file while the block runs; give the address."""
    return serving(make_app(Editor(Journal(path), setup or Setup(who="anna")), token=SECRET))


def client(base: str, **headers: str) -> httpx.Client:
    """Return a client that knows the token."""
    return httpx.Client(base_url=base, headers={TOKEN: SECRET, **headers}, timeout=30)


def change(word: str, *trees: str, base: str = "", **fields: str) -> dict[str, Any]:
    """Describe a change as the page does."""
    data = [to_data(word, Tree.parse(tree)) for tree in trees]
    return {"word": word, "trees": data, "base": base, **fields}


def saved(opened: httpx.Client, *changes: dict[str, Any], who: str = "anna") -> Any:
    """Save, and return what is answered."""
    answer = opened.post("/edit/save", json={"changes": changes, "who": who})
    assert answer.status_code == 200, answer.text
    return answer.json()["records"]


def rows(path: Path) -> list[str]:
    """Return the lines of a file without comments; every line has its end."""
    text = path.read_text("utf-8")
    assert text.endswith("\n")
    return [line for line in text.split("\n")[:-1] if not line.startswith("#")]


def lines(path: Path) -> list[str]:
    """Return the lines of a file without comments, who and when."""
    return [line.partition("\twho=")[0] for line in rows(path)] if path.stat().st_size else []


def entry(word: str, *trees: str) -> Entry:
    """Return an entry with the readings written so."""
    return Entry(word, tuple(map(Tree.parse, trees)))
