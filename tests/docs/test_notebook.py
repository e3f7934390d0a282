"""The notebook: it runs from top to bottom, and shows what it shows in the repository."""

from __future__ import annotations

from typing import Any

import pytest

from tests.notebooks import NOTEBOOK, ROOT, executed, written

nbformat = pytest.importorskip("nbformat", reason="pip install 'morphtree[notebook]'")
for package in ("nbclient", "ipykernel", "pandas"):
    pytest.importorskip(package, reason="pip install 'morphtree[notebook]'")

PATH = ROOT / NOTEBOOK
LARGEST = 150_000  # bytes: a notebook is read in a browser


def outputs(notebook: Any) -> list[tuple[str, Any]]:
    """Return the code and what it shows."""
    return [(cell.source, cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.filterwarnings("default")  # those of the packages that run it
def test_the_notebook_shows_what_it_shows_here() -> None:
    found = executed(PATH)
    for (source, shown), (_, kept) in zip(
        outputs(found), outputs(nbformat.read(PATH, as_version=4)), strict=True
    ):
        assert shown == kept, source


def test_the_notebook_shows_trees_tables_and_no_error() -> None:
    notebook = nbformat.read(PATH, as_version=4)
    nbformat.validate(notebook)
    assert PATH.stat().st_size < LARGEST
    assert PATH.read_text(encoding="utf-8") == written(notebook)
    shown = [output for _, kept in outputs(notebook) for output in kept]
    assert {output.output_type for output in shown} == {"execute_result", "stream"}
    assert {output.name for output in shown if output.output_type == "stream"} == {"stdout"}
    kinds = [kind for output in shown for kind in output.get("data", ())]
    assert kinds.count("image/svg+xml") >= 5
    assert kinds.count("text/html") >= 5
