"""Words to begin with: frequent words of the model's own treebank that have several steps."""

from __future__ import annotations

from itertools import accumulate

from morphtree._kernels._layout import unpack
from morphtree.model.model import Model

SHOWN = 7
LEAST_NODES = 7  # of a tree: four morphemes, or so
BEGINNING = 4  # letters that no two share, so that they are not of one family


def examples(model: Model) -> list[str]:
    """Return some words of a model; none if it has no treebank that names its words."""
    stored, lexicon = model.stored, model.spans.knowledge.lexicon
    sizes = stored.sizes.tolist()
    firsts = accumulate(stored.readings.tolist(), initial=0)  # the best reading of each word
    long = [
        word
        for word, first in zip(stored.spelt, firsts, strict=False)
        if word.isalpha() and sizes[first] >= LEAST_NODES
    ]
    long.sort(key=lambda word: (-int(unpack(lexicon.get(word), "zipf")), word))
    found: dict[str, str] = {}
    for word in long:
        found.setdefault(word[:BEGINNING], word)
    return [*found.values()][:SHOWN]
