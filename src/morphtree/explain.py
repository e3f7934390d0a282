"""Why a reading: the features that speak for it and against it, beside the next reading."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from morphtree.analysis import SCHEMA, Reading
from morphtree.errors import ModelError
from morphtree.features.span_features import Constituent, named_rule_features, named_span_features
from morphtree.joint.estimators import Candidates
from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree, without_hyphens
from morphtree.written.text import clean

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer


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
        }


def explain(
    analyzer: Analyzer, word: str, number: int = 1, against: int | None = None
) -> Explanation:
    """Compare two readings of a word, counted from 1, the best first.

    If it is not said with which, that is the best other one, if there is one. The word is what
    the model is asked: *i-phone* of *iPhone*.
    """
    if number == against:
        raise ModelError(f"reading {number} cannot be compared with itself; choose another")
    second = against or (2 if number == 1 else 1)
    analysis = analyzer.parse(word, max(number, second))
    if analysis.status != "ok":
        raise ModelError(f"{word!r} cannot be explained: {analysis.reason}")
    plain = analyzer.asked(word)
    if not plain:
        raise ModelError(f"{word!r} cannot be explained: its reading follows from a rule")
    if plain != clean(word).text:
        return explain(analyzer, plain, number, against)
    readings = analysis.readings
    if len(readings) < max(number, against or 1):
        raise ModelError(f"{word!r} has only {len(readings)} readings, counted from 1")
    reading = readings[number - 1]
    other = readings[second - 1] if len(readings) >= second else None
    if not isinstance(reading.tree, Tree) or (other and not isinstance(other.tree, Tree)):
        raise ModelError("only a model of trees can be explained")
    fired = Counter(_fired(analyzer, plain, reading))
    fired.subtract(_fired(analyzer, plain, other) if other else ())
    causes = [
        Cause(count * weight, span, words)
        for (weight, span, words), count in fired.items()
        if count
    ]
    causes.sort(key=lambda cause: (-abs(cause.weight), cause))
    spelling = _transducer(analyzer, plain, reading)
    if other:
        spelling -= _transducer(analyzer, plain, other)
    return Explanation(
        word, reading, other,
        math.log(reading.prob / other.prob) if other and other.prob > 0 else math.inf,
        spelling,
        tuple(causes), tuple(restored(plain, without_hyphens(reading.tree).form)),
    )  # fmt: skip


def _fired(analyzer: Analyzer, word: str, reading: Reading) -> Iterator[Cause]:
    """Yield the features of a reading's tree that have a weight."""
    model = analyzer.model
    index, weights = model.spans.index, model.weights[len(model.edits.index) :]
    assert isinstance(reading.tree, Tree)
    tree = without_hyphens(reading.tree)
    nodes, spans = [*tree.nodes()], [*tree.spans()]
    named = named_span_features(
        model.spans, word, tree.form,
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


def _transducer(analyzer: Analyzer, word: str, reading: Reading) -> float:
    """Return what the transducers contribute to the log score of a reading."""
    assert isinstance(reading.tree, Tree)
    candidate = Candidates.of((without_hyphens(reading.tree).form,))
    return analyzer.model.joint.distribution(word, candidate).terms[0].log_edit


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
