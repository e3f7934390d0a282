"""Small joint models with random weights, and what they may know of strings, for the tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from morphtree._util.arrays import Hashes
from morphtree._util.hashing import hash_text
from morphtree.features.edit_features import Edit, EditFeatures, named_features
from morphtree.features.sets import PAPER, PAPER_CHAIN
from morphtree.features.span_features import (
    ChainFeatures,
    SpanFeatures,
    TreeFeatures,
    named_rule_features,
)
from morphtree.features.templates import Feature, FeatureIndex, Templates
from morphtree.joint.joint_model import JointModel, Weights
from morphtree.lexicon.lexicon import Derivation, Knowledge, Lexicon
from morphtree.lexicon.similarity import Meaning, Nearness
from morphtree.lexicon.word_facts import ADJ, ADV, NAME, NOUN, ORDINARY, VERB, Facts, pack
from morphtree.trees.chain import FLAT, Chain
from morphtree.trees.grammar import COMPOUNDS, Grammar
from tests import span_oracle

# Words with forms: those of a treebank, with new letters, much longer and much shorter
PAIRS = (
    ("untestably", "untestablely"),
    ("happiness", "happyness"),
    ("blackbirds", "blackbirds"),
    ("breakable", "breakable"),
    ("\U0001f600able", "\U0001f600able"),
    ("na\u00efvely", "na\u00efvely"),
    ("happily", "happyabily"),
    ("s", "unsable"),
    ("blackbird", "bird"),
    ("black-birds", "blackbirds"),
    ("un-test-able", "untestable"),
    ("", "un"),
)
STRUCTURES: dict[str, Grammar | Chain] = {"tree": COMPOUNDS, "chain": FLAT}
KNOWN = Knowledge(
    Lexicon(
        {
            "test": pack(Facts(4.9, ORDINARY, NOUN | VERB)),
            "testable": pack(Facts(3.1, ORDINARY, ADJ)),
            "testably": pack(Facts(1.2, ORDINARY, ADV)),
            "untestably": pack(Facts(0.9, 0, ADV)),
            "happy": pack(Facts(5.6, ORDINARY, ADJ)),
            "happily": pack(Facts(4.1, ORDINARY, ADV)),
            "happiness": pack(Facts(4.8, ORDINARY, NOUN)),
            "black": pack(Facts(5.7, ORDINARY, ADJ | NOUN)),
            "blackbird": pack(Facts(3.0, ORDINARY, NOUN)),
            "birds": pack(Facts(4.8, 0, 0)),
            "bird": pack(Facts(4.9, NAME, 0)),
            "na\u00efve": pack(Facts(0.0, ORDINARY, ADJ)),
            "able": pack(Facts(7.9, ORDINARY, ADJ)),
        },
        [
            Derivation("testable", "test", False),
            Derivation("testably", "testable", False),
            Derivation("untestably", "untestable", False),
            Derivation("untestably", "testably", True),
            Derivation("happiness", "happy", False),
            Derivation("happily", "happy", False),
            Derivation("blackbird", "bird", True),
            Derivation("birds", "birding", False),
        ],
        {
            "happily": Meaning(True, True, {"happy": Nearness(4, 2)}),
            "happiness": Meaning(True, False, {"happy": Nearness(3, 0)}),
            "testably": Meaning(True, True, {"testable": Nearness(2, 0), "test": Nearness(1, 1)}),
            "birds": Meaning(True, False, {"bird": Nearness(4, 0)}),
            "blackbird": Meaning(False, True, {"bird": Nearness(0, 1)}),
            **dict.fromkeys(("happy", "test", "testable", "bird"), Meaning(True, True, {})),
        },
    ),
    {
        "PREFIX": frozenset(("un", "in", "a")),
        "SUFFIX": frozenset(("able", "ly", "ness", "s", "in")),
    },
    ("ly", "s", "able", "iness", "ily"),
    np.array(sorted(map(hash_text, ("test", "happy", "black", "bird", "break"))), np.uint64),
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
    return FeatureIndex.of(
        feature
        for word in words
        for edit in edits_of(word, alphabet)
        for feature, _ in named_features(templates.edits, word, edit)
    )


def spans_of(form: str) -> Iterator[tuple[int, int]]:
    """Every span of a form."""
    yield from itertools.combinations(range(len(form) + 1), 2)


def span_features_of(
    templates: Templates,
    knowledge: Knowledge,
    pair: tuple[str, str],
    labels: Iterable[str],
) -> Iterator[Feature]:
    """Every feature that can fire on a form of a word."""
    for span, label in itertools.product(spans_of(pair[1]), labels):
        for branching in (False, True):
            yield from span_oracle.features(
                templates.spans, knowledge, pair, span, label, branching
            )


def span_features(
    structure: Grammar | Chain,
    templates: Templates,
    knowledge: Knowledge,
    pairs: Iterable[tuple[str, str]],
) -> SpanFeatures:
    """The features that can fire on some words with their forms."""
    found = {
        feature
        for pair in pairs
        for feature in span_features_of(templates, knowledge, pair, structure.labels)
    }
    if isinstance(structure, Grammar):
        for rule in structure.rules:
            found |= {f for f, _ in named_rule_features(templates.rules, *rule)}
        return TreeFeatures(templates, structure, knowledge, FeatureIndex.of(found))
    names = [*structure.labels, "BOUNDARY"]
    for last in names:
        for after in names:
            found |= {f for f, _ in named_rule_features(templates.rules, last, (after,))}
    return ChainFeatures(templates, structure, knowledge, FeatureIndex.of(found))


def joint_model(
    structure: Grammar | Chain,
    words: Iterable[str],
    forms: Iterable[str],
    alphabet: str,
    attested: Iterable[str] = (),
    *,
    templates: Templates | None = None,
    knowledge: Knowledge | None = None,
    scale: float = 0.5,
    seed: int = 0,
    longer: int = 1,
) -> JointModel[Any]:
    """A model whose features are those that can fire on the given words and forms."""
    words = list(words)
    if templates is None:
        templates = PAPER if isinstance(structure, Grammar) else PAPER_CHAIN
    if knowledge is None:
        knowledge = Knowledge(Lexicon(attested))
    spans = span_features(structure, templates, knowledge, itertools.product(words, forms))
    edits = EditFeatures(templates.edits, alphabet, edit_index(templates, words, alphabet))
    rng = np.random.default_rng(seed)
    weights = Weights(
        rng.normal(scale=scale, size=len(edits.index)),
        rng.normal(scale=scale, size=len(spans.index)),
    )
    return JointModel(edits, spans, weights, longer=longer)


def contexts_of(spans: SpanFeatures, word: str, form: str) -> Hashes:
    """What the kernel sees in every span."""
    workspace = spans.workspace(max(len(word), len(form)))
    places = np.array([*spans_of(form)], np.int32).reshape(-1, 2)
    return spans.contexts(word, form, places, workspace)
