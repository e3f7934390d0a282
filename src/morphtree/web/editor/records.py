"""What the file says of a word: its newest state, and what each line has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from morphtree.treebank.entry import Entry, Fields


@dataclass(frozen=True)
class Record:
    """What the file says of a word: its newest line, and a name for that state."""

    entry: Entry
    version: str
    is_flawed: bool = False  # repeated by hand, or not written as it is read

    @property
    def fields(self) -> Fields:
        """Who saved it, and when."""
        return self.entry.fields[0] if self.entry.fields else Fields()


class Step(NamedTuple):
    """What a saved line has changed, and how many more lines of the same save follow."""

    word: str
    before: Record | None
    after: Record
    more: int
