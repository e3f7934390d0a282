"""The bracket format: ``word<TAB>tree``, and after further tabs the trees of other readings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from morphtree.errors import TreeError
from morphtree.formats.lines import LineWriter
from morphtree.tree import Tree
from morphtree.treebank_entry import (
    Entry,
    Note,
    Parsed,
    Problem,
    Written,
    content_lines,
    normalise_entry,
)

_COLUMN = re.compile(r"(?:\\.|[^\\\t])*\\?", re.DOTALL)  # a tab inside a tree is escaped


def read(text: str) -> Parsed:
    """Read entries, one a line; a malformed line is a problem."""
    entries: list[Entry] = []
    notes: list[Note] = []
    problems: list[Problem] = []
    for number, line in content_lines(text):
        word, tab, trees = line.partition("\t")
        if not tab or not word or word != word.strip():
            problems.append(Problem(number, "malformed", "expected 'word<TAB>[tree]'"))
            continue
        try:
            readings = tuple(Tree.parse(column) for column in _columns(trees))
        except TreeError as error:
            problems.append(Problem(number, "malformed", str(error)))
            continue
        entry, changes = normalise_entry(Entry(word, readings, line=number))
        entries.append(entry)
        notes += changes
    return Parsed(tuple(entries), tuple(notes), tuple(problems))


def _columns(text: str) -> list[str]:
    columns = [_COLUMN.match(text).group()]  # type: ignore[union-attr]  # it matches anything
    at = len(columns[0])
    while at < len(text):
        columns.append(_COLUMN.match(text, at + 1).group())  # type: ignore[union-attr]
        at += 1 + len(columns[-1])
    return columns


def write(entries: Iterable[Entry]) -> Written:
    """Write one line for each entry."""
    writer = LineWriter(read)
    for entry in entries:
        writer.need_readings(entry)
        writer.lose_fields(entry)
        if entry.readings:
            line = "\t".join((entry.word, *map(str, entry.readings)))
            writer.add(replace(entry, fields=()), line)
    return writer.written()
