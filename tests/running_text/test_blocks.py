"""A text in blocks that no word crosses."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.errors import DataError
from morphtree.running_text import blocks as module
from morphtree.running_text.blocks import blocks, decoded
from morphtree.running_text.tokens import Token, find_tokens

PIECES = st.lists(st.text("ab-'. \n漢é\u0301", max_size=12), max_size=12)


def in_blocks(pieces: list[str]) -> list[Token]:
    found: list[Token] = []
    start = 0
    for block in blocks(pieces):
        found += find_tokens(block, start)
        start += len(block)
    return found


@given(PIECES, st.integers(12, 40))
def test_blocks_have_the_words_of_the_text(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", size)
        assert "".join(blocks(pieces)) == text
        if all(len(token.text) < size for token in find_tokens(text)):
            assert in_blocks(pieces) == [*find_tokens(text)]


def test_a_word_longer_than_a_block_does_not_grow_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "BLOCK", 10)
    found = [*blocks(["a"] * 95)]
    assert "".join(found) == "a" * 95
    assert max(map(len, found)) == 10


def test_text_is_decoded_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 3)
    text = "naïve 👩‍👩‍👧\r\ncafé\n"
    assert "".join(decoded(io.BytesIO(text.encode()), "x")) == text
    assert "".join(decoded(io.BytesIO(b"\xef\xbb\xbf" + text.encode()), "x")) == text


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"\xff", 1), (b"ab\ncd\n\xe2\x82x", 3), (b"abc\n\xe2", 2), (b"\n\n\n\xed\xa0\x80", 4)],
)
def test_what_is_not_utf8_is_named_by_its_line(
    data: bytes, line: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PIECE", 2)
    with pytest.raises(DataError, match=f"^x:{line}: not UTF-8 text"):
        "".join(decoded(io.BytesIO(data), "x"))
