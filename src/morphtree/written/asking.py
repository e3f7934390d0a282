"""From a word as it is written to what the model is asked: the rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from morphtree._kernels._layout import unpack
from morphtree.written.question import Morphemes, Question
from morphtree.written.text import Text, clean, is_plain

POSSESSIVE = "'s"
# with one of these, 's is short for "is", "has" or "us"
WITH_A_VERB = frozenset((
    "he", "she", "it", "that", "there", "here", "what", "who", "where", "when", "why", "how", "let",
))  # fmt: skip
NUMERAL = re.compile(r"(.*\d)(er|th)?(s)?")
STAND_IN = "ten"  # what the model is asked in place of a numeral or of another part left whole
IN_NAMES = frozenset(("mc",))  # what follows it with a capital is no word: *McCall*
BOUNDARY = "|"  # where the model is told of a hyphen that the word does not have


@dataclass(frozen=True)
class Vocabulary:
    """What the rules need to know of a model: facts of words, and its suffixes."""

    facts: Callable[[str], int]  # packed, 0 if the word is not known
    is_stored: Callable[[str], bool]  # whether the treebank has the readings of a word
    suffixes: frozenset[str]

    def zipf(self, word: str) -> float:
        """Return how frequent a word is, 0 if it is not known."""
        return float(unpack(self.facts(word), "zipf")) / 16

    def is_word(self, word: str) -> bool:
        """Whether it is an ordinary word, no name and no abbreviation; a short one is frequent."""
        rare = 5.5 if len(word) < 3 else max(2.0, 5.5 - len(word) / 2)
        return int(unpack(self.facts(word), "kind")) == 1 and self.zipf(word) >= rare

    def without_accents(self, word: str) -> str:
        """Return the word without accents if that is how it is mostly written."""
        if word.isascii():
            return word
        parts = unicodedata.normalize("NFD", word)
        bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
        if len(bare) != len(word) or not bare.isascii() or not self.is_word(bare):
            return word
        return bare if self.zipf(bare) >= self.zipf(word) else word


class Part(NamedTuple):
    """What stands between two hyphens or other boundaries."""

    string: str
    suffixes: Morphemes = ()  # of a part that is left whole
    is_whole: bool = False
    joint: str = ""  # the hyphens that follow it, or BOUNDARY

    @property
    def morphemes(self) -> Morphemes:
        """What a part that is left whole consists of."""
        return self.string, *self.suffixes


def ask(word: str, vocabulary: Vocabulary) -> Question:
    """Return what the model is to be asked of a word that has a letter."""
    found = clean(word)
    text = base = found.text
    if vocabulary.is_stored(text):
        hyphens = frozenset(place for place, letter in enumerate(text) if letter == "-")
        return Question(text, text, hyphens)
    suffixes: Morphemes = ()
    if POSSESSIVE in vocabulary.suffixes:
        base, suffixes = _without_possessive(text)
        base = _with_final_g(base, vocabulary)
    capitals = [] if is_plain(word) or word.islower() else [*_inner_capitals(found)]
    parts = [*_parts(base, capitals, vocabulary)]
    if len(parts) == 1 and parts[0].is_whole:
        return Question(text, "", wholes={(0, 0): parts[0].morphemes}, suffixes=suffixes)
    return _question(text, parts, suffixes, vocabulary)


def _without_possessive(text: str) -> tuple[str, Morphemes]:
    """Take off the possessive; what is short for a verb is none."""
    base = text.removesuffix(POSSESSIVE) if text.endswith(POSSESSIVE) else text.removesuffix("'")
    is_possessive = text.endswith((POSSESSIVE, "s'")) and any(map(str.isalnum, base))
    if is_possessive and base not in WITH_A_VERB:
        return base, (POSSESSIVE,)
    return text, ()


def _is_contraction(string: str) -> bool:
    """Whether a part with an apostrophe is no possessive."""
    base = string.removesuffix(POSSESSIVE)
    return "'" in string and (not base or base in WITH_A_VERB or "'" in base)


def _with_final_g(base: str, vocabulary: Vocabulary) -> str:
    """Write *goin'* as *going* if that is the more frequent word; otherwise ' is a quote."""
    if not base.endswith("in'") or len(base) <= len("in'"):
        return base
    short = base[:-1].rpartition("-")[2]
    full = short + "g"
    is_clipped = re.search("[aeiouy].*in", short) and vocabulary.is_word(full)
    if is_clipped and vocabulary.zipf(full) > vocabulary.zipf(short):
        return base[:-1] + "g"
    return base[:-1]


def _inner_capitals(text: Text) -> Iterator[int]:
    """Yield where a capital follows a small letter."""
    *places, _ = text.places
    letters = [text.word[place] for place in places]
    for n, (left, right) in enumerate(pairwise(letters), 1):
        if left.islower() and right.isupper():
            yield n


def _parts(base: str, capitals: Iterable[int], vocabulary: Vocabulary) -> Iterator[Part]:
    """Cut a word at its hyphens and, where words begin with them, at its capitals."""
    for match in re.finditer("([^-]+)(-*)", base):
        inner = [n - match.start() for n in capitals if match.start() < n < match.end(1)]
        *others, last = _cut(match[1], inner, vocabulary)
        yield from others
        yield last._replace(joint=match[2])


def _cut(string: str, capitals: Sequence[int], vocabulary: Vocabulary) -> list[Part]:
    """Say whether what stands between two hyphens is left whole, and cut it at its capitals."""
    if not all(map(_is_letter, string)):
        return [_numeral(string, vocabulary)]
    if POSSESSIVE in vocabulary.suffixes and _is_contraction(string):
        return [Part(string, is_whole=True)]
    if not capitals:
        return [Part(string)]
    pieces = [string[a:b] for a, b in zip((0, *capitals), (*capitals, None), strict=True)]
    if pieces[0] not in IN_NAMES and all(map(vocabulary.is_word, pieces[1:])):
        return [*(Part(piece, joint=BOUNDARY) for piece in pieces[:-1]), Part(pieces[-1])]
    if pieces[-1].endswith("s") and len(pieces[-1]) == 2 and "s" in vocabulary.suffixes:
        return [Part(string[:-1], ("s",), is_whole=True)]  # PhDs
    return [Part(string, is_whole=True)]


def _numeral(string: str, vocabulary: Vocabulary) -> Part:
    """Leave digits and symbols whole, but for the suffixes that a numeral takes."""
    match = NUMERAL.fullmatch(string)
    suffixes = tuple(filter(None, match.groups()[1:])) if match else ()
    if match and vocabulary.suffixes.issuperset(suffixes):
        return Part(match[1], suffixes, is_whole=True)
    return Part(string, is_whole=True)


def _is_letter(letter: str) -> bool:
    return letter == "'" or unicodedata.category(letter)[0] not in "PSN"


def _question(
    text: str, parts: Iterable[Part], suffixes: Morphemes, vocabulary: Vocabulary
) -> Question:
    """Put the question together from the parts of the word."""
    asked = ""
    hyphens: set[int] = set()
    accented: dict[int, str] = {}
    wholes: dict[tuple[int, int], Morphemes] = {}
    stand_in = STAND_IN if vocabulary.is_word(STAND_IN) else ""
    for part in parts:
        start = len(asked)
        if part.is_whole:
            asked += stand_in or part.string
            wholes[start, len(asked)] = part.morphemes
        else:
            asked += vocabulary.without_accents(part.string)
            pairs = zip(asked[start:], part.string, strict=True)
            accented |= {start + n: new for n, (old, new) in enumerate(pairs) if old != new}
        if part.joint != BOUNDARY:
            hyphens |= {*range(len(asked), len(asked) + len(part.joint))}
        asked += "-" * len(part.joint)
    return Question(text, asked, frozenset(hyphens), accented, wholes, suffixes)
