"""One contract over all structures: lattice, chart under several grammars, chain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from morphtree.features.potentials import TreePotentials
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.segment_chain import SegmentChain
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.chain import FLAT, Chain
from morphtree.trees.grammar import COMPOUNDS, LINKS, PAPER, Grammar
from tests import oracle
from tests.contract import Case, check_contract, check_sampler
from tests.potentials import chain_potentials, edit_potentials, tree_potentials

WIDE = Grammar.parse(
    """
    S -> WORD | S LINK S
    WORD -> PREFIX WORD SUFFIX | PREFIX WORD SUFFIX SUFFIX | NOUN | <string>
    NOUN -> NOUN SUFFIX | <string>
    PREFIX -> <string>
    SUFFIX -> <string>
    LINK -> <string>
    """
)
UNARY = Grammar.parse(
    """
    S -> A | S A B
    A -> B | A A | <string>
    B -> C | <string>
    C -> <string> | B C
    """
)
MANY_LABELS = Grammar.parse(
    "S -> " + " | ".join(f"X{n}" for n in range(40)) + " | X39 S | X7 X38 X39\n"
    + "\n".join(f"X{n} -> <string>" for n in range(40))
)  # fmt: skip
CHAINS = FLAT, Chain("WORD"), Chain("A* B C*"), Chain("A B* C")
ARITHMETIC = {"auto": None, "scaled": False, "logs": True}


def lattice_case(seed: int, n: int, k: int, blocked: float, logs: bool | None) -> Case:
    rng = np.random.default_rng(seed)
    alphabet = "abc"[: 3 if n < 3 else 2]
    p = edit_potentials(rng, n, len(alphabet), blocked, scale=2.0)

    def expected() -> Mapping[str, Any]:
        size = len(alphabet)
        counts = {
            "substitute": np.zeros((n, size + 1, size)),
            "insert": np.zeros((n + 1, size + 1, size)),
            "delete": np.zeros((n, size + 1)),
        }
        paths = oracle.scored_paths(p, n + k)
        log_z = np.logaddexp.reduce([score for _, _, score in paths])
        for path, _, score in paths:
            for kind, i, last, letter in path:
                where = (i, last) if kind == "delete" else (i, last, letter)
                counts[kind][where] += math.exp(score - log_z)
        return counts

    lattice = EditLattice(p, alphabet, n + k, logs=logs)
    name = f"lattice n={n} k={k} blocked={blocked} seed={seed}"
    return Case(name, lattice, oracle.form_scores(p, alphabet, n + k), expected)


def weighted_parts(scores: Mapping[Any, float], arrays: Any, parts: Any) -> Mapping[str, Any]:
    weights = {name: w for name, w in vars(arrays).items() if np.asarray(w).dtype == float}
    counts = {name: np.zeros_like(array) for name, array in weights.items() if np.ndim(array)}
    log_z = np.logaddexp.reduce(list(scores.values()))
    for structure, score in scores.items():
        for name, index in parts(structure):
            counts[name][index] += math.exp(score - log_z)
    return counts


def chart_case(seed: int, m: int, grammar: Grammar, blocked: float, logs: bool | None) -> Case:
    p = tree_potentials(np.random.default_rng(seed), m, grammar, blocked, scale=2.0)
    form = "abcdef"[:m]
    scores = oracle.tree_scores(p, grammar, form)
    return Case(
        f"chart m={m} {len(grammar.rules)} rules blocked={blocked} seed={seed}",
        TreeChart(p, form, grammar, logs=logs),
        scores,
        lambda: weighted_parts(scores, p, lambda tree: oracle.tree_parts(grammar, tree)),
    )


def chain_case(seed: int, m: int, chain: Chain, blocked: float, logs: bool | None) -> Case:
    p = chain_potentials(np.random.default_rng(seed), m, chain, blocked, scale=2.0)
    form = "abcdef"[:m]
    scores = oracle.chain_scores(p, chain, form)
    return Case(
        f"chain {chain.pattern} m={m} blocked={blocked} seed={seed}",
        SegmentChain(p, form, chain, logs=logs),
        scores,
        lambda: weighted_parts(scores, p, lambda s: oracle.chain_parts(chain, s)),
    )


def cases(logs: bool | None) -> Iterator[Case]:
    for seed, blocked in enumerate((0.0, 0.1, 0.3, 0.5)):
        for n, k in ((0, 2), (1, 0), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 0)):
            yield lattice_case(seed, n, k, blocked, logs)
    yield lattice_case(9, 4, 2, 0.2, logs)
    for seed, blocked in enumerate((0.0, 0.1, 0.3, 0.5)):
        for m in range(5):
            for grammar in (PAPER, COMPOUNDS, LINKS, WIDE, UNARY):
                yield chart_case(seed, m, grammar, blocked, logs)
            for chain in CHAINS:
                yield chain_case(seed, m, chain, blocked, logs)


@pytest.mark.parametrize("arithmetic", ARITHMETIC)
def test_every_structure_obeys_the_contract(arithmetic: str) -> None:
    for case in cases(ARITHMETIC[arithmetic]):
        try:
            check_contract(case)
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error


@pytest.mark.parametrize("arithmetic", ARITHMETIC)
def test_samplers_draw_from_the_distribution(arithmetic: str) -> None:
    logs = ARITHMETIC[arithmetic]
    for blocked in (0.0, 0.2):
        check_sampler(lattice_case(5, 2, 2, blocked, logs))
        check_sampler(lattice_case(6, 3, 1, blocked, logs))
        for grammar in (PAPER, COMPOUNDS, LINKS, WIDE):
            check_sampler(chart_case(7, 4, grammar, blocked, logs))
        check_sampler(chain_case(8, 5, FLAT, blocked, logs))


@pytest.mark.parametrize("grammar", [PAPER, COMPOUNDS, LINKS, WIDE, UNARY, MANY_LABELS])
@pytest.mark.parametrize("tied", [False, True])
def test_the_k_best_trees_are_the_first_of_all_trees(grammar: Grammar, tied: bool) -> None:
    """Against enumeration; of equally good ones, too, the k best are the first of the k + 1."""
    for m, blocked in ((1, 0.0), (3, 0.3), (4, 0.0)):
        p = tree_potentials(np.random.default_rng(m), m, grammar, blocked, scale=2.0)
        if tied:
            leaf, span, rules = (np.round(array / 4) for array in (p.leaf, p.span, p.rules))
            p = TreePotentials(leaf, span, rules, p.stored, 1.0)
        chart, scores = (
            TreeChart(p, "abcd"[:m], grammar),
            oracle.tree_scores(p, grammar, "abcd"[:m]),
        )
        best = sorted(scores.values(), reverse=True)
        every = chart.top_k(len(scores) + 1).items
        assert len({item.structure for item in every}) == len(every) == len(scores)
        for k in (1, 2, 3, 4, 7, 20, 150):
            ranked = chart.top_k(k).items
            assert ranked == every[:k]
            assert [item.score for item in ranked] == pytest.approx(best[:k], abs=1e-9)
            for structure, score in ranked:
                assert score == pytest.approx(scores[structure], abs=1e-9)


def test_a_thousand_best_trees_are_distinct_and_sorted() -> None:
    chart = TreeChart(tree_potentials(np.random.default_rng(1), 10, PAPER), "abcdefghij", PAPER)
    ranked = chart.top_k(1000)
    assert len({item.structure for item in ranked}) == 1000
    scores = [item.score for item in ranked]
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([chart.score(item.structure) for item in ranked], abs=1e-9)
    total = chart.log_partition()
    seen = np.exp(np.array(scores) - total).sum()
    drawn = chart.sample(4000, rng=np.random.default_rng(3))
    best = {item.structure for item in ranked}
    assert np.mean([tree in best for tree in drawn]) == pytest.approx(seen, abs=0.03)
    assert all(chart.score(tree) <= scores[-1] for tree in drawn if tree not in best)


def test_the_count_of_trees_has_a_closed_form() -> None:
    rng = np.random.default_rng(0)
    for m in range(1, 13):
        chart = TreeChart(tree_potentials(rng, m, PAPER), "a" * m, PAPER)
        assert chart.log_count() == pytest.approx((m - 1) * math.log(3), abs=1e-9)
    for m, count in enumerate((1, 4, 19, 103, 613), 1):  # W = S + 2SW + W^2, S = x/(1-x)
        chart = TreeChart(tree_potentials(rng, m, COMPOUNDS), "a" * m, COMPOUNDS)
        assert chart.log_count() == pytest.approx(math.log(count), abs=1e-9)


def test_the_count_of_segmentations_has_a_closed_form() -> None:
    rng = np.random.default_rng(0)
    for m in range(1, 12):  # any of the s segments is the stem: sum of s * C(m-1, s-1)
        chain = SegmentChain(chain_potentials(rng, m, FLAT), "a" * m)
        assert chain.log_count() == pytest.approx(math.log((m + 1) * 2.0 ** (m - 2)), abs=1e-9)


def test_the_counts_of_the_lattice_have_closed_forms() -> None:
    rng = np.random.default_rng(0)
    for n, size, k in ((3, 4, 2), (12, 27, 5)):
        lattice = EditLattice(
            edit_potentials(rng, n, size), "abcdefghijklmnopqrstuvwxyz-"[:size], n + k
        )
        forms = sum(size**length for length in range(n + k + 1))
        assert lattice.log_count() == pytest.approx(math.log(forms), abs=1e-9)
        # s substitutions, n-s deletions and j-s insertions in any order
        alignments = sum(
            size**j
            * math.factorial(n + j - s)
            // (math.factorial(s) * math.factorial(n - s) * math.factorial(j - s))
            for j in range(n + k + 1)
            for s in range(min(n, j) + 1)
        )
        paths = EditLattice(lattice.potentials.indicator, lattice.alphabet, lattice.longest)
        assert paths.log_partition() == pytest.approx(math.log(alignments), abs=1e-9)
