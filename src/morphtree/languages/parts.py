"""The parts of a language's treebank: whole families, and the words that were drawn at random."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from morphtree._util.files import read_text
from morphtree._util.text import counted
from morphtree.errors import TreebankError
from morphtree.languages.description import FamilyRules
from morphtree.treebank.entry import Entry
from morphtree.treebank.formats.steps import Step
from morphtree.treebank.split import stems

TRAIN, DEV, TEST, RANDOM, MIXED = "train", "dev", "test", "test-random", "mixed"
BASES = "random-bases"  # read only because a random word is made of them
AROUND = "around-random"  # made of a random word: learning one would give its tree away
PARTS = (TRAIN, DEV, TEST, RANDOM, MIXED, BASES, AROUND)
LISTS = {RANDOM: "random-words.txt", BASES: "random-bases.txt"}
TEST_PERCENT, DEV_PERCENT = 10, 8


class Families(NamedTuple):
    """Says to which part a stem belongs: stems that differ in ending or umlaut are one family."""

    rules: FamilyRules

    def key(self, stem: str) -> str:
        """Return what the stems of a family share: *arbeit* of *arbeiten*, *zug* of *züge*."""
        for end in sorted(self.rules.endings, key=len, reverse=True):
            if len(stem) > len(end) + 2 and stem.endswith(end):
                stem = stem.removesuffix(end)
                break
        return "".join(self.rules.letters.get(letter, letter) for letter in stem)

    def part(self, stem: str) -> str:
        """Return the part of a stem, by the hash of its family."""
        digest = hashlib.sha256(self.key(stem).encode()).digest()
        place = int.from_bytes(digest[:4], "big") % 100
        if place < TEST_PERCENT:
            return TEST
        return DEV if place < TEST_PERCENT + DEV_PERCENT else TRAIN

    def part_of(self, entry: Entry) -> str:
        """Return the part of a word; a word with stems in two parts is mixed."""
        found = {self.part(stem) for stem in stems(entry)}
        return found.pop() if len(found) == 1 else MIXED


def listed_parts(folder: Path) -> dict[str, str]:
    """Return the parts of the words that are listed in a folder; no list need be there."""
    files = {part: folder / name for part, name in LISTS.items()}
    return {
        word: part
        for part, path in files.items()
        if path.exists()
        for word in read_text(path).split()
    }


def split_parts(
    entries: Iterable[Entry], listed: Mapping[str, str], part_of: Callable[[Entry], str]
) -> dict[str, list[Entry]]:
    """Sort entries into parts: some words are listed with theirs, others follow their families."""
    parts: dict[str, list[Entry]] = {name: [] for name in PARTS}
    for entry in entries:
        parts[listed.get(entry.word) or part_of(entry)].append(entry)
    return parts


def made_of(words: Collection[str], steps: Mapping[str, Step]) -> set[str]:
    """Return the words that have one of the words inside, at any depth."""
    inside: dict[str, bool] = {}

    def contains(word: str) -> bool:
        if word not in inside:
            inside[word] = False  # until its bases are known
            bases = [base.string for base in steps[word].bases()] if word in steps else []
            inside[word] = any(base in words or contains(base) for base in bases)
        return inside[word]

    return {word for word in steps if contains(word)}


def check_trainable(parts: Mapping[str, Sequence[Entry]]) -> None:
    """Refuse parts with nothing to learn from or to choose the epoch by."""
    if few := [name for name in (TRAIN, DEV) if not parts[name]]:
        words = counted(sum(map(len, parts.values())), "word")
        raise TreebankError(
            f"no family is in the part {' or '.join(few)}: {words} of the treebank are too few;"
            " annotate words with other stems"
        )


def allowed_silver(
    silver: Sequence[Entry], read: Iterable[Entry], part_of: Callable[[Entry], str]
) -> list[Entry]:
    """Return the silver words of training families that were not read by hand, in no part."""
    words = {entry.word for entry in read}
    return [e for e in silver if e.word not in words and part_of(e) == TRAIN]
