"""A treebank of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.treebank import Treebank
from tests.treebanks import run


def test_a_folder_is_read_as_one_treebank(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "a.derivation").write_text("cats = cat + -s", encoding="utf-8")
    (folder / "b.derivation").write_text("cat\nbad = = x\ndogs = dog + -s\n", encoding="utf-8")
    result = run("check", folder)
    code, out = result.exit_code, result.output
    assert code == 1
    assert f"{folder / 'b.derivation'}:2: malformed" in out
    assert f"{folder / 'b.derivation'}:3: " in out
    assert "cats" not in out
    with pytest.raises(TreebankError, match=r"b\.derivation:2: malformed"):
        Treebank.read(folder)
