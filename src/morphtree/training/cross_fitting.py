"""Cross-fitted candidate lists: no word's candidates come from a model or rule that saw it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from itertools import count
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats, Ints
from morphtree._util.hashing import hash_text
from morphtree.decoding.candidates import CandidateGenerator, transducer_engine
from morphtree.errors import ModelError
from morphtree.features.edit_features import EditFeatures
from morphtree.joint.engine import Example, Packer
from morphtree.lexicon.candidate_rules import CandidateRules
from morphtree.training.attested_edits import IMPOSSIBLE, AttestedEdits, with_possible
from morphtree.training.data import Item, TrainingData, gold_forms
from morphtree.training.settings import Settings
from morphtree.training.transducer import fit_transducer

Report = Callable[[str, float], None]
FOLDS = 3
EPOCHS, L2 = 5, 0.3  # of a proposal transducer


class FiredEdits(NamedTuple):
    """Which edit features fire on the gold of which item, and which edits the items show."""

    numbers: NDArray[np.int64]
    owners: Ints
    attested: AttestedEdits


class CandidateLists(NamedTuple):
    """The transducer trained on all words, those of the folds, and every word's candidates."""

    weights: Floats
    forms: list[tuple[str, ...]]  # of each item; the gold forms may be missing
    recall: float  # of the gold form, before it is added
    fold_weights: list[Floats]
    folds: Ints

    def check(self, features: int, items: Sequence[Item], longer: int) -> None:
        """Refuse lists of other words: those of a checkpoint may be anybody's."""
        sizes = {*map(len, (self.weights, *self.fold_weights))}
        if (
            sizes != {features}
            or len(self.folds) != len(items)
            or any(
                len(form) > len(item.word) + longer
                for item, forms in zip(items, self.forms, strict=True)
                for form in forms
            )
        ):
            raise ModelError("the checkpoint is of other words; train without --resume")

    def possible_weights(self, impossible: Ints) -> list[Floats]:
        """Return the weights of the folds by which all gold forms are possible."""
        return [with_possible(weights, impossible) for weights in self.fold_weights]

    def stacked(
        self,
        examples: Sequence[Example],
        edits: EditFeatures,
        impossible: Ints,
        weight: float,
        jobs: int | None,
    ) -> list[Example]:
        """Return examples with the log scores of their fold's transducer, weighted, as offsets."""
        out = list(examples)
        for fold, weights in enumerate(self.possible_weights(impossible)):
            chosen = np.flatnonzero(self.folds == fold).tolist()
            found = transducer_engine(edits, weights, jobs).stacked(
                [examples[n] for n in chosen], weight
            )
            for number, example in zip(chosen, found, strict=True):
                out[number] = example
        return out


def make_lists(
    data: TrainingData,
    edits: EditFeatures,
    fired: FiredEdits,
    proposals: CandidateRules,
    settings: Settings,
    *,
    jobs: int | None,
    report: Report,
) -> CandidateLists:
    """Train a transducer for each fold and one for all, and list the candidates of every item.

    A fold's transducer has only the features and the edits of its own items.
    """
    folds = fold_numbers(data.items, settings.seed)
    fold_weights = fit_folds(data, edits, fired, folds, settings, jobs=jobs, report=report)
    forms: list[tuple[str, ...]] = [()] * len(data.items)
    for fold, weights in enumerate(fold_weights):
        engine = transducer_engine(edits, weights, jobs)
        chosen = np.flatnonzero(folds == fold).tolist()
        generator = CandidateGenerator(engine, proposals, settings.max_extra_letters)
        for number, listed in zip(
            chosen, list_items(generator, data, chosen, settings), strict=True
        ):
            forms[number] = listed
    found = [
        all(form in listed for form in gold_forms(item.golds))
        for item, listed in zip(data.items, forms, strict=True)
    ]
    return CandidateLists(fold_weights[-1], forms, float(np.mean(found)), fold_weights[:-1], folds)


def fit_folds(
    data: TrainingData,
    edits: EditFeatures,
    fired: FiredEdits,
    folds: Ints,
    settings: Settings,
    *,
    jobs: int | None,
    report: Report,
) -> list[Floats]:
    """Return the weights of each fold's transducer, and of one for all: several fits at once."""
    batch = Packer(edits.alphabet).pack([item.example() for item in data.items])
    done, stopped = count(1), Event()
    threads = min(jobs or os.cpu_count() or 1, FOLDS + 1)

    def progress(epoch: int) -> None:
        if stopped.is_set():  # by Ctrl-C, or as another fit failed
            raise CancelledError
        report("transducer", next(done) / ((FOLDS + 1) * EPOCHS))

    def fit(fold: int) -> Floats:
        seen = np.flatnonzero(folds != fold)
        weights = fired.attested.start_weights(edits.index, seen.tolist())
        engine = transducer_engine(edits, weights, 1)
        frozen = weights == IMPOSSIBLE
        frozen |= ~np.isin(np.arange(len(weights)), fired.numbers[folds[fired.owners] != fold])
        others = np.random.default_rng(settings.seed).permutation(seen)
        fit_transducer(
            engine, batch, np.sort(others[: settings.transducer_words]).astype(np.int32), l2=L2,
            epochs=EPOCHS, seed=settings.seed, max_extra_letters=settings.max_extra_letters,
            frozen=frozen, report=progress,
        )  # fmt: skip
        return engine.weights

    order = [FOLDS, *range(FOLDS)]  # the longest fit first: no item is of that fold, it sees all
    with ThreadPoolExecutor(threads) as pool:
        try:
            found = dict(zip(order, pool.map(fit, order), strict=True))
        except BaseException:
            stopped.set()
            raise
    return [found[fold] for fold in range(FOLDS + 1)]


def fold_numbers(items: Sequence[Item], seed: int) -> Ints:
    """Assign the words to folds, all lines of a word to the same one."""
    return np.array([hash_text(item.word, seed) % FOLDS for item in items], np.int32)


def list_items(
    generator: CandidateGenerator, data: TrainingData, chosen: Sequence[int], settings: Settings
) -> list[tuple[str, ...]]:
    """List the candidates of some items; rules that were learned from the item do not count."""
    words = [data.items[number].word for number in chosen]
    own = [data.rules.get(word, frozenset()) for word in words]
    how = settings.candidates
    listed = generator.best(
        words, k=how.k, within=how.within, most=settings.rule_proposals,
        near=settings.neighbour_proposals or 0, own=own,
    )  # fmt: skip
    return [tuple(forms) for forms in generator.strings(listed)]
