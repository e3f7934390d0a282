"""The transducer on its own: trained by exact likelihood, and used to propose forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Ints
from morphtree._util.capacity import ENOUGH, FEW_ENTRIES, FEW_MATCHES
from morphtree.features.potentials import Bigrams, EditPotentials
from morphtree.joint.engine import Batch, Engine
from morphtree.structures.edit_lattice import EditLattice
from morphtree.training.adagrad import AdaGrad

BATCH_SIZE, LEARNING_RATE = 32, 0.5


class TransducerLikelihood:
    """log p(form | word) of the packed words, summed over all forms by the lattice."""

    def __init__(self, engine: Engine, batch: Batch, max_extra_letters: int) -> None:
        self.engine = engine
        self.batch = batch
        self.max_extra_letters = max_extra_letters

    def gradients(self, words: Ints) -> tuple[list[Any], float]:
        """Return the gradients of some words at the engine's weights, and their log likelihood."""
        self.engine.refresh()
        size, table = len(self.engine.edits.alphabet), self.engine.bigrams
        bigrams = Bigrams(table[:size, :, :size], table[size, :, :size], table[:size, :, size])
        shares = np.array_split(words, self.engine.jobs)

        def work(number: int, workspace: Any) -> tuple[int, tuple[Any, float]]:
            entries = self.engine.entries(number, np.zeros(len(shares[number])))
            total = 0.0
            for word in shares[number].tolist():
                lattice = self._lattice(workspace, word, bigrams)
                if lattice is None:
                    return FEW_MATCHES, (entries, total)
                gold = kernels.gradients.lattice_gradient(
                    workspace, self.batch.packed, word, *lattice.marginals(), entries
                )
                total += gold - lattice.log_partition()
            return ENOUGH if entries.fits() else FEW_ENTRIES, (entries, total)

        results = self.engine.run(work, *self.batch.sizes)
        return [entries for entries, _ in results], sum(total for _, total in results)

    def _lattice(self, workspace: Any, number: int, bigrams: Bigrams) -> EditLattice | None:
        """Return the lattice of a word whose letters are known; None if the buffers are small."""
        word = self.batch.examples[number].word
        n, size = len(word), len(self.engine.edits.alphabet)
        scores = np.empty((n + 1, 2 * size + 3))
        if not kernels.gradients.local_scores(workspace, self.batch.packed, number, scores):
            return None
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
    report: Callable[[int], None] = lambda epoch: None,
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
        for chosen in adagrad.batches(rng.permutation(words).astype(np.int32)):
            adagrad.step(likelihood.gradients(chosen)[0], len(chosen))
        report(epoch)
    engine.refresh()
