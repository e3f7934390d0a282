"""Treebank: entries read from a file of any format, and written to another."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

from morphtree._util.files import Text, read_files, write_atomically
from morphtree._util.text import counted
from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry, Note, Problem
from morphtree.treebank.formats import READERS, WRITERS, detect, known
from morphtree.treebank.formats.steps import Step, read_steps

SHOWN = 100  # problems of a file that cannot be used
FOLDER_SUFFIX = ".derivation"  # of the files that make up a treebank in a folder
EDITED_SUFFIX = ".brackets"  # of the editor's file, which stands alone: only its end may be cut


@dataclass(frozen=True)
class Treebank:
    """Entries in the order of their file; two treebanks with the same entries are equal."""

    name: str = field(compare=False)
    entries: tuple[Entry, ...]
    notes: tuple[Note, ...] = field(default=(), compare=False)
    format: str = field(default="brackets", compare=False)
    source: Text | None = field(default=None, compare=False, repr=False)  # what was read

    def __repr__(self) -> str:  # a large one would fill a terminal for minutes
        entries = counted(len(self.entries), "entry", "entries")
        return f"Treebank({self.name!r}, {entries}, format={self.format!r})"

    @staticmethod
    def read(path: str | os.PathLike[str], format: str | None = None) -> Treebank:
        """Read a file, or the derivation files of a folder; without a format, find it out."""
        treebank, problems = load(path, format)
        if problems:
            raise TreebankError("\n".join(_listed(treebank, problems)))
        return treebank

    def place(self, line: int) -> str:
        """Say where a line stands, for messages."""
        return self.source.place(line) if self.source else f"{self.name}:{line}"

    def steps(self) -> tuple[Step, ...]:
        """Return how its words are made, one step after the other."""
        if self.format == "derivation" and self.source:
            return read_steps(self.source.text)[0]
        return read_steps("\n".join(WRITERS["derivation"](self.entries).lines))[0]

    def write(self, target: str | os.PathLike[str] | TextIO, format: str) -> tuple[Note, ...]:
        """Write to a stream, or replace a file; return notes on what the format cannot hold."""
        written = WRITERS[known(format)](self.entries)
        text = "".join(f"{line}\n" for line in written.lines)
        if isinstance(target, str | os.PathLike):
            write_atomically(Path(target), text)
        else:
            target.write(text)
        return written.lost


def _listed(treebank: Treebank, problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems[:SHOWN]:
        yield f"{treebank.place(problem.line)}: {problem.code}: {problem.message}"
    if len(problems) > SHOWN:
        rest = f"{counted(len(problems) - SHOWN, 'problem')} more"
        yield f"{rest}; 'morphtree treebank check {treebank.name}' lists them all"


def _read(path: Path) -> Text:
    """Read a file, or those of a folder that make up a treebank."""
    if not path.is_dir():
        return read_files(path, path.suffix)
    files = [*path.glob(f"*{FOLDER_SUFFIX}")]
    edited = [*path.glob(f"*{EDITED_SUFFIX}")]
    if not files and len(edited) == 1:
        return read_files(edited[0], EDITED_SUFFIX)
    if files and not edited:
        return read_files(path, FOLDER_SUFFIX)
    has = ", ".join(sorted(file.name for file in (*files, *edited))) or "none of them"
    raise TreebankError(
        f"the folder {path} must have one file *{EDITED_SUFFIX}, or files *{FOLDER_SUFFIX};"
        f" it has {has}"
    )


class Loaded(NamedTuple):
    """A treebank with the problems of its file."""

    treebank: Treebank
    problems: tuple[Problem, ...]


def load(path: str | os.PathLike[str], format: str | None = None) -> Loaded:
    """Read a file as far as possible; a caller who wants no problems calls `Treebank.read`."""
    if format is not None:
        known(format)
    source = _read(Path(path))
    text = source.text
    if not text.strip():
        raise TreebankError(f"{path} is empty")
    name = format or detect(text)
    parsed = READERS[name](text)
    if not (parsed.entries or parsed.problems or parsed.notes):
        raise TreebankError(f"{path} has no entries")
    treebank = Treebank(os.fspath(path), parsed.entries, parsed.notes, name, source)
    return Loaded(treebank, parsed.problems)
