"""Language packages of the repository, as if pip had installed them."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from morphtree.model import packages

LANGUAGES = Path(__file__).parents[1] / "languages"


def install(monkeypatch: pytest.MonkeyPatch, *codes: str, folder: Path | None = None) -> None:
    """Install just these languages: those of the repository, or modules of a folder."""
    for code in codes:
        monkeypatch.syspath_prepend(folder or LANGUAGES / code / "src")
    found = (EntryPoint(code, f"morphtree_{code}", packages.GROUP) for code in codes)
    points = EntryPoints(found)
    monkeypatch.setattr(packages, "entry_points", lambda **what: points.select(**what))
