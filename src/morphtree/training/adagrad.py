"""AdaGrad (Duchi et al. 2011) with a proximal step for L2 regularisation.

A step moves the weights that a batch touches, then the proximal step multiplies every weight by
1 / (1 + eta / sqrt(accumulator) * lambda b / N). The factor changes only when a weight is touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints

FROZEN = 2  # mark of the kernels


class AdaGrad:
    """The state of one optimisation; maximises."""

    def __init__(
        self, weights: Floats, *, learning_rate: float, l2: float, words: int, batch_size: int,
        frozen: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        size = len(weights)
        self.weights = weights
        self.accumulator = np.zeros(size)
        self.batch_size = batch_size
        marks = np.zeros(size, np.uint8)
        if frozen is not None:
            marks[frozen] = FROZEN
        self._kernel = kernels.gradients.AdaGrad(
            (weights, self.accumulator, np.ones(size)),
            (np.zeros(size), marks, np.zeros(size, np.int32)),
            learning_rate,
            (l2 * batch_size / words, l2 * (words % batch_size) / words),
        )

    def resume(self, accumulator: Floats) -> None:
        """Go on from the accumulator of an earlier run."""
        self.accumulator[:] = accumulator
        kernels.gradients.refresh_shrinkage(self._kernel)

    def batches(self, order: Ints) -> Iterator[Ints]:
        """Cut the words of an epoch into batches; the last may be smaller."""
        for start in range(0, len(order), self.batch_size):
            yield order[start : start + self.batch_size]

    def drop(self, draws: NDArray[np.float32], keep_rates: Floats, kept: Floats) -> None:
        """Drop the weights whose draw, in [0, 1), is not below their rate; copy the others.

        Until the next call those dropped take part in the proximal step only.
        """
        kernels.gradients.drop(self._kernel, draws, keep_rates, kept)

    def step(self, entries: list[Any], words: int) -> None:
        """Take one step with the gradients of a batch of so many words."""
        kernels.gradients.step(self._kernel, entries, words < self.batch_size)
