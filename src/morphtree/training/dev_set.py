"""The words that say when training is to stop, and how sure a model may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from morphtree.decoding.decoder import Decoded, Decoder
from morphtree.evaluation.metrics import is_right, measure
from morphtree.joint.engine import Example
from morphtree.model.model import Model
from morphtree.structures.edits import Floats
from morphtree.training.data import Source
from morphtree.training.prepare import Prepared, make_model
from morphtree.treebank.entry import Entry

LEAST = -50.0  # log likelihood of a word whose gold is impossible, say by an unknown affix
TEMPERATURES = (0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0)


class DevSet:
    """The words that say when to stop, with their fixed candidate lists."""

    def __init__(self, dev: Source, prepared: Prepared, jobs: int | None) -> None:
        self.entries = dev.entries
        self.words = [entry.word for entry in dev.entries]
        weights = np.zeros(len(prepared.edits.index) + len(prepared.spans.index))
        self.decoder = Decoder(make_model(prepared, weights, {}), jobs=jobs)
        self.listed = self.decoder.lists(self.words, prepared.decode)
        forms = self.decoder.lister.strings(self.listed)
        self.recall = float(
            np.mean([_has_gold(e, f) for e, f in zip(dev.entries, forms, strict=True)])
        )
        data = prepared.dev_items(dev.entries, dev.name)
        forms_of = dict(zip(self.words, forms, strict=True))
        examples = []
        for item in data:
            gold = (gold.form for gold in item.golds)
            listed = tuple(dict.fromkeys((*forms_of[item.word], *gold)))
            examples.append(Example(item.word, listed, item.golds))
        if prepared.stacking:
            examples = self.decoder.lister.engine.stacked(examples, prepared.stacking)
        self._batch = self.decoder.engine.packer.pack(examples)
        self._numbers = np.arange(len(examples), dtype=np.int32)

    def _set(self, weights: Floats, temperature: float = 1.0) -> None:
        engine = self.decoder.engine
        engine.weights[:] = weights
        engine.weights[len(engine.edits.index) :] /= temperature
        engine.cool(temperature)

    def measure(self, weights: Floats) -> dict[str, float]:
        """Score the weights on dev."""
        self._set(weights)
        decoded = self.decoder.decode_listed(self.words, self.listed)
        scores = measure(self.entries, [item.structure for item in decoded])
        out = {name: round(value, 6) for name, value in scores.items() if value is not None}
        if len(self._numbers):
            _, log_probs = self.decoder.engine.gradients(self._batch, self._numbers, learn=False)
            out["log_likelihood"] = float(np.mean(np.maximum(log_probs, LEAST)))
        else:
            out["log_likelihood"] = 0.0
        out["recall"] = round(self.recall, 6)
        return out

    def temperature(self, weights: Floats) -> float:
        """Return the temperature that makes the best reading's probability most honest."""
        losses = []
        for temperature in TEMPERATURES:
            self._set(weights, temperature)
            decoded = self.decoder.decode_listed(self.words, self.listed)
            losses.append(_surprise(self.entries, decoded))
        return TEMPERATURES[int(np.argmin(losses))]


def calibrated(model: Model, entries: Sequence[Entry]) -> Model:
    """Return a finished model at the temperature that is most honest on some words."""
    words = [entry.word for entry in entries]
    cooled = [model.cooled(temperature) for temperature in TEMPERATURES]
    losses = [_surprise(entries, [*Decoder(choice).decode(words)]) for choice in cooled]
    return cooled[int(np.argmin(losses))]


def _surprise(entries: Sequence[Entry], decoded: Sequence[Decoded]) -> float:
    """Return how surprising it is that these best readings are right or wrong."""
    pairs = zip(entries, decoded, strict=True)
    right = np.array([is_right(entry, item.structure) for entry, item in pairs])
    probs = np.clip([item.prob for item in decoded], 1e-6, 1 - 1e-6)
    return -float(np.mean(np.where(right, np.log(probs), np.log1p(-probs))))


def _has_gold(entry: Entry, forms: Sequence[str]) -> bool:
    golds = [tree.form for tree in entry.readings] or ["".join(entry.segments)]
    return any(form in forms for form in golds)
