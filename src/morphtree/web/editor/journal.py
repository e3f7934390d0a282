"""Journal: a treebank file that loses nothing.

The file is a treebank in the bracket format, the very one that `treebank check` and `train` read.
A save appends one line for each word with who and when, and returns when the disk has it; the last
line of a word counts, so there is nothing to merge or to rewrite, and the file is its own history.
A save counts only whole (see `formats.brackets`): what a crash leaves of one at the end was never
acknowledged, and becomes a comment when the file is opened or next saved to.

Whoever saves says which version of the entry they have seen. If it is not the newest, nothing is
written and they get the newest instead. A lock on the file makes that hold between processes;
what others append is read before every answer. What this process has written is not read again.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from morphtree._util.text import content_lines, normalise
from morphtree.errors import DataError, TreebankError
from morphtree.model.file import MAGIC
from morphtree.treebank.entry import FIELD_NAMES, Entry, Fields, normalise_entry
from morphtree.treebank.formats.brackets import (
    HEADER,
    read_line,
    unfinished,
    with_more,
    write_line,
)
from morphtree.trees.tree import Tree
from morphtree.web.editor.content import Content
from morphtree.web.editor.records import Record
from morphtree.web.editor.undoing import Save

LOG = logging.getLogger(__name__)
UNFINISHED = "# unfinished: "
OUTPUTS = (".model", ".parts")  # what training makes beside a treebank
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_NAME = re.compile(rf"\b({'|'.join(FIELD_NAMES)})=")


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


class News(NamedTuple):
    """The newest lines, and the words whose lines are new since an earlier revision."""

    revision: int
    records: Mapping[str, Record]
    words: Sequence[str]


class Journal:
    """The entries of a treebank file, and the only way to change it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        _need_treebank(self.path)
        self._lock = threading.RLock()
        self._seen: tuple[int, ...] = ()  # the file as it was when it was last looked at
        self._content = Content(self.path)
        self._make()
        with self._open() as descriptor:
            self._finish(descriptor)

    def records(self) -> dict[str, Record]:
        """Return the newest line of every word, withdrawn ones too; do not change it."""
        with self._lock:
            try:
                found = self.path.stat()
            except FileNotFoundError:
                raise self._gone() from None
            if _state(found) != self._seen:  # others have written
                with self._open():
                    pass
            return self._content.records

    def entries(self) -> list[Entry]:
        """Return the entries as a reader of the file gets them."""
        return [record.entry for record in self.records().values() if record.entry.readings]

    def get(self, word: str) -> Record | None:
        """Return the newest line of a word."""
        return self.records().get(word)

    def news(self, since: int) -> News:
        """Return what has changed since a revision; all is news since 0."""
        with self._lock:
            records = self.records()
            words = self._content.words
            newest_first = [*dict.fromkeys(reversed(words[since:]))]
            return News(len(words), records, newest_first[::-1])

    def last_save(self, who: str) -> Save | None:
        """Return somebody's last save that was neither taken back nor written over."""
        with self._lock:
            records = self.records()  # also what others have written
            return self._content.saves.last(clean(who), records)

    def save(self, changes: Sequence[Change], who: str) -> list[Record]:
        """Append a line for each change and wait for the disk; all of them, or none."""
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entries = [_entry(change, who, when) for change in changes]
        ahead = range(len(entries) - 1, -1, -1)
        lines = [
            with_more(write_line(entry), more) for entry, more in zip(entries, ahead, strict=True)
        ]
        with self._open() as descriptor:
            for change, entry in zip(changes, entries, strict=True):
                found = self._content.records.get(entry.word)
                if (found.version if found else "") != change.base:
                    raise ConflictError(entry.word, found)
            self._finish(descriptor)
            self._append(descriptor, lines)
            return [self._content.records[entry.word] for entry in entries]

    # -- the file ----------------------------------------------------------------------------

    def _gone(self) -> DataError:
        return DataError(f"{self.path} is gone; put it back, or stop the editor")

    def _make(self) -> None:
        """Make the file if there is none; later, a file that is gone is not made anew."""
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644))
            _sync_folder(self.path.parent)
        except FileExistsError:
            pass
        except OSError as error:
            raise DataError(f"{self.path} cannot be written: {error.strerror}") from None

    @contextmanager
    def _open(self) -> Iterator[int]:
        """Hold the file alone, with all that is in it read."""
        with self._lock:
            descriptor = self._locked()
            try:
                self._read(descriptor)
                yield descriptor
            finally:
                os.close(descriptor)  # which also unlocks it

    def _locked(self) -> int:
        """Open and lock the file that has the name now: it may be replaced meanwhile."""
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND)
            except FileNotFoundError:
                raise self._gone() from None
            except OSError as error:
                raise DataError(f"{self.path} cannot be written: {error.strerror}") from None
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if self._is_current(descriptor):
                return descriptor
            os.close(descriptor)

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def _read(self, descriptor: int) -> None:
        """Take in what is new in the file, or all of it if it is not a longer version."""
        found = os.fstat(descriptor)
        if _state(found) == self._seen:
            return
        data = os.pread(descriptor, found.st_size, 0)
        ended = data.rfind(b"\n") + 1
        text = _decoded(self.path, data[:ended]) + data[ended:].decode(errors="replace")
        whole = text[: unfinished(text)].encode()
        if not data.startswith(whole):
            raise _foreign(self.path)
        before = self._content.whole
        if whole.startswith(before) and (not before or before.endswith(b"\n")):
            self._content.take(whole[len(before) :])
        else:
            self._take_anew(whole)
        self._seen = _state(found)

    def _take_anew(self, whole: bytes) -> None:
        """Take in a file that was changed elsewhere than at its end."""
        content = Content(self.path)
        content.take(whole)
        old, new = self._content.records, content.records
        changed = [word for word in {**old, **new} if old.get(word) != new.get(word)]
        content.words = self._content.words + changed
        self._content = content

    def _finish(self, descriptor: int) -> None:
        """End the last line; what a crash has left of a save becomes a comment."""
        whole = self._content.whole
        at, size = len(whole), os.fstat(descriptor).st_size
        if at < size:
            cut = os.pread(descriptor, size - at, at).decode(errors="replace").split("\n")
            shown = [UNFINISHED + _SPACE.sub(" ", line) for line in cut if line.strip()]
            LOG.warning("%s: a save was cut and does not count: %s", self.path, "; ".join(shown))
            os.ftruncate(descriptor, at)
            self._append(descriptor, shown, saves=False)
        elif at and whole[-1:] != b"\n":
            self._append(descriptor, [""], saves=False)

    def _append(self, descriptor: int, lines: Sequence[str], saves: bool = True) -> None:
        """Write lines at the end, wait for the disk, and take them in."""
        is_first = saves and not self._content.is_edited
        data = "".join(f"{line}\n" for line in ([HEADER, *lines] if is_first else lines)).encode()
        _write(descriptor, data)
        if not self._is_current(descriptor):
            raise DataError(f"{self.path} was replaced by another file meanwhile; save again")
        self._content.take(data)
        self._seen = _state(os.fstat(descriptor))


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _need_treebank(path: Path) -> None:
    """Refuse a model, which training would put in the place of the treebank."""
    is_model = path.suffix.lower() in OUTPUTS
    if path.is_file():
        with path.open("rb") as stream:
            is_model |= stream.read(len(MAGIC)) == MAGIC
    if is_model:
        raise DataError(
            f"{path} is, or would be, a model and not a treebank; "
            f"name a bracket file, such as {path.with_suffix('.brackets')}"
        )


def _foreign(path: Path) -> TreebankError:
    return TreebankError(f"{path}: not UTF-8 text; convert the file to UTF-8")


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _foreign(path) from None


def _entry(change: Change, who: str, when: str) -> Entry:
    """Return what is to be saved, as the file will give it back; an error if it cannot be."""
    fields = Fields(prov=clean(change.prov), note=clean(change.note), who=clean(who), when=when)
    trees = tuple(dict.fromkeys(change.trees))
    entry = Entry(normalise(change.word), trees, fields=(fields,) * max(1, len(trees)))
    entry = normalise_entry(entry)[0]
    if not _is_expressible(entry):
        raise DataError(
            f"{change.word!r} cannot be saved: a word, its trees and its note are text that "
            "fits on one line of a treebank"
        )
    return entry


def _is_expressible(entry: Entry) -> bool:
    """Whether the line of an entry is read back as that entry, wherever it stands in a file."""
    try:
        line = write_line(entry)
        data = line.encode()  # a half of a pair of UTF-16 is no text
        found = [row for _, row in content_lines(data.decode("utf-8-sig"))]
        return found == [line] and "\r" not in line and read_line(0, line) == entry
    except ValueError:
        return False


def clean(text: str) -> str:
    """Make a text fit for a field: one line, and no name of a field with its sign in it."""
    return _NAME.sub(r"\1 =", _SPACE.sub(" ", text)).strip()


def _write(descriptor: int, data: bytes) -> None:
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


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
