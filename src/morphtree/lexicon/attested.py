"""What the outside world knows about words: frequency, spelling dictionary, parts of speech.

Gathered when a model is trained, never when it is used. Words are lower case, in normal form C.
`wordfreq` folds case: its German list writes *ss* for the sharp s.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from morphtree._kernels import _layout
from morphtree.errors import ModelError
from morphtree.lexicon.dictionaries import listed_words
from morphtree.treebank.entry import normalise

NOUN, VERB, ADJ, ADV = 1, 2, 4, 8
UNKNOWN, ORDINARY, NAME = 0, 1, 2
MAX_LETTERS = 40
DEFAULT_ZIPF = 3.0  # of a word in a user's lexicon: once in a million words
MAX_ZIPF = 9.0  # every word of the text


class Facts(NamedTuple):
    """What is known about a word."""

    zipf: float  # log10 of how often it occurs in 10^9 words; 0 if unknown
    dictionary: int  # UNKNOWN, ORDINARY, or NAME if it is only known with a capital
    pos: int  # any of NOUN | VERB | ADJ | ADV, inflected forms included


def gather(language: str) -> dict[str, Facts]:
    """Return the facts about every known word of a language, in alphabetical order."""
    zipfs = _zipfs(language)
    dictionary, pos = _english() if language == "en" else _other(language)
    if language == "de":
        zipfs |= {word: zipf for word, zipf in _with_sharp_s(zipfs) if word not in zipfs}
    shared = cache(Facts)  # only a few thousand of them differ
    return {
        word: shared(zipfs.get(word, 0.0), dictionary.get(word, UNKNOWN), pos.get(word, 0))
        for word in sorted(zipfs.keys() | dictionary.keys() | pos.keys())
        if _is_word(word)
    }


def attested_words(language: str) -> set[str]:
    """Return the frequency list of a language: the paper's attested words."""
    return set(_zipfs(language))


def _is_word(text: str) -> bool:
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


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ModelError(
            f"pip install 'morphtree[train]' to gather what is known about words ({error})"
        ) from None


# -- frequencies ----------------------------------------------------------------------------


def _zipfs(language: str) -> dict[str, float]:
    """Return the words of the largest frequency list of a language."""
    if language == "none":
        return {}
    wordfreq = _module("wordfreq")
    lists = wordfreq.available_languages()
    if language not in lists:
        raise ModelError(
            f"no word frequencies for the language {language!r}; give 'none', or one of "
            + ", ".join(sorted(lists))
        )
    zipfs: dict[str, float] = {}
    for rank, words in enumerate(wordfreq.read_cBpack(lists[language])):
        zipf = (900 - rank) / 100  # each is 10^(-rank/100) of the text
        for word in words:
            zipfs.setdefault(normalise(word), zipf)
    return zipfs


def _with_sharp_s(zipfs: dict[str, float]) -> Iterator[tuple[str, float]]:
    """Yield the German words with ss as they would be spelt with one sharp s, today or once."""
    for word, zipf in zipfs.items():
        for place in re.finditer("ss", word):
            yield (
                word[: place.start()] + "\N{LATIN SMALL LETTER SHARP S}" + word[place.end() :],
                zipf,
            )


def _other(language: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return which words are in a dictionary of the language, if there is one, and their pos."""
    pos = listed_words(language)
    return dict.fromkeys(pos, ORDINARY), {word: bits for word, bits in pos.items() if bits}


# -- English --------------------------------------------------------------------------------


def _english() -> tuple[dict[str, int], dict[str, int]]:
    """Return whether a word is ordinary or a name, and its parts of speech."""
    spelt, pos = set(_spelling_forms()), _parts_of_speech()
    # The dictionary is American: it knows Grey, but grey is a word.
    names = {word.lower() for word in chain(spelt, pos) if not word.islower()} - pos.keys()
    dictionary = dict.fromkeys(names, NAME) | dict.fromkeys(filter(str.islower, spelt), ORDINARY)
    capitals = {word.lower(): bits for word, bits in pos.items() if not word.islower()}
    return dictionary, capitals | {word: bits for word, bits in pos.items() if word.islower()}


def _spelling_forms() -> Iterator[str]:
    """Expand the spelling dictionary by its affix rules."""
    spylls = _module("spylls.hunspell")
    path = Path(spylls.__file__).parent / "data" / "en" / "en_US"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # spylls leaves its files open
        dictionary = spylls.Dictionary.from_files(str(path))
    prefixes, suffixes = dictionary.aff.PFX, dictionary.aff.SFX
    for entry in dictionary.dic.words:
        yield from _expand(
            entry.stem,
            _applicable(prefixes, entry.flags, entry.stem),
            _applicable(suffixes, entry.flags, entry.stem),
        )


def _applicable(affixes: dict[str, list[Any]], flags: Iterable[str], stem: str) -> list[Any]:
    return [
        affix for flag in flags for affix in affixes.get(flag, ()) if affix.cond_regexp.search(stem)
    ]


def _expand(stem: str, prefixes: list[Any], suffixes: list[Any]) -> Iterator[str]:
    """Yield a stem bare, with each suffix, with each prefix, and with both."""
    yield stem
    for suffix in suffixes:
        yield _with_suffix(stem, suffix)
    for prefix in prefixes:
        longer = prefix.add + stem.removeprefix(prefix.strip)
        yield longer
        for suffix in suffixes:
            if prefix.crossproduct and suffix.crossproduct:
                yield _with_suffix(longer, suffix)


def _with_suffix(stem: str, suffix: Any) -> str:
    return stem.removesuffix(suffix.strip) + str(suffix.add)


def _parts_of_speech() -> dict[str, int]:
    """Return the parts of speech of every word that lemminflect lists, as it is written there."""
    bits = {"NOUN": NOUN, "VERB": VERB, "AUX": VERB, "ADJ": ADJ, "ADV": ADV}
    path = _module("lemminflect.config").lemma_lu_fn
    table = _module("lemminflect.codecs.LemmaLUCodec").LemmaLUCodec.load(path)
    return {word: sum({bits[tag] for tag in lemmas}) for word, lemmas in table.items()}


# -- a user's own lexicon -------------------------------------------------------------------

_POS = {"n": NOUN, "v": VERB, "a": ADJ, "r": ADV}
_KINDS = {"": UNKNOWN, "d": ORDINARY, "n": NAME}


def read_lexicon(path: str | Path) -> dict[str, Facts]:
    """Read lines ``word[<TAB>zipf[<TAB>letters of nvar[<TAB>d or n]]]``; the last one counts.

    Fields may be empty; ``d`` is a word of the dictionary, ``n`` a name; ``#`` starts a comment.
    """
    lexicon = {}
    for number, line in enumerate(_read(path).split("\n"), 1):
        content = line.partition("#")[0]
        if content.strip():
            try:
                word, facts = _parse(content)
            except ValueError as error:
                raise ModelError(f"{path}:{number}: {error}") from None
            lexicon[word] = facts
    return lexicon


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ModelError(f"{path}:{line}: not UTF-8 text; convert the file to UTF-8") from None
    except OSError as error:
        raise ModelError(f"the lexicon {path} cannot be read: {error.strerror}") from None


def _parse(line: str) -> tuple[str, Facts]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) > 4:
        raise ValueError("more than four fields; give word, zipf, parts of speech, d or n")
    word, zipf, letters, kind = (*fields, "", "", "")[:4]
    word = normalise(word)
    if not _is_word(word):
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


# -- 14 bits --------------------------------------------------------------------------------


def pack(facts: Facts) -> int:
    """Pack facts into 8 bits of zipf in sixteenths (0: unknown), 2 of dictionary, 4 of pos."""
    least = 1 if facts.zipf > 0 else 0
    zipf = min(max(least, round(16 * facts.zipf)), _layout.BITS["zipf"])
    return _layout.pack(zipf=zipf, kind=facts.dictionary, speech=facts.pos)


def unpack(packed: int) -> Facts:
    """Return the facts, zipf to the nearest sixteenth."""
    zipf, kind, speech = (_layout.unpack(packed, name) for name in ("zipf", "kind", "speech"))
    return Facts(zipf / 16, kind, speech)
