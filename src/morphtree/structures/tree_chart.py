"""TreeChart: one form's distribution over trees (Eq. 2), for any grammar."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.errors import ModelError
from morphtree.features.potentials import TreeMarginals, TreePotentials, indicator
from morphtree.structures.distribution import LOST_WEIGHTS, Distribution, Ranking, Scored, require
from morphtree.trees.grammar import BinaryGrammar, Grammar
from morphtree.trees.tree import Tree

MANY = 100  # trees; before more are looked for, it is asked whether there are so many


class TreeChart(Distribution[Tree]):
    """All trees of one form under a grammar.

    ``logs`` forces log space (true) or scaled numbers (false); by default scaled numbers are
    tried first and log space is the fallback.
    """

    what = "tree"

    def __init__(
        self,
        potentials: TreePotentials,
        form: str,
        grammar: Grammar,
        *,
        logs: bool | None = None,
    ) -> None:
        shape = len(form), len(form) + 1, len(grammar.labels)
        if potentials.leaf.shape != shape or len(potentials.rules) != len(grammar.rules):
            raise ModelError(
                f"weights of shape {potentials.leaf.shape} for {len(potentials.rules)} rules do not"
                f" fit the form {form!r} under a grammar of {len(grammar.rules)} rules"
            )
        self.potentials = potentials
        self.form = form
        self.grammar = grammar
        self._arithmetics = (False, True) if logs is None else (logs,)

    # -- the verbs -----------------------------------------------------------------------------

    def score(self, tree: Tree) -> float:
        """Log weight of a tree; -inf if it is not a tree of this form under this grammar."""
        if tree.form != self.form or not self.grammar.derives(tree):
            return -math.inf
        used = sum(float(getattr(self.potentials, name)[index]) for name, index in self._used(tree))
        return used + self.potentials.bonus * len(self._stored & {*self._splits(tree)})

    def counts(self, tree: Tree) -> TreeMarginals:
        """Number of uses of every production in one tree."""
        if self.score(tree) == -math.inf:
            raise ModelError(f"{tree} is not a possible tree of {self.form!r} here")
        p = self.potentials
        counts = TreeMarginals(*map(np.zeros_like, (p.leaf, p.span, p.rules)))
        for name, index in self._used(tree):
            getattr(counts, name)[index] += 1.0
        return counts

    def log_partition(self) -> float:
        """Log Z_omega(u): all trees."""
        return self._summed[1]

    def marginals(self) -> TreeMarginals:
        """Expected number of uses of every production."""
        self._require_mass()
        p = self.potentials
        posterior = np.empty((*p.leaf.shape[:2], len(self._binary_grammar.labels)))
        counts = TreeMarginals(
            np.zeros(p.leaf.shape), np.zeros(p.leaf.shape), np.zeros(len(p.rules))
        )
        chart = self._summed[0]
        chart.count_into(posterior, *counts)
        kernels.topdown.expect_all(chart)
        return counts

    def argmax(self) -> Tree:
        """Return the best tree (CKY)."""
        ranking = self.top_k(1)
        if not ranking:
            self._require_mass()
        return ranking[0].structure

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Tree]:
        """Draw trees."""
        require(size, 0, "samples")
        self._require_mass()
        most = self._binary_grammar.most_nodes(len(self.form))
        nodes = np.empty((most, 4), np.int32)
        return [
            self._tree(nodes[: kernels.topdown.sample(self._summed[0], row, nodes)])
            for row in rng.random((size, most))
        ]

    def top_k(self, k: int) -> Ranking[Tree]:
        """Return the k best trees (CKY with lists)."""
        require(k, 1, "best trees")
        m, grammar, p = len(self.form), self._binary_grammar, self.potentials
        if k > MANY:
            k = min(k, 1 + math.ceil(math.exp(min(self.log_count(), math.log(k)))))
        nodes = np.empty((k, grammar.most_nodes(m), 4), np.int32)
        scores, counts = np.empty(k), np.empty(k, np.int32)
        chart = grammar.kernel_chart(m, p.rules, len(p.stored), p.bonus)
        chart.rank_into(*grammar.lists(m, k))
        kernels.chart.load(chart, p.leaf, p.span, p.stored, True, False)
        found = kernels.kbest.best(chart, k, scores, nodes, counts)
        sizes = counts[:found].tolist()
        trees = [self._tree(nodes[rank, :size]) for rank, size in enumerate(sizes)]
        return Ranking(tuple(map(Scored, trees, scores.tolist())))

    def log_count(self) -> float:
        """Log of the number of possible trees."""
        p = self.potentials
        ones = TreePotentials(indicator(p.leaf), indicator(p.span), indicator(p.rules))
        return TreeChart(ones, self.form, self.grammar).log_partition()

    # -- private -------------------------------------------------------------------------------

    def _used(self, tree: Tree) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the potentials (array, index) that a tree of the grammar uses."""
        for label, start, end, rule in self.grammar.anchored(tree):
            yield "rules", (rule,)
            arity = len(self.grammar.rules[rule].children)
            if arity != 1:
                yield ("span" if arity else "leaf"), (start, end, label)

    @cached_property
    def _stored(self) -> set[tuple[int, ...]]:
        """The stored derivations: start, split, end, rule."""
        return {*map(tuple, self.potentials.stored.tolist())}

    def _splits(self, tree: Tree) -> Iterator[tuple[int, ...]]:
        """Yield start, first split, end and rule of every branching node."""
        nodes = [*self.grammar.anchored(tree)]
        for (_, start, end, rule), (_, _, split, _) in pairwise(nodes):
            if self.grammar.rules[rule].is_branching:
                yield start, split, end, rule

    @property
    def _binary_grammar(self) -> BinaryGrammar:
        return self.grammar.binarised

    @cached_property
    def _summed(self) -> tuple[Any, float]:
        """The filled kernel chart, in the first arithmetic that can hold it, and its total."""
        p = self.potentials
        if not self.form:
            return None, -math.inf
        chart = self._binary_grammar.kernel_chart(len(self.form), p.rules, len(p.stored), p.bonus)
        for logs in self._arithmetics:
            total = kernels.chart.load(chart, p.leaf, p.span, p.stored, logs, True)
            if not math.isnan(total):
                return chart, total
        raise ModelError(LOST_WEIGHTS)

    def _tree(self, nodes: NDArray[np.int32]) -> Tree:
        return read_tree(iter(nodes.tolist()), self.form, self.grammar)


def read_tree(nodes: Iterator[list[int]], form: str, grammar: Grammar) -> Tree:
    """Build a tree from (label, start, end, number of children), parents first."""
    if grammar.has_silent_start:
        next(nodes)
    (tree,) = read_nodes(nodes, form, grammar.labels)
    return tree


def read_nodes(nodes: Iterator[list[int]], form: str, labels: tuple[str, ...]) -> tuple[Tree, ...]:
    """Read one node; an intermediate label of a longer rule gives way to its children."""
    label, i, j, arity = next(nodes)
    if not arity:
        return (Tree(labels[label], (), form[i:j]),)
    children: tuple[Tree, ...] = ()
    for _ in range(arity):
        children += read_nodes(nodes, form, labels)
    return children if label >= len(labels) else (Tree(labels[label], children),)
