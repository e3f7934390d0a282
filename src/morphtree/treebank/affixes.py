"""The inventory of affixes: a table of affix, side, categories, allomorphs, examples, gloss."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

from morphtree._util.files import read_text
from morphtree._util.text import content_lines
from morphtree.errors import TreebankError
from morphtree.lexicon.word_facts import ADJ, ADV, NOUN, VERB
from morphtree.treebank.entry import check_line, normal_word
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, hyphenated

POS_BITS = {"N": NOUN, "V": VERB, "A": ADJ, "R": ADV, "Q": NOUN | ADJ}  # X has none
LABELS = {"prefix": PREFIX, "suffix": SUFFIX, "link": LINK}
HEADER = "affix"
COLUMNS = 7  # affix, side, attaches to, makes, allomorphs, examples, gloss


class Affix(NamedTuple):
    """One row for one spelling of an affix: what it attaches to and makes, as letters of NVARQ."""

    string: str
    label: str
    attaches: str = ""
    makes: str = ""
    examples: tuple[str, ...] = ()
    gloss: str = ""  # what it means, with ... for the base

    def __str__(self) -> str:
        return hyphenated(self.label, self.string)


class Inventory:
    """The rows of affixes by label and spelling."""

    def __init__(self, affixes: Iterable[Affix]) -> None:
        self.rows: dict[tuple[str, str], list[Affix]] = {}
        self._takes: dict[tuple[str, str], int] = {}
        self._makes: dict[tuple[str, str], int] = {}
        for affix in affixes:
            key = affix.label, affix.string
            self.rows.setdefault(key, []).append(affix)
            self._takes[key] = self._takes.get(key, 0) | pos_bits(affix.attaches)
            self._makes[key] = self._makes.get(key, 0) | pos_bits(affix.makes)

    def takes(self, label: str, string: str) -> int:
        """Return the categories of the bases that an affix attaches to, as bits."""
        return self._takes.get((label, string), 0)

    def makes(self, label: str, string: str) -> int:
        """Return the categories of the words that an affix makes, as bits."""
        return self._makes.get((label, string), 0)


def read_inventory(path: str | os.PathLike[str]) -> tuple[Affix, ...]:
    """Read a tab-separated inventory; the columns after the second may be missing."""
    return tuple(
        affix
        for number, line in content_lines(read_text(Path(path)))
        if not line.startswith(HEADER + "\t")
        for affix in _affixes(f"{path}:{number}", line)
    )


def _affixes(place: str, line: str) -> list[Affix]:
    try:
        return [*_row(check_line(line).split("\t"))]
    except ValueError as error:
        raise TreebankError(f"{place}: {error}") from None


def _row(columns: list[str]) -> Iterator[Affix]:
    if len(columns) < 2 or columns[1] not in LABELS:
        raise ValueError("expected 'affix<TAB>prefix|suffix|link<TAB>...'")
    name, side, attaches, makes, others, examples, gloss = (*columns, *[""] * COLUMNS)[:COLUMNS]
    words = tuple(map(normal_word, examples.split()))  # shared by all spellings
    for spelling in re.findall(r"[^\s,;/]+", f"{name} {others}"):
        if bare := normal_word(spelling).strip("-"):
            yield Affix(bare, LABELS[side], attaches, makes, words, gloss.strip())


def pos_bits(letters: str) -> int:
    """Return categories, letters of NVARQ, as the bits of `Facts.pos`."""
    return reduce(or_, (POS_BITS.get(letter, 0) for letter in letters), 0)
