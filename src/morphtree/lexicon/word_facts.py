"""The facts known about a word: frequency, kind, parts of speech; packed, and read from a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from morphtree._kernels import _layout
from morphtree._util.files import read_text
from morphtree._util.text import normalise
from morphtree.errors import ModelError

NOUN, VERB, ADJ, ADV = 1, 2, 4, 8
UNKNOWN, ORDINARY, NAME = 0, 1, 2
MAX_LETTERS = 40
MAX_CODE_POINTS = 4 * MAX_LETTERS  # of a word before its marks are put on its letters
DEFAULT_ZIPF = 3.0  # of a word in a user's lexicon: once in a million words
MAX_ZIPF = 9.0  # every word of the text


class Facts(NamedTuple):
    """What is known about a word."""

    zipf: float  # log10 of how often it occurs in 10^9 words; 0 if unknown
    dictionary: int  # UNKNOWN, ORDINARY, or NAME if it is only known with a capital
    pos: int  # any of NOUN | VERB | ADJ | ADV, inflected forms included


def pack(facts: Facts) -> int:
    """Pack facts into 8 bits of zipf in sixteenths (0: unknown), 2 of dictionary, 4 of pos."""
    least = 1 if facts.zipf > 0 else 0
    zipf = min(max(least, round(16 * facts.zipf)), _layout.BITS["zipf"])
    return _layout.pack(zipf=zipf, kind=facts.dictionary, speech=facts.pos)


def unpack(packed: int) -> Facts:
    """Return the facts, zipf to the nearest sixteenth."""
    zipf, kind, speech = (_layout.unpack(packed, name) for name in ("zipf", "kind", "speech"))
    return Facts(zipf / 16, kind, speech)


def is_word(text: str) -> bool:
    """Whether a text consists of letters, apostrophes and hyphens, and is not too long."""
    if len(text) > MAX_LETTERS:
        return False
    if text.isalpha():
        return True
    letters = text.replace("'", "").replace("-", "")
    # The vowel signs of many scripts are marks, not letters.
    return any(map(str.isalpha, letters)) and all(
        letter.isalpha() or unicodedata.category(letter)[0] == "M" for letter in letters
    )


# -- a user's own lexicon -------------------------------------------------------------------

_POS = {"n": NOUN, "v": VERB, "a": ADJ, "r": ADV}
_KINDS = {"": UNKNOWN, "d": ORDINARY, "n": NAME}


def read_lexicon(path: str | Path) -> dict[str, Facts]:
    """Read lines ``word[<TAB>zipf[<TAB>letters of nvar[<TAB>d or n]]]``; the last one counts.

    Fields may be empty; ``d`` is a word of the dictionary, ``n`` a name; ``#`` starts a comment.
    """
    lexicon = {}
    text = read_text(Path(path), "the lexicon", ModelError)
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0]
        if content.strip():
            try:
                word, facts = _parse(content)
            except ValueError as error:
                raise ModelError(f"{path}:{number}: {error}") from None
            lexicon[word] = facts
    return lexicon


def make_lexicon(words: Mapping[str, float] | Iterable[str]) -> dict[str, Facts]:
    """Return a lexicon of words, or of words with their zipf, as `read_lexicon` reads a file."""
    zipfs = words if isinstance(words, Mapping) else dict.fromkeys(words, DEFAULT_ZIPF)
    try:
        return dict(_parse(f"{word}\t{zipf}") for word, zipf in zipfs.items())
    except ValueError as error:
        raise ModelError(f"the lexicon: {error}") from None


def _parse(line: str) -> tuple[str, Facts]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) > 4:
        raise ValueError("more than four fields; give word, zipf, parts of speech, d or n")
    word, zipf, letters, kind = (*fields, "", "", "")[:4]
    # What is too long is refused as it is, and shown no longer than that.
    word = normalise(word) if len(word) <= MAX_CODE_POINTS else word[:MAX_CODE_POINTS]
    if not is_word(word):
        raise ValueError(
            f"{word!r} is not a word of at most {MAX_LETTERS} letters; put tabs between fields"
        )
    if not _POS.keys() >= set(letters):
        raise ValueError(f"parts of speech {letters!r}; give letters of nvar")
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} after the parts of speech; give d (dictionary) or n (name)")
    return word, Facts(_parse_zipf(zipf), _KINDS[kind], sum(map(_POS.__getitem__, set(letters))))


def _parse_zipf(text: str) -> float:
    try:
        zipf = float(text or DEFAULT_ZIPF)
    except ValueError:
        zipf = -1.0
    if not 0 <= zipf <= MAX_ZIPF:
        raise ValueError(f"zipf {text!r}; give a number from 0 to {MAX_ZIPF:.0f}")
    return zipf
