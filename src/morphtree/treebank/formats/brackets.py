"""The bracket format: ``word<TAB>tree``, and after further tabs the trees of other readings.

A last column may hold fields: ``who=anna when=2026-11-15T09:30:00Z note=rare``. A line with
``when=`` was saved by the editor and takes the place of all earlier lines of its word; with the
empty tree ``[]`` it withdraws them, so that the word has no entry.

What the editor saves counts only if it is whole: a line has its end, and if it says ``more=2``
after ``when=``, two more lines of the same save follow. A crash can cut the end of the file only,
so that is where `unfinished` looks. In a file that the editor has not written to, the last line
needs no end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from morphtree._util.text import content_lines
from morphtree.treebank.entry import (
    Entry,
    Fields,
    Note,
    Parsed,
    Written,
    check_line,
    parse_fields,
)
from morphtree.treebank.formats.lines import LineWriter, read_entries
from morphtree.trees.tree import Tree

WITHDRAWN = "[]"
EDITED = "# morphtree annotate:"
HEADER = f"{EDITED} saves follow; a last line without its end was cut and does not count"
CUT = "a save that was cut does not count"
_COLUMN = re.compile(r"(?:\A|\t)((?:\\.|[^\\\t])*\\?)", re.DOTALL)  # a tab inside a tree is escaped
_EDITORS = re.compile(rf"^{EDITED}|[\t ](?:who|when)=", re.MULTILINE)
_MORE = re.compile(r"\b(when=\S{1,40}) more=([0-9]{1,9})\s*\Z")


def read(text: str) -> Parsed:
    """Read entries, one a line; a malformed line is a problem, and a cut save is left out."""
    end = unfinished(text)
    parsed = read_entries(content_lines(text[:end]), read_line)
    if end < len(text):
        note = Note(text.count("\n", 0, end) + 1, "dropped", "unfinished", CUT)
        parsed = parsed._replace(notes=(*parsed.notes, note))
    saved = {entry.word: entry.line for entry in parsed.entries if is_saved(entry)}  # the last
    valid = (e for e in parsed.entries if e.readings and e.line >= saved.get(e.word, 0))
    return parsed._replace(entries=tuple(valid))


def is_edited(text: str) -> bool:
    """Whether the editor has written to a file with this text."""
    return _EDITORS.search(text) is not None


def unfinished(text: str) -> int:
    """Return where a save begins that is cut at the end of a text; its length if none is."""
    ended = text.rfind("\n") + 1
    is_cut = any(content_lines(text[ended:])) and is_edited(text)
    return _start_of_save(text, ended) if is_cut or ended == len(text) else len(text)


def _start_of_save(text: str, end: int) -> int:
    """Return where the lines begin before this place that say that more of their save follow."""
    wanted = 0
    while end:
        start = text.rfind("\n", 0, end - 1) + 1
        more = _MORE.search(text[start:end])
        if more is None or (wanted and int(more[2]) != wanted):
            break
        wanted, end = int(more[2]) + 1, start
    return end


def with_more(line: str, more: int) -> str:
    """Say in a saved line how many more lines of the same save follow."""
    return f"{line} more={more}" if more else line


def more_after(line: str) -> int:
    """Return how many more lines of the same save follow a line."""
    found = _MORE.search(line)
    return int(found[2]) if found else 0


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
        fields = (parse_fields(number, _MORE.sub(r"\1", columns.pop())),)
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
    writer = LineWriter(lambda line: read(f"{line}\n"))
    for entry in entries:
        writer.need_readings(entry)
        if not is_saved(entry) or len(set(entry.fields)) > 1:
            writer.lose_fields(entry)
            entry = replace(entry, fields=())
        if entry.readings:
            writer.add(entry, write_line(entry))
    return writer.written()
