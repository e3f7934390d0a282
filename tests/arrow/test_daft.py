"""The expression for data frames of Daft."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.analyzer import Analyzer
from morphtree.arrow.columns import ColumnWriter, row
from morphtree.arrow.types import MISSING, analysis_type
from morphtree.errors import NotAWordError, OptionError

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


def test_the_same_bits_as_segment(tmp_path: Path) -> None:
    parts = ("", "un", "re"), ("lock", "read", "gove", "Quick"), ("", "able", "ize", "er", "ness")
    words = ["".join(letters) for letters in product(*parts, ("", "s", "ly", "ing"))]
    words += ["two words", "42", "well-known", "naïve", "U.S."]
    random.Random(1).shuffle(words)
    (tmp_path / "words").write_text("\n".join(words), encoding="utf-8")
    given = [sys.executable, "-m", "morphtree", "segment", "words", "-o", "out.jsonl"]
    assert subprocess.run([*given, "--jobs", "2"], cwd=tmp_path).returncode == 3  # some are refused
    frame = daft.from_pydict({"word": words}).with_column("tree", morphtree.daft.parse("word"))
    found = frame.to_pydict()["tree"]
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    for line, cell in zip(map(json.loads, lines), found, strict=True):
        if not line["readings"]:
            assert cell == {**dict.fromkeys(cell), "reason": line["reason"]}
            continue
        best = line["readings"][0]
        names = "tree", "prob", "source", "morphemes"
        assert {name: cell[name] for name in names} == {name: best[name] for name in names}
        assert cell["category"] == ((best["categories"] or [""])[0] or None)
        assert cell["reason"] == line.get("reason")


def test_a_process_has_one_analyzer(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many threads, batches and queries there are; other answers are another one's."""
    made = []

    def make(analyzer: Analyzer) -> ColumnWriter:
        made.append(analyzer)
        return ColumnWriter(analyzer)

    monkeypatch.setattr(morphtree.daft, "ColumnWriter", make)
    morphtree.daft._writer.cache_clear()
    frame = daft.from_pydict({"word": ["cats", "readers", None] * 20_000})
    for _ in range(3):
        frame.with_column("tree", morphtree.daft.parse("word")).collect()
    assert len(made) == 1
    told = morphtree.daft.parse("word", overrides={"cats": "[cats]"})
    assert frame.limit(1).with_column("tree", told).to_pydict()["tree"][0]["tree"] == "[cats]"
    assert len(made) == 2
    morphtree.daft._writer.cache_clear()


def test_a_name_is_a_column_and_controls_are_those_of_load() -> None:
    frame = daft.from_pydict({"word": ["cats"]})
    told = morphtree.daft.parse("word", overrides={"cats": "[cats]"})
    found = frame.with_column("found", told).to_pydict()["found"][0]
    assert (found["tree"], found["source"]) == ("[cats]", "override")


def test_what_cannot_be_loaded_is_told_at_once() -> None:
    with pytest.raises(morphtree.MorphtreeError, match="no file or language 'xx'"):
        morphtree.daft.parse("word", lang="xx")


def test_what_has_no_words_is_told_in_one_sentence() -> None:
    told = morphtree.daft.parse("word")
    nulls = daft.from_pydict({"word": [None]}).with_column("found", told)
    assert nulls.to_pydict()["found"][0]["reason"] == MISSING
    with pytest.raises(NotAWordError, match="a column of the type int64 has no words"):
        daft.from_pydict({"word": [1]}).with_column("found", told).collect()
    with pytest.raises(OptionError, match="leave out jobs"):
        morphtree.daft.parse("word", jobs=2)


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
