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
from morphtree import _kernels as kernels
from morphtree._util.parallel import batches, in_processes, in_threads
from morphtree._util.text import short_hash
from morphtree.errors import DataError
from morphtree.segment.parts import Parts
from morphtree.segment.rows import VERSION, is_of_objects
from morphtree.segment.writer import Done, RowWriter

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

CHUNK = 1000 if kernels.COMPILED else 20  # lines: some tenths of a second


@dataclass(frozen=True)
class Task:
    """All that decides the output, beside the input."""

    format: str
    model: str
    n: int = 1  # readings of a word
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
            "chunk": CHUNK, "rows": VERSION,
        }  # fmt: skip


def results(
    task: Task, analyzer: Analyzer, lines: Iterable[bytes], jobs: int, parts: Parts | None = None
) -> Iterator[Done]:
    """Yield what comes of each chunk, in order; if there are parts, the rows are kept there alone.

    Threads share the model, and work at once in the kernels only: rows that are made of objects
    are a matter for processes.
    """
    chunks = enumerate(map(b"".join, batches(lines, CHUNK)))
    if jobs > 1 and is_of_objects(task.format, task.n):
        load = partial(_load_writer, task, task.description(analyzer), parts)
        return in_processes(load, chunks, jobs=jobs)
    return in_threads(partial(_writer, task, analyzer, parts), chunks, jobs=jobs)


Work = Callable[[tuple[int, bytes]], Done]


def _load_writer(task: Task, described: dict[str, Any], parts: Parts | None) -> Work:
    """Load the model in another process; the file may have been replaced in the meantime."""
    analyzer = task.load()
    if task.description(analyzer) != described:
        raise DataError("the model, the overrides or the added words changed; start again")
    return _writer(task, analyzer, parts)


def _writer(task: Task, analyzer: Analyzer, parts: Parts | None) -> Work:
    """Return what segments a chunk, given with its number, with workspaces of its own."""
    write = RowWriter(analyzer.copy(jobs=1), task.format, task.n)

    def work(item: tuple[int, bytes]) -> Done:
        number, chunk = item
        if parts is None:
            return write(chunk)
        if found := parts.find(number, chunk):
            return Done(b"", [], found.lines, is_new=False)
        done = write(chunk)
        parts.add(number, chunk, done)  # here, so that an interruption loses nothing finished
        return Done(b"", [], done.lines)

    return work
