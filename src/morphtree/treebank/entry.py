"""What a treebank is made of: entries, their fields, and notes on what a reader had to change."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from morphtree._util.text import normalise, why_no_word
from morphtree.errors import DataError
from morphtree.trees.tree import Tree

MAX_LINE = 20_000  # characters; far beyond any line that somebody wrote
MAX_LETTERS = 256  # of a word, a form or a segment; far beyond any word
FIELD_NAMES = ("prov", "pos", "lemma", "feature", "note", "code", "who", "when")


@dataclass(frozen=True, slots=True)
class Fields:
    """What a line says beside its reading: where it comes from, what it is, notes, its author."""

    prov: str = ""
    pos: str = ""  # N, V, A, R, Q (number) or X (other)
    lemma: str = ""  # of an irregular form
    feature: str = ""  # what the form expresses: plural, past, participle ...
    note: str = ""
    code: str = ""
    who: str = ""  # saved the line in the editor
    when: str = ""
    line: int = field(default=0, compare=False)

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield the names and values of the fields that are set."""
        return ((name, getattr(self, name)) for name in FIELD_NAMES if getattr(self, name))

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.items())


_FIELD = re.compile(rf"(?:\A|[ \t])({'|'.join(FIELD_NAMES)})=")


def parse_fields(number: int, text: str) -> Fields:
    """Read fields, each up to the next one's name; a ValueError says what is wrong with them."""
    parts = _FIELD.split(text.strip())
    if parts[0].strip():
        raise ValueError(f"expected {'=, '.join(FIELD_NAMES)}= after the tab, not {parts[0]!r}")
    names, values = parts[1::2], [value.strip() for value in parts[2::2]]
    if len(set(names)) < len(names):
        raise ValueError("a field stands twice")
    return Fields(**dict(zip(names, values, strict=True)), line=number)


@dataclass(frozen=True, slots=True)
class Entry:
    """A word with its readings, or with its canonical segments alone if the data are flat.

    ``fields`` is empty, or holds one item for each reading; flat data have at most one.
    """

    word: str
    readings: tuple[Tree, ...] = ()
    segments: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    fields: tuple[Fields, ...] = ()

    def __post_init__(self) -> None:
        if self.readings:
            object.__setattr__(self, "segments", self.readings[0].morphemes)

    def line_of(self, reading: int) -> int:
        """Return the line on which a reading stands, counted from 0."""
        return self.fields[reading].line if reading < len(self.fields) else self.line


class Note(NamedTuple):
    """One change that a reader or writer made to a line, so that nothing changes silently."""

    line: int
    action: Literal["repaired", "dropped"]
    code: str
    message: str


class Problem(NamedTuple):
    """One fault of a line; a warning does not make a check fail."""

    line: int
    code: str
    message: str
    is_error: bool = True


class Parsed(NamedTuple):
    """What a reader found in a file."""

    entries: tuple[Entry, ...]
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()


class Written(NamedTuple):
    """The lines that a writer made, and what the format could not hold."""

    lines: tuple[str, ...]
    lost: tuple[Note, ...] = ()


def check_line(line: str) -> str:
    """Return a line if it is short enough to be one of a treebank."""
    if len(line) > MAX_LINE:
        raise DataError(
            f"a line of {len(line)} characters, more than {MAX_LINE}; write one entry a line"
        )
    return line


def check_letters(strings: Iterable[str]) -> None:
    """Refuse strings that are, put together, too long to be a word."""
    letters = sum(map(len, strings))
    if letters > MAX_LETTERS:
        raise DataError(
            f"a word or form of {letters} letters, more than {MAX_LETTERS}; correct the line or"
            " leave it out"
        )


def normal_word(string: str) -> str:
    """Normalise a word; one that is too long is refused before."""
    check_letters((string,))
    return normalise(string)


def need_word(string: str) -> str:
    """Normalise a word that somebody gives; what `parse` refuses is refused here, too."""
    word = normal_word(string)
    if reason := why_no_word(string):
        raise DataError(f"{string!r} is refused: {reason}")
    return word


def normalise_entry(entry: Entry) -> tuple[Entry, list[Note]]:
    """Bring the word, trees and segments to lower case and NFC; note it if anything changed.

    The lengths are checked first, as in `normal_word`.
    """
    for strings in ((entry.word,), entry.segments, *(tree.morphemes for tree in entry.readings)):
        check_letters(strings)
    result = replace(
        entry,
        word=normalise(entry.word),
        readings=tuple(map(_normalise_tree, entry.readings)),
        segments=tuple(map(normalise, entry.segments)),
    )
    before = (entry.word, *(s for tree in entry.readings for s in tree.morphemes), *entry.segments)
    return result, normalisation_notes(entry.line, before)


def normalisation_notes(line: int, strings: Iterable[str]) -> list[Note]:
    """Return a note if `normalise` changes any of the strings of a line."""
    changed = dict.fromkeys(string for string in strings if normalise(string) != string)
    if not changed:
        return []
    composed = all(unicodedata.is_normalized("NFC", string) for string in changed)
    code, what = ("upper-case", "to lower case") if composed else ("not-nfc", "to NFC, lower case")
    return [Note(line, "repaired", code, f"brought {what}: {', '.join(changed)}")]


def _normalise_tree(tree: Tree) -> Tree:
    if tree.is_leaf:
        return replace(tree, string=normalise(tree.string))
    return replace(tree, children=tuple(map(_normalise_tree, tree.children)))
