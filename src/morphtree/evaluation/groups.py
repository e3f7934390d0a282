"""Figures of chosen words: scope given the segments, boundaries in the word as it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from morphtree.evaluation.errors import is_right
from morphtree.evaluation.metrics import (
    Overlap,
    Prediction,
    gold_analyses,
    segments_of,
    unwrapped,
)
from morphtree.treebank.entry import Entry
from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree

FEWEST = 3  # morphemes of a word that can be bracketed in more than one way


def given_segments(
    entries: Iterable[Entry], predictions: Iterable[Prediction], chosen: Callable[[Tree], bool]
) -> list[bool]:
    """Return whether trees are right, of those chosen words whose segments are right.

    The first reading says whether a word is chosen, and which segments are right.
    """
    found = []
    for entry, prediction in zip(entries, predictions, strict=True):
        gold, guess = gold_analyses(entry)[0], unwrapped(prediction)
        if not isinstance(gold, Tree) or not isinstance(guess, Tree):
            continue  # flat: there is no tree to be right
        if chosen(gold) and guess.morphemes == gold.morphemes:
            found.append(is_right(entry, guess))
    return found


def has_scope(tree: Tree) -> bool:
    """Whether a word has so many morphemes that they can be bracketed in several ways."""
    return len(tree.morphemes) >= FEWEST


def boundary_f1(entries: Sequence[Entry], predictions: Sequence[Prediction]) -> float:
    """Return the F1 (micro) of morpheme boundaries in words as they are written.

    Canonical segments are aligned with the word first, so that systems that cut the word and
    systems that restore letters can be compared. Of several gold readings the nearest counts.
    """
    overlaps = [
        max(_overlaps(entry, prediction), key=lambda one: (one.f1, -one.gold))
        for entry, prediction in zip(entries, predictions, strict=True)
    ]
    return Overlap(*map(sum, zip(*overlaps, strict=True))).f1


def _overlaps(entry: Entry, prediction: Prediction) -> Iterable[Overlap]:
    found = boundaries(entry.word, unwrapped(prediction))
    for gold in gold_analyses(entry):
        wanted = boundaries(entry.word, gold)
        yield Overlap(len(found & wanted), len(found), len(wanted))


def boundaries(word: str, analysis: Prediction) -> set[int]:
    """Return where, inside the word, two morphemes meet."""
    segments = segments_of(analysis)
    places = align(word, "".join(segments))
    ends = (sum(map(len, segments[:count])) for count in range(1, len(segments)))
    return {places[end] for end in ends} - {0, len(word)}
