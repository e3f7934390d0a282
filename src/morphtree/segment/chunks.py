"""Segmenting large vocabularies: in chunks, by several threads or processes.

A chunk's rows depend on its lines alone, so the output has the same bytes whatever the number of
jobs, and whether the run was interrupted or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import morphtree
from morphtree._util.parallel import batches, in_processes, in_threads
from morphtree._util.text import short_hash
from morphtree.errors import DataError
from morphtree.segment.rows import OF_OBJECTS
from morphtree.segment.writer import Done, RowWriter

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

CHUNK = 5000  # lines


@dataclass(frozen=True)
class Task:
    """All that decides the output, beside the input."""

    format: str
    model: str
    overrides: str = ""
    add_words: str = ""
    min_prob: float = 0.0
    stored: bool = True

    def load(self) -> Analyzer:
        """Load the model."""
        return morphtree.load(
            self.model, overrides=self.overrides, add_words=self.add_words,
            min_prob=self.min_prob, stored=self.stored, jobs=1,
        )  # fmt: skip

    def description(self, analyzer: Analyzer) -> dict[str, Any]:
        """Say what the rows depend on, by content and not by the names of files."""
        return {
            **asdict(self), "model": analyzer.model.digest, "add_words": "",  # which it holds
            "overrides": short_hash(repr(sorted(analyzer.overrides.items())).encode()),
            "chunk": CHUNK,
        }  # fmt: skip


def results(
    task: Task,
    analyzer: Analyzer,
    lines: Iterable[bytes],
    jobs: int,
    is_done: Callable[[int, bytes], bool] = lambda number, chunk: False,
) -> Iterator[Done | None]:
    """Yield what comes of each chunk, in order; None stands for a chunk that is done already.

    Threads share the model, and work at once in the kernels only: formats that are written from
    objects are a matter for processes.
    """
    chunks = enumerate(map(b"".join, batches(lines, CHUNK)))
    missing = (None if is_done(number, chunk) else chunk for number, chunk in chunks)
    if jobs > 1 and task.format in OF_OBJECTS:
        load = partial(_load_writer, task, task.description(analyzer))
        return in_processes(load, missing, jobs=jobs)
    return in_threads(partial(_writer, task, analyzer), missing, jobs=jobs)


Work = Callable[[bytes | None], Done | None]


def _load_writer(task: Task, described: dict[str, Any]) -> Work:
    """Load the model in another process; the file may have been replaced in the meantime."""
    analyzer = task.load()
    if task.description(analyzer) != described:
        raise DataError("the model, the overrides or the added words changed; start again")
    return _writer(task, analyzer)


def _writer(task: Task, analyzer: Analyzer) -> Work:
    """Return what segments a chunk, with workspaces of its own."""
    write = RowWriter(analyzer.copy(jobs=1), task.format)
    return lambda chunk: None if chunk is None else write(chunk)
