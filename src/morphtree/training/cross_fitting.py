"""Cross-fitted candidate lists: no word's forms come from a model or a rule that saw the word."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree.decoding.candidates import Lister, alone
from morphtree.features.edit_features import EditFeatures
from morphtree.features.templates import Ints, hash_text
from morphtree.joint.engine import Example, Packer
from morphtree.lexicon.candidate_rules import CandidateRules
from morphtree.structures.edits import Floats
from morphtree.training.data import Item, TrainingData
from morphtree.training.transducer import fit_transducer

Report = Callable[[str, float], None]


class Recipe(NamedTuple):
    """How the proposal transducer is trained and what it lists."""

    folds: int = 3
    epochs: int = 5
    words: int = 8000  # that each transducer is trained on, at most; more teach it little
    l2: float = 0.3
    forms: int = 20
    within: float = math.inf  # log probability that a form may lose against the best one
    most: int = 20
    near: int = 4
    longer: int = 5
    seed: int = 1
    decode: str = "nbest:20"  # how the finished model lists forms


class Lists(NamedTuple):
    """The weights of the transducer trained on all words, and every word's forms and draws."""

    weights: Floats
    forms: list[tuple[str, ...]]  # of each item; the gold forms may be missing
    recall: float  # of the gold form, before it is added
    fold_weights: list[Floats]
    folds: Ints

    def stacked(
        self, examples: Sequence[Example], edits: EditFeatures, weight: float, jobs: int | None
    ) -> list[Example]:
        """Return examples with the log scores of their fold's transducer, weighted, as offsets."""
        out = list(examples)
        for fold, weights in enumerate(self.fold_weights):
            chosen = np.flatnonzero(self.folds == fold).tolist()
            found = alone(edits, weights, jobs).stacked([examples[n] for n in chosen], weight)
            for number, example in zip(chosen, found, strict=True):
                out[number] = example
        return out


def make_lists(
    data: TrainingData,
    edits: EditFeatures,
    numbers: NDArray[np.int64],
    owners: Ints,
    proposals: CandidateRules,
    recipe: Recipe,
    *,
    jobs: int | None,
    report: Report,
) -> Lists:
    """Train a transducer for each fold and one for all, and list the forms of every item.

    ``numbers`` and ``owners`` say which features fire on the gold of which item: a fold's
    transducer knows only features of its own items.
    """
    examples = [
        Example(item.word, tuple(dict.fromkeys(g.form for g in item.golds)), item.golds)
        for item in data.items
    ]
    batch = Packer(edits.alphabet).pack(examples)
    folds = fold_numbers(data.items, recipe)
    forms: list[tuple[str, ...]] = [()] * len(data.items)
    fold_weights: list[Floats] = []
    for fold in range(recipe.folds + 1):
        engine = alone(edits, np.zeros(len(edits.index)), jobs)
        frozen = np.ones(len(edits.index), bool)
        frozen[numbers[folds[owners] != fold]] = False

        def progress(epoch: int, total: float, fold: int = fold) -> None:
            done = (fold * recipe.epochs + epoch + 1) / ((recipe.folds + 1) * recipe.epochs)
            report("transducer", done)

        others = np.random.default_rng(recipe.seed).permutation(np.flatnonzero(folds != fold))
        fit_transducer(
            engine, batch, np.sort(others[: recipe.words]).astype(np.int32), l2=recipe.l2,
            epochs=recipe.epochs, seed=recipe.seed, longer=recipe.longer, frozen=frozen,
            report=progress,
        )  # fmt: skip
        fold_weights.append(engine.weights)
        if fold < recipe.folds:
            chosen = np.flatnonzero(folds == fold).tolist()
            lister = Lister(engine, proposals, recipe.longer)
            for number, listed in zip(
                chosen, list_items(lister, data, chosen, recipe), strict=True
            ):
                forms[number] = listed
    found = [
        all(gold.form in listed for gold in item.golds)
        for item, listed in zip(data.items, forms, strict=True)
    ]
    return Lists(fold_weights[-1], forms, float(np.mean(found)), fold_weights[:-1], folds)


def fold_numbers(items: Sequence[Item], recipe: Recipe) -> Ints:
    """Deal the words into folds, all lines of a word into the same one."""
    return np.array([hash_text(item.word, recipe.seed) % recipe.folds for item in items], np.int32)


def list_items(
    lister: Lister, data: TrainingData, chosen: Sequence[int], recipe: Recipe
) -> list[tuple[str, ...]]:
    """List the forms of some items, the rules that they brought themselves left out."""
    words = [data.items[number].word for number in chosen]
    own = [data.rules.get(word, frozenset()) for word in words]
    listed = lister.best(
        words, k=recipe.forms, within=recipe.within, most=recipe.most, near=recipe.near, own=own
    )
    return [tuple(forms) for forms in lister.strings(listed)]
