"""AdaGrad with a proximal, lazy L2 penalty.

A step moves the weights that a batch touches and shrinks all of them; an untouched weight keeps
its rate, so its shrinking can wait until it is next seen, in closed form.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.edits import Floats

FROZEN = -2  # a mark of the kernels


class Descent:
    """The state of one optimisation; maximises."""

    def __init__(
        self, weights: Floats, *, rate: float, l2: float, words: int, batch: int,
        frozen: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        size = len(weights)
        self.weights = weights
        self.squares = np.zeros(size)
        self.seen = np.zeros((size, 2), np.int64)
        self.steps = [0, 0]  # of whole and of short batches
        self.batch = batch
        self._marks = marks = np.full(size, -1, np.int32)
        if frozen is not None:
            marks[frozen] = FROZEN
        self._kernel = kernels.gradients.Descent(
            (weights, self.squares, self.seen),
            (np.zeros(size), marks, np.zeros(size, np.int32)),
            rate,
            (l2 * batch / words, l2 * (words % batch) / words),
        )

    def drop(self, numbers: NDArray[np.int64]) -> Floats:
        """Take some weights out of the next step; return them."""
        kept = self.weights[numbers]
        self.weights[numbers] = 0.0
        self._marks[numbers] = FROZEN
        return kept

    def restore(self, numbers: NDArray[np.int64], kept: Floats) -> None:
        """Put dropped weights back."""
        self.weights[numbers] = kept
        self._marks[numbers] = -1

    def step(self, entries: list[Any], words: int) -> None:
        """Take one step along the gradients of a batch of so many words."""
        short = words < self.batch
        kernels.gradients.step(self._kernel, entries, *self.steps, short)
        self.steps[short] += 1

    def settle(self) -> None:
        """Bring every weight up to date."""
        kernels.gradients.settle_all(self._kernel, *self.steps)
