"""Strings and lines of text: what every reader of words needs."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator

MOST_MARKS = 30  # that Unicode lets follow one letter in text that is safe to stream


def normalise(text: str) -> str:
    """Return the text in lower case and Unicode normal form C.

    Endless marks on one letter, which are in no language, stay as they are: to order them takes
    quadratic time.
    """
    if text.isascii() or _has_endless_marks(text):
        return text.lower()
    lower = unicodedata.normalize("NFC", text).lower()
    return unicodedata.normalize("NFC", lower)


def _has_endless_marks(text: str) -> bool:
    """Whether a letter has more combining marks than any text needs."""
    if len(text) <= MOST_MARKS:
        return False
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run > MOST_MARKS:
            return True
    return False


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
