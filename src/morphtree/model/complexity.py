"""A judge of words beside the model: how likely a word is made of parts, whatever they are.

A judge may use what a log-linear model of spans cannot; it is trained apart (for English by
`scripts/make_judged.py`). The model keeps its levels in the lexicon, and a template whose weights
are not learned objects to trees that go against them: to a word left whole that is surely made of
parts, to one taken apart that is hardly. A file has a line a word: ``word<TAB>level``, 0 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from morphtree._util.files import read_text
from morphtree._util.text import normalise
from morphtree.errors import ModelError
from morphtree.features.span_features import outcome_code
from morphtree.features.templates import Feature, FeatureIndex, SpanTemplate, Templates, mix, seed
from morphtree.model.model import Model
from morphtree.trees.tree import WORD

LEVELS = (0.02, 0.1, 0.3, 0.6, 0.85, 0.97)  # the least probability of each level but the first
LOG_ODDS = (-3.0, -2.9, -1.5, -0.2, 1.0, 2.6, 3.0)  # of each level, none too sure
TEMPLATE = SpanTemplate("judged", "shape", "open")


def read_judged(path: str | Path) -> dict[str, int]:
    """Read the level of every judged word."""
    levels: dict[str, int] = {}
    text = read_text(Path(path), "the judged words", ModelError)
    for number, line in enumerate(text.splitlines(), 1):
        word, _, level = line.partition("\t")
        if not word or level not in map(str, range(len(LOG_ODDS))):
            raise ModelError(f"{path}:{number}: expected 'word<TAB>level', 0 to {len(LEVELS)}")
        levels[normalise(word)] = int(level)
    return levels


def with_judge(model: Model, levels: Mapping[str, int], weight: float) -> Model:
    """Return the model with a judge of some weight beside it."""
    parts, split = model.parts, len(model.edits.index)
    added = objections(weight)
    contexts = np.append(parts.index.contexts, np.array([f.context for f in added], np.uint64))
    outcomes = np.append(parts.index.outcomes, [f.outcome for f in added])
    weights = np.append(model.weights[split:], [*added.values()])
    order = np.lexsort((outcomes, contexts))
    judged = model.structure.features(
        Templates(model.edits.templates, (*parts.templates.spans, TEMPLATE), parts.templates.rules),
        replace(parts.knowledge, lexicon=parts.knowledge.lexicon.judged(levels)),
        FeatureIndex(contexts[order], outcomes[order]),
    )
    weights = np.append(model.weights[:split], weights[order])
    return model.changed(parts=judged, weights=weights)


def objections(weight: float) -> dict[Feature, float]:
    """Return what speaks against leaving a word of each level whole, and against parting it."""
    found = {}
    for level, log_odds in enumerate(LOG_ODDS):
        context = int(mix(seed(TEMPLATE), 1 + level))
        against = log_odds < 0  # taking it apart
        found[Feature(context, outcome_code(TEMPLATE, WORD, against))] = -weight * abs(log_odds)
    return found
