"""Dev words: they choose the epoch and the temperature of a model, and give it its scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats
from morphtree.decoding.decoder import Decoded, Decoder
from morphtree.evaluation.errors import is_right
from morphtree.evaluation.metrics import measure
from morphtree.joint.engine import Batch, Engine, Example
from morphtree.model.model import Model
from morphtree.training.prepare import Prepared, make_model
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank

MIN_LOG_PROB = -50.0  # of a word whose gold is impossible, say by an unknown affix
TEMPERATURES = (
    0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0,
)  # fmt: skip


class DevSet:
    """The dev words with their candidate lists, which stay the same in all epochs."""

    def __init__(self, dev: Treebank, prepared: Prepared, jobs: int | None) -> None:
        self.entries = dev.entries
        self.words = [entry.word for entry in dev.entries]
        self.model = make_model(prepared, np.zeros(prepared.size), {})
        self.engine = Engine(prepared.edits, self.model.spans, np.zeros(prepared.size), jobs=jobs)
        decoder = Decoder(self.model, jobs=jobs)
        self.listed = decoder.candidates(self.words, prepared.decode)
        forms = decoder.generator.strings(self.listed)
        self.recall = float(
            np.mean([_has_gold(e, f) for e, f in zip(dev.entries, forms, strict=True)])
        )
        forms_of = dict(zip(self.words, forms, strict=True))
        examples = [item.example(forms_of[item.word]) for item in prepared.dev_items(dev)]
        if prepared.settings.stacking:
            examples = decoder.generator.engine.stacked(examples, prepared.settings.stacking)
        self._batch = self.engine.packer.pack(examples)
        self.engine.match(self._batch)
        self._numbers = np.arange(len(examples), dtype=np.int32)

    def measure(self, weights: Floats) -> dict[str, float]:
        """Score the weights: the metrics, the mean log likelihood, the recall of candidates."""
        decoder = Decoder(replace(self.model, weights=weights), jobs=self.engine.jobs)
        decoded = decoder.decode_candidates(self.words, self.listed)
        self.engine.weights[:] = weights
        self.engine.refresh()
        log_likelihood = 0.0
        if len(self._numbers):
            _, log_probs = self.engine.gradients(self._batch, self._numbers, learn=False)
            log_likelihood = float(np.mean(np.maximum(log_probs, MIN_LOG_PROB)))
        return {
            **_metrics(self.entries, decoded),
            "log_likelihood": log_likelihood,
            "recall": round(self.recall, 6),
        }


def selection_score(dev: Mapping[str, float]) -> tuple[float, float]:
    """Return what chooses between models: exact trees (of chains accuracy), then likelihood."""
    return dev.get("exact_tree", dev["accuracy"]), dev["log_likelihood"]


def calibrated(model: Model, entries: Sequence[Entry], jobs: int | None = None) -> Model:
    """Return the model at the temperature that is best calibrated on some words.

    Temperature scaling (Guo et al. 2017), with the log loss of the best reading being right. A
    temperature divides all scores, so the best reading stays; its probability needs a new log Z.
    """
    words = [entry.word for entry in entries]
    decoder = Decoder(model, jobs=jobs)
    listed = decoder.candidates(words, model.estimator)
    best = [item.best for item in decoder.decode_candidates(words, listed)]
    right = np.array([is_right(e, found.structure) for e, found in zip(entries, best, strict=True)])
    forms = decoder.generator.strings(listed)
    examples = [Example(word, tuple(of)) for word, of in zip(words, forms, strict=True)]
    if model.stacking:
        examples = decoder.generator.engine.stacked(examples, model.stacking)
    engine = Engine(model.edits, model.spans, model.weights, jobs=jobs)
    batch = engine.packer.pack(examples)
    engine.match(batch)
    probs = np.array([found.prob for found in best])
    scores = np.log(probs, where=probs > 0, out=np.full(len(probs), -np.inf))
    scores += log_partitions(model, batch, jobs)
    cooled = [model.at_temperature(temperature) for temperature in TEMPERATURES]
    losses = [
        log_loss(right, np.exp(scores / temperature - log_partitions(choice, batch, jobs)))
        for temperature, choice in zip(TEMPERATURES, cooled, strict=True)
    ]
    return cooled[int(np.argmin(losses))]


def calibrated_new(model: Model, entries: Sequence[Entry], jobs: int | None = None) -> Model:
    """Return the model with the best temperatures for words that its lexicon lacks.

    The loss is that of `calibrated`, over words with known stems and with new ones in turn.
    """
    for name in ("new_word_temperature", "new_stem_temperature"):
        choices = [replace(model, **{name: t}) for t in TEMPERATURES]  # type: ignore[arg-type]
        losses = [_new_word_loss(choice, entries, jobs) for choice in choices]
        model = choices[int(np.argmin(losses))]
    return model.changed()


def _new_word_loss(model: Model, entries: Sequence[Entry], jobs: int | None) -> float:
    """Return the log loss of words that the lexicon lacks."""
    new = [entry for entry in entries if entry.word not in model.spans.knowledge.lexicon]
    words = [entry.word for entry in new]
    best = [item.best for item in Decoder(model, jobs=jobs).decode(words)]
    right = [is_right(e, found.structure) for e, found in zip(new, best, strict=True)]
    return log_loss(np.array(right), np.array([found.prob for found in best])) if new else 0.0


def log_partitions(model: Model, batch: Batch, jobs: int | None) -> Floats:
    """Return log Z of each word over its candidates; 0 where there is no analysis."""
    engine = Engine(
        model.edits, model.spans, model.weights, jobs=jobs, temperature=model.temperature
    )
    numbers = np.arange(len(batch.examples), dtype=np.int32)
    log_z = -engine.gradients(batch, numbers, learn=False)[1]
    return np.where(np.isfinite(log_z), log_z, 0.0)


def measured(model: Model, entries: Sequence[Entry], jobs: int | None = None) -> Model:
    """Return the model as its file holds it, with its scores on dev words in the header."""
    stored = model.as_stored()
    decoded = list(Decoder(stored, jobs=jobs).decode([entry.word for entry in entries]))
    return stored.with_scores(_metrics(entries, decoded))


def log_loss(right: NDArray[np.bool_], probs: Floats) -> float:
    """Return the mean negative log likelihood of readings with these probabilities being right."""
    probs = np.clip(probs, 1e-6, 1 - 1e-6)
    return -float(np.mean(np.where(right, np.log(probs), np.log1p(-probs))))


def _metrics(entries: Sequence[Entry], decoded: Sequence[Decoded]) -> dict[str, float]:
    scores = measure(entries, [item.best.structure for item in decoded])
    return {name: round(value, 6) for name, value in scores.items() if value is not None}


def _has_gold(entry: Entry, forms: Sequence[str]) -> bool:
    golds = [tree.form for tree in entry.readings] or ["".join(entry.segments)]
    return any(form in forms for form in golds)
