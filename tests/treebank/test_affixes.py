"""The inventory of affixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.affixes import Affix, read_inventory


def test_a_row_may_have_two_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "affixes.tsv"
    path.write_text("un-\tprefix\n", encoding="utf-8")
    assert read_inventory(path) == (Affix("un", "PREFIX"),)
    path.write_text("un-\tinfix\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"affixes\.tsv:1: expected"):
        read_inventory(path)
