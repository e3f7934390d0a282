"""The part of speech that a word has in its sentence, and how well its readings agree with it.

The tags are those of Universal Dependencies, which spaCy and others give. Only those of open
classes say something of how a word is built.
"""

from __future__ import annotations

from collections.abc import Sequence

from morphtree.errors import DataError
from morphtree.treebank.categories import Classifier
from morphtree.trees.tree import Tree

CATEGORY_OF = {"NOUN": "N", "PROPN": "N", "VERB": "V", "AUX": "V", "ADJ": "A", "ADV": "R"}
OTHER_TAGS = frozenset((
    "ADP", "CCONJ", "CONJ", "DET", "EOL", "INTJ", "NUM", "PART", "PRON", "PUNCT", "SCONJ", "SPACE",
    "SYM", "X",
))  # fmt: skip

# How often a derived word of the English treebank has the category that its parts make it mostly,
# and each other one that they can make it; tests/treebank/test_parts_of_speech.py counts again.
MOSTLY, POSSIBLY = 0.82, 0.26
# One that they cannot make it: 0.005 there, and taggers err. Of a reading that the model computed
# this says less, because the model has seen the same lists.
HARDLY, HARDLY_COMPUTED = 0.01, 0.1

EXPRESSED_BY = {  # categories of irregular forms by what they express
    "plural": "N", "past": "V", "participle": "V", "present": "V",
    "comparative": "AR", "superlative": "AR",
}  # fmt: skip


def category_of(tag: str) -> str:
    """Return the category of words with a tag, nothing if it does not choose between readings."""
    if tag and tag not in CATEGORY_OF and tag not in OTHER_TAGS:
        raise DataError(f"no part of speech is called {tag!r}; take {', '.join(CATEGORY_OF)}")
    return CATEGORY_OF.get(tag, "")


def agreements(
    classifier: Classifier, trees: Sequence[Tree], category: str, *, computed: bool = False
) -> list[float]:
    """Return how well each of these readings of a word agrees with a category.

    Of stored readings, one that is mostly of the category speaks against those that merely can be:
    they are stored apart because they differ. What the model computes is not so chosen.
    """
    made = [classifier.by_parts(tree) for tree in trees]
    is_most = [category in mostly for mostly, _ in made]
    possibly = HARDLY if any(is_most) and not computed else POSSIBLY
    hardly = HARDLY_COMPUTED if computed else HARDLY
    return [
        MOSTLY if most else possibly if category in possible or not possible else hardly
        for most, (_, possible) in zip(is_most, made, strict=True)
    ]


def can_express(feature: str, category: str) -> bool:
    """Whether an irregular form that expresses this can be of a category: a past is a verb."""
    parts = feature.split(",") if feature else []
    return any(category in EXPRESSED_BY.get(part, category) for part in parts) or not parts
