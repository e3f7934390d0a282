"""Analyses as arrays: what the kernels write, and rows are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats, Ints


class Analyses(NamedTuple):
    """The n best analyses of each of some words, as the kernels write them."""

    order: Ints  # (words, n)  which of the following is best, second ...
    lengths: Ints  # (words, n)  letters of the form; -1: there is no such analysis
    forms: NDArray[np.int64]  # (words, n, letters)  code points
    log_probs: Floats  # (words, n)
    nodes: Ints  # (words, n, nodes, 4)  label, start, end, number of children; parents first
    counts: Ints  # (words, n)  of nodes
    coverage: Floats  # (words,)  how much of the transducer's probability the candidates hold
    stored: NDArray[np.uint8]  # (words,)  whether these are the readings of a stored word

    @staticmethod
    def empty(words: int, n: int, letters: int, nodes: int) -> Analyses:
        """Return capacity for the analyses of some words; only forms and counts are zeros."""
        shape = words, n
        return Analyses(
            np.empty(shape, np.int32), np.empty(shape, np.int32),
            np.zeros((words, n, letters), np.int64), np.empty(shape),
            np.empty((words, n, nodes, 4), np.int32), np.zeros(shape, np.int32), np.empty(words),
            np.empty(words, np.uint8),
        )  # fmt: skip
