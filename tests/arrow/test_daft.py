"""The expression for data frames of Daft."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import morphtree
from morphtree.arrow.columns import row
from morphtree.arrow.types import MISSING, analysis_type

daft: Any = pytest.importorskip("daft")
pa: Any = pytest.importorskip("pyarrow")


def test_a_column_of_words_becomes_one_of_analyses() -> None:
    words = ["untestably", None, "Cats", "two words", "well-known", "cats"]
    frame = daft.from_pydict({"word": words})
    frame = frame.with_column("tree", morphtree.daft.parse(frame["word"], lang="en")).collect()
    analyzer = morphtree.load()
    wanted = [{"reason": MISSING} if w is None else row(analyzer.parse(w)) for w in words]
    assert frame.to_pydict()["tree"] == pa.array(wanted, analysis_type()).to_pylist()
    assert frame.schema()["tree"].dtype == daft.DataType.from_arrow_type(analysis_type())
    fields = frame.select(frame["tree"]["tree"], frame["tree"]["category"]).to_pydict()
    assert fields["tree"][0] == "[[un [[test] able]] ly]"
    assert fields["category"][:3] == ["R", None, "N"]


def test_a_name_is_a_column_and_controls_are_those_of_load() -> None:
    frame = daft.from_pydict({"word": ["cats"]})
    told = morphtree.daft.parse("word", overrides={"cats": "[cats]"})
    found = frame.with_column("found", told).to_pydict()["found"][0]
    assert (found["tree"], found["source"]) == ("[cats]", "override")


def test_what_cannot_be_loaded_is_told_at_once() -> None:
    with pytest.raises(morphtree.MorphtreeError, match="no file or language 'xx'"):
        morphtree.daft.parse("word", lang="xx")


def test_without_daft_one_sentence_says_what_to_install() -> None:
    code = """
import sys
sys.modules["daft"] = None
import morphtree
try:
    morphtree.daft.parse("word")
except morphtree.MorphtreeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "pip install 'morphtree[scale]' to use Daft\n"
