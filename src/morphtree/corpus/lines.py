"""Files of lines that Daft refuses, because some bytes are not UTF-8: the good lines of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from morphtree.arrow.types import arrow
from morphtree.corpus.engine import daft

RANGE = 16 << 20  # bytes that are read together
SHOWN = 10  # numbers of bad lines in a report
WRONG = "bytes that are not UTF-8, or no JSON"


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
        with daft().open_file(path, "rb") as stream:
            stream.seek(max(start - 1, 0))
            if start:
                stream.readline()  # it begins in the range before
            while stream.tell() < start + RANGE and (line := stream.readline()):
                try:
                    yield text_of(line, self._column)
                except ValueError:
                    continue


def text_of(line: bytes, column: str) -> str | None:
    """Return the text of a line; a ValueError says that there is none."""
    text = line.decode("utf-8")
    if not column:
        return text
    found = json.loads(text)
    value = found.get(column) if isinstance(found, dict) else None
    return value if value is None else str(value).encode("utf-8", "replace").decode()


def bad_lines(path: str, column: str) -> str:
    """Say which lines of a file have no text."""
    numbers = []
    with daft().open_file(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                text_of(line, column)
            except ValueError:
                numbers.append(number)
    more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
    return f"lines left out: {', '.join(map(str, numbers[:SHOWN]))}{more} ({WRONG})"
