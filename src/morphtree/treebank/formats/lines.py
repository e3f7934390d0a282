"""What the formats of one entry a line share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from morphtree.errors import DataError
from morphtree.treebank.entry import (
    Entry,
    Note,
    Parsed,
    Problem,
    Written,
    need_word,
    normalise_entry,
)

Row = TypeVar("Row")
Item = TypeVar("Item")


def read_lines(
    rows: Iterable[tuple[int, Row]], parse: Callable[[int, Row], tuple[Item, list[Note]]]
) -> tuple[tuple[Item, ...], tuple[Note, ...], tuple[Problem, ...]]:
    """Parse each numbered line; a ValueError makes it a problem."""
    items: list[Item] = []
    notes: list[Note] = []
    problems: list[Problem] = []
    for number, row in rows:
        try:
            item, changes = parse(number, row)
        except ValueError as error:
            problems.append(Problem(number, "malformed", str(error)))
        else:
            items.append(item)
            notes += changes
    return tuple(items), tuple(notes), tuple(problems)


def read_entries(rows: Iterable[tuple[int, Row]], parse: Callable[[int, Row], Entry]) -> Parsed:
    """Parse and normalise each numbered line."""
    return Parsed(*read_lines(rows, lambda number, row: normalise_entry(parse(number, row))))


def read_words(rows: Iterable[tuple[int, str]], place: str) -> Iterator[str]:
    """Yield the words of a list, one a line, as readers of treebanks give them."""
    for number, line in rows:
        try:
            if text := line.strip():
                yield need_word(text)
        except DataError as error:
            raise DataError(f"{place}:{number}: {error}") from None


class LineWriter:
    """Collects lines, leaving out those that the format's own reader would not give back."""

    def __init__(self, read: Callable[[str], Parsed]) -> None:
        self._read = read
        self._lines: list[str] = []
        self._lost: list[Note] = []

    def add(self, entry: Entry, line: str) -> None:
        """Add the line of an entry, or note that the format cannot express it."""
        if self._read(line) == Parsed((entry,)):
            self._lines.append(line)
        else:
            self.lose(entry, "not-expressible", f"the format cannot express {entry.word!r}")

    def lose(self, entry: Entry, code: str, message: str) -> None:
        """Note something that the format cannot hold."""
        self._lost.append(Note(entry.line, "dropped", code, message))

    def need_readings(self, entry: Entry) -> None:
        """Note that a flat entry has no tree to write."""
        if not entry.readings:
            self.lose(entry, "no-tree", f"{entry.word!r} has segments, but no tree")

    def lose_fields(self, entry: Entry) -> None:
        """Note that the fields of an entry are not written."""
        names = sorted({name for fields in entry.fields for name, _ in fields.items()})
        if names:
            self.lose(entry, "fields", f"without its fields {', '.join(names)}")

    def written(self) -> Written:
        """Return what was collected."""
        return Written(tuple(self._lines), tuple(self._lost))
