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


def why_no_word(text: str) -> str:
    """Say why a text cannot be a word; nothing if it can."""
    if text.isalpha():
        return ""
    if not text:
        return "the word is empty"
    kinds = {unicodedata.category(letter) for letter in text}
    if "Cs" in kinds:  # half of a pair, as Python writes bytes that it cannot decode
        return "it is not valid Unicode text; give it in UTF-8"
    if "Cc" in kinds or any(map(str.isspace, text)):
        return "a word has no blanks or control characters"
    return ""


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


def counted(count: int, noun: str, plural: str = "") -> str:
    """Write a count with its noun: "1 line", "2 lines"."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"
