"""Fixtures for tests of treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.treebanks import INVENTORY


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    path = tmp_path / "affixes.tsv"
    path.write_text(INVENTORY, encoding="utf-8")
    return path
