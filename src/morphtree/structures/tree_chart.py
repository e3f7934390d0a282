"""TreeChart: one form's distribution over trees (Eq. 2), for any grammar."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.errors import ModelError
from morphtree.structures.distribution import (
    LOST_WEIGHTS,
    Distribution,
    Ranking,
    Scored,
    checked,
    indicator,
    require,
)
from morphtree.structures.kbest import Derivation, Edge, KBest
from morphtree.trees.grammar import BinaryGrammar, Grammar
from morphtree.trees.tree import Tree

Floats = NDArray[np.float64]
Node = tuple[int, int, int]  # label, start, end
SCALED, LOGS, BEST = 0, 1, 2  # the arithmetics of kernels.chart


@dataclass(frozen=True)
class TreePotentials:
    """Log weights of the anchored productions of an m-letter form; labels as in the grammar."""

    leaf: Floats  # (m, m+1, labels)  the label spells u[i:j]
    span: Floats  # (m, m+1, labels)  the label branches over u[i:j]
    rules: Floats  # (rules,)          the rule, wherever it is used

    def __post_init__(self) -> None:
        m, _, labels = np.shape(self.leaf)
        object.__setattr__(self, "leaf", checked("leaf", self.leaf, (m, m + 1, labels)))
        object.__setattr__(self, "span", checked("span", self.span, (m, m + 1, labels)))
        object.__setattr__(self, "rules", checked("rule", self.rules, np.shape(self.rules)))


class TreeMarginals(NamedTuple):
    """Expected number of uses of each production; shapes as in `TreePotentials`."""

    leaf: Floats
    span: Floats
    rules: Floats


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
        self._modes = (SCALED, LOGS) if logs is None else (LOGS,) if logs else (SCALED,)

    # -- the verbs -----------------------------------------------------------------------------

    def score(self, tree: Tree) -> float:
        """Log weight of a tree; -inf if it is not a tree of this form under this grammar."""
        if tree.form != self.form or not self.grammar.derives(tree):
            return -math.inf
        return sum(float(getattr(self.potentials, name)[index]) for name, index in self._used(tree))

    def counts(self, tree: Tree) -> TreeMarginals:
        """Number of uses of every production in one tree."""
        if self.score(tree) == -math.inf:
            raise ModelError(f"{tree} is not a possible tree of {self.form!r} here")
        counts = TreeMarginals(*(np.zeros_like(array) for array in vars(self.potentials).values()))
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
        counts = TreeMarginals(
            np.zeros(p.leaf.shape), np.zeros(p.leaf.shape), np.zeros(len(p.rules))
        )
        posterior = np.zeros((*p.leaf.shape[:2], len(self._binary_grammar.labels)))
        kernels.topdown.expect(self._summed[0], posterior, *counts)
        return counts

    def argmax(self) -> Tree:
        """Return the best tree (CKY)."""
        chart, score, _ = self._fill(BEST)
        if score == -math.inf:
            self._require_mass()
        return self._best_tree(chart)

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Tree]:
        """Draw trees."""
        require(size, 0, "samples")
        self._require_mass()
        uniforms = rng.random((size, self._max_nodes))
        return [self._derive(self._summed[0], row) for row in uniforms]

    def top_k(self, k: int) -> Ranking[Tree]:
        """Return the k best trees."""
        require(k, 1, "best trees")
        chart, score, tables = self._fill(BEST)
        if score == -math.inf:
            return Ranking(())
        if k == 1:
            return Ranking((Scored(self._best_tree(chart), score),))
        root = self._binary_grammar.start, 0, len(self.form)
        ranked = KBest(lambda node: self._edges(node, tables[2])).best(root, k)
        return Ranking(tuple(Scored(self._tree(_walk(d)), d.score) for d in ranked))

    def log_count(self) -> float:
        """Log of the number of possible trees."""
        ones = TreePotentials(*map(indicator, vars(self.potentials).values()))
        return TreeChart(ones, self.form, self.grammar).log_partition()

    # -- private -------------------------------------------------------------------------------

    def _used(self, tree: Tree) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the potentials (array, index) that a tree of the grammar uses."""
        for label, start, end, rule in self.grammar.anchored(tree):
            yield "rules", (rule,)
            arity = len(self.grammar.rules[rule].children)
            if arity != 1:
                yield ("span" if arity else "leaf"), (start, end, label)

    @property
    def _binary_grammar(self) -> BinaryGrammar:
        return self.grammar.binarised

    @property
    def _max_nodes(self) -> int:
        return 2 * len(self.form) * (1 + len(self._binary_grammar.unary))

    @cached_property
    def _summed(self) -> tuple[Any, float]:
        """The filled kernel chart, in the first arithmetic that can hold it, and its total."""
        for mode in self._modes:
            chart, total, _ = self._fill(mode)
            if not math.isnan(total):
                return chart, total
        raise ModelError(LOST_WEIGHTS)

    def _fill(self, mode: int) -> tuple[Any, float, Floats]:
        """Fill a kernel chart; return it, its total (NaN if lost) and its three tables."""
        m, grammar = len(self.form), self._binary_grammar
        if not m:
            return None, -math.inf, np.empty(0)
        tables = np.empty((3, m, m + 1, len(grammar.labels)))
        weights = np.empty(len(grammar.unary) + len(grammar.binary))
        p = self.potentials
        chart = kernels.chart.Chart(
            grammar.kernel_rules,
            (p.leaf, p.span, p.rules),
            tables,
            np.empty((m, m + 1), np.int32),
            weights,
            mode,
        )
        return chart, kernels.chart.fill(chart), tables

    def _best_tree(self, chart: Any) -> Tree:
        return self._derive(chart, np.full(self._max_nodes, -1.0))

    def _derive(self, chart: Any, uniforms: Floats) -> Tree:
        nodes = np.empty((self._max_nodes, 4), np.int32)
        stack = np.empty((self._max_nodes + 2, 3), np.int32)
        count = kernels.topdown.derive(chart, np.ascontiguousarray(uniforms), nodes, stack)
        return self._tree(iter(nodes[:count].tolist()))

    def _edges(self, node: Node, inside: Floats) -> list[Edge[Node]]:
        """Every way to build a constituent; ``inside`` holds the best scores."""
        label, i, j = node
        p, grammar = self.potentials, self._binary_grammar
        own = label < len(self.grammar.labels)  # an intermediate label branches for free
        edges: list[Edge[Node]] = []
        for parent, number in grammar.leaves:
            if parent == label:
                score = float(p.rules[number] + p.leaf[i, j, label])
                edges.append(Edge(score, score, ()))
        for parent, child, number in grammar.unary:
            if parent == label:
                score = float(p.rules[number])
                edges.append(Edge(score, score + float(inside[i, j, child]), ((child, i, j),)))
        for parent, left, right, number in grammar.binary:
            if parent == label:
                score = float(p.span[i, j, label]) if own else 0.0
                score += float(p.rules[number]) if number >= 0 else 0.0
                best = score + inside[i, i + 1 : j, left] + inside[i + 1 : j, j, right]
                for k, value in enumerate(best.tolist(), i + 1):
                    edges.append(Edge(score, value, ((left, i, k), (right, k, j))))
        return [edge for edge in edges if edge.best > -math.inf]

    def _tree(self, nodes: Iterator[list[int]]) -> Tree:
        return read_tree(nodes, self.form, self.grammar)


def read_tree(nodes: Iterator[list[int]], form: str, grammar: Grammar) -> Tree:
    """Build a tree from (label, start, end, number of children), parents first."""
    trees = _read(nodes, form, grammar.labels)
    assert len(trees) == 1
    return trees[0].children[0] if grammar.has_silent_start else trees[0]


def _read(nodes: Iterator[list[int]], form: str, labels: tuple[str, ...]) -> tuple[Tree, ...]:
    """Read one node; an intermediate label of a longer rule gives way to its children."""
    label, i, j, arity = next(nodes)
    children = tuple(tree for _ in range(arity) for tree in _read(nodes, form, labels))
    if label >= len(labels):
        return children
    name = labels[label]
    return (Tree(name, children) if children else Tree(name, string=form[i:j]),)


def _walk(derivation: Derivation[Node]) -> Iterator[list[int]]:
    yield [*derivation.node, len(derivation.parts)]
    for part in derivation.parts:
        yield from _walk(part)
