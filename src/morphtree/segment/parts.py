"""The parts of an unfinished output, on the disk: safe to interrupt, safe to take up again.

Beside the output OUT there is a folder OUT.parts until all is done. It says what the rows depend
on, and has a file for each chunk, written by who segments it: a line that tells the chunk's digest,
rows and bad lines, then the rows. A part counts only if its chunk has the same bytes again, so the
input needs no name.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from morphtree._util.files import locked, replacing
from morphtree.errors import DataError
from morphtree.segment.writer import Done

TASK = "task.json"
OURS = re.compile(rf"{TASK}|\d+\.part|\.morphtree\.\w+\.tmp")
Write = Callable[[Iterator[bytes], BinaryIO], None]


class Part(NamedTuple):
    """The rows of a chunk as they are kept."""

    digest: str  # of its lines and the task
    lines: int  # and as many rows
    errors: list[tuple[int, str]]  # numbers of lines, from 0, and what is wrong with them
    rows: bytes = b""

    def to_bytes(self) -> bytes:
        """Write all in one."""
        return json.dumps([self.digest, self.lines, self.errors]).encode() + b"\n" + self.rows

    @staticmethod
    def from_bytes(data: bytes) -> Part | None:
        """Read it; None if it is not whole."""
        try:
            head, rows = data.split(b"\n", 1)
            digest, lines, errors = json.loads(head)
            part = Part(digest, lines, errors, rows)
        except (ValueError, TypeError):
            return None
        return part if part.rows.count(b"\n") == part.lines else None


@dataclass(frozen=True)
class Parts:
    """The parts of one output."""

    out: Path
    folder: Path
    chunk: int  # lines
    task: bytes  # the digest of what the rows depend on

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:08d}.part"

    def _read(self, number: int) -> Part | None:
        try:
            return Part.from_bytes(self._path(number).read_bytes())
        except FileNotFoundError:
            return None

    def _digest(self, chunk: bytes) -> str:
        return hashlib.sha256(self.task + chunk).hexdigest()

    def find(self, number: int, chunk: bytes) -> Part | None:
        """Return the rows of a chunk if they are there."""
        part = self._read(number)
        return part if part and part.digest == self._digest(chunk) else None

    def add(self, number: int, chunk: bytes, done: Done) -> None:
        """Keep the rows of a chunk, completely or not at all."""
        part = Part(self._digest(chunk), done.lines, done.errors, done.rows)
        with replacing(self._path(number)) as stream:
            stream.write(part.to_bytes())

    def join(self, count: int, write: Write) -> int:
        """Put the output of so many chunks in place; return the number of bad lines."""
        faults = self.out.parent / f"{self.out.name}.errors"
        bad = 0

        def rows(errors: BinaryIO) -> Iterator[bytes]:
            nonlocal bad
            for number in range(count):
                part = self._whole(number)
                first = number * self.chunk + 1
                errors.writelines(f"{first + n}\t{fault}\n".encode() for n, fault in part.errors)
                bad += len(part.errors)
                yield part.rows

        with replacing(faults, self.folder) as errors, replacing(self.out, self.folder) as stream:
            write(rows(errors), stream)
        if not bad:
            faults.unlink()
        self._remove()
        return bad

    def _whole(self, number: int) -> Part:
        part = self._read(number)
        if part is None:
            self._path(number).unlink(missing_ok=True)
            raise DataError(f"a part of {self.out} is missing or damaged; --resume makes it anew")
        return part

    def _remove(self) -> None:
        """Remove the folder; what is left of it if that is interrupted is no run any more."""
        (self.folder / TASK).unlink()
        shutil.rmtree(self.folder)


@contextmanager
def opened(out: Path, described: dict[str, Any], *, resume: bool) -> Iterator[Parts]:
    """Open the parts of an output for this run alone, those of an earlier one if it is resumed."""
    out = Path(os.path.realpath(out)) if out.is_symlink() and out.is_file() else out
    folder = out.parent / f"{out.name}.parts"
    with locked(folder) as alone:
        if not alone:
            raise DataError(
                f"another run is writing {out}; wait until it is done, or name another output"
            )
        if not all(OURS.fullmatch(name) for name in os.listdir(folder)):
            raise DataError(f"{folder} is needed for parts of the output; move it away")
        if not (resume and _is_of(folder, described)):
            _start(folder, described)
        yield Parts(out, folder, described["chunk"], hashlib.sha256(_text(described)).digest())


def _is_of(folder: Path, described: dict[str, Any]) -> bool:
    """Whether there is a run to go on with; a run that is another one is refused."""
    try:
        told = json.loads((folder / TASK).read_bytes())
    except FileNotFoundError:  # it was stopped before it could say what it is, or after its end
        return False
    except (OSError, ValueError):
        told = None
    if told != described:
        raise DataError(
            f"{folder} belongs to another run; go on with the same model and settings, "
            "or leave out --resume to start anew"
        )
    return True


def _start(folder: Path, described: dict[str, Any]) -> None:
    """Remove what an earlier run left, its description first, and describe this one."""
    for name in sorted(os.listdir(folder), key=lambda name: name != TASK):
        (folder / name).unlink()
    with replacing(folder / TASK) as stream:
        stream.write(_text(described))


def _text(described: dict[str, Any]) -> bytes:
    return json.dumps(described, sort_keys=True).encode()
