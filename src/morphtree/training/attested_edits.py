"""Which edits a transducer may use: those that the gold forms of the training data show.

Features are those that fire on gold, so an edit that no gold form needs has no feature, and no
amount of data would teach the model to avoid it: its log weight would stay 0, and letters would
be invented. So each such edit gets a feature of its own, whose weight is fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

import numpy as np

from morphtree._util.arrays import Floats, Ints
from morphtree.features.edit_features import Edit, named_features
from morphtree.features.templates import EditTemplate, Feature, FeatureIndex
from morphtree.training.data import Item, TrainingData, gold_forms

# Log weight of an impossible edit. It stands for -inf, which scaled numbers would have to leave
# to log space; the search for candidates prunes what loses far less.
IMPOSSIBLE = -50.0

Change = tuple[str, str]  # the letter read ("": none) and the letter written ("": none)


def changes_of(item: Item) -> frozenset[Change]:
    """Return the edits, copies aside, of one alignment of a word with each of its gold forms."""
    return frozenset(
        change
        for form in gold_forms(item.golds)
        for same, i, end, j, stop in SequenceMatcher(None, item.word, form, False).get_opcodes()
        if same != "equal"
        for change in zip_longest(item.word[i:end], form[j:stop], fillvalue="")
    )


def feature_of(change: Change) -> Feature:
    """Return the feature that fires on an edit wherever it is."""
    read, written = change
    [(feature, _)] = named_features([EditTemplate()], read, Edit(0, bool(read), written))
    return feature


class AttestedEdits:
    """The edits that each item shows, and those that are impossible because none does.

    With few words an edit that no item shows is impossible; with more, only one of a kind (insert,
    delete, substitute) that no item shows.
    """

    def __init__(self, data: TrainingData, few_words: int) -> None:
        self.letters = ("", *data.alphabet)
        self.changes = [changes_of(item) for item in data.items]
        self.by_kind = len(data.items) >= few_words

    def impossible(self, items: Iterable[int] | None = None) -> Iterator[Change]:
        """Yield the edits that none of some items shows; by default, none of all."""
        chosen = self.changes if items is None else [self.changes[number] for number in items]
        shown = frozenset[Change]().union(*chosen)
        kinds = {_kind(change) for change in shown}
        for read in self.letters:
            for written in self.letters:
                change = read, written
                known = _kind(change) in kinds if self.by_kind else change in shown
                if read != written and not known:
                    yield change

    def numbers(self, index: FeatureIndex, items: Iterable[int] | None = None) -> Ints:
        """Return the numbers of the features of those edits."""
        found = (index.find(feature_of(change)) for change in self.impossible(items))
        return np.array([number for number in found if number >= 0], np.int32)

    def start_weights(self, index: FeatureIndex, items: Iterable[int] | None = None) -> Floats:
        """Return weights of zero, but for those edits."""
        weights = np.zeros(len(index))
        weights[self.numbers(index, items)] = IMPOSSIBLE
        return weights


def _kind(change: Change) -> tuple[bool, bool]:
    """Return whether an edit reads a letter, and whether it writes one."""
    read, written = change
    return bool(read), bool(written)


def with_possible(weights: Floats, impossible: Ints) -> Floats:
    """Return the weights of a fold's transducer, edits that other folds show no more impossible."""
    weights = np.where(weights == IMPOSSIBLE, 0.0, weights)
    weights[impossible] = IMPOSSIBLE
    return weights
