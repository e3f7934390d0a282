"""Random potentials for the tests, with impossible parts among them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Ints
from morphtree.features.potentials import Bigrams, ChainPotentials, EditPotentials, TreePotentials
from morphtree.trees.chain import Chain
from morphtree.trees.grammar import Grammar


def weights(
    rng: np.random.Generator, shape: tuple[int, ...], blocked: float, scale: float
) -> NDArray[np.float64]:
    array = rng.normal(scale=scale, size=shape)
    array[rng.random(shape) < blocked] = -np.inf
    return array


def edit_potentials(
    rng: np.random.Generator, n: int, size: int, blocked: float = 0.0, scale: float = 1.0
) -> EditPotentials:
    classes = 2
    return EditPotentials(
        weights(rng, (n, size), blocked, scale),
        weights(rng, (n + 1, size), blocked, scale),
        weights(rng, (n,), blocked, scale),
        rng.integers(0, classes, n).astype(np.int32),
        Bigrams(
            weights(rng, (classes, size + 1, size), blocked, scale),
            weights(rng, (size + 1, size), blocked, scale),
            weights(rng, (classes, size + 1), blocked, scale),
        ),
    )


def tree_potentials(
    rng: np.random.Generator, m: int, grammar: Grammar, blocked: float = 0.0, scale: float = 1.0
) -> TreePotentials:
    """With a bonus on a third of all splits, as if they were stored derivations."""
    shape = m, m + 1, len(grammar.labels)
    return TreePotentials(
        weights(rng, shape, blocked, scale),
        weights(rng, shape, blocked, scale),
        weights(rng, (len(grammar.rules),), 0.0, scale),
        _splits(rng, m, grammar),
        scale,
    )


def _splits(rng: np.random.Generator, m: int, grammar: Grammar) -> Ints:
    every = [
        (i, k, j, number)
        for number, rule in enumerate(grammar.rules)
        if rule.is_branching
        for i, k, j in combinations(range(m + 1), 3)
    ]
    chosen = [split for split in every if rng.random() < 1 / 3]
    return np.array(chosen, np.int32).reshape(-1, 4)


def chain_potentials(
    rng: np.random.Generator, m: int, chain: Chain, blocked: float = 0.0, scale: float = 1.0
) -> ChainPotentials:
    labels = len(chain.labels)
    return ChainPotentials(
        weights(rng, (m, m + 1, labels), blocked, scale),
        weights(rng, (labels + 1, labels + 1), 0.0, scale),
    )
