"""Whether the entries of a treebank agree with each other, by rules that a language gives as data.

A rule is a line of a table: its kind, then what it is about, in columns; docs/treebank.md lists the
kinds. Besides, an irregular form is analysed as its lemma is, and the examples of an affix in the
inventory are entries that have it. A word whose note says ``opaque`` or ``differs`` is passed over.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from morphtree._util.files import read_text
from morphtree._util.text import content_lines
from morphtree.errors import TreebankError
from morphtree.treebank.affixes import Affix
from morphtree.treebank.entry import Problem
from morphtree.treebank.formats.steps import Step
from morphtree.trees.spelling import attach
from morphtree.trees.tree import PREFIX, SUFFIX

PASSED = frozenset({"opaque", "differs"})  # notes on a word that has a reason to stand apart
SHORTEST = 3  # letters of a base to which a regular suffix may be added
SHORTEST_FREE = 5  # of one after a combining form: shorter ones are there by chance


class Rule(NamedTuple):
    """One line of the table."""

    kind: str
    columns: tuple[str, ...]


class _Entries:
    """The steps of each word, by word."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps: dict[str, list[Step]] = {}
        for step in steps:
            self.steps.setdefault(step.word, []).append(step)

    def __contains__(self, word: str) -> bool:
        return word in self.steps

    def __iter__(self) -> Iterator[str]:
        return iter(self.steps)

    def is_passed(self, word: str) -> bool:
        return any(PASSED & set(step.fields.note.split()) for step in self.steps[word])

    def is_simple(self, word: str) -> bool:
        return all(not step.operands for step in self.steps[word])

    def shapes(self, word: str) -> set[str]:
        """Say how a word is made: a compound, with a prefix, with some suffix, not at all."""
        return {_shape(step) for step in self.steps[word]}

    def is_of(self, word: str, categories: str) -> bool:
        """Whether a word is of one of the categories, or of unknown category."""
        known = {step.fields.pos for step in self.steps[word]} - {""}
        return not known or any(set(letters) & set(categories) for letters in known)

    def bases(self, word: str) -> set[str]:
        return {base.string for step in self.steps[word] for base in step.bases()}

    def problem(self, word: str, message: str) -> Problem:
        return Problem(self.steps[word][0].line, "inconsistent", message)

    def shown(self, word: str) -> str:
        return " and ".join(f"'{step.bare()}'" for step in self.steps[word])


def read_rules(path: str | os.PathLike[str]) -> tuple[Rule, ...]:
    """Read a table of rules."""
    return tuple(
        _rule(f"{path}:{number}", line) for number, line in content_lines(read_text(Path(path)))
    )


def _rule(place: str, line: str) -> Rule:
    kind, *columns = line.rstrip().split("\t")
    wanted = COLUMNS.get(kind)
    if wanted is None:
        raise TreebankError(f"{place}: no rule is called {kind!r}; write one of {', '.join(KINDS)}")
    if len(columns) != wanted or not all(column.strip() for column in columns):
        raise TreebankError(f"{place}: a rule {kind!r} has {wanted} columns after its name")
    if kind == "opposite" and len(columns[0].split()) != 2:
        raise TreebankError(f"{place}: give two beginnings, such as 'in out'")
    if kind == "variant":
        try:
            re.compile(columns[0]).sub(columns[1], "")
        except (re.error, IndexError) as error:
            raise TreebankError(f"{place}: {columns[0]!r} is no pattern: {error}") from None
    return Rule(kind, tuple(columns))


def check_consistency(
    steps: Sequence[Step], rules: Iterable[Rule], affixes: Sequence[Affix] = ()
) -> Iterator[Problem]:
    """Yield the words that are analysed otherwise than a parallel word, by rule."""
    entries = _Entries(steps)
    for rule in rules:
        yield from KINDS[rule.kind](entries, *rule.columns)
    yield from _forms(entries)
    yield from _examples(entries, affixes)


def _shape(step: Step) -> str:
    if not step.operands:
        return "simple"
    first, last = step.operands
    if first.label == PREFIX:
        return "prefix"
    return f"suffix -{last.string}" if last.label == SUFFIX else "compound"


# -- the kinds of rules ---------------------------------------------------------------------


def _ending(
    entries: _Entries, longer: str, shorter: str, suffixes: str, categories: str
) -> Iterator[Problem]:
    allowed = {f"suffix {suffix}" for suffix in suffixes.split()} | {"prefix", "compound"}
    for word in entries:
        other = word.removesuffix(longer) + shorter
        if not word.endswith(longer) or other not in entries or entries.is_passed(word):
            continue
        if entries.is_of(other, categories) and not entries.shapes(word) & allowed:
            message = f"{entries.shown(word)}, but {other!r} is an entry: write {suffixes}"
            yield entries.problem(word, message)


def _agree(entries: _Entries, endings: str) -> Iterator[Problem]:
    groups: dict[str, list[str]] = defaultdict(list)
    for word in entries:
        for ending in endings.split():
            if word.endswith(ending) and not entries.is_passed(word):
                groups[word.removesuffix(ending)].append(word)
    for words in groups.values():
        made = [w for w in words if not entries.shapes(w) & {"prefix", "compound"}]
        for one, two in combinations(made, 2):
            bases = entries.bases(one), entries.bases(two)
            if bases[0] != bases[1]:
                yield entries.problem(two, f"{entries.shown(two)}, but {entries.shown(one)}")


def _opposite(entries: _Entries, pair: str) -> Iterator[Problem]:
    one, two = pair.split()
    for word in entries:
        other = two + word.removeprefix(one)
        if word.startswith(one) and word != one and other in entries:
            yield from _same_shape(entries, word, other)


def _alike(entries: _Entries, words: str) -> Iterator[Problem]:
    present = [w for w in words.split() if w in entries and not entries.is_passed(w)]
    for word in present[1:]:
        yield from _same_shape(entries, present[0], word)


def _same_shape(entries: _Entries, one: str, two: str) -> Iterator[Problem]:
    passed = entries.is_passed(one) or entries.is_passed(two)
    if not passed and not entries.shapes(one) & entries.shapes(two):
        yield entries.problem(two, f"{entries.shown(two)}, but {entries.shown(one)}")


def _variant(entries: _Entries, one: str, two: str) -> Iterator[Problem]:
    pattern = re.compile(one)
    for word in entries:
        for match in pattern.finditer(word):
            other = word[: match.start()] + match.expand(two) + word[match.end() :]
            if (
                other != word
                and other in entries
                and not any(map(entries.is_passed, (word, other)))
            ):
                same = {_respelt(s, pattern, two) for s in entries.steps[word]}
                if not same & {_respelt(s, pattern, two) for s in entries.steps[other]}:
                    message = f"{entries.shown(other)}, but {entries.shown(word)}"
                    yield entries.problem(other, message)


def _respelt(step: Step, pattern: re.Pattern[str], spelling: str) -> tuple[tuple[str, str], ...]:
    return tuple((o.label, pattern.sub(spelling, o.string)) for o in step.operands)


def _regular(entries: _Entries, suffix: str, categories: str) -> Iterator[Problem]:
    for base in entries:
        if len(base) >= SHORTEST and entries.is_of(base, categories):
            word = attach(base, suffix.strip("-"), "suffix")[0]
            yield from _whole(entries, word, f"{base} + {suffix}")


def _whole(entries: _Entries, word: str, parts: str) -> Iterator[Problem]:
    if word in entries and entries.is_simple(word) and not entries.is_passed(word):
        yield entries.problem(word, f"{word!r} is simple, but spelt as '{parts}'")


def _combining(entries: _Entries, prefixes: str) -> Iterator[Problem]:
    for prefix in prefixes.split():
        for word in entries:
            base = word.removeprefix(prefix.strip("-"))
            if base != word and len(base) >= SHORTEST_FREE and base in entries:
                yield from _whole(entries, word, f"{prefix} + {base}")


def _forms(entries: _Entries) -> Iterator[Problem]:
    """Compare irregular forms with their lemmas: *overheard* is made as *overhear* is."""
    forms: dict[str, dict[str, None]] = {}
    for word in entries:
        for step in entries.steps[word]:
            if step.fields.lemma:
                forms.setdefault(step.fields.lemma, {})[word] = None
    for word in entries:
        for start in range(1, len(word)):
            for form in forms.get(word[start:], ()):
                other = word[:start] + form
                if other in entries and not _has_suffix(entries, word, other):
                    yield from _same_shape(entries, word, other)


def _has_suffix(entries: _Entries, *words: str) -> bool:
    return any(shape.startswith("suffix") for word in words for shape in entries.shapes(word))


def _examples(entries: _Entries, affixes: Iterable[Affix]) -> Iterator[Problem]:
    """Look up the examples of each row of the inventory, which several spellings share."""
    spellings: dict[tuple[str, str, str, tuple[str, ...]], set[str]] = defaultdict(set)
    for affix in affixes:
        row = affix.label, affix.attaches, affix.makes, affix.examples
        spellings[row].add(affix.string)
    for (label, *_, examples), strings in spellings.items():
        for word in examples:
            named = "/".join(sorted(strings))
            if word not in entries:
                yield Problem(1, "inconsistent", f"{word!r}, an example of {named}, is no entry")
            elif not any(
                operand.label == label and operand.string in strings
                for step in entries.steps[word]
                for operand in step.operands
            ):
                yield entries.problem(word, f"{entries.shown(word)}, but an example of {named}")


KINDS: Mapping[str, Callable[..., Iterator[Problem]]] = {
    "ending": _ending,
    "agree": _agree,
    "opposite": _opposite,
    "alike": _alike,
    "variant": _variant,
    "regular": _regular,
    "combining": _combining,
}
COLUMNS = {"ending": 4, "variant": 2, "regular": 2} | dict.fromkeys(
    ("agree", "opposite", "alike", "combining"), 1
)
