"""Scores of predictions against gold analyses: counts for each word, and ratios of their sums.

Every metric is one sum of counts over the words divided by another, so that any sample of the
words is scored from its own sums. Where nothing was to be found and nothing was, 0/0, a score
is 1. With several gold readings, each metric compares a word with the one that suits it best.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree, bare, without_hyphens

Gold: TypeAlias = Tree | tuple[str, ...]  # a tree, or the segments of flat data
Prediction: TypeAlias = Gold | None  # None: the system refused the word
Counts: TypeAlias = NDArray[np.float64]
Analysed = TypeVar("Analysed", Gold, Prediction)
Figure = TypeVar("Figure")

ROOT = "ROOT"
BOUNDARY = "\x1f"  # one symbol that no word contains
OVERLAPS = ("morpheme", "constituent", "constituent_inner", "constituent_free")
PARTS = ("matched", "predicted", "gold")
COLUMNS = (
    *("words", "accurate", "edits", "word_f1"),
    *(f"{kind}_{part}" for kind in OVERLAPS for part in PARTS),
    "exact_tree",
)
_ABSENT = (math.nan,) * (len(COLUMNS) - COLUMNS.index("constituent_matched"))


# -- metrics ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metric:
    """A ratio of two sums of columns, and the variant that its name stands for."""

    name: str
    over: tuple[str, ...]
    under: tuple[str, ...]
    variant: str = ""  # empty: that of the F1 beside it

    def ratio(self, sums: Counts) -> Counts:
        """Return the metric, (...), of summed counts, (..., columns)."""
        over, under = (
            sums[..., [COLUMNS.index(column) for column in side]].sum(axis=-1)
            for side in (self.over, self.under)
        )
        ratio: Counts = np.divide(over, under, out=np.ones_like(under), where=under != 0)
        return ratio


def _overlap_metrics(kind: str, variant: str) -> Iterator[Metric]:
    """Yield F1, precision and recall; ``constituent_inner`` gives ``constituent_f1_inner``."""
    what, _, view = kind.partition("_")
    names = (f"{what}_{figure}{view and '_'}{view}" for figure in ("f1", "precision", "recall"))
    matched, predicted, gold = (f"{kind}_{part}" for part in PARTS)
    yield Metric(next(names), (matched, matched), (predicted, gold), variant)
    yield Metric(next(names), (matched,), (predicted,))
    yield Metric(next(names), (matched,), (gold,))


METRICS = (
    Metric("accuracy", ("accurate",), ("words",), "segments"),
    *_overlap_metrics("morpheme", "micro,strings"),
    Metric("morpheme_f1_macro", ("word_f1",), ("words",), "mean-of-words,strings"),
    Metric("edit_distance", ("edits",), ("words",), "levenshtein,boundaries"),
    *_overlap_metrics("constituent", "micro,label,string,start"),
    *_overlap_metrics("constituent_inner", "micro,label,string,start,2+leaves"),
    *_overlap_metrics("constituent_free", "micro,label,string"),
    Metric("exact_tree", ("exact_tree",), ("words",), "labels,strings,brackets"),
)
NAMES = tuple(metric.name for metric in METRICS)


def scores(sums: Counts) -> Counts:
    """Return the metrics, (..., metrics), of summed counts, (..., columns); NaN: not defined."""
    return np.stack([metric.ratio(sums) for metric in METRICS], axis=-1)


def measure(entries: Iterable[Entry], predictions: Iterable[Prediction]) -> dict[str, float | None]:
    """Return every metric by name; None where flat data or predictions leave it undefined."""
    counts = count_words(entries, predictions)
    require_words(counts)
    return by_name(scores(counts.sum(axis=0))[:, None].tolist(), float)


def by_name(
    rows: Iterable[Sequence[float]], figure: Callable[..., Figure]
) -> dict[str, Figure | None]:
    """Make a figure of the numbers of each metric; None where the first is NaN: not defined."""
    pairs = zip(NAMES, rows, strict=True)
    return {name: None if math.isnan(row[0]) else figure(*row) for name, row in pairs}


def require_words(counts: Counts) -> None:
    """Complain if there is nothing to score, since 0/0 would pass for perfect."""
    if not len(counts):
        raise TreebankError("there are no words to evaluate")


# -- counts -----------------------------------------------------------------------------------


class Overlap(NamedTuple):
    """How many items of a prediction are in the gold analysis, as multisets."""

    matched: int
    predicted: int
    gold: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.predicted + self.gold
        return 2 * self.matched / both if both else 1.0


def count_words(entries: Iterable[Entry], predictions: Iterable[Prediction]) -> Counts:
    """Count each word against its gold readings, (words, columns).

    The columns on trees are NaN for a word with flat gold or a flat prediction, so that the
    metrics on trees are absent unless every word has them. A refused word has nothing predicted.
    """
    pairs = zip(entries, predictions, strict=True)
    rows = [_row(gold_analyses(entry), unwrapped(guess)) for entry, guess in pairs]
    return np.array(rows, dtype=np.float64).reshape(-1, len(COLUMNS))


def gold_analyses(entry: Entry) -> tuple[Gold, ...]:
    """Return the readings of an entry, or its segments if the data are flat."""
    if not entry.segments:
        raise TreebankError(f"{entry.word!r} has neither a tree nor segments to compare with")
    return tuple(map(unwrapped, entry.readings)) or (unwrapped(entry.segments),)


def unwrapped(analysis: Analysed) -> Analysed:
    """Take off what models and treebanks may leave out: a ROOT, the hyphens of the word."""
    if isinstance(analysis, tuple):
        return tuple(map(bare, analysis))
    if isinstance(analysis, Tree) and analysis.label == ROOT and len(analysis.children) == 1:
        return without_hyphens(analysis.children[0])
    return without_hyphens(analysis) if isinstance(analysis, Tree) else analysis


def segments_of(analysis: Prediction) -> tuple[str, ...]:
    """Return the canonical segments of a tree or of flat data; none of a refused word."""
    return analysis.morphemes if isinstance(analysis, Tree) else analysis or ()


def _row(golds: tuple[Gold, ...], guess: Prediction) -> tuple[float, ...]:
    found, wanted = segments_of(guess), [segments_of(gold) for gold in golds]
    joined = BOUNDARY.join(found)
    edits = min(Levenshtein.distance(joined, BOUNDARY.join(gold)) for gold in wanted)
    morphemes = _best(Counter(found), map(Counter, wanted))
    return (1, found in wanted, edits, morphemes.f1, *morphemes, *_tree_counts(golds, guess))


def _tree_counts(golds: tuple[Gold, ...], guess: Prediction) -> tuple[float, ...]:
    trees = [gold for gold in golds if isinstance(gold, Tree)]
    if isinstance(guess, tuple) or not trees:
        return _ABSENT
    wanted = zip(*map(_constituents, trees), strict=True)
    overlaps = map(_best, _constituents(guess), wanted)
    return (*(count for overlap in overlaps for count in overlap), guess in trees)


def _best(found: Counter[Hashable], golds: Iterable[Counter[Hashable]]) -> Overlap:
    """Return the overlap of highest F1; of equal ones the one with the least gold to miss."""
    overlaps = (Overlap((found & gold).total(), found.total(), gold.total()) for gold in golds)
    return max(overlaps, key=lambda overlap: (overlap.f1, -overlap.gold))


def _constituents(tree: Tree | None) -> Iterator[Counter[Hashable]]:
    """Yield all nodes of a tree, those of two leaves or more, and all without their offsets."""
    spans = [] if tree is None else list(tree.spans())
    nodes = [] if tree is None else list(tree.nodes())
    placed = [(span.label, span.string, span.start) for span in spans]
    yield Counter(placed)
    yield Counter(span for span, node in zip(placed, nodes, strict=True) if len(node.morphemes) > 1)
    yield Counter((span.label, span.string) for span in spans)


def calibration_error(right: Sequence[bool], probs: Sequence[float], bins: int = 10) -> float:
    """Expected calibration error: how far, bin by bin, a probability is from being right."""
    hits, sure = np.array(right, float), np.array(probs, float)
    place = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(hits[place == b].mean() - sure[place == b].mean()) * (place == b).mean()
        for b in range(bins)
        if (place == b).any()
    ]
    return float(sum(gaps))
