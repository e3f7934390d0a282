"""The transducer on its own: trained by exact likelihood, and used to propose forms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.features.templates import Ints
from morphtree.joint.engine import Batch, Engine
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.edits import Bigrams, EditPotentials
from morphtree.training.adagrad import Descent

BATCH, RATE = 32, 0.5


class Lattices:
    """Makes the lattices of packed words."""

    def __init__(self, engine: Engine, batch: Batch, longer: int) -> None:
        self.engine = engine
        self.batch = batch
        self.longer = longer

    def refresh(self) -> None:
        """Take note of changed weights."""
        self.engine.refresh()
        size, table = len(self.engine.edits.alphabet), self.engine.bigrams
        self.bigrams = Bigrams(table[:size, :, :size], table[size, :, :size], table[:size, :, size])

    def lattice(self, sums: object, number: int) -> EditLattice:
        """Return the lattice of one word, whose letters must all be known."""
        word = self.batch.examples[number].word
        n, size = len(word), len(self.engine.edits.alphabet)
        scores = np.empty((n + 1, 2 * size + 3))
        if not kernels.gradients.local_scores(sums, self.batch.packed, number, scores):
            raise AssertionError("a word with so many features was not foreseen")
        letters = self.engine.packer.text([word])[1]
        potentials = EditPotentials(
            scores[:n, :size], scores[:, size + 1 : 2 * size + 1], scores[:n, 2 * size + 2],
            letters, self.bigrams,
        )  # fmt: skip
        return EditLattice(potentials, self.engine.edits.alphabet, n + self.longer)


def fit_transducer(
    engine: Engine,
    batch: Batch,
    words: Ints,
    *,
    l2: float,
    epochs: int,
    seed: int,
    longer: int,
    frozen: NDArray[np.bool_] | None = None,
    report: Callable[[int, float], None] | None = None,
) -> None:
    """Fit the engine's edit weights to some words of a batch, alone, by exact likelihood."""
    if not len(words):
        return
    descent = Descent(
        engine.weights, rate=RATE, l2=l2, words=len(words), batch=BATCH, frozen=frozen
    )
    rng = np.random.default_rng(seed)
    lattices = Lattices(engine, batch, longer)
    sums = engine.workspaces(batch)
    room = [1 << 17]  # pairs of a share of a batch; it grows

    def work(task: tuple[int, Ints]) -> tuple[object, float]:
        number, share = task
        while True:
            out = engine.entries(len(share), room[0])
            total = 0.0
            for w in share.tolist():
                if not out.fits():
                    break
                lattice = lattices.lattice(sums[number], w)
                marginals = lattice.marginals()
                score = kernels.gradients.lattice_gradient(
                    sums[number], batch.packed, w, *marginals, out
                )
                total += score - lattice.log_partition()
            if out.fits():
                return out, total
            room[0] *= 2

    for epoch in range(epochs):
        order = rng.permutation(words).astype(np.int32)
        total = 0.0
        for start in range(0, len(order), BATCH):
            lattices.refresh()
            chosen = order[start : start + BATCH]
            results = list(engine.map(work, enumerate(np.array_split(chosen, engine.jobs))))
            descent.step([out for out, _ in results], len(chosen))
            total += sum(value for _, value in results)
        if report:
            report(epoch, total)
    engine.refresh()
