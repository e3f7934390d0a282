"""Whatever is given, the answer is an analysis or a refusal."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.cli.main import main
from morphtree.trees.tree import Tree
from tests import fuzz

LIMIT = 0.25  # seconds of processor time that a word may take
FEW = 300
MANY = [
    pytest.param(FEW, id="few"),
    pytest.param(50_000, marks=pytest.mark.campaign, id="many"),
]


@pytest.mark.parametrize("count", MANY)
def test_any_text_is_answered_or_refused(count: int) -> None:
    analyzer = morphtree.load()
    kinds = set()
    for text in fuzz.texts(count):
        analysis = analyzer.parse(text, 2)
        data = analysis.to_dict()
        kinds.add(analysis.status)
        assert data["word"] == text
        assert bool(analysis.readings) == (analysis.status != "refused")
        for reading in data["readings"]:
            assert 0 <= reading["prob"] <= 1 + 1e-9
            assert all(0 <= m["start"] <= m["end"] <= len(text) for m in reading["morphemes"])
    assert kinds == {"ok", "whole", "refused"}


@pytest.mark.perf
@pytest.mark.parametrize("count", MANY)
def test_any_text_is_answered_at_once(count: int) -> None:
    analyzer = morphtree.load(jobs=1)  # in this thread, whose time is measured
    analyzer.parse("warm" * 16)
    for text in fuzz.texts(count):
        began = time.thread_time()
        analyzer.parse(text, 2).to_dict()
        assert time.thread_time() - began < LIMIT, ascii(text)


@pytest.mark.parametrize("count", MANY)
def test_composed_and_decomposed_words_have_the_same_trees(count: int) -> None:
    analyzer = morphtree.load()
    texts = [*fuzz.texts(count, seed=2)]
    one, two = (
        [*analyzer.pipe(unicodedata.normalize(form, text) for text in texts)]
        for form in ("NFC", "NFD")
    )
    for text, a, b in zip(texts, one, two, strict=True):
        assert a.status == b.status, ascii(text)
        assert [r.tree for r in a.readings] == [r.tree for r in b.readings], ascii(text)


@pytest.mark.parametrize("count", MANY)
def test_any_bytes_make_a_row_in_segment(count: int, tmp_path: Path) -> None:
    lines, out = [*fuzz.lines(count, seed=3)], segmented(tmp_path, count)
    rows = [row.split("\t") for row in out.read_text(encoding="utf-8").split("\n")[:-1]]
    faults = dict(line.split("\t") for line in (tmp_path / "out.errors").read_text().splitlines())
    assert len(rows) == len(lines)
    for number, row in enumerate(rows, 1):
        assert len(row) == 4
        assert (row[1:] == [""] * 3) == (str(number) in faults)
        assert row[0] or faults[str(number)] == "it is empty"
        if row[3]:
            assert 0 <= float(row[3]) <= 1


@pytest.mark.perf
@pytest.mark.parametrize("count", MANY)
def test_any_bytes_are_segmented_at_once(count: int, tmp_path: Path) -> None:
    began = time.process_time()
    segmented(tmp_path, count)
    assert time.process_time() - began < 10 + LIMIT * count / 5


def segmented(folder: Path, count: int) -> Path:
    source, out = folder / "words", folder / "out"
    source.write_bytes(b"".join(line + b"\n" for line in fuzz.lines(count, seed=3)))
    command = ["segment", str(source), "-o", str(out), "--jobs", "1"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 3, result.output
    return out


@pytest.mark.parametrize("style", ["text", "brackets", "json"])
@pytest.mark.parametrize("count", MANY)
def test_any_bytes_on_standard_input_are_parsed_or_refused(count: int, style: str) -> None:
    lines = b"\n".join(fuzz.lines(count, seed=4))
    result = CliRunner().invoke(main, ["parse", "--format", style, "-"], input=lines)
    assert result.exit_code == 3
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "not valid Unicode" in result.stderr
    if style == "brackets":
        for row in result.stdout.split("\n")[:-1]:
            _, tree, prob = row.split("\t")
            assert Tree.parse(tree).form
            assert 0 <= float(prob) <= 1
