"""Text as every file of words is read: normalised, line by line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator


def normalise(text: str) -> str:
    """Return the text in lower case and Unicode normal form C."""
    lower = unicodedata.normalize("NFC", text).lower()
    return unicodedata.normalize("NFC", lower)


def content_lines(text: str, comments: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither blank nor, where allowed, ``#`` comments."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.strip() and not (comments and line.lstrip().startswith("#")):
            yield number, line
