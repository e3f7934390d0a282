"""Where the lines of a vocabulary come from."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from morphtree.errors import DataError, needs_extra
from morphtree.written.text import LONGEST_WORD

LONGEST_LINE = 4096  # bytes: more than a word can have, however its letters are composed
TOO_LONG = b"x" * (LONGEST_WORD + 1) + b"\n"  # stands for a longer line, which is never in memory


class InputFile:
    """Lines of a text, gzip or zstd file, or of standard input; `read` counts its bytes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.size = 0 if path == "-" else _size(Path(path))
        self._raw: IO[bytes] | None = None

    @contextmanager
    def lines(self) -> Iterator[Iterator[bytes]]:
        """Open the lines."""
        if self.path == "-":
            yield limited(sys.stdin.buffer)
            return
        with ExitStack() as stack:
            self._raw = stack.enter_context(Path(self.path).open("rb"))
            yield self._checked(stack.enter_context(_decompressed(self.path, self._raw)))

    def _checked(self, stream: IO[bytes]) -> Iterator[bytes]:
        """Yield the lines; one that cannot be decompressed is an error of the data."""
        try:
            yield from limited(stream)
        except Exception as error:  # each library has its own
            raise DataError(
                f"{self.path} cannot be read ({error}); is it complete, and named after its kind?"
            ) from error

    @property
    def read(self) -> int:
        """How many bytes of the file have been read."""
        return self._raw.tell() if self._raw and not self._raw.closed else 0


def limited(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream, each in bounded memory."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            _skip_line(stream)
            line = TOO_LONG
        yield line


def _skip_line(stream: IO[bytes]) -> None:
    """Read up to the end of the line."""
    while (part := stream.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
        continue


def _size(path: Path) -> int:
    if path.is_dir():
        raise DataError(f"{path} is a folder; give a file with one word a line")
    try:
        return path.stat().st_size
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def _decompressed(path: str, raw: IO[bytes]) -> Any:
    if path.endswith(".gz"):
        return BufferedReader(gzip.GzipFile(fileobj=raw))  # faster lines
    if path.endswith(".zst"):
        with needs_extra("zstd", "to read .zst files"):
            library = import_module("zstandard")
        plain = library.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return BufferedReader(plain)  # which knows lines
    return raw
