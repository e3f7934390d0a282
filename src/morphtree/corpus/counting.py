"""The words of many texts, counted: what is between blanks first, and of that the words once.

No word has a blank inside, so the words of a text are those of what stands between its blanks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

import numpy as np

from morphtree.arrow.types import arrow
from morphtree.running_text.formats import type_of
from morphtree.running_text.tokens import find_tokens

AT_ENDS = ".,;!?()[]\"'"  # what never belongs to a word of letters beside it
BEGINS_ADDRESS = "www"  # if a full stop follows
SEPARATORS = "\x1c\x1d\x1e\x1f"  # blanks for Python, and not for Unicode
AS_OTHER = str.maketrans(dict.fromkeys(SEPARATORS, "\x00"))  # which separates words, too
BATCH = 8192  # rows that are counted together


def counted_words(texts: Iterable[str]) -> Counter[str]:
    """Count the words of texts as `morphtree text --format table` does."""
    pieces: Counter[str] = Counter()
    for text in texts:
        pieces.update(_pieces(text))
    words: Counter[str] = Counter()
    others = {}
    for piece, count in pieces.items():
        core = piece.strip(AT_ENDS)
        if core.isascii() and core.isalpha() and core != BEGINS_ADDRESS:
            words[type_of(core)] += count
        else:
            others[piece] = count
    for word, count in _found(others):
        words[word] += count
    return words


def _pieces(text: str) -> list[str]:
    """Cut a text at its blanks."""
    if any(map(text.__contains__, SEPARATORS)):
        text = text.translate(AS_OTHER)
    return text.split()


def _found(pieces: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the words of pieces of text, each with the count of its piece."""
    ends = accumulate(len(piece) + 1 for piece in pieces)
    counts = iter(pieces.values())
    end = count = 0
    for token in find_tokens("\n".join(pieces)):
        while token.start >= end:
            end, count = next(ends), next(counts)
        yield type_of(token.text), count


def counts_type() -> Any:
    """Return the type of counted words; a count without a word is that of rows without text."""
    pa = arrow()
    return pa.list_(pa.struct([("word", pa.string()), ("count", pa.int64())]))


class WordCounter:
    """Counts the words of batches of rows."""

    def counts(self, texts: Any) -> Any:
        """Return the words of all rows of a batch and their counts, in its first row."""
        given = texts.to_arrow().to_pylist()
        there = [text for text in given if text is not None]
        words: Counter[str | None] = Counter(counted_words(there))
        if len(there) < len(given):
            words[None] = len(given) - len(there)
        return _in_first_row(words, len(given))


def _in_first_row(words: Mapping[str | None, int], rows: int) -> Any:
    pa = arrow()
    ends = np.full(rows + 1, len(words), np.int32)
    ends[0] = 0
    kind = counts_type()
    fields = [pa.array([*words], pa.string()), pa.array([*words.values()], pa.int64())]
    pairs = pa.StructArray.from_arrays(fields, fields=[*kind.value_type])
    return pa.ListArray.from_arrays(ends, pairs, type=kind)


def tokens_type() -> Any:
    """Return the type of the tokens of a row: place in code points, as written, and the word."""
    pa = arrow()
    fields = [("start", pa.int32()), ("end", pa.int32()), ("token", pa.string())]
    return pa.list_(pa.struct([*fields, ("word", pa.string())]))


class TokenFinder:
    """Finds the tokens of batches of rows."""

    def tokens(self, texts: Any) -> Any:
        """Return the tokens of each row."""
        rows = [
            [
                {"start": t.start, "end": t.end, "token": t.text, "word": type_of(t.text)}
                for t in find_tokens(text or "")
            ]
            for text in texts.to_arrow().to_pylist()
        ]
        return arrow().array(rows, tokens_type())
