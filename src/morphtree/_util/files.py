"""Text files: read with one clear sentence on failure, replaced in one step."""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedReader
from itertools import islice
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NamedTuple

from morphtree._util.interrupts import unfinished
from morphtree.errors import MorphtreeError, TreebankError, needs_extra

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from pathlib import Path

PIECE = 1 << 20  # bytes read at a time
MAX_PIECES = 1 << 10  # of a file that is held in memory; compressed, it can be a thousandth


def read_text(path: Path, what: str = "", error: type[MorphtreeError] = TreebankError) -> str:
    """Return the UTF-8 text of a file, decompressed if its name ends in ``.gz``.

    An error of the given type says ``what`` the file is to be.
    """
    import gzip  # which a single word has no need of
    import zlib

    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            pieces = [*islice(iter(lambda: stream.read(PIECE), b""), MAX_PIECES + 1)]
        if len(pieces) > MAX_PIECES:
            raise error(f"{path} has more than {MAX_PIECES * PIECE >> 20} MiB; split the file")
        return b"".join(pieces).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        raise error(f"{path}:{line}: not UTF-8 text; convert the file to UTF-8") from None
    except (OSError, EOFError, zlib.error) as fault:
        if isinstance(fault, FileNotFoundError) and not what:
            raise error(f"{path} does not exist") from None
        reason = getattr(fault, "strerror", None) or fault
        raise error(f"{what} {path} cannot be read: {reason}".lstrip()) from None


class Text(NamedTuple):
    """The text of a file, or of the files of a folder end to end."""

    text: str
    files: tuple[tuple[int, str], ...]  # the first line of each file, and its name

    def place(self, line: int) -> str:
        """Say where a line of the text stands: its file, and its number there."""
        first, name = self.files[bisect(self.files, line, key=itemgetter(0)) - 1]
        return f"{name}:{line - first + 1}"


def read_files(path: Path, suffix: str) -> Text:
    """Read a file, or all files of a folder whose names end so, in alphabetical order."""
    paths = sorted(path.glob(f"*{suffix}")) if path.is_dir() else [path]
    if not paths:
        raise TreebankError(f"the folder {path} has no file *{suffix}")
    texts, files, line = [], [], 1
    for name in paths:
        files.append((line, os.fspath(name)))
        text = read_text(name)
        if len(paths) > 1 and text and not text.endswith("\n"):
            text += "\n"
        texts.append(text)
        line += text.count("\n")
    return Text("".join(texts), tuple(files))


def write_atomically(path: Path, text: str) -> None:
    """Replace a file by new text in one step."""
    try:
        with replacing(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise TreebankError(f"{path} cannot be written: {error.strerror}") from None


def replaced_suffix(path: Path, suffix: str) -> Path:
    """Return the path beside a file that has another suffix, that of a compressed file as well."""
    path = path.resolve() if path.name in ("", "..") else path
    name = path.name.removesuffix(".gz")
    stem = name.rpartition(".")[0] or name
    return path.with_name(f"{stem}{suffix}")


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two names are of one file, perhaps by a link."""
    return one.exists() and other.exists() and one.samefile(other)


@contextmanager
def replacing(path: Path, folder: Path | None = None) -> Iterator[BinaryIO]:
    """Open a file to be put in place of another when all is written and on the disk.

    A link stays, and so does the mode of the file; until it is complete it is in ``folder``, by
    default that of the file. What is no regular file (a pipe, a device) is written to as it is.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    target = path.resolve() if path.is_symlink() else path
    beside = target.parent if folder is None or path.is_symlink() else folder
    temporary = beside / f".morphtree.{os.urandom(8).hex()}.tmp"
    with unfinished(os.fspath(temporary)):
        with temporary.open("wb") as stream:
            yield stream
            stream.flush()
            if path.exists():
                temporary.chmod(path.stat().st_mode & 0o7777)
            os.fsync(stream.fileno())
        os.replace(temporary, target)


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Make a folder, unless it is there, and keep other processes out of it; False if one is in.

    The lock ends with the process. Where the system has no such locks all are let in.
    """
    handle = _lock(folder)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _lock(folder: Path) -> int | None:
    """Return the open and locked folder; None if another process has locked it."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        try:
            if fcntl:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(folder)):
                return handle
        except FileNotFoundError:  # its owner has just removed it
            pass
        except BlockingIOError:
            os.close(handle)
            return None
        os.close(handle)


def decompressed(path: str, raw: IO[bytes]) -> Any:
    """Return what reads a .gz or .zst file unpacked, by its name; another file as it is."""
    if path.endswith(".gz"):
        import gzip

        return BufferedReader(gzip.GzipFile(fileobj=raw))  # faster lines
    if path.endswith(".zst"):
        with needs_extra("zstd", "to read .zst files"):
            library = import_module("zstandard")
        plain = library.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return BufferedReader(plain)  # which knows lines
    return raw
