"""Why a reading: the features that speak for it and against it, beside the next reading."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from morphtree.analysis import SCHEMA, Reading
from morphtree.errors import ModelError
from morphtree.features.span_features import (
    NOT_STORED,
    Constituent,
    named_rule_features,
    named_span_features,
)
from morphtree.joint.estimators import Candidates
from morphtree.lexicon.stored import last_steps
from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree, without_hyphens
from morphtree.written.text import clean

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.model.model import Model

MOST_STORED = 10  # readings of a stored word


class Cause(NamedTuple):
    """A feature: how much it speaks for the reading (below 0: against it), where, and in words."""

    weight: float
    span: str
    words: str


@dataclass(frozen=True)
class Explanation:
    """A reading, the one that it is compared with, and what makes the difference."""

    word: str
    reading: Reading
    other: Reading | None
    margin: float  # log of how many times likelier the reading is
    spelling: float  # the part of the margin that the transducer brings
    causes: tuple[Cause, ...]  # of the rest, the weightiest first
    edits: tuple[str, ...]  # what was restored
    stored: tuple[str, ...] = ()  # trees that the treebank gives the word

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "word": self.word,
            "reading": self.reading.to_dict(),
            "other": self.other and self.other.to_dict(),
            "margin": self.margin if math.isfinite(self.margin) else None,  # JSON has no infinity
            "spelling": self.spelling,
            "causes": [cause._asdict() for cause in self.causes],
            "edits": list(self.edits),
            "stored": list(self.stored),
        }


def explain(
    analyzer: Analyzer, word: str, number: int = 1, against: int | None = None
) -> Explanation:
    """Compare two readings of a word, counted from 1, the best first.

    If it is not said with which, that is the best other one, if there is one. Of a stored word
    the readings that the model computes are compared. The word is what the model is asked:
    *i-phone* of *iPhone*.
    """
    if number == against:
        raise ModelError(f"reading {number} cannot be compared with itself; choose another")
    second = against or (2 if number == 1 else 1)
    given, whole = analyzer.parse(word, MOST_STORED), analyzer
    if given.readings and given.readings[0].source == "treebank":
        analyzer = analyzer.computing
    analysis = analyzer.parse(word, max(number, second))
    if analysis.status != "ok":
        raise ModelError(f"{word!r} cannot be explained: {analysis.reason}")
    plain = analyzer.asked(word)
    if not plain:  # a rule has the answer
        return Explanation(word, analysis.readings[0], None, math.inf, 0.0, (), ())
    if plain != clean(word).text:
        return explain(whole, plain, number, against)
    readings = analysis.readings
    if len(readings) < max(number, against or 1):
        raise ModelError(f"{word!r} has only {len(readings)} readings, counted from 1")
    reading = readings[number - 1]
    other = readings[second - 1] if len(readings) >= second else None
    if not isinstance(reading.tree, Tree) or (other and not isinstance(other.tree, Tree)):
        raise ModelError("only a model of trees can be explained")
    model = analyzer.model.for_word(plain, bare(readings[0]).tree)
    fired = Counter(_fired(model, plain, bare(reading)))
    fired.subtract(_fired(model, plain, bare(other)) if other else ())
    causes = [
        Cause(count * weight, span, words)
        for (weight, span, words), count in fired.items()
        if count
    ]
    causes.sort(key=lambda cause: (-abs(cause.weight), cause))
    spelling = _transducer(model, plain, bare(reading))
    if other:
        spelling -= _transducer(model, plain, bare(other))
    return Explanation(
        word, reading, other,
        spelling + sum(cause.weight for cause in causes) if other else math.inf,
        spelling,
        tuple(causes), tuple(restored(plain, bare(reading).form)),
        tuple(r.notation for r in given.readings if r.source == "treebank"),
    )  # fmt: skip


def bare(reading: Reading) -> Reading:
    """Return a reading as the model knows it, without hyphens."""
    assert isinstance(reading.tree, Tree)
    tree = without_hyphens(reading.tree)
    return replace(reading, tree=tree, form=tree.form)


def _fired(model: Model, word: str, reading: Reading) -> Iterator[Cause]:
    """Yield the features of a reading's tree that have a weight, and what the treebank says."""
    index, weights = model.spans.index, model.weights[len(model.edits.index) :]
    assert isinstance(reading.tree, Tree)
    nodes, spans = [*reading.tree.nodes()], [*reading.tree.spans()]
    named = named_span_features(
        model.spans, word, reading.form,
        [Constituent(span.start, span.end, node.label, bool(node.children))
         for node, span in zip(nodes, spans, strict=True)],
    )  # fmt: skip
    rules = model.spans.templates.rules
    for node, span, features in zip(nodes, spans, named, strict=True):
        children = [child.label for child in node.children]
        found = [*features, *named_rule_features(rules, node.label, children)]
        for feature, name in found:
            number = index.find(feature)
            if number >= 0 and weights[number]:
                yield Cause(float(weights[number]), span.string, name)
    yield from _contradictions(model, word, reading)


def _contradictions(model: Model, word: str, reading: Reading) -> Iterator[Cause]:
    """Yield the words inside a reading that stored derivations make otherwise."""
    assert isinstance(reading.tree, Tree)
    numbers = model.spans.match(word, reading.form).stored
    for start, end, step in last_steps(reading.tree, model.structure.grammar):
        number = int(numbers[start, end])
        steps = model.stored.last_steps(number) if number >= 0 else []
        if number != NOT_STORED and step not in steps:
            string = reading.form[start:end]
            yield Cause(-model.stored.weight, string, "the treebank makes it otherwise")


def _transducer(model: Model, word: str, reading: Reading) -> float:
    """Return what the transducers contribute to the log score of a reading."""
    candidate = Candidates.of((reading.form,))
    return model.joint.distribution(word, candidate).terms[0].log_edit


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
