"""The features of a reading: how much each speaks for it, of which span, by what evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from morphtree.features.span_attributes import GROUPS
from morphtree.features.span_features import (
    NOT_STORED,
    Constituent,
    named_rule_features,
    named_span_features,
)
from morphtree.joint.estimators import Candidates
from morphtree.lexicon.stored import last_steps
from morphtree.trees.tree import Tree

if TYPE_CHECKING:
    from morphtree.features.templates import SpanTemplate
    from morphtree.model.model import Model

# Kinds of evidence by the attributes that a template looks at. The first that fits counts: most
# templates also look at letters and frequencies.
_SPEECH = frozenset(("speech", "word_speech", "joined_speech", "other_speech"))
KINDS = {
    "complexity": frozenset(("complexity",)),
    "meaning": GROUPS["meaning"] | {"other_kin", "other_told"},
    "derivations": GROUPS["derivations"],
    "treebank": GROUPS["treebank"],
    "spelling": GROUPS["changes"],
    "categories": _SPEECH,
    "words": (GROUPS["lexicon"] | GROUPS["respelled"] | GROUPS["other"]) - _SPEECH,
}
AFFIXES, LETTERS, GRAMMAR = "affixes", "letters", "grammar"
TRANSDUCTION = "transduction"  # what the transducers bring has no features of spans


class Cause(NamedTuple):
    """A feature: how much it speaks for the reading (below 0: against it), where, and in words."""

    weight: float
    span: str
    words: str
    kind: str  # of evidence


def differing(model: Model, word: str, tree: Tree, other: Tree | None) -> list[Cause]:
    """Return what fires on one tree of a word more often than on another, the weightiest first."""
    fired = Counter(_fired(model, word, tree))
    fired.subtract(_fired(model, word, other) if other else ())
    causes = [cause._replace(weight=count * cause.weight) for cause, count in fired.items()]
    return sorted(filter(_weight, causes), key=lambda cause: (-abs(cause.weight), cause))


def transduction(model: Model, word: str, tree: Tree) -> float:
    """Return what the transducers contribute to the log score of a tree of a word."""
    candidate = Candidates.of((tree.form,))
    return model.joint.distribution(word, candidate).terms[0].log_edit


def strengths(causes: Iterable[Cause]) -> dict[str, float]:
    """Add up the weights by kind of evidence."""
    totals: dict[str, float] = {}
    for cause in causes:
        totals[cause.kind] = totals.get(cause.kind, 0.0) + cause.weight
    return totals


def _weight(cause: Cause) -> float:
    return cause.weight


def _fired(model: Model, word: str, tree: Tree) -> Iterator[Cause]:
    """Yield the features of a tree that have a weight, and what the treebank says."""
    index, weights = model.spans.index, model.weights[len(model.edits.index) :]
    nodes, spans = [*tree.nodes()], [*tree.spans()]
    named = named_span_features(
        model.spans, word, tree.form,
        [Constituent(span.start, span.end, node.label, bool(node.children))
         for node, span in zip(nodes, spans, strict=True)],
    )  # fmt: skip
    for node, span, features in zip(nodes, spans, named, strict=True):
        children = [child.label for child in node.children]
        rules = named_rule_features(model.spans.templates.rules, node.label, children)
        found = [
            *((feature, name, kind_of(template)) for feature, name, template in features),
            *((feature, name, GRAMMAR) for feature, name in rules),
        ]
        for feature, name, kind in found:
            number = index.find(feature)
            if number >= 0 and weights[number]:
                yield Cause(float(weights[number]), span.string, name, kind)
    yield from _contradictions(model, word, tree)


def kind_of(template: SpanTemplate) -> str:
    """Return the kind of evidence that a template looks at."""
    if template.of == "closed":
        return AFFIXES
    names = frozenset(template.names)
    return next((kind for kind, attributes in KINDS.items() if names & attributes), LETTERS)


def _contradictions(model: Model, word: str, tree: Tree) -> Iterator[Cause]:
    """Yield the words inside a tree that stored derivations make otherwise."""
    numbers = model.spans.match(word, tree.form).stored
    for start, end, step in last_steps(tree, model.structure.grammar):
        number = int(numbers[start, end])
        steps = model.stored.last_steps(number) if number >= 0 else []
        if number != NOT_STORED and step not in steps:
            string = tree.form[start:end]
            yield Cause(-model.stored.weight, string, "the treebank makes it otherwise", "treebank")
