"""What the lines of the editor's file say: the newest state of every word."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from morphtree._util.text import content_lines, short_hash
from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry, normalise_entry
from morphtree.treebank.formats.brackets import is_edited, is_saved, more_after, read_line
from morphtree.web.editor.records import Record, Step
from morphtree.web.editor.undoing import Saves

BOM = "\ufeff"


@dataclass
class Content:
    """The part of a file that counts, and the state of its words."""

    path: Path
    whole: bytearray = field(default_factory=bytearray)
    records: dict[str, Record] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)  # of all lines in the order they were read
    saves: Saves = field(default_factory=Saves)  # that can be taken back
    is_edited: bool = False  # the editor has written to it

    def take(self, data: bytes) -> None:
        """Take in lines that stand at the end of what was taken in before."""
        text = data.decode()
        records, words, steps = self.records.copy(), [], []  # readers keep the dictionary they have
        for number, line in content_lines(text if self.whole else text.removeprefix(BOM)):
            entry, is_changed = self._parsed(number, line)
            before = records.pop(entry.word, None)
            record = _joined(before, entry, line, is_changed)
            records[entry.word] = record  # in the order of the newest lines
            words.append(entry.word)
            if is_saved(entry):
                steps.append(Step(entry.word, before, record, more_after(line)))
        self.is_edited |= is_edited(text)
        self.records = records
        self.words += words
        self.saves.add(steps)
        self.whole += data

    def _parsed(self, number: int, line: str) -> tuple[Entry, bool]:
        """Read a line, and say whether it is written otherwise than it is read."""
        try:
            entry, notes = normalise_entry(read_line(number, line))
        except ValueError as error:
            place = f"{self.path}:{self.whole.count(10) + number}"
            raise TreebankError(
                f"{place}: {error}; the editor works on bracket files "
                "('morphtree treebank convert FILE --to brackets -o NEW' makes one)"
            ) from None
        return entry, bool(notes)


def _joined(before: Record | None, entry: Entry, line: str, is_changed: bool) -> Record:
    """Return the state after a line; lines that no editor saved add up to several readings."""
    count = 1 + (int(before.version.partition(".")[0]) if before else 0)
    version = f"{count}.{short_hash(line.encode())}"
    if before is None or is_saved(entry):
        return Record(entry, version, is_changed)
    readings = dict.fromkeys((*before.entry.readings, *entry.readings))
    is_flawed = is_changed or before.is_flawed or bool(before.entry.readings)
    return Record(replace(entry, readings=tuple(readings), fields=()), version, is_flawed)
