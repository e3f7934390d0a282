"""Strings and lines of text: what every reader of words needs."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator


def normalise(text: str) -> str:
    """Return the text in lower case and Unicode normal form C."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFC", text).lower()
    return unicodedata.normalize("NFC", lower)


def content_lines(text: str, comments: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither blank nor, where allowed, ``#`` comments."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.strip() and not (comments and line.lstrip().startswith("#")):
            yield number, line


def shared_prefix(left: str, right: str) -> int:
    """Return how many letters two strings share from their start."""
    different = (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    return next(different, min(len(left), len(right)))


def short_hash(data: bytes) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256."""
    return hashlib.sha256(data).hexdigest()[:12]
