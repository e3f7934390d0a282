"""Journal: a treebank file that loses nothing.

The file is a treebank in the bracket format, the very one that `treebank check` and `train` read.
A save appends one line with who and when, and returns when the disk has it; the last line of a word
counts, so there is nothing to merge or to rewrite, and the file is its own history. What a crash
leaves unfinished at the end was never acknowledged: it becomes a comment when the file is opened.

Whoever saves says which version of the entry they have seen. If it is not the newest, nothing is
written and they get the newest instead. A lock on the file makes that hold between processes;
what others append is read before every answer.
"""

from __future__ import annotations

import fcntl
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from morphtree._util.text import content_lines, normalise, short_hash
from morphtree.errors import DataError, TreebankError
from morphtree.treebank.entry import FIELD_NAMES, Entry, Fields, normalise_entry
from morphtree.treebank.formats.brackets import is_saved, read_line, write_line
from morphtree.trees.tree import Tree

UNFINISHED = "# unfinished: "
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_NAME = re.compile(rf"\b({'|'.join(FIELD_NAMES)})=")


@dataclass(frozen=True)
class Record:
    """What the file says of a word: its newest line, and a name for that state."""

    entry: Entry
    version: str

    @property
    def fields(self) -> Fields:
        """Who saved it, and when."""
        return self.entry.fields[0] if self.entry.fields else Fields()


@dataclass(frozen=True)
class Change:
    """A line to save: the readings of a word, none to withdraw it, and the version it follows."""

    word: str
    trees: tuple[Tree, ...]
    base: str = ""
    note: str = ""
    prov: str = ""


class ConflictError(Exception):
    """Somebody else has saved an entry meanwhile."""

    def __init__(self, word: str, record: Record | None) -> None:
        super().__init__(f"{word!r} was saved by somebody else meanwhile")
        self.record = record


class Journal:
    """The entries of a treebank file, and the only way to change it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.revision = 0  # grows with every change that this process has seen
        self._lock = threading.RLock()
        self._bytes = b""
        self._records: dict[str, Record] = {}
        with self._open():
            pass

    def records(self) -> dict[str, Record]:
        """Return the newest line of every word, withdrawn ones too; do not change it."""
        with self._lock:
            try:
                found = self.path.stat()
            except FileNotFoundError:
                raise DataError(f"{self.path} is gone; put it back, or stop the editor") from None
            if (found.st_size, found.st_mtime_ns) != self._seen:  # others have written
                with self._open():
                    pass
            return self._records

    def entries(self) -> list[Entry]:
        """Return the entries as a reader of the file gets them."""
        with self._lock:
            return [r.entry for r in self.records().values() if r.entry.readings]

    def get(self, word: str) -> Record | None:
        """Return the newest line of a word."""
        return self.records().get(word)

    def save(self, changes: Sequence[Change], who: str) -> list[Record]:
        """Append a line for each change and wait for the disk; all of them, or none."""
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entries = [_entry(change, who, when) for change in changes]
        lines = "".join(f"{write_line(entry)}\n" for entry in entries).encode()
        with self._open() as descriptor:
            for change, entry in zip(changes, entries, strict=True):
                found = self._records.get(entry.word)
                if (found.version if found else "") != change.base:
                    raise ConflictError(entry.word, found)
            _append(descriptor, lines)
            self._read(descriptor)
            return [self._records[entry.word] for entry in entries]

    @contextmanager
    def _open(self) -> Iterator[int]:
        """Hold the file alone, with all that is in it read."""
        with self._lock:
            new = not self.path.exists()
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            except OSError as error:
                raise DataError(f"{self.path} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                if new:
                    _sync_folder(self.path.parent)
                _finish(descriptor)
                self._read(descriptor)
                yield descriptor
            finally:
                os.close(descriptor)  # which also unlocks it

    def _read(self, descriptor: int) -> None:
        """Take in what is new in the file, or all of it if it is not a longer version."""
        found = os.fstat(descriptor)
        self._seen = found.st_size, found.st_mtime_ns
        data = os.pread(descriptor, found.st_size, 0)
        if data == self._bytes:
            return
        grown = data.startswith(self._bytes)
        records = self._records.copy() if grown else {}
        first = 1 + self._bytes.count(b"\n") if grown else 1
        text = _decoded(self.path, data[len(self._bytes) :] if grown else data)
        for number, line in content_lines(text):
            entry = _line(self.path, number + first - 1, line)
            records[entry.word] = _joined(records.get(entry.word), entry, line)
        self._records, self._bytes = records, data  # readers keep the dictionary they have
        self.revision += 1


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TreebankError(f"{path}: not UTF-8 text; convert the file to UTF-8") from None


def _line(path: Path, number: int, line: str) -> Entry:
    try:
        return normalise_entry(read_line(number, line))[0]
    except ValueError as error:
        raise TreebankError(
            f"{path}:{number}: {error}; the editor works on bracket files "
            "('morphtree treebank convert FILE --to brackets -o NEW' makes one)"
        ) from None


def _joined(before: Record | None, entry: Entry, line: str) -> Record:
    """Return the state after a line; lines that no editor saved add up to several readings."""
    count = 1 + (int(before.version.partition(".")[0]) if before else 0)
    if before and not is_saved(entry):
        readings = dict.fromkeys((*before.entry.readings, *entry.readings))
        entry = replace(entry, readings=tuple(readings), fields=())
    return Record(entry, f"{count}.{short_hash(line.encode())}")


def _entry(change: Change, who: str, when: str) -> Entry:
    """Return what is to be saved, as the file will give it back; an error if it cannot be."""
    fields = Fields(prov=clean(change.prov), note=clean(change.note), who=clean(who), when=when)
    trees = tuple(dict.fromkeys(change.trees))
    entry = Entry(normalise(change.word), trees, fields=(fields,) * max(1, len(trees)))
    entry = normalise_entry(entry)[0]
    line = write_line(entry)
    is_one_line = len([*content_lines(line)]) == 1 and not re.search(r"[\n\r]", line)
    try:
        same = is_one_line and read_line(0, line) == entry
    except ValueError:
        same = False
    if not same:
        raise DataError(f"the word {change.word!r} cannot be written on one line of a treebank")
    return entry


def clean(text: str) -> str:
    """Make a text fit for a field: one line, and no name of a field with its sign in it."""
    return _NAME.sub(r"\1 =", _SPACE.sub(" ", text)).strip()


def _append(descriptor: int, data: bytes) -> None:
    """Write at the end and wait for the disk; if that fails, leave no part of it behind."""
    size = os.fstat(descriptor).st_size
    try:
        at = 0
        while at < len(data):
            at += os.write(descriptor, data[at:])
        os.fsync(descriptor)
    except OSError as error:
        os.ftruncate(descriptor, size)
        raise DataError(f"nothing was saved: {error.strerror}") from None


def _finish(descriptor: int) -> None:
    """End the last line; if it makes no sense, a crash has cut it, and it becomes a comment."""
    size = os.fstat(descriptor).st_size
    data = os.pread(descriptor, size, 0) if size else b"\n"
    if data.endswith(b"\n"):
        return
    start = data.rfind(b"\n") + 1
    last = data[start:].decode(errors="replace")
    if _is_readable(last):
        _append(descriptor, b"\n")
        return
    os.ftruncate(descriptor, start)
    _append(descriptor, f"{UNFINISHED}{_SPACE.sub(' ', last)}\n".encode())


def _is_readable(line: str) -> bool:
    try:
        return not [*content_lines(line)] or bool(read_line(0, line))
    except ValueError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
