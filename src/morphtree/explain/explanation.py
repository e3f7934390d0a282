"""Explanation: a reading beside another one, why it is preferred, in sentences and in numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from morphtree._util.text import counted
from morphtree.analysis import SCHEMA, Analysis, Known, Reading
from morphtree.errors import ModelError
from morphtree.explain.causes import TRANSDUCTION, Cause, differing, strengths, transduction
from morphtree.explain.comparison import Comparison, is_name
from morphtree.explain.precedents import MOST_READINGS, Finder
from morphtree.explain.sentence import Sentence, capital, mentioned
from morphtree.explain.sentences import MOST, choose, finished
from morphtree.explain.statements import (
    asked_instead,
    by_rule,
    flat,
    left_whole,
    of_treebank,
    only_reading,
    overridden,
    undecided,
    with_numeral,
)
from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree, without_hyphens
from morphtree.written.asking import STAND_IN
from morphtree.written.text import clean

if TYPE_CHECKING:
    from morphtree.model.model import Model

LEAST_ALIKE = 3  # letters by which a name inside is found: *America* in *anti-American*


class Explained(Protocol):
    """An analyzer, as far as explanations need it."""

    @property
    def model(self) -> Model:
        """The model."""

    @property
    def computing(self) -> Explained:
        """The same without stored derivations and overrides."""

    def asked(self, word: str) -> str:
        """Return what the model is asked of a word."""

    def parse(self, word: str, n: int = 1) -> Analysis:
        """Return the n best readings of a word."""

    def analyse(self, words: Sequence[str], *, n: int = 1) -> list[Analysis]:
        """Return the n best readings of each word."""


@dataclass(frozen=True)
class Explanation:
    """A reading, the one that it is compared with, and what makes the difference."""

    word: str
    reading: Reading
    other: Reading | None = None
    sentences: tuple[Sentence, ...] = ()
    margin: float = math.inf  # log of how many times likelier the reading is, by the model alone
    spelling: float = 0.0  # the part of the margin that the transducer brings
    causes: tuple[Cause, ...] = ()  # of the rest, the weightiest first
    edits: tuple[str, ...] = ()  # what was restored
    stored: tuple[str, ...] = ()  # trees that the treebank gives the word
    # probabilities of the two readings by the model alone; None: not among its best
    alone: tuple[float | None, float | None] = (None, None)

    def __repr__(self) -> str:  # its causes fill pages
        return f"Explanation({self.word!r}, {self.said!r})"

    def __str__(self) -> str:
        return "\n".join((*self.heading, "", *(sentence.text for sentence in self.sentences)))

    @property
    def said(self) -> str:
        """The sentences alone."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def heading(self) -> list[str]:
        """A line for each of the two readings, with their probabilities."""
        lines = [f"{self.reading.notation}  {_probability(self.reading, self.alone[0])}"]
        if self.other:
            lines.append(
                f"against {self.other.notation}  {_probability(self.other, self.alone[1])}"
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "word": self.word,
            "reading": self.reading.to_dict(),
            "other": self.other and self.other.to_dict(),
            "sentences": [sentence.to_dict() for sentence in self.sentences],
            "margin": self.margin if math.isfinite(self.margin) else None,  # JSON has no infinity
            "spelling": self.spelling,
            "causes": [cause._asdict() for cause in self.causes],
            "edits": list(self.edits),
            "stored": list(self.stored),
            "alone": list(self.alone),
        }


def _probability(reading: Reading, alone: float | None) -> str:
    """Say how likely a reading is; of a stored word, also by the model alone."""
    if reading.source != "treebank":
        return f"{reading.prob:.1%}"
    model = f"; the model by itself {alone:.1%}" if alone is not None else ""
    return f"{reading.prob:.1%} treebank{model}"


def explain(
    analyzer: Explained, word: str, number: int = 1, against: int | None = None
) -> Explanation:
    """Compare two readings of a word, counted from 1, the best first.

    If it is not said with which, that is the best other one, if there is one. Of a stored word
    those of the treebank come first, then those that the model finds by itself, which is also what
    weighs them. The word is what the model is asked: *i-phone* of *iPhone*.
    """
    for place in (number, 1 if against is None else against):
        if not isinstance(place, int) or place < 1:
            raise ModelError(f"readings are counted 1, 2, 3, the best being 1, not {place!r}")
    if number == against:
        raise ModelError(f"reading {number} cannot be compared with itself; choose another")
    return capitalised(word, _explained(analyzer, word, number, against))


def _explained(
    analyzer: Explained, word: str, number: int, against: int | None, instead_of: str = ""
) -> Explanation:
    """Compare two readings of a word, or of what the model is asked instead of another one."""
    second = against or (2 if number == 1 else 1)
    given = analyzer.parse(word, max(number, second, MOST_READINGS))
    if given.status == "refused":
        text = "; for running text use: morphtree text" if len(word.split()) > 1 else ""
        raise ModelError(f"{word!r} cannot be explained: {given.reason}{text}")
    plain = analyzer.asked(word)
    if sentence := _without_model(analyzer, plain, given):
        return Explanation(word, given.readings[0], sentences=finished([sentence]))
    if has_stand_in(plain, word):  # what is weighed is another word: *covid-ten* for *COVID-19*
        reading = _chosen(word, given.readings, number)
        return Explanation(word, reading, sentences=finished([with_numeral(word, reading)]))
    if plain != clean(word).text:
        found = _explained(analyzer, plain, number, against, word)
        first = finished([asked_instead(word, plain, given.readings[0])])
        return replace(found, sentences=(*first, *found.sentences)[:MOST])
    stored = [reading for reading in given.readings if reading.source == "treebank"]
    weighing = analyzer.computing if stored else analyzer
    analysis = weighing.parse(word, max(number, second, MOST_READINGS)) if stored else given
    alone = analysis.readings if analysis.status == "ok" else ()
    readings = [*stored, *(r for r in alone if r.tree not in [s.tree for s in stored])]
    reading = _chosen(word, readings, number)
    is_there = against or len(readings) >= second
    other = _chosen(word, readings, second) if is_there else None
    return _Weighed(
        analyzer, weighing.model, plain, reading, other, stored, alone, not instead_of
    ).explanation()


def has_stand_in(plain: str, word: str) -> bool:
    """Whether the model is asked about a stand-in in place of a numeral, as in *COVID-19*."""
    return STAND_IN in plain.split("-") and STAND_IN not in clean(word).text.split("-")


def _chosen(word: str, readings: Sequence[Reading], number: int) -> Reading:
    """Return one of a word's readings, counted from 1."""
    if len(readings) < number:
        raise ModelError(f"{word!r} has only {counted(len(readings), 'reading')}")
    return readings[number - 1]


def capitalised(word: str, found: Explanation) -> Explanation:
    """Write a word and the names inside with the capitals that the word has."""
    known, small = found.reading.known, word.lower()
    if small == word or len(small) != len(word) or not isinstance(known, Known):
        return found

    def written(mention: re.Match[str]) -> str:
        text = mention[1]
        place = small.find(text[:LEAST_ALIKE])
        if place < 0 or not (text == small or is_name(known.lexicon, text)):
            return mention[0]
        if small.startswith(text, place):
            return mentioned(word[place : place + len(text)])
        return mentioned(capital(text) if word[place].isupper() else text)

    said = (
        sentence._replace(text=re.sub(r"\*([^*]+)\*", written, sentence.text))
        for sentence in found.sentences
    )
    return replace(found, sentences=tuple(said))


def _without_model(analyzer: Explained, plain: str, given: Analysis) -> Sentence | None:
    """Say who answered, if that was not the model."""
    reading = given.readings[0]
    if given.status == "whole":
        return left_whole(given)
    if reading.source == "override":
        return overridden(given.word, reading, analyzer.computing.parse(given.word))
    if not plain:
        return by_rule(given.word, reading)
    return None


@dataclass(frozen=True)
class _Weighed:
    """Two readings of a word, and who weighs them."""

    analyzer: Explained
    model: Model
    word: str
    reading: Reading
    other: Reading | None
    stored: Sequence[Reading]
    alone: Sequence[Reading]  # by the model alone, the best first
    is_as_written: bool = True  # whether the model was asked about the word itself

    def explanation(self) -> Explanation:
        """Weigh the readings and say what decides."""
        if not isinstance(self.reading.tree, Tree):
            said = finished([flat(self.reading, self.other)])
            return Explanation(self.word, self.reading, self.other, said, self._ratio)
        tree = without_hyphens(self.reading.tree)
        other = _bare(self.other)
        model = self.model.for_word(self.word, _bare(next(iter(self.alone), None)) or tree)
        causes = differing(model, self.word, tree, other)
        spelling = transduction(model, self.word, tree)
        spelling -= transduction(model, self.word, other) if other else 0.0
        margin = spelling + sum(cause.weight for cause in causes) if other else math.inf
        return Explanation(
            self.word, self.reading, self.other,
            self._sentences(tree, other, strengths(causes) | {TRANSDUCTION: spelling}, margin),
            margin, spelling, tuple(causes), tuple(restored(self.word, tree.form)),
            tuple(reading.notation for reading in self.stored),
            (self._prob(self.reading), self._prob(self.other)),
        )  # fmt: skip

    def _sentences(
        self, tree: Tree, other: Tree | None, kinds: dict[str, float], margin: float
    ) -> tuple[Sentence, ...]:
        known = self.reading.known
        assert isinstance(known, Known)  # an analyzer has just made the reading
        first = []
        if self.stored and self.is_as_written:
            first.append(of_treebank(self.word, self.reading, self.stored, self.alone))
        if not self.other:
            first.append(only_reading(self.stored))
        finder = Finder(self.analyzer.model.stored, known, self.analyzer)
        is_english = self.model.header.get("settings", {}).get("language") == "en"
        case = Comparison(self.word, tree, other, known, is_english=is_english)
        said = choose(case, kinds, finder, first)
        told = said[len(first) :]
        if self.other and all(sentence.is_against for sentence in told):
            said = [*first, undecided(margin, self.other), *told]
        return finished(said)

    def _prob(self, reading: Reading | None) -> float | None:
        return next((r.prob for r in self.alone if reading and r.tree == reading.tree), None)

    @property
    def _ratio(self) -> float:
        if self.other and self.other.prob and self.reading.prob:
            return math.log(self.reading.prob / self.other.prob)
        return math.inf


def _bare(reading: Reading | None) -> Tree | None:
    """Return the tree of a reading as the model knows it, without hyphens."""
    if reading is None or not isinstance(reading.tree, Tree):
        return None
    return without_hyphens(reading.tree)


def restored(word: str, form: str) -> Iterator[str]:
    """Say how the spelling was restored, place by place."""
    places = align(word, form)
    start = 0
    for at in range(1, len(form) + 1):
        here, there = form[start:at], word[places[start] : places[at]]
        if here == there:
            start = at
        elif at == len(form) or word[places[at] :] == form[at:] or _agrees(word, form, places, at):
            yield f"'{there}' in the word is '{here}' in its canonical form"
            start = at


def _agrees(word: str, form: str, places: list[int], at: int) -> bool:
    """Whether the letter after a boundary is the same in both."""
    return word[places[at] : places[at + 1]] == form[at : at + 1]
