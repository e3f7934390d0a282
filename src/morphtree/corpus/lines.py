"""Files of lines that Daft refuses, because some bytes are not UTF-8: the good lines of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import Any

from morphtree.arrow.types import arrow
from morphtree.corpus.engine import daft

RANGE = 16 << 20  # bytes that are read together
SHOWN = 10  # numbers of bad lines in a report
WRONG = "bytes that are not UTF-8, or no JSON with a text"
COMPRESSED = re.compile(r"\.(gz|zst|bz2)$", re.IGNORECASE)
CODECS = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}  # as Arrow calls them


class NotTextError(ValueError):
    """A field of JSON has a list or an object instead of a text."""


class LineReader:
    """Reads the good lines that begin in a range of a file."""

    def __init__(self, column: str = "") -> None:
        self._column = column  # of lines of JSON; of text if it is empty

    def lines(self, paths: Any, starts: Any) -> Any:
        """Return the texts of the good lines of each range."""
        ranges = zip(paths.to_pylist(), starts.to_pylist(), strict=True)
        rows = [[*self._texts(path, start)] for path, start in ranges]
        return arrow().array(rows, arrow().list_(arrow().string()))

    def _texts(self, path: str, start: int) -> Iterator[str | None]:
        is_whole = bool(COMPRESSED.search(path))
        with _opened(path) as stream:
            if start:
                stream.seek(start - 1)
                stream.readline()  # it begins in the range before
            while (is_whole or stream.tell() < start + RANGE) and (line := stream.readline()):
                try:
                    if not _is_blank(line, self._column):
                        yield text_of(line, self._column)
                except ValueError:
                    continue


def starts(path: str) -> list[int]:
    """Return where the ranges of a file begin; one that is compressed can only be read at once."""
    return [0] if COMPRESSED.search(path) else [*range(0, daft().File(path).size(), RANGE)]


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """Open a file, compressed or not."""
    with daft().open_file(path, "rb") as stream:
        if ending := COMPRESSED.search(path):
            codec = CODECS[ending[1].lower()]
            yield BufferedReader(arrow().CompressedInputStream(stream, codec))
        else:
            yield stream


def _is_blank(line: bytes, column: str) -> bool:
    """Whether a line is between those of JSON."""
    return bool(column) and not line.strip()


def text_of(line: bytes, column: str) -> str | None:
    """Return the text of a line; a ValueError says that there is none.

    Of JSON it is what Daft makes of it: numbers, true and false as they are written.
    """
    if not column:
        return line.decode("utf-8")
    found = json.loads(line.decode("utf-8-sig"), parse_constant=_refused)
    if not isinstance(found, dict):
        raise ValueError("no object")
    value = found.get(column)
    if isinstance(value, list | dict):
        raise NotTextError
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()


def _refused(constant: str) -> None:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


def bad_lines(path: str, column: str, kind: type[ValueError] = ValueError) -> str:
    """Say which lines of a file have no text, for a reason of some kind; nothing if all have."""
    numbers = []
    with _opened(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                if not _is_blank(line, column):
                    text_of(line, column)
            except kind:
                numbers.append(number)
            except ValueError:
                continue
    if not numbers:
        return ""
    more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
    return f"lines left out: {', '.join(map(str, numbers[:SHOWN]))}{more} ({WRONG})"
