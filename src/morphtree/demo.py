"""The demonstration model: the paper's features in small, fitted to a few lines of our own.

It shows what the tool does until a real model is built in; it knows next to nothing beyond the
words of ``models/demo.derivation``. ``scripts/make_demo.py`` makes it.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from importlib.resources import files

import numpy as np

from morphtree.edit_features import EditFeatures
from morphtree.errors import ModelError
from morphtree.features import PAPER, EditTemplate, Feature, FeatureIndex, Templates
from morphtree.grammar import COMPOUNDS
from morphtree.joint import JointModel, Weights
from morphtree.lexicon import Lexicon
from morphtree.part_features import TreeFeatures
from morphtree.tree import Tree

ALPHABET = string.ascii_lowercase + "-'"
TEMPLATES = Templates(
    edits=(
        EditTemplate(edit=False),
        EditTemplate(),
        *(EditTemplate(left=size) for size in (1, 2, 3)),
        *(EditTemplate(right=size) for size in (1, 2, 3)),
        EditTemplate(previous=True),
    ),
    spans=PAPER.spans,
    rules=PAPER.rules,
)
FILE = "demo.tsv"


def make_features(
    edits: Iterable[Feature], parts: Iterable[Feature], words: Iterable[str]
) -> tuple[EditFeatures, TreeFeatures]:
    """Return the two halves of the model, without weights."""
    return (
        EditFeatures(TEMPLATES.edits, ALPHABET, FeatureIndex(edits)),
        TreeFeatures(TEMPLATES, COMPOUNDS, Lexicon(words), FeatureIndex(parts)),
    )


def load_demo() -> JointModel[Tree]:
    """Read the demonstration model that comes with the package."""
    text = (files("morphtree") / "models" / FILE).read_text(encoding="utf-8")
    words: list[str] = []
    weights: dict[str, dict[Feature, float]] = {"edit": {}, "part": {}}
    try:
        for line in text.splitlines():
            kind, *fields = line.split("\t")
            if kind == "word":
                words.append(fields[0])
            elif kind in weights:
                feature = Feature(int(fields[0], 16), int(fields[1], 16))
                weights[kind][feature] = float(fields[2])
    except (ValueError, IndexError):
        raise ModelError(f"{FILE} is damaged; reinstall morphtree") from None
    edits, parts = make_features(weights["edit"], weights["part"], words)
    vectors = (
        np.array([weights[kind][feature] for feature in features.index.features])
        for kind, features in (("edit", edits), ("part", parts))
    )
    return JointModel(edits, parts, Weights(*vectors))
