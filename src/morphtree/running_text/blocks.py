"""A text in blocks that no word crosses, so that a long one is never in memory as a whole."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

from morphtree.errors import DataError
from morphtree.running_text.tokens import find_tokens

BLOCK = 1 << 18  # code points
PIECE = 1 << 18  # bytes read at a time


def blocks(pieces: Iterable[str]) -> Iterator[str]:
    """Cut a text that comes in pieces into blocks; a word of a whole block may be cut."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        for start in range(0, len(piece), BLOCK):
            held.append(piece[start : start + BLOCK])
            size += len(held[-1])
            if size >= BLOCK:
                text = "".join(held)
                cut = _boundary(text)
                yield text[:cut]
                held = [text[cut:]]
                size -= cut
    if size:
        yield "".join(held)


def _boundary(text: str) -> int:
    """Return where the last word begins that the text goes on with, or a blank that ends it."""
    if blank := max(text.rfind(" "), text.rfind("\n")) + 1:
        return blank
    last = 0
    for token in find_tokens(text):
        last = token.start
    return last or len(text)


def decoded(stream: IO[bytes], name: str) -> Iterator[str]:
    """Yield the text of a stream in UTF-8; a mark of the byte order at its start is left out."""
    decoder = getincrementaldecoder("utf-8-sig")()
    line = 1
    for data in chain(_pieces(stream, name), (b"",)):
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            raise DataError(f"{name}:{line}: not UTF-8 text; convert the file to UTF-8") from None
        line += text.count("\n")
        yield text


def _pieces(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Read a stream; one that cannot be read or decompressed is an error of the data."""
    while True:
        try:
            data = stream.read(PIECE)
        except Exception as error:  # each library that decompresses has its own
            reason = getattr(error, "strerror", None) or error
            raise DataError(f"{name} cannot be read: {reason}") from None
        if not data:
            return
        yield data
