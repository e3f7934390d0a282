"""The word without what surrounds it, in small letters, and where it is written."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from morphtree._util.text import normalise

LONGEST_WORD = 64  # code points
MOST_CODE_POINTS = 4 * LONGEST_WORD  # of such a word if its letters are decomposed
HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"  # written for "-", the en dash among them
APOSTROPHES = "\u2018\u2019\u02bc\uff07"
SOFT_HYPHEN = "\u00ad"
PLAINLY = str.maketrans(
    dict.fromkeys(HYPHENS, "-") | dict.fromkeys(APOSTROPHES, "'") | {SOFT_HYPHEN: ""}
)
SYMBOLS = frozenset("#@&%/\\")  # punctuation that may belong to a word: *C#*, *@home*
ABBREVIATION = re.compile(r"(.*-)?(\w{1,2}\.)+\w{1,2}")
CLIPPED = frozenset((  # words that lost their beginning, and what tokenizers cut off
    "em", "tis", "twas", "twere", "twill", "til", "till", "cause", "cuz", "coz", "bout", "round",
    "neath", "nuff", "kay", "gainst", "n", "s", "ll", "re", "ve", "d", "m",
))  # fmt: skip


class Text(NamedTuple):
    """A word in small letters, without punctuation at its ends, and where it is written."""

    text: str
    word: str  # as given
    start: int
    end: int

    @property
    def places(self) -> Sequence[int]:
        """Where its code points start in the word as given, and the end."""
        core = self.word[self.start : self.end]
        if is_plain(core):
            return range(self.start, self.end + 1)
        places = original_places(core)
        kept = (n for n, letter in enumerate(normalise(core)) if letter != SOFT_HYPHEN)
        return [*(self.start + places[n] for n in kept), self.end]


def is_plain(word: str) -> bool:
    """Whether there is nothing to do but to lower the first letter, or all of them."""
    if not (word.isalpha() and word.isascii()) or len(word) > LONGEST_WORD:
        return False
    return word.islower() or word.isupper() or word[1:].islower()


def is_plain_letter(letter: str) -> bool:
    """Whether a letter is small, and no other one with an accent."""
    parts = unicodedata.normalize("NFD", letter)
    return normalise(letter) == letter and not (len(parts) > 1 and parts[0].isascii())


def clean(word: str) -> Text:
    """Take off punctuation at the ends, soft hyphens and capitals; write hyphens and apostrophes.

    A word without a letter, and one that is too long, stays as it is.
    """
    if is_plain(word):
        return Text(word.lower(), word, 0, len(word))
    start, end = _bounds(word) if len(word) <= MOST_CODE_POINTS else (0, len(word))
    return Text(normalise(word[start:end]).translate(PLAINLY), word, start, end)


def original_places(word: str) -> list[int]:
    """Return where each code point of the normalised word starts in the word, and the end."""
    if normalise(word) == word or word.isascii():
        return [*range(len(word) + 1)]
    lengths = [len(normalise(word[:end])) for end in range(len(word) + 1)]
    return [bisect_right(lengths, place) - 1 for place in range(lengths[-1])] + [len(word)]


def _bounds(word: str) -> tuple[int, int]:
    """Return where the word without surrounding punctuation starts and ends."""
    start, end = _stripped(word, 0, len(word))
    if not any(map(str.isalpha, word[start:end])):
        return 0, len(word)
    first, last = (_is_apostrophe(word[place]) for place in (start, end - 1))
    core = normalise(word[start:end]).translate(PLAINLY)
    inner = core.strip("'")
    if first and last and inner != "n":
        return _bounds_within(word, start + 1, end - 1)
    if first and not last and inner not in CLIPPED and not inner[:1].isdigit():
        return _bounds_within(word, start + 1, end)
    if last and not first and not inner.endswith(("s", "in")) and len(inner) > 2:
        return _bounds_within(word, start, end - 1)
    if ABBREVIATION.fullmatch(core) and word[end : end + 1] == ".":
        end += 1
    return start, end


def _bounds_within(word: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of what is left without a quotation mark."""
    first, last = _bounds(word[start:end])
    return start + first, start + last


def _stripped(word: str, start: int, end: int) -> tuple[int, int]:
    """Take punctuation from both ends, but for apostrophes."""
    while start < end and _is_punctuation(word[start]):
        start += 1
    while start < end and _is_punctuation(word[end - 1]):
        end -= 1
    return start, end


def _is_punctuation(letter: str) -> bool:
    if letter in SYMBOLS or _is_apostrophe(letter):
        return False
    return unicodedata.category(letter)[0] == "P" or letter in HYPHENS or letter == SOFT_HYPHEN


def _is_apostrophe(letter: str) -> bool:
    return letter == "'" or letter in APOSTROPHES
