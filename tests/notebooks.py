"""Runs a notebook from top to bottom, as a reader would; an error in a cell is an error here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTEBOOK = "docs/notebook.ipynb"
TIMEOUT = 600  # seconds for a cell: the machine may be busy
KEPT = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def executed(path: Path) -> Any:
    """Return a notebook with the outputs of today, and nothing of the machine that ran it."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=TIMEOUT, resources=where, record_timing=False).execute()
    notebook.metadata = KEPT
    return notebook


def written(notebook: Any) -> str:
    """Return a notebook as the text of its file."""
    import nbformat

    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return f"{text}\n"
