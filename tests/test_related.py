"""Which words are near each other in meaning: the file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from morphtree.errors import ModelError
from morphtree.related import read_related, write_related

NEAR = {"unhappy": {"happy": 4}, "secretary": {}, "shipyard": {"ship": 3, "yard": 1}}
COMMITTED = Path(__file__).parents[1] / "knowledge" / "related-en.tsv.gz"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "related.tsv.gz"
    write_related(path, NEAR)
    first = path.read_bytes()
    assert read_related(path) == NEAR
    write_related(path, NEAR)
    assert path.read_bytes() == first


def test_plain_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "related.tsv"
    path.write_text("Unhappy\thappy 4\nsecretary\n", encoding="utf-8")
    assert read_related(path) == {"unhappy": {"happy": 4}, "secretary": {}}


@pytest.mark.parametrize("line", ["unhappy\thappy", "unhappy\thappy 5", "unhappy\thappy x"])
def test_a_bad_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "related.tsv"
    path.write_text(f"secretary\n{line}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"related\.tsv:2: expected"):
        read_related(path)


@pytest.mark.parametrize("data", [None, b"no gzip", gzip.compress(b"unhappy\thappy 4")[:-4]])
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
    assert all(related[word].get(base) for word, base in near)
    assert not any(related[word].get(base) for word, base in unlike)
    assert all(base in related for _, base in near + unlike)
