"""From texts to tables, stage by stage; a run that is repeated goes on where it was stopped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import morphtree
from morphtree.corpus import tables
from morphtree.corpus.engine import Job, check, pieces, reason, stopped, tried, written
from morphtree.corpus.inputs import Inputs
from morphtree.corpus.store import RECORDS, Record, Stage, Store
from morphtree.daft import answers
from morphtree.errors import DataError, OptionError

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

VERSION = 2  # of the files of a run; one of another version is not resumed
TASK = f"{RECORDS}/task.json"
SUMMARY = "summary.json"
PIECE = 32 << 20  # bytes of input that a core is given at a time
PART = 1 << 16  # words of a part of the vocabulary, about
ALL = "all"
Advance = Callable[[str, int, int], None]  # a stage, how much of it is done, of how much


@dataclass(frozen=True)
class Task:
    """All that decides the output, beside the input."""

    model: str
    controls: dict[str, Any] = field(default_factory=dict)
    least: int = 1  # occurrences of a word of the vocabulary
    tokens: bool = False

    def load(self) -> Analyzer:
        """Load the model."""
        return morphtree.load(self.model, jobs=1, **self.controls)

    def description(self, inputs: Inputs) -> dict[str, Any]:
        """Say what the output depends on."""
        return {
            **asdict(self), "sizes": inputs.sizes, "changed": inputs.files.changed,
            "column": inputs.column, "version": VERSION,
            "model": answers(self.load()),
            "controls": {**self.controls, "add_words": "", "overrides": ""},
        }  # fmt: skip


class Run:
    """The stages of one output."""

    def __init__(
        self, store: Store, inputs: Inputs, task: Task, cores: int, advance: Advance
    ) -> None:
        self.store = store
        self.inputs = inputs
        self.task = task
        self._cores = cores
        self._advance = advance
        self.counts = Stage(store, "counts")
        self.merged = Stage(store, "merged")
        self.vocabulary = Stage(store, "vocabulary", "vocabulary")
        self.morphemes = Stage(store, "morphemes", "morphemes")
        self.families = Stage(store, "families", "families")
        self.tokens = Stage(store, "tokens", "tokens")

    @property
    def stages(self) -> dict[str, Stage]:
        """The stages by their names, in order."""
        return {name: stage for name, stage in vars(self).items() if isinstance(stage, Stage)}

    def finish(self) -> None:
        """Do what is not done."""
        self._leave_out(self.inputs.without_texts)
        job = Job(self.counts, self._count, self._rescued)
        for paths in self.inputs.alike(self.inputs.sizes):
            self._in_pieces(job, paths, self.inputs.sizes, PIECE * self._cores)
        if not self.counts.places:
            return
        counts = partial(tables.read, self.counts.places)
        parts = max(1, -(-tried(lambda: counts().count_rows()) // PART))
        cut = {"partition_cols": [tables.PART]}
        self._at_once(self.merged, lambda: tables.merged(counts(), parts, self.task.least), cut)
        if not self.merged.places:  # there is no word
            return
        self._analyse(parts, cut)
        words = partial(tables.read, self.vocabulary.places)
        self._at_once(self.morphemes, lambda: tables.morphemes(words()))
        self._at_once(self.families, lambda: tables.families(words()))
        if self.task.tokens:
            self._write_tokens()

    def _leave_out(self, faults: Mapping[str, str]) -> None:
        """Keep in mind that files have no texts, and why."""
        if left := self.counts.left(faults):
            self.counts.add(Record(left, faults=[(path, faults[path]) for path in left]))

    def _in_pieces(
        self, job: Job, items: Sequence[str], sizes: Mapping[str, int], most: int
    ) -> None:
        """Do a stage for items, so much at a time."""
        left = job.stage.left(items)
        total, done = (sum(map(sizes.__getitem__, of)) for of in (items, set(items) - {*left}))
        self._advance(job.stage.name, done, total)
        for piece in pieces(left, sizes, most):
            job.finish(piece)
            done += sum(map(sizes.__getitem__, piece))
            self._advance(job.stage.name, done, total)

    def _at_once(
        self, stage: Stage, work: Callable[[], Any], how: dict[str, Any] | None = None
    ) -> None:
        """Do a stage as a whole."""
        self._in_pieces(Job(stage, lambda _: work(), _stopped, how or {}), [ALL], {ALL: 1}, 1)

    def _count(self, paths: Sequence[str]) -> Any:
        return tables.counted(self.inputs.texts(paths))

    def _rescued(self, path: str, error: Exception) -> Record:
        """Count the words of the lines of a file that can be read, and name the others."""
        self._check_output(path, error)
        if not self.inputs.has_lines(path):
            return _unreadable(path, error)
        try:
            good = written(
                self.counts, [path], lambda _: tables.counted(self.inputs.good_lines(path))
            )
            said = self.inputs.bad_lines(path)
            return replace(good, faults=[(path, said)] if said else [], is_rescued=True)
        except Exception as other:  # what Daft could not read for another reason
            check(self.counts, other)
            return _unreadable(path, error)

    def _check_output(self, path: str, error: Exception) -> None:
        """Complain if the words of a file can be counted, but what was counted not written."""
        try:
            self._count([path]).collect()
        except Exception:
            return
        raise DataError(
            f"the counts could not be written to {self.store.url} ({reason(error)}); "
            "see that there is room, and repeat the command to go on"
        ) from error

    def _analyse(self, parts: int, cut: dict[str, Any]) -> None:
        """Make the vocabulary, as many parts at a time as there are cores."""
        files: dict[str, list[str]] = {}
        for place in self.merged.places:
            part = re.findall(rf"/({tables.PART}=\d+)/", place)[-1]
            files.setdefault(part, []).append(place)

        def work(names: Sequence[str]) -> Any:
            words = tables.read([place for name in names for place in files[name]])
            return tables.vocabulary(words, parts, self.task.model, self.task.controls)

        job = Job(self.vocabulary, work, _stopped, cut)
        self._in_pieces(job, sorted(files), dict.fromkeys(files, 1), self._cores)

    def read(self, *, rescued: bool = False) -> list[str]:
        """Return the files that were read as a whole, or those that were by their good lines."""
        records = (r for r in self.counts.records if r.files and r.is_rescued == rescued)
        return sorted(item for record in records for item in record.items)

    def _write_tokens(self) -> None:
        """Write the tokens of all files, those of rescued ones by their good lines."""
        words = partial(tables.read, self.vocabulary.places)

        def work(paths: Sequence[str]) -> Any:
            texts = self.inputs.texts(paths, place=True)
            return tables.tokens(texts, words())

        def work_on_lines(paths: Sequence[str]) -> Any:
            return tables.tokens(self.inputs.good_lines(paths[0]), words())

        for paths in self.inputs.alike(self.read()):
            job = Job(self.tokens, work, _stopped)
            self._in_pieces(job, paths, self.inputs.sizes, PIECE * self._cores)
        for path in self.read(rescued=True):
            self._in_pieces(Job(self.tokens, work_on_lines, _stopped), [path], {path: 1}, 1)


def _unreadable(path: str, error: Exception) -> Record:
    return Record([path], faults=[(path, reason(error))])


def _stopped(item: str, error: Exception) -> Record:
    raise stopped(error, "see that there is room and memory, and ")


def opened(store: Store, described: dict[str, Any]) -> dict[str, Any] | None:
    """Open an output, and return its summary if it is complete; refuse one of another run."""
    for name in (SUMMARY, TASK):
        told = _json(store.read(name))
        task = told.get("task") if name == SUMMARY else told
        if task and task != described:
            raise DataError(
                f"{store.url} is of another run: its inputs, its model or its options differ; "
                "name another output, or remove that one"
            )
        if task and name == SUMMARY:
            store.remove_folder(RECORDS)  # a run may have been killed just before that
            return told
        if task:
            return None
    if any(not name.startswith(RECORDS) for name in store.names()):
        raise OptionError(f"{store.url} has other files; name another output")
    store.write(TASK, json.dumps(described).encode())
    return None


def _json(text: bytes | None) -> dict[str, Any]:
    """Read a file of ours; one of somebody else's, or none, says nothing."""
    with suppress(ValueError):
        if text and isinstance(told := json.loads(text), dict):
            return told
    return {}
