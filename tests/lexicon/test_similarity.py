"""Which words are near each other in meaning: the file."""

from __future__ import annotations

import gzip
import runpy
from pathlib import Path

import pytest

from morphtree.errors import ModelError
from morphtree.lexicon.similarity import Meaning, Nearness, read_related

NEAR = {
    "unhappy": Meaning(True, True, {"happy": Nearness(4, 2)}),
    "secretary": Meaning(True, False, {}),
    "shipyard": Meaning(False, True, {"ship": Nearness(0, 1), "yard": Nearness(0, 0)}),
}
ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "knowledge" / "related-en.tsv.gz"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_related = runpy.run_path(str(ROOT / "scripts" / "make_related.py"))["write_related"]
    path = tmp_path / "related.tsv.gz"
    write_related(path, NEAR)
    first = path.read_bytes()
    assert read_related(path) == NEAR
    write_related(path, NEAR)
    assert path.read_bytes() == first


def test_plain_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "related.tsv"
    path.write_text("Unhappy\tvd\thappy 4 2\nsecretary\tv\n", encoding="utf-8")
    assert read_related(path) == {name: NEAR[name] for name in ("unhappy", "secretary")}


@pytest.mark.parametrize(
    "line", ["unhappy", "unhappy\tx", "unhappy\tv\thappy 5 0", "unhappy\tv\thappy x 1"]
)
def test_a_bad_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "related.tsv"
    path.write_text(f"secretary\tv\n{line}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"related\.tsv:2: expected"):
        read_related(path)


PACKED = gzip.compress(b"unhappy\tv\thappy 4 0")


@pytest.mark.parametrize("data", [None, b"no gzip", PACKED[:-4], PACKED[:12] + b"\xff" * 9])
def test_an_unreadable_file_is_named(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "related.tsv.gz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ModelError, match=r"the related words .* cannot be read"):
        read_related(path)


@pytest.mark.skipif(not COMMITTED.exists(), reason="needs knowledge/related-en.tsv.gz")
def test_the_english_file_tells_what_belongs_together() -> None:
    related = read_related(COMMITTED)
    near = [("disagree", "agree"), ("shipyard", "ship"), ("shipyard", "yard"), ("sailor", "sail")]
    unlike = [("professor", "profess"), ("secretary", "secret"), ("committee", "commit")]
    assert all(related[word].bases[base].near for word, base in near)
    assert not any(related[word].bases.get(base, Nearness()).near for word, base in unlike)
    assert all(related[base].by_vector for _, base in near + unlike)
    assert related["president"].bases["preside"].told == 2
    assert related["maker"].bases["make"].told == 2
    assert "profess" not in related["professor"].bases
