"""Flat segmentations: ``word<TAB>form<TAB>segments``, or ``word<TAB>a @@b @@c<TAB>code``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from morphtree._util.text import content_lines
from morphtree.treebank.entry import Entry, Fields, Parsed, Written, check_line
from morphtree.treebank.formats.lines import LineWriter, read_entries

_CODE = re.compile("[01]{3}")
JOINT = " @@"


def read(text: str) -> Parsed:
    """Read entries of either layout, one a line; a malformed line is a problem."""
    rows = [*content_lines(text, comments=False)]
    parse = _coded_entry if _is_coded([line for _, line in rows]) else _plain_entry
    return read_entries(rows, lambda number, line: parse(number, check_line(line).split("\t")))


def _is_coded(lines: list[str]) -> bool:
    """Whether the last of three columns always holds a code, and not the segments again."""
    full = [columns for line in lines if len(columns := line.split("\t", 3)) == 3]
    return all(_CODE.fullmatch(columns[2]) for columns in full) and any(
        columns[1] != columns[2] for columns in full
    )


def _plain_entry(line: int, columns: list[str]) -> Entry:
    if len(columns) != 3:
        raise ValueError("expected 'word<TAB>form<TAB>segments'")
    word, form, segments = columns[0], columns[1], tuple(columns[2].split(" "))
    if "".join(segments) != form:
        raise ValueError(f"the segments spell {''.join(segments)!r}, not the form {form!r}")
    return _checked(Entry(word, segments=segments, line=line))


def _coded_entry(line: int, columns: list[str]) -> Entry:
    if len(columns) != 3:
        raise ValueError("expected 'word<TAB>a @@b @@c<TAB>code'")
    word, segments, code = columns
    fields = (Fields(code=code, line=line),)
    return _checked(Entry(word, segments=tuple(segments.split(JOINT)), line=line, fields=fields))


def _checked(entry: Entry) -> Entry:
    for string in (entry.word, *entry.segments):
        if not string or string != string.strip():
            raise ValueError("the word and every segment must be a string without blanks around")
    return entry


def write(entries: Iterable[Entry]) -> Written:
    """Write one line for each entry; in the layout with a code, if every entry has one."""
    listed = list(entries)
    coded = all(entry.fields and entry.fields[0].code for entry in listed)
    writer = LineWriter(read)
    for entry in listed:
        if entry.readings:
            writer.lose(entry, "tree", "only the segments of its first reading are written")
        kept = (Fields(code=entry.fields[0].code),) if coded else ()
        if kept != entry.fields:
            writer.lose_fields(entry)
        if coded:
            columns = (entry.word, JOINT.join(entry.segments), entry.fields[0].code)
        else:
            columns = (entry.word, "".join(entry.segments), " ".join(entry.segments))
        writer.add(replace(entry, readings=(), fields=kept), "\t".join(columns))
    return writer.written()
