"""The file formats of treebanks, and how to tell them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from morphtree._util.text import content_lines
from morphtree.errors import TreebankError
from morphtree.treebank.entry import FIELD_NAMES, Entry, Parsed, Written
from morphtree.treebank.formats import brackets, derivation, flat, y2016

READERS: dict[str, Callable[[str], Parsed]] = {
    "2016": y2016.read,
    "brackets": brackets.read,
    "derivation": derivation.read,
    "flat": flat.read,
}
WRITERS: dict[str, Callable[[Iterable[Entry]], Written]] = {
    "2016": y2016.write,
    "brackets": brackets.write,
    "derivation": derivation.write,
    "flat": flat.write,
}
FORMATS = tuple(READERS)

# The first line that shows one of these settles the format.
_SIGNS = (
    ("brackets", re.compile(r"[^\t]+\t\[")),
    ("2016", re.compile(r"[^\t]*\((?:[^():\t]*+:[^()\t]*+\)|S\s)")),
    ("flat", re.compile(rf"[^\t]+\t(?!(?:{'|'.join(FIELD_NAMES)})=)[^\t]+\t")),
    ("derivation", re.compile(r"\S+ = \S")),
)


def detect(text: str) -> str:
    """Name the format of a text; a list of bare words is a derivation of simple words."""
    if brackets.HEADER in text:  # its first line may be cut
        return "brackets"
    for _, line in content_lines(text):
        for name, sign in _SIGNS:
            if sign.match(line):
                return name
    return "derivation"


def known(name: str) -> str:
    """Return the name of a format if there is one so called."""
    if name not in FORMATS:
        raise TreebankError(f"no treebank format is called {name!r}; take one of {FORMATS}")
    return name
