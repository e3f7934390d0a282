"""Where the lines of a vocabulary come from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from morphtree._util.files import decompressed
from morphtree.errors import DataError

LONGEST_LINE = 4096  # bytes: more than a word can have, however its letters are composed
KEPT = 1000  # letters of a longer line, which is never in memory; too many for a word, too


class InputFile:
    """Lines of a text, gzip or zstd file, or of standard input; `count` says how many so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.size = 0 if path == "-" else _size(Path(path))
        self.count = 0
        self._raw: IO[bytes] | None = None

    @contextmanager
    def lines(self) -> Iterator[Iterator[bytes]]:
        """Open the lines."""
        if self.path == "-":
            yield self._counted(sys.stdin.buffer)
            return
        with ExitStack() as stack:
            self._raw = stack.enter_context(Path(self.path).open("rb"))
            yield self._checked(stack.enter_context(decompressed(self.path, self._raw)))

    def _counted(self, stream: IO[bytes]) -> Iterator[bytes]:
        for line in limited(stream):
            self.count += 1
            yield line

    def _checked(self, stream: IO[bytes]) -> Iterator[bytes]:
        """Yield the lines; one that cannot be decompressed is an error of the data."""
        try:
            yield from self._counted(stream)
        except Exception as error:  # each library has its own
            raise DataError(
                f"{self.path} cannot be read ({error}); is it complete, and named after its kind?"
            ) from error

    @property
    def total(self) -> int | None:
        """How many lines there are, judged by the part of the file that was read so far."""
        read = self._raw.tell() if self._raw and not self._raw.closed else self.size
        return round(self.count * self.size / read) if self.size and read else None


def limited(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream, each in bounded memory."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            _skip_line(stream)
            line = _beginning(line)
        yield line


def _beginning(line: bytes) -> bytes:
    """Return the first letters of a line, and a mark that there were more."""
    letters = line.decode("utf-8", "surrogateescape")[:KEPT]
    return f"{letters}…\n".encode("utf-8", "surrogateescape")


def _skip_line(stream: IO[bytes]) -> None:
    """Read up to the end of the line."""
    while (part := stream.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
        continue


def _size(path: Path) -> int:
    if path.is_dir():
        raise DataError(f"{path} is a folder; give a file with one word a line")
    try:
        return path.stat().st_size
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist; words that you type: morphtree parse WORD"
        ) from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None
