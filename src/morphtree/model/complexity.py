"""A morphological-complexity classifier beside the model: how likely a word is complex at all.

A classifier may use what a log-linear model of spans cannot; it is trained apart (for English by
`scripts/make_complexity.py`). The model keeps its levels in the lexicon, and a template whose
weights are not learned lowers the score of trees that go against them: of a word left whole that
is surely complex, of one taken apart that hardly is. A file has a line a word:
``word<TAB>level``, 0 to 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np

from morphtree._kernels._layout import SIZES
from morphtree._util.files import read_text
from morphtree._util.hashing import mix
from morphtree._util.text import normalise
from morphtree.errors import ModelError
from morphtree.features.span_features import outcome_code
from morphtree.features.templates import Feature, FeatureIndex, SpanTemplate, Templates
from morphtree.lexicon.lexicon import Knowledge
from morphtree.model.model import Model
from morphtree.trees.tree import WORD

LEVELS = (0.02, 0.1, 0.3, 0.6, 0.85, 0.97)  # the least probability of each level but the first
LOG_ODDS = (-3.0, -2.9, -1.5, -0.2, 1.0, 2.6, 3.0)  # of each level, none too sure
TEMPLATE = SpanTemplate("complexity", "shape", "open")
KNOWN_STEMS = SpanTemplate("zipf+word_zipf", "shape", "open")
UNUSUAL_ENDS = SpanTemplate("tail2+zipf", "shape", "open")
SEPARATOR = 2  # what hashes of letters around a boundary start with
UNKNOWN, KNOWN = 1, 2  # classes of frequency: none, and the lowest


def read_complexity(path: str | Path) -> dict[str, int]:
    """Read the level of every classified word."""
    levels: dict[str, int] = {}
    text = read_text(Path(path), "the classified words", ModelError)
    for number, line in enumerate(text.splitlines(), 1):
        word, _, level = line.partition("\t")
        if not word or level not in map(str, range(len(LOG_ODDS))):
            raise ModelError(f"{path}:{number}: expected 'word<TAB>level', 0 to {len(LEVELS)}")
        levels[normalise(word)] = int(level)
    return levels


def with_complexity(model: Model, levels: Mapping[str, int], weight: float) -> Model:
    """Return the model with a classifier of some weight beside it."""
    told = {word: 1 + level for word, level in levels.items()}
    lexicon = model.spans.knowledge.lexicon.with_fact("complexity", told)
    added = complexity_weights(weight, len(model.spans.templates.spans))
    return with_template(model, TEMPLATE, added, replace(model.spans.knowledge, lexicon=lexicon))


def with_template(
    model: Model, template: SpanTemplate, added: Mapping[Feature, float], knowledge: Knowledge
) -> Model:
    """Return the model with one more template, whose weights are given and not learned."""
    spans, split = model.spans, len(model.edits.index)
    contexts = np.append(spans.index.contexts, np.array([f.context for f in added], np.uint64))
    outcomes = np.append(spans.index.outcomes, [f.outcome for f in added])
    weights = np.append(model.weights[split:], [*added.values()])
    order = np.lexsort((outcomes, contexts))
    more = model.structure.features(
        Templates(model.edits.templates, (*spans.templates.spans, template), spans.templates.rules),
        knowledge,
        FeatureIndex(contexts[order], outcomes[order]),
    )
    weights = np.append(model.weights[:split], weights[order])
    return model.changed(spans=more, weights=weights)


def with_known_stems(model: Model, weight: float) -> Model:
    """Return the model with a penalty on unknown stems of words that its lexicon lists.

    Of a word that people use, people know the stem: of 25,608 complex words of the English
    treebank that are listed, two have a stem that is not.
    """
    number = len(model.spans.templates.spans)
    added = {}
    for frequency in range(KNOWN, SIZES["word_zipf"]):
        context = KNOWN_STEMS.context({"zipf": UNKNOWN, "word_zipf": frequency}, number)
        added[Feature(context, outcome_code(KNOWN_STEMS, WORD, False))] = -weight
    return with_template(model, KNOWN_STEMS, added, model.spans.knowledge)


def with_usual_ends(model: Model, ends: Iterable[str], weight: float) -> Model:
    """Return the model with a penalty on unknown stems that end in some pairs of letters."""
    number = len(model.spans.templates.spans)
    added = {}
    for end in ends:
        tail = reduce(mix, map(ord, reversed(end)), SEPARATOR)
        context = UNUSUAL_ENDS.context({"tail2": tail, "zipf": UNKNOWN}, number)
        added[Feature(context, outcome_code(UNUSUAL_ENDS, WORD, False))] = -weight
    return with_template(model, UNUSUAL_ENDS, added, model.spans.knowledge)


def complexity_weights(weight: float, number: int) -> dict[Feature, float]:
    """Return the weight of leaving a word of each level whole, or of taking it apart.

    ``number`` is that of the classifier's template.
    """
    found = {}
    for level, log_odds in enumerate(LOG_ODDS):
        context = TEMPLATE.context({"complexity": 1 + level}, number)
        branching = log_odds < 0  # what goes against it
        found[Feature(context, outcome_code(TEMPLATE, WORD, branching))] = -weight * abs(log_odds)
    return found
