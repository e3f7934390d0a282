"""Words as people write them: what the model is asked, and its answer as the word is written.

The model knows words of small letters, with hyphens and apostrophes. What else is written is put
aside by rule before it is asked, and put back into its trees. docs/english.md has the rules.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from morphtree._kernels._layout import unpack
from morphtree._util.text import normalise
from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree, without_hyphens

Structure: TypeAlias = Tree | tuple[str, ...]  # a tree, or the segments of a flat model
Morphemes: TypeAlias = tuple[str, ...]
Problem: TypeAlias = tuple[Literal["whole", "refused"], str]

LONGEST_WORD = 64  # code points
HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"  # written for "-", the en dash among them
APOSTROPHES = "\u2018\u2019\u02bc\uff07"
PLAINLY = str.maketrans(dict.fromkeys(HYPHENS, "-") | dict.fromkeys(APOSTROPHES, "'"))
SOFT_HYPHEN = "\u00ad"
SYMBOLS = frozenset("#@&%/\\")  # punctuation that may belong to a word: *C#*, *@home*
ABBREVIATION = re.compile(r"(\w{1,2}\.)+\w{1,2}")

POSSESSIVE = "'s"
# with one of these, 's is short for "is", "has" or "us"
WITH_A_VERB = frozenset((
    "he", "she", "it", "that", "there", "here", "what", "who", "where", "when", "why", "how", "let",
))  # fmt: skip
CLIPPED = frozenset((  # words that lost their beginning
    "em", "tis", "twas", "twere", "twill", "til", "till", "cause", "cuz", "coz", "bout", "round",
    "neath", "nuff", "kay", "gainst", "n",
))  # fmt: skip
NUMERAL = re.compile(r"(.*\d)(er|th)?(s)?")
STAND_IN = "ten"  # what the model is asked in place of a numeral or of another part left whole
IN_NAMES = frozenset(("mc",))  # what follows it with a capital is no word: *McCall*


# -- the word without what surrounds it --------------------------------------------------------


class Text(NamedTuple):
    """A word in small letters, without punctuation at its ends, and where it is written.

    ``places`` are those of its code points in the word as given, and of its end.
    """

    text: str
    places: Sequence[int]


def is_plain(word: str) -> bool:
    """Whether there is nothing to do but to lower the first letter, or all of them."""
    if not (word.isascii() and word.isalpha()):
        return False
    return word[1:].islower() or word.isupper() or len(word) == 1


def is_plain_letter(letter: str) -> bool:
    """Whether a letter is small, and no other one with an accent."""
    parts = unicodedata.normalize("NFD", letter)
    return normalise(letter) == letter and not (len(parts) > 1 and parts[0].isascii())


def clean(word: str) -> Text:
    """Take off punctuation at the ends, soft hyphens and capitals; write hyphens and apostrophes.

    A word without a letter, and one that is too long, stays as it is.
    """
    if is_plain(word):
        return Text(word.lower(), range(len(word) + 1))
    start, end = _bounds(word) if len(word) <= LONGEST_WORD else (0, len(word))
    core = word[start:end]
    text, places = normalise(core).translate(PLAINLY), original_places(core)
    kept = [n for n, letter in enumerate(text) if letter != SOFT_HYPHEN]
    shifted = [start + places[n] for n in (*kept, len(text))]
    return Text("".join(text[n] for n in kept), shifted)


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
    inner = word[start:end].translate(PLAINLY).lower().strip("'")
    if first and last and inner != "n":
        return _bounds_within(word, start + 1, end - 1)
    if first and not last and inner not in CLIPPED and not inner[:1].isdigit():
        return _bounds_within(word, start + 1, end)
    if last and not first and not inner.endswith(("s", "in")) and len(inner) > 2:
        return _bounds_within(word, start, end - 1)
    if ABBREVIATION.fullmatch(word, start, end) and word[end : end + 1] == ".":
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


# -- what is known of words --------------------------------------------------------------------


@dataclass(frozen=True)
class Vocabulary:
    """What the rules need to know of a model: facts of words, and its suffixes."""

    facts: Callable[[str], int]  # packed, 0 if the word is not known
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


# -- the question ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What the model is asked of a word, and what its answer lacks.

    ``asked`` is empty if the rules have the answer: the word is whole, but for suffixes.
    """

    text: str  # the word, clean
    asked: str
    hyphens: frozenset[int] = frozenset()  # those of ``asked`` that the word has
    accented: dict[int, str] = field(default_factory=dict)  # letters of ``asked`` as written
    # what stand-ins in ``asked`` stand for: a string and its suffixes
    wholes: dict[tuple[int, int], Morphemes] = field(default_factory=dict)
    suffixes: Morphemes = ()  # that follow the answer
    problem: Problem | None = None  # why there is nothing to ask

    @property
    def is_complete(self) -> bool:
        """Whether the model's answer lacks nothing."""
        return not (self.hyphens or self.accented or self.wholes or self.suffixes)

    @property
    def by_rule(self) -> Tree | None:
        """The answer, if the model need not be asked."""
        if self.asked or self.problem:
            return None
        base, *suffixes = self.wholes[0, 0]
        return _with_suffixes(Tree.stem(base), (*suffixes, *self.suffixes))

    @property
    def compound(self) -> Tree:
        """What stands between hyphens, put together from the left: if no answer is usable."""
        parts = [Tree.stem(part) for part in re.findall("[^-]+-*", self.text)]
        tree = parts[0]
        for part in parts[1:]:
            tree = Tree.word(tree, part)
        return tree

    def restored(self, structure: Structure, form: str) -> Structure | None:
        """Return a structure over the word as it is written; None if it cuts what is whole."""
        if isinstance(structure, tuple):
            leaves = [Tree.stem(string) for string in structure]
        else:
            leaves = [*structure.leaves()]
        new = self._restored(leaves, align(self.asked, form))
        if new is None:
            return None
        if isinstance(structure, tuple):
            return (*(string for strings in new for string in strings), *self.suffixes)
        return _with_suffixes(_with_leaves(structure, iter(new)), self.suffixes)

    def hyphenated(self, tree: Tree) -> Tree:
        """Write the hyphens of the word into a tree that somebody gave."""
        bare = without_hyphens(tree)
        hyphens = frozenset(n for n, letter in enumerate(self.text) if letter == "-")
        found = Question(self.text, self.text, hyphens).restored(bare, bare.form)
        return found if isinstance(found, Tree) else tree

    def _restored(self, leaves: list[Tree], places: Sequence[int]) -> list[Morphemes] | None:
        """Return what stands in place of leaves; None if what is whole is cut."""
        wholes = dict(self.wholes)
        new, ends = [], [0]
        for leaf in leaves:
            start, end = places[ends[-1]], places[ends[-1] + len(leaf.string)]
            while end > start and self.asked[end - 1] == "-":
                end -= 1
            string = "".join(self._accented(leaf, places[ends[-1] :]))
            new.append(wholes.pop((start, end), (string,)))
            ends.append(ends[-1] + len(leaf.string))
        if wholes:
            return None
        for hyphen in sorted(self.hyphens, reverse=True):
            _insert(new, ends, places, hyphen)
        return new

    def _accented(self, leaf: Tree, places: Sequence[int]) -> Iterator[str]:
        """Yield the letters of a leaf, those that a stem has copied as they are written."""
        for letter, start, end in zip(leaf.string, places, places[1:], strict=False):
            is_copied = start < end and self.asked[start] == letter and not leaf.is_affix
            yield self.accented.get(start, letter) if is_copied else letter


def _with_suffixes(tree: Tree, suffixes: Iterable[str]) -> Tree:
    for suffix in suffixes:
        tree = Tree(tree.label, (tree, Tree.suffix(suffix)))
    return tree


def _with_leaves(tree: Tree, leaves: Iterator[Morphemes]) -> Tree:
    """Return a tree with other leaves, or with stems and suffixes in their place."""
    if tree.is_leaf:
        string, *suffixes = next(leaves)
        return _with_suffixes(replace(tree, string=string), suffixes)
    return replace(tree, children=tuple(_with_leaves(c, leaves) for c in tree.children))


def _insert(new: list[Morphemes], ends: Sequence[int], places: Sequence[int], hyphen: int) -> None:
    """Write a hyphen of the word behind the letter that it follows, if possible behind a leaf.

    Hyphens are written from the last to the first, so that the places of the others stay.
    """
    at = next((n for n, place in enumerate(places) if place > hyphen), len(places) - 1)
    at = next((end for end in ends[1:] if places[end] in (hyphen, hyphen + 1)), at)
    leaf = next(n for n, end in enumerate(ends[1:]) if at <= end)
    *others, last = new[leaf]
    if at == ends[leaf + 1]:
        new[leaf] = (*others, last + "-")
    else:
        cut = at - ends[leaf]
        new[leaf] = (*others, f"{last[:cut]}-{last[cut:]}")


# -- from the word to the question -------------------------------------------------------------


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


BOUNDARY = "|"  # where the model is told of a hyphen that the word does not have


def ask(word: str, vocabulary: Vocabulary) -> Question:
    """Return what the model is to be asked of a word that has a letter."""
    if is_plain(word):
        return Question(word.lower(), word.lower())
    text, places = clean(word)
    base = text
    suffixes: Morphemes = ()
    if POSSESSIVE in vocabulary.suffixes:
        base, suffixes = _without_possessive(text)
        base = _with_final_g(base, vocabulary)
    capitals = [n for n in range(1, len(text)) if _is_inner_capital(word, places, n)]
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


def _with_final_g(base: str, vocabulary: Vocabulary) -> str:
    """Write *goin'* as *going* if that is the more frequent word; otherwise ' is a quote."""
    if not base.endswith("in'") or len(base) <= len("in'"):
        return base
    short = re.split("-", base[:-1])[-1]
    full = short + "g"
    is_clipped = re.search("[aeiouy].*in", short) and vocabulary.is_word(full)
    if is_clipped and vocabulary.zipf(full) > vocabulary.zipf(short):
        return base[:-1] + "g"
    return base[:-1]


def _is_inner_capital(word: str, places: Sequence[int], n: int) -> bool:
    return word[places[n]].isupper() and word[places[n - 1]].islower()


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
    if POSSESSIVE in vocabulary.suffixes and "'" in string.removesuffix(POSSESSIVE):
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
