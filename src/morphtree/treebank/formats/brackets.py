"""The bracket format: ``word<TAB>tree``, and after further tabs the trees of other readings.

A last column may hold fields: ``who=anna when=2026-11-15T09:30:00Z note=rare``. A line with
``when=`` was saved by the editor and takes the place of all earlier lines of its word; with the
empty tree ``[]`` it withdraws them, so that the word has no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from morphtree._util.text import content_lines
from morphtree.treebank.entry import Entry, Fields, Parsed, Written, check_line, parse_fields
from morphtree.treebank.formats.lines import LineWriter, read_entries
from morphtree.trees.tree import Tree

WITHDRAWN = "[]"
_COLUMN = re.compile(r"(?:\A|\t)((?:\\.|[^\\\t])*\\?)", re.DOTALL)  # a tab inside a tree is escaped


def read(text: str) -> Parsed:
    """Read entries, one a line; a malformed line is a problem."""
    parsed = read_entries(content_lines(text), read_line)
    saved = {entry.word: entry.line for entry in parsed.entries if is_saved(entry)}  # the last
    valid = (e for e in parsed.entries if e.readings and e.line >= saved.get(e.word, 0))
    return parsed._replace(entries=tuple(valid))


def is_saved(entry: Entry) -> bool:
    """Whether a line of the editor says so, and takes the place of earlier ones."""
    return any(fields.when for fields in entry.fields)


def read_line(number: int, line: str) -> Entry:
    """Read one line; a ValueError says what is wrong with it. `[]` makes an entry of no reading."""
    word, tab, rest = check_line(line).partition("\t")
    if not tab or not word or word != word.strip():
        raise ValueError("expected 'word<TAB>[tree]'")
    columns = _COLUMN.findall(rest)
    fields: tuple[Fields, ...] = ()
    if len(columns) > 1 and not columns[-1].lstrip(" ").startswith("["):
        fields = (parse_fields(number, columns.pop()),)
    if columns == [WITHDRAWN] and fields and fields[0].when:
        return Entry(word, line=number, fields=fields)
    readings = tuple(map(Tree.parse, columns))
    return Entry(word, readings, line=number, fields=fields * len(readings))


def write_line(entry: Entry) -> str:
    """Write a line; `read_line` gives the entry back if the format can hold it."""
    fields = str(entry.fields[0]) if is_saved(entry) else ""
    columns = (entry.word, *map(str, entry.readings or (WITHDRAWN,)))
    return "\t".join((*columns, fields) if fields else columns)


def write(entries: Iterable[Entry]) -> Written:
    """Write one line for each entry, with its fields if it was saved by the editor."""
    writer = LineWriter(read)
    for entry in entries:
        writer.need_readings(entry)
        if not is_saved(entry) or len(set(entry.fields)) > 1:
            writer.lose_fields(entry)
            entry = replace(entry, fields=())
        if entry.readings:
            writer.add(entry, write_line(entry))
    return writer.written()
