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
from morphtree.distribution import Distribution, Ranking, Scored, checked
from morphtree.errors import ModelError
from morphtree.grammar import BinaryGrammar, Grammar
from morphtree.kbest import Derivation, Edge, KBest
from morphtree.tree import Tree

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

    # -- the seven verbs -----------------------------------------------------------------------

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
        if not self.form:
            return -math.inf
        return self._log_total(self._summed)

    def marginals(self) -> TreeMarginals:
        """Expected number of uses of every production."""
        self._require_mass()
        grammar = self._binary_grammar
        tables = np.zeros((3, len(self.form), len(self.form) + 1, len(grammar.labels)))
        unary, binary = np.zeros(len(grammar.unary)), np.zeros(len(grammar.binary))
        kernels.topdown.expect(self._summed, grammar.start, *tables, unary, binary)
        return self._collect(tables[1], tables[2], unary, binary)

    def argmax(self) -> Tree:
        """Return the best tree (CKY)."""
        chart = self._chart(BEST) if self.form else None
        if chart is None or self._log_total(chart) == -math.inf:
            self._require_mass()
        return self._derive(chart, np.full(self._max_nodes, -1.0))

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Tree]:
        """Draw trees."""
        self._require_mass()
        uniforms = rng.random((size, self._max_nodes))
        return [self._derive(self._summed, row) for row in uniforms]

    def top_k(self, k: int) -> Ranking[Tree]:
        """Return the k best trees."""
        if k < 1:
            raise ModelError(f"asked for the {k} best trees; ask for at least one")
        if not self.form:
            return Ranking(())
        root = self._binary_grammar.start, 0, len(self.form)
        return Ranking(
            tuple(
                Scored(self._tree(_walk(derivation)), derivation.score)
                for derivation in KBest(self._edges).best(root, k)
            )
        )

    def log_count(self) -> float:
        """Log of the number of possible trees."""
        ones = (np.where(array > -np.inf, 0.0, -np.inf) for array in vars(self.potentials).values())
        return TreeChart(TreePotentials(*ones), self.form, self.grammar).log_partition()

    # -- private -------------------------------------------------------------------------------

    def _used(self, tree: Tree) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the potentials (array, index) that a tree of the grammar uses."""
        numbers, labels = self.grammar.rule_numbers, self.grammar.labels
        if self.grammar.has_silent_start:
            yield "rules", (numbers[self.grammar.start, (tree.label,)],)
        for (parent, children), span in zip(tree.productions(), tree.spans(), strict=True):
            yield "rules", (numbers[parent, children],)
            if len(children) != 1:
                where = span.start, span.end, labels.index(parent)
                yield ("span" if children else "leaf"), where

    @property
    def _binary_grammar(self) -> BinaryGrammar:
        return self.grammar.binarised

    @property
    def _max_nodes(self) -> int:
        return 2 * len(self.form) * (1 + len(self._binary_grammar.unary))

    @cached_property
    def _summed(self) -> Any:
        """The filled kernel chart, in the first arithmetic that can hold it."""
        for mode in self._modes:
            chart = self._chart(mode)
            if chart is not None:
                return chart
        raise ModelError("scaled numbers cannot hold these weights; use log space")

    @cached_property
    def _rule_weights(self) -> tuple[Floats, Floats, Floats]:
        """Log weights by kind of rule: of the leaf rule of each label, of the unary, the binary."""
        grammar, weights = self._binary_grammar, [*self.potentials.rules.tolist(), 0.0]
        leaf = np.full(len(self.grammar.labels), -np.inf)
        for label, number in grammar.leaves:
            leaf[label] = weights[number]
        unary = np.array([weights[rule[2]] for rule in grammar.unary])
        return leaf, unary, np.array([weights[rule[3]] for rule in grammar.binary])

    def _chart(self, mode: int) -> Any:
        """Fill a kernel chart; None if scaled numbers cannot hold it."""
        shape = len(self.form), len(self.form) + 1, len(self._binary_grammar.labels)
        leaf, span, inside = np.empty((3, *shape))
        rules = self._rule_weights
        tables = (
            leaf,
            span,
            inside,
            np.empty(shape[:2], np.int32),
            np.empty(sum(map(len, rules[1:]))),
        )
        potentials = self.potentials.leaf, self.potentials.span, *rules
        chart = kernels.chart.Chart(potentials, self._binary_grammar.arrays, tables, mode)
        return chart if kernels.chart.fill(chart) else None

    def _log_total(self, chart: Any) -> float:
        m, start = len(self.form), self._binary_grammar.start
        inside = chart.inside[0, m, start]
        if chart.mode != SCALED:
            return float(inside)
        return math.log(inside) + 64 * math.log(2) * chart.exponents[0, m] if inside else -math.inf

    def _collect(self, leaf: Floats, span: Floats, unary: Floats, binary: Floats) -> TreeMarginals:
        """Bring the binarised grammar's counts back to the grammar's own labels and rules."""
        rules = np.zeros(len(self.grammar.rules))
        for label, number in self._binary_grammar.leaves:
            rules[number] += leaf[:, :, label].sum()
        for (_, _, number), count in zip(self._binary_grammar.unary, unary, strict=True):
            rules[number] += count
        for (_, _, _, number), count in zip(self._binary_grammar.binary, binary, strict=True):
            if number >= 0:
                rules[number] += count
        own = len(self.grammar.labels)
        return TreeMarginals(leaf[:, :, :own], span[:, :, :own], rules)

    def _derive(self, chart: Any, uniforms: Floats) -> Tree:
        nodes = np.empty((self._max_nodes, 4), np.int32)
        stack = np.empty((self._max_nodes + 2, 3), np.int32)
        start = self._binary_grammar.start
        count = kernels.topdown.derive(chart, start, np.ascontiguousarray(uniforms), nodes, stack)
        return self._tree(iter(nodes[:count].tolist()))

    def _edges(self, node: Node) -> list[Edge[Node]]:
        """Every way to build a constituent."""
        label, i, j = node
        grammar, (leaf, unary, binary) = self._binary_grammar, self._rule_weights
        edges: list[Edge[Node]] = []
        own = label < len(self.grammar.labels)  # intermediate labels branch, and weigh nothing
        if own:
            edges.append(Edge(float(leaf[label] + self.potentials.leaf[i, j, label]), ()))
        for weight, (parent, child, _) in zip(unary.tolist(), grammar.unary, strict=True):
            if parent == label:
                edges.append(Edge(weight, ((child, i, j),)))
        for weight, (parent, left, right, _) in zip(binary.tolist(), grammar.binary, strict=True):
            if parent == label:
                score = weight + float(self.potentials.span[i, j, label]) if own else weight
                edges += [Edge(score, ((left, i, k), (right, k, j))) for k in range(i + 1, j)]
        return [edge for edge in edges if edge.score > -math.inf]

    def _tree(self, nodes: Iterator[list[int]]) -> Tree:
        """Build a tree from (label, start, end, number of children), parents first."""
        trees = self._read(nodes)
        assert len(trees) == 1
        return trees[0].children[0] if self.grammar.has_silent_start else trees[0]

    def _read(self, nodes: Iterator[list[int]]) -> tuple[Tree, ...]:
        """Read one node; an intermediate label of a longer rule gives way to its children."""
        label, i, j, arity = next(nodes)
        children = tuple(tree for _ in range(arity) for tree in self._read(nodes))
        if label >= len(self.grammar.labels):
            return children
        name = self.grammar.labels[label]
        return (Tree(name, children) if children else Tree(name, string=self.form[i:j]),)


def _walk(derivation: Derivation[Node]) -> Iterator[list[int]]:
    yield [*derivation.node, len(derivation.parts)]
    for part in derivation.parts:
        yield from _walk(part)
