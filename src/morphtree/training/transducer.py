"""The transducer on its own: trained by exact likelihood, and used to propose forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.features.templates import Ints
from morphtree.joint.engine import Batch, Engine
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.edits import Bigrams, EditPotentials
from morphtree.training.adagrad import AdaGrad

BATCH_SIZE, LEARNING_RATE = 32, 0.5


class TransducerLikelihood:
    """log p(form | word) of the packed words, summed over all forms by the lattice."""

    def __init__(self, engine: Engine, batch: Batch, max_extra_letters: int) -> None:
        self.engine = engine
        self.batch = batch
        self.max_extra_letters = max_extra_letters
        self._sums = engine.scratch(batch)
        self._capacity = 1 << 17  # pairs of a share of a batch; it grows

    def gradients(self, words: Ints) -> tuple[list[Any], float]:
        """Return the gradients of some words at the engine's weights, and their log likelihood."""
        self.engine.refresh()
        size, table = len(self.engine.edits.alphabet), self.engine.bigrams
        bigrams = Bigrams(table[:size, :, :size], table[size, :, :size], table[:size, :, size])

        def work(task: tuple[int, Ints]) -> tuple[Any, float]:
            while True:
                entries, total = self._share(*task, bigrams)
                if entries.fits():
                    return entries, total
                self._capacity *= 2

        shares = enumerate(np.array_split(words, self.engine.jobs))
        results = list(self.engine.map(work, shares))
        return [entries for entries, _ in results], sum(total for _, total in results)

    def _share(self, thread: int, words: Ints, bigrams: Bigrams) -> tuple[Any, float]:
        """Add up the words of one thread, as far as the capacity allows."""
        entries = self.engine.entries(len(words), self._capacity)
        total = 0.0
        for word in words.tolist():
            if not entries.fits():
                break
            lattice = self._lattice(self._sums[thread], word, bigrams)
            gold = kernels.gradients.lattice_gradient(
                self._sums[thread], self.batch.packed, word, *lattice.marginals(), entries
            )
            total += gold - lattice.log_partition()
        return entries, total

    def _lattice(self, sums: object, number: int, bigrams: Bigrams) -> EditLattice:
        """Return the lattice of one word, whose letters must all be known."""
        word = self.batch.examples[number].word
        n, size = len(word), len(self.engine.edits.alphabet)
        scores = np.empty((n + 1, 2 * size + 3))
        if not kernels.gradients.local_scores(sums, self.batch.packed, number, scores):
            raise AssertionError("a word with so many features was not foreseen")
        letters = self.engine.packer.text([word])[1]
        potentials = EditPotentials(
            scores[:n, :size], scores[:, size + 1 : 2 * size + 1], scores[:n, 2 * size + 2],
            letters, bigrams,
        )  # fmt: skip
        return EditLattice(potentials, self.engine.edits.alphabet, n + self.max_extra_letters)


def fit_transducer(
    engine: Engine,
    batch: Batch,
    words: Ints,
    *,
    l2: float,
    epochs: int,
    seed: int,
    max_extra_letters: int,
    frozen: NDArray[np.bool_] | None = None,
    report: Callable[[int, float], None] = lambda epoch, log_likelihood: None,
) -> None:
    """Fit the engine's edit weights to some words of a batch, alone, by exact likelihood."""
    if not len(words):
        return
    adagrad = AdaGrad(
        engine.weights, learning_rate=LEARNING_RATE, l2=l2, words=len(words),
        batch_size=BATCH_SIZE, frozen=frozen,
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    likelihood = TransducerLikelihood(engine, batch, max_extra_letters)
    for epoch in range(epochs):
        total = 0.0
        for chosen in adagrad.batches(rng.permutation(words).astype(np.int32)):
            entries, log_likelihood = likelihood.gradients(chosen)
            adagrad.step(entries, len(chosen))
            total += log_likelihood
        report(epoch, total)
    engine.refresh()
