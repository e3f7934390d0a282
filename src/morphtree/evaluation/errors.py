"""Errors by kind: every wrong word has exactly one.

A word is wrong if no gold reading has its tree or, where either side is flat, its segments. The
kinds are asked for in this order, and the first that fits is the word's:

1. ``refused``: there is no prediction;
2. ``scope``: the segments are right and the tree is not (its brackets or its labels);
3. ``boundary``: the canonical form is right and is cut in other places;
4. ``affix``: the form is wrong and the stems are right, so the fault lies in the affixes;
5. ``spelling``: the form and the stems are wrong.

Stems are the leaves that are neither PREFIX nor SUFFIX; where either side is flat, the longest
segment (the first of several) stands for the stem. Of several gold readings the one counts that
puts the word first in this list.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from morphtree.evaluation.metrics import Gold, Prediction, gold_analyses, segments_of, unwrapped
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree

REFUSED, SCOPE, BOUNDARY, AFFIX, SPELLING = KINDS = (
    "refused",
    "scope",
    "boundary",
    "affix",
    "spelling",
)
RIGHT = ""
EXAMPLES = 3


class Example(NamedTuple):
    """A word that was got wrong."""

    word: str
    gold: str
    predicted: str


@dataclass(frozen=True)
class Errors:
    """How many words are wrong in one way, and the first few of them."""

    count: int
    examples: tuple[Example, ...]


def count_errors(entries: Iterable[Entry], predictions: Iterable[Prediction]) -> dict[str, Errors]:
    """Sort the wrong words by kind."""
    found: dict[str, list[Example]] = {kind: [] for kind in KINDS}
    for entry, guess in zip(entries, predictions, strict=True):
        kind, gold = error_kind(entry, guess)
        if kind != RIGHT:
            found[kind].append(Example(entry.word, _written(gold), _written(guess)))
    return {kind: Errors(len(words), tuple(words[:EXAMPLES])) for kind, words in found.items()}


def error_kind(entry: Entry, prediction: Prediction) -> tuple[str, Gold]:
    """Return what is wrong with a prediction, empty if nothing is, and the gold it is held to."""
    golds, guess = gold_analyses(entry), unwrapped(prediction)
    kinds = [_kind(gold, guess) for gold in golds]
    best = min(range(len(golds)), key=lambda number: (RIGHT, *KINDS).index(kinds[number]))
    return kinds[best], golds[best]


def is_right(entry: Entry, prediction: Prediction) -> bool:
    """Whether a prediction is one of the gold readings; flat ones are compared by segments."""
    return error_kind(entry, prediction)[0] == RIGHT


def _kind(gold: Gold, guess: Prediction) -> str:
    if guess is None:
        return REFUSED
    wanted, found = segments_of(gold), segments_of(guess)
    have_trees = isinstance(gold, Tree) and isinstance(guess, Tree)
    if wanted == found:
        return SCOPE if have_trees and gold != guess else RIGHT
    if "".join(wanted) == "".join(found):
        return BOUNDARY
    return AFFIX if _stems(gold, have_trees) == _stems(guess, have_trees) else SPELLING


def _stems(analysis: Gold, have_trees: bool) -> tuple[str, ...]:
    if have_trees and isinstance(analysis, Tree):
        return tuple(leaf.string for leaf in analysis.leaves() if not leaf.is_affix)
    return (max(segments_of(analysis), key=len, default=""),)


def _written(analysis: Prediction) -> str:
    return str(analysis) if isinstance(analysis, Tree) else " + ".join(analysis or ())
