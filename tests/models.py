"""Small joint models with random weights, for the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from morphtree.chain import Chain
from morphtree.edit_features import Edit, EditFeatures, named_features
from morphtree.features import PAPER, PAPER_CHAIN, Feature, FeatureIndex, Templates
from morphtree.grammar import Grammar
from morphtree.joint import JointModel, Weights
from morphtree.lexicon import Lexicon
from morphtree.part_features import (
    ChainFeatures,
    PartFeatures,
    TreeFeatures,
    named_rule_features,
    named_span_features,
)


def edits_of(word: str, alphabet: str) -> Iterator[Edit]:
    """Every edit at every place of a word after every letter."""
    for i in range(len(word) + 1):
        for previous in ("", *alphabet):
            for letter in alphabet:
                yield Edit(i, False, letter, previous)
                if i < len(word):
                    yield Edit(i, True, letter, previous)
            if i < len(word):
                yield Edit(i, True, "", previous)


def edit_index(templates: Templates, words: Iterable[str], alphabet: str) -> FeatureIndex:
    return FeatureIndex(
        feature
        for word in words
        for edit in edits_of(word, alphabet)
        for feature, _ in named_features(templates.edits, word, edit)
    )


def span_features_of(
    templates: Templates, lexicon: Lexicon, form: str, labels: Iterable[str]
) -> Iterator[Feature]:
    for i in range(len(form)):
        for j in range(i + 1, len(form) + 1):
            for label in labels:
                yield from (
                    feature
                    for feature, _ in named_span_features(
                        templates.spans, lexicon, form, i, j, label
                    )
                )


def joint_model(
    structure: Grammar | Chain,
    words: Iterable[str],
    forms: Iterable[str],
    alphabet: str,
    attested: Iterable[str] = (),
    *,
    scale: float = 0.5,
    seed: int = 0,
    longer: int = 1,
) -> JointModel[Any]:
    """A model whose features are those that can fire on the given words and forms."""
    templates = PAPER if isinstance(structure, Grammar) else PAPER_CHAIN
    lexicon = Lexicon(attested)
    words = list(words)
    found = {
        feature
        for form in forms
        for feature in span_features_of(templates, lexicon, form, structure.labels)
    }
    parts: PartFeatures
    if isinstance(structure, Grammar):
        for rule in structure.rules:
            found |= {f for f, _ in named_rule_features(templates.rules, *rule)}
        parts = TreeFeatures(templates, structure, lexicon, FeatureIndex(found))
    else:
        names = [*structure.labels, "BOUNDARY"]
        for last in names:
            for after in names:
                found |= {f for f, _ in named_rule_features(templates.rules, last, (after,))}
        parts = ChainFeatures(templates, structure, lexicon, FeatureIndex(found))
    edits = EditFeatures(templates.edits, alphabet, edit_index(templates, words, alphabet))
    rng = np.random.default_rng(seed)
    weights = Weights(
        rng.normal(scale=scale, size=len(edits.index)),
        rng.normal(scale=scale, size=len(parts.index)),
    )
    return JointModel(edits, parts, weights, longer=longer)
