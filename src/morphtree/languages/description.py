"""What describes a language: ``language.toml`` names data, families, silver and build rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from morphtree._util.files import read_text
from morphtree.errors import ModelError
from morphtree.trees.grammar import BUILT_IN, Grammar

FILE = "language.toml"
TABLES = ("resources", "licences")
KINDS = {
    str: "text in quotes", tuple: "a list in brackets", dict: "a table", int: "a whole number",
}  # fmt: skip
Rules = TypeVar("Rules")


@dataclass(frozen=True)
class SilverRules:
    """How listed forms and derivations become steps; lists are strings with blanks."""

    zipf: float = 2.5  # of the rarest words
    words: int = 30_000  # at most
    citation: tuple[str, ...] = ()  # ends of verbs in the dictionary, which suffixes replace
    dropped: tuple[str, ...] = ()  # ends that other bases may lose
    lost: str = ""  # ends that bases lose before foreign suffixes, for the check of spelling
    doubled: str = "$^"  # pattern of bases whose last letter doubles
    syncope: str = "$^"  # pattern of bases that lose the letter before the last
    umlaut: Mapping[str, str] = field(default_factory=dict)
    ablaut: tuple[str, ...] = ()  # vowels and what strong verbs have in their place
    circumfix: tuple[str, str] = ("", "")  # of participles: prefix, suffixes
    infinitive_mark: str = ""  # between a separable prefix and its verb
    particles: str = ""  # words that stand before verbs
    separable: str = ""  # prefixes that do
    derived_verbs: tuple[str, str] = ("", "")  # prefixes and endings of verbs from adjectives
    links: str = ""  # linking elements of compounds
    rare_links: str = ""  # those of few compounds
    link_after: Mapping[str, str] = field(default_factory=dict)  # what the part before ends in
    link_lost: Mapping[str, str] = field(default_factory=dict)  # the end that it loses
    link_umlaut: str = ""  # links after nouns with umlaut
    linked_suffixes: str = ""  # suffixes that may follow one
    outermost: str = ""  # prefixes that are attached last
    participle: str = ""
    not_parts: str = ""  # what never is a part of a compound
    endings: Mapping[str, str] = field(default_factory=dict)
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suffixes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FamilyRules:
    """In what the stems of one family may differ."""

    endings: tuple[str, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)  # changed ones, and the plain ones


@dataclass(frozen=True)
class BuildRules:
    """What the model of a language knows, and how thoroughly it looks."""

    decode: str = "nbest:7:5"  # candidate forms of a word
    least_zipf: float = 2.0  # of words that no dictionary has
    longest_uncounted: int = 64  # letters of words that only a dictionary has
    least_weight: float = 0.03  # of features of the release; the others take room and change little


@dataclass(frozen=True)
class Language:
    """A language as its folder describes it."""

    folder: Path
    name: str
    code: str
    grammar: str
    treebank: str
    model: str
    alphabet: str = ""
    max_extra_letters: int = 5
    resources: Mapping[str, Any] = field(default_factory=dict)
    licences: Mapping[str, str] = field(default_factory=dict)
    families: FamilyRules = FamilyRules()
    build: BuildRules = BuildRules()
    silver: SilverRules | None = None  # without them, a model learns from words read by hand only

    @staticmethod
    def read(folder: Path) -> Language:
        """Read the description in a folder."""
        path = folder / FILE
        text = read_text(path, "the description of a language", ModelError)
        try:
            values = tomllib.loads(text)
            if "families" in values:
                values["families"] = _rules(FamilyRules, values["families"])
            if "build" in values:
                values["build"] = _rules(BuildRules, values["build"])
            if "silver" in values:
                values["silver"] = _rules(SilverRules, values["silver"])
            for table in TABLES:
                _check_kind(table, values.get(table, {}), {})
            language = Language(folder=folder, **values)
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise ModelError(f"{path}: {error}") from None
        check_code(language.code, f"{path}: ")
        language.load_grammar()
        return language

    @property
    def treebank_folder(self) -> Path:
        """Where the hand-read words are."""
        return (self.folder / self.treebank).resolve()

    @property
    def model_file(self) -> Path:
        """Where the release build is written."""
        return self.folder / self.model

    @property
    def grammar_name(self) -> str:
        """The name of a built-in grammar, or the path of a file of the folder."""
        return self.grammar if self.grammar in BUILT_IN else str(self.folder / self.grammar)

    def load_grammar(self) -> Grammar:
        """Return the grammar of the language."""
        return Grammar.load(self.grammar_name)


def check_code(code: str, place: str = "") -> None:
    """Refuse what cannot be the name of a package as well."""
    if not re.fullmatch("[a-z]{2,8}", code):
        raise ModelError(
            f"{place}the code {code!r} is no code of a language; give two to eight letters, a to z"
        )


def _rules(kind: type[Rules], values: Any) -> Rules:
    """Make rules of a table; a TypeError names what is of another kind than it should be."""
    rules, usual = kind(**_frozen(values)), kind()
    for name in values:
        _check_kind(name, getattr(rules, name), getattr(usual, name))
    return rules


def _check_kind(name: str, value: Any, usual: Any) -> None:
    if isinstance(usual, float) and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise TypeError(f"{name} must be a number")
    for kind, what in KINDS.items():
        if isinstance(usual, kind) and not isinstance(value, kind):
            raise TypeError(f"{name} must be {what}")


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    return value
