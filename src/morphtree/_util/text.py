"""Strings and lines of text: what every reader of words needs."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from itertools import groupby

MOST_MARKS = 30  # that Unicode lets follow one letter in text that is safe to stream


def normalise(text: str) -> str:
    """Return the text in lower case and Unicode normal form C."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFC", _with_ordered_marks(text)).lower()
    return unicodedata.normalize("NFC", lower)


def _with_ordered_marks(text: str) -> str:
    """Put endless marks on one letter in canonical order, which Python does in quadratic time."""
    if len(text) <= MOST_MARKS:
        return text
    runs = [(marks, [*run]) for marks, run in groupby(text, lambda c: unicodedata.combining(c) > 0)]
    if all(len(run) <= MOST_MARKS for marks, run in runs if marks):
        return text
    parts = "".join(unicodedata.normalize("NFD", character) for character in text)
    found = groupby(parts, lambda c: unicodedata.combining(c) > 0)
    ordered = (sorted(run, key=unicodedata.combining) if marks else run for marks, run in found)
    return "".join(character for run in ordered for character in run)


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
