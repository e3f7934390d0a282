"""AdaGrad with a proximal L2 penalty.

A step moves the weights that a batch touches and shrinks all of them. What a step leaves of a
weight changes only when it is touched, so shrinking is one product a weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.structures.edits import Floats

FREE, FROZEN = -1, -2  # marks of the kernels
NONE: NDArray[np.int64] = np.zeros(0, np.int64)


class Descent:
    """The state of one optimisation; maximises."""

    def __init__(
        self, weights: Floats, *, rate: float, l2: float, words: int, batch: int,
        frozen: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        size = len(weights)
        self.weights = weights
        self.squares = np.zeros(size)
        self.batch = batch
        self._marks = marks = np.full(size, FREE, np.int32)
        if frozen is not None:
            marks[frozen] = FROZEN
        self._kernel = kernels.gradients.Descent(
            (weights, self.squares, np.ones(size)),
            (np.zeros(size), marks, np.zeros(size, np.int32)),
            rate,
            (l2 * batch / words, l2 * (words % batch) / words),
        )

    def resume(self, squares: Floats) -> None:
        """Go on from the summed squares of an earlier run."""
        self.squares[:] = squares
        kernels.gradients.renew(self._kernel)

    def step(self, entries: list[Any], words: int, dropped: NDArray[np.int64] = NONE) -> None:
        """Take one step along the gradients of a batch of so many words.

        Dropped weights only pay the penalty.
        """
        self._marks[dropped] = FROZEN
        kernels.gradients.step(self._kernel, entries, words < self.batch)
        self._marks[dropped] = FREE
