"""Segmenting large vocabularies: in chunks, by several threads or processes, safe to interrupt.

A chunk's rows depend on its lines alone, so the output has the same bytes whatever the number of
jobs, and whether the run was interrupted or not.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import morphtree
from morphtree._util.files import replacing
from morphtree._util.parallel import batches, in_processes, in_threads
from morphtree.errors import DataError, needs_extra
from morphtree.segment.rows import OF_OBJECTS
from morphtree.segment.writer import Done, RowWriter

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

CHUNK = 5000  # lines
TASK = "task.json"
OURS = re.compile(rf"{TASK}|\d+\.(rows|errors)|all_(rows|errors)|\.morphtree\.\w+\.tmp")


@dataclass(frozen=True)
class Task:
    """All that decides the output, beside the input."""

    format: str
    model: str
    overrides: str = ""
    add_words: str = ""
    min_prob: float = 0.0

    def load(self) -> Analyzer:
        """Load the model."""
        return morphtree.load(
            self.model, overrides=self.overrides, add_words=self.add_words,
            min_prob=self.min_prob, jobs=1,
        )  # fmt: skip


# -- all chunks -----------------------------------------------------------------------------


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
            yield iter(sys.stdin.buffer)
            return
        with ExitStack() as stack:
            self._raw = stack.enter_context(Path(self.path).open("rb"))
            yield self._checked(stack.enter_context(_decompressed(self.path, self._raw)))

    def _checked(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines; one that cannot be decompressed is an error of the data."""
        try:
            yield from lines
        except Exception as error:  # each library has its own
            raise DataError(
                f"{self.path} cannot be read ({error}); is it complete, and named after its kind?"
            ) from error

    @property
    def read(self) -> int:
        """How many bytes of the file have been read."""
        return self._raw.tell() if self._raw and not self._raw.closed else 0


def _size(path: Path) -> int:
    if path.is_dir():
        raise DataError(f"{path} is a folder; give a file with one word a line")
    try:
        return path.stat().st_size
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def _decompressed(path: str, raw: IO[bytes]) -> Any:
    if path.endswith(".gz"):
        return gzip.GzipFile(fileobj=raw)
    if path.endswith(".zst"):
        with needs_extra("zstd", "to read .zst files"):
            library = import_module("zstandard")
        plain = library.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return BufferedReader(plain)  # which knows lines
    return raw


def results(
    task: Task,
    analyzer: Analyzer,
    lines: Iterable[bytes],
    jobs: int,
    is_done: Callable[[int], bool] = lambda _: False,
) -> Iterator[Done | None]:
    """Yield what comes of each chunk, in order; None stands for a chunk that is done already.

    Threads share the model, and work at once in the kernels only: formats that are written from
    objects are a matter for processes.
    """
    chunks = enumerate(map(b"".join, batches(lines, CHUNK)))
    missing = (None if is_done(number) else chunk for number, chunk in chunks)
    if jobs > 1 and task.format in OF_OBJECTS:
        return in_processes(partial(_load_writer, task), missing, jobs=jobs)
    return in_threads(partial(_writer, task, analyzer), missing, jobs=jobs)


Work = Callable[[bytes | None], Done | None]


def _load_writer(task: Task) -> Work:
    return _writer(task, task.load())


def _writer(task: Task, analyzer: Analyzer) -> Work:
    """Return what segments a chunk, with workspaces of its own."""
    write = RowWriter(analyzer.copy(jobs=1), task.format)
    return lambda chunk: None if chunk is None else write(chunk)


# -- safe output ----------------------------------------------------------------------------


class Shards:
    """Numbered files beside the output, each complete or not there; joined at the end."""

    def __init__(self, out: Path, task: Task, source: InputFile, *, resume: bool) -> None:
        self.out = out
        self.folder = out.parent / f"{out.name}.parts"
        self.description = {**asdict(task), "input": _fingerprint(source), "chunk": CHUNK}
        if resume and (self.folder / TASK).exists():
            self._check()
        else:  # a run that was killed before it could say what it is has done nothing yet
            self._clear()
            self.folder.mkdir(parents=True)
            self.write(TASK, json.dumps(self.description, sort_keys=True).encode())

    def _clear(self) -> None:
        """Remove what an earlier run left, and nothing else."""
        if not self.folder.exists():
            return
        if not all(OURS.fullmatch(name) for name in os.listdir(self.folder)):
            raise DataError(f"{self.folder} is needed for parts of the output; move it away")
        shutil.rmtree(self.folder)

    def _check(self) -> None:
        try:
            told = json.loads((self.folder / TASK).read_bytes())
        except (OSError, ValueError):
            told = None
        if told != self.description:
            raise DataError(
                f"{self.folder} belongs to another run; go on with the same input and settings, "
                "or leave out --resume to start anew"
            )

    def write(self, name: str, content: bytes) -> None:
        """Write one file completely or not at all."""
        with replacing(self.folder / name) as stream:
            stream.write(content)

    def has(self, number: int) -> bool:
        """Whether a chunk is done; its errors are written before its rows."""
        return (self.folder / f"{number:08d}.rows").exists()

    def add(self, number: int, done: Done) -> None:
        """Keep a chunk."""
        first = number * CHUNK + 1
        errors = "".join(f"{first + line}\t{fault}\n" for line, fault in done.errors)
        if errors:
            self.write(f"{number:08d}.errors", errors.encode())
        self.write(f"{number:08d}.rows", done.rows)

    def join(self) -> int:
        """Put the output in place; return the number of bad lines."""
        self._join("rows", self.out)
        errors = self.out.parent / f"{self.out.name}.errors"
        bad = sum(p.read_bytes().count(b"\n") for p in self.folder.glob("*.errors"))
        if bad:
            self._join("errors", errors)
        else:
            errors.unlink(missing_ok=True)
        shutil.rmtree(self.folder)
        return bad

    def _join(self, kind: str, target: Path) -> None:
        """Join in the folder, so that a killed run leaves nothing beside the output."""
        regular = not target.exists() or target.is_file()
        whole = self.folder / f"all_{kind}" if regular else target
        with replacing(whole) as stream:
            for path in sorted(self.folder.glob(f"*.{kind}")):
                with path.open("rb") as part:
                    shutil.copyfileobj(part, stream)
        if regular:
            os.replace(whole, target)


def _fingerprint(source: InputFile) -> list[Any]:
    """Tell inputs apart without reading them twice: the size, and a hash of the beginning."""
    if source.path == "-":
        return ["-"]
    with Path(source.path).open("rb") as stream:
        return [source.size, hashlib.sha256(stream.read(1 << 20)).hexdigest()]
