"""Scaled numbers against log space on hostile weights: equal, or left to log space."""

from __future__ import annotations

import heapq
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.features.potentials import Bigrams, EditPotentials
from morphtree.structures.edit_lattice import EditLattice

Array = NDArray[np.float64]
N = -math.inf


def hostile(rng: np.random.Generator, shape: tuple[int, ...], kind: int, blocked: float) -> Array:
    """Weights that are far apart: normal ones, or few and extreme ones."""
    if kind == 0:
        array = rng.normal(scale=rng.choice([1, 10, 30]), size=shape).clip(-99, 99)
    else:
        array = rng.choice([0.0, -99.0, 99.0, -50.0, 50.0], size=shape)
    array[rng.random(shape) < blocked] = -np.inf
    return array


def hostile_potentials(rng: np.random.Generator) -> tuple[EditPotentials, int]:
    n, size = int(rng.integers(0, 14)), int(rng.integers(1, 4))
    kind, blocked = int(rng.integers(2)), float(rng.choice([0.0, 0.0, 0.2, 0.5]))
    p = EditPotentials(
        hostile(rng, (n, size), kind, blocked),
        hostile(rng, (n + 1, size), kind, blocked),
        hostile(rng, (n,), kind, blocked),
        np.zeros(n, np.int32),
        Bigrams(
            hostile(rng, (1, size + 1, size), kind, blocked),
            hostile(rng, (size + 1, size), kind, blocked),
            hostile(rng, (1, size + 1), kind, blocked),
        ),
    )
    return p, n + int(rng.integers(0, 3))


@pytest.mark.parametrize("part", range(4))
def test_hostile_weights_give_the_same_in_both_arithmetics(part: int) -> None:
    for seed in range(1000 * part, 1000 * (part + 1)):
        rng = np.random.default_rng(seed)
        potentials, longest = hostile_potentials(rng)
        alphabet = "abc"[: potentials.insert.shape[1]]
        auto = EditLattice(potentials, alphabet, longest)
        logs = EditLattice(potentials, alphabet, longest, logs=True)
        log_z = logs.log_partition()
        assert auto.log_partition() == pytest.approx(log_z, rel=1e-12, abs=1e-9), seed
        ranking, expected = auto.top_k(4), logs.top_k(4)
        if ranking.complete and expected.complete:
            assert [item.score for item in ranking] == pytest.approx(
                [item.score for item in expected], rel=1e-12, abs=1e-9
            ), seed
        if log_z == -math.inf:
            continue
        for mine, theirs in zip(auto.marginals(), logs.marginals(), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-150, err_msg=str(seed))
        for form in auto.sample(3, rng=rng):
            assert logs.log_prob(form) > -60, seed
            assert auto.score(form) == pytest.approx(logs.score(form), rel=1e-12, abs=1e-9), seed
            pairs = auto.pair_marginals(form), logs.pair_marginals(form)
            for mine, theirs in zip(*pairs, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-50, err_msg=str(seed))


def one_letter(
    substitute: list[float], insert: list[float], delete: list[float], longest: int
) -> EditPotentials:
    n = len(delete)
    return EditPotentials(
        np.array(substitute).reshape(n, 1),
        np.array(insert).reshape(n + 1, 1),
        np.array(delete),
        np.zeros(n, np.int32),
        Bigrams(np.zeros((1, 2, 1)), np.zeros((2, 1)), np.zeros((1, 2))),
    )


@pytest.mark.parametrize(
    ("substitute", "insert", "delete", "longest"),
    [
        ([-1.0] * 20, [-20.0] * 21, [50.0] * 20, 22),  # a product of deletions overflows
        ([-1.0] * 60, [-20.0] * 61, [15.0] * 60, 62),
        ([N, -99.0], [N, N, N], [99.0, 99.0], 1),
        ([N, 0.0, -99.0], [99.0, N, 99.0, 99.0], [-99.0, -99.0, N], 4),
        (
            [0.0, -99.0, 0.0, 0.0, 99.0],
            [99.0, 0.0, 99.0, 99.0, -99.0, 99.0],
            [99.0] + [-99.0] * 4,
            1,
        ),
    ],
)
def test_searches_that_once_lost_forms(
    substitute: list[float], insert: list[float], delete: list[float], longest: int
) -> None:
    p = one_letter(substitute, insert, delete, longest)
    auto, logs = (
        EditLattice(p, "a", longest).top_k(3),
        EditLattice(p, "a", longest, logs=True).top_k(3),
    )
    assert auto.complete
    assert [item.structure for item in auto] == [item.structure for item in logs]
    assert [i.score for i in auto] == pytest.approx([i.score for i in logs], abs=1e-9)


def test_threads_may_share_a_lattice() -> None:
    rng = np.random.default_rng(0)
    shape = 6, 5
    p = EditPotentials(
        rng.normal(size=shape),
        rng.normal(size=(7, 5)) - 4,
        rng.normal(size=6),
        np.zeros(6, np.int32),
        Bigrams(rng.normal(size=(1, 6, 5)), rng.normal(size=(6, 5)), rng.normal(size=(1, 6))),
    )
    shared = EditLattice(p, "abcde", 9)
    alone = EditLattice(p, "abcde", 9).top_k(20).items
    with ThreadPoolExecutor(8) as pool:
        for ranking in pool.map(lambda _: shared.top_k(20).items, range(200)):
            assert ranking == alone


def test_the_heap_gives_the_highest_priority_first_and_of_equals_the_smallest_number() -> None:
    rng = np.random.default_rng(1)
    heap = kernels.heap.Heap(np.empty(500), np.empty(500, np.int32))
    waiting: list[tuple[float, int]] = []
    for item in rng.permutation(500).tolist():
        priority = float(rng.integers(5))
        heapq.heappush(waiting, (-priority, item))
        kernels.heap.push(heap, priority, item)
        if rng.random() < 0.3:
            assert kernels.heap.pop(heap) == heapq.heappop(waiting)[1]
    while waiting:
        assert kernels.heap.pop(heap) == heapq.heappop(waiting)[1]
    assert heap.size == 0
