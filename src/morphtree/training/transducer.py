"""The transducer on its own: trained by exact likelihood, and used to propose forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._kernels._constants import FINE
from morphtree._util.arrays import Floats, Ints
from morphtree._util.capacity import ENOUGH, FEW_ENTRIES, FEW_MATCHES
from morphtree.features.potentials import Bigrams, EditMarginals, EditPotentials, padded_size
from morphtree.joint.engine import Batch, Engine
from morphtree.structures.edit_lattice import EditLattice
from morphtree.training.adagrad import AdaGrad

BATCH_SIZE, LEARNING_RATE = 32, 0.5


class LatticeBuffers(NamedTuple):
    """Memory for the lattices of words of one length, all weights as scaled numbers."""

    weights: tuple[Floats, Floats, Floats]  # substitute, insert, delete
    forward: tuple[Floats, Ints]  # cells and exponents
    backward: tuple[Floats, Ints]
    workspace: Floats
    factors: Floats
    marginals: EditMarginals

    @staticmethod
    def of(n: int, size: int, longest: int) -> LatticeBuffers:
        """Return buffers for words of n letters and forms of at most `longest`."""
        cells = (n + 1, longest + 1, size + 1)
        return LatticeBuffers(
            (np.zeros((n, size)), np.zeros((n + 1, size)), np.zeros(n)),
            (np.zeros(cells), np.zeros(cells[:2], np.int32)),
            (np.zeros(cells), np.zeros(cells[:2], np.int32)),
            np.zeros((2, padded_size(size + 1))),
            np.zeros(longest + 1),
            EditMarginals(
                np.zeros((n, size + 1, size)),
                np.zeros((n + 1, size + 1, size)),
                np.zeros((n, size + 1)),
            ),
        )

    def sum(self, letters: Ints, bigrams: Bigrams) -> float | None:
        """Fill the marginals and return the log partition; None if scaled numbers do not do."""
        if not bigrams.fits:
            return None
        arcs = kernels.arcs.Arcs(bigrams.as_numbers, self.weights, letters, False, True)
        arcs = arcs.with_workspace(self.workspace)
        if kernels.lattice.forward(arcs, *self.forward) != FINE:
            return None
        if kernels.lattice.backward(arcs, *self.backward) != FINE:
            return None
        total = float(kernels.lattice.total(*self.forward, False))
        sound = kernels.queries.expect(
            arcs, *self.forward, *self.backward, total, self.factors, *self.marginals
        )
        return total if sound else None


class TransducerLikelihood:
    """log p(form | word) of the packed words, summed over all forms by the lattice."""

    def __init__(self, engine: Engine, batch: Batch, max_extra_letters: int) -> None:
        self.engine = engine
        self.batch = batch
        self.max_extra_letters = max_extra_letters
        self.letters = [engine.packer.text([e.word])[1] for e in batch.examples]
        self._buffers: dict[tuple[int, int], LatticeBuffers] = {}  # by thread and length

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
                found = self._sum(number, workspace, word, bigrams)
                if found is None:
                    return FEW_MATCHES, (entries, total)
                log_partition, marginals = found
                gold = kernels.gradients.lattice_gradient(
                    workspace, self.batch.packed, word, *marginals, entries
                )
                total += gold - log_partition
            return ENOUGH if entries.fits() else FEW_ENTRIES, (entries, total)

        results = self.engine.run(work, *self.batch.sizes)
        return [entries for entries, _ in results], sum(total for _, total in results)

    def _sum(
        self, thread: int, workspace: Any, number: int, bigrams: Bigrams
    ) -> tuple[float, EditMarginals] | None:
        """Return log partition and marginals of a word; None if the workspace is too small."""
        letters = self.letters[number]
        buffers = self._buffers_for(thread, len(letters))
        state = kernels.gradients.edit_numbers(
            workspace, self.batch.packed, number, *buffers.weights
        )
        if state == FEW_MATCHES:
            return None
        total = buffers.sum(letters, bigrams) if state == ENOUGH else None
        if total is not None:
            return total, buffers.marginals
        lattice = self._lattice(workspace, letters, bigrams)  # log space, if need be
        return lattice.log_partition(), lattice.marginals()

    def _buffers_for(self, thread: int, n: int) -> LatticeBuffers:
        if (thread, n) not in self._buffers:
            size, longest = len(self.engine.edits.alphabet), n + self.max_extra_letters
            self._buffers[thread, n] = LatticeBuffers.of(n, size, longest)
        return self._buffers[thread, n]

    def _lattice(self, workspace: Any, letters: Ints, bigrams: Bigrams) -> EditLattice:
        """Return the lattice of the word in the workspace."""
        n, size = len(letters), len(self.engine.edits.alphabet)
        scores = np.empty((n + 1, 2 * size + 3))
        kernels.gradients.local_scores(workspace, scores)
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
