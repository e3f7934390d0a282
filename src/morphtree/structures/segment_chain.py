"""SegmentChain: the flat counterpart of the tree chart, a semi-Markov chain over segments.

A chain such as ``PREFIX* WORD SUFFIX*`` is a right-linear grammar, and a chart that lets only
the leaves end before the end of the form does semi-Markov work, so the chart does all of it.
"""

from __future__ import annotations

import math

import numpy as np

from morphtree.errors import ModelError
from morphtree.features.potentials import (
    ChainMarginals,
    ChainPotentials,
    TreeMarginals,
    TreePotentials,
    checked,
)
from morphtree.structures.distribution import Distribution, Ranking, Scored
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.chain import FLAT, Chain, Segment, Segmentation, chain_tree
from morphtree.trees.tree import Tree


class SegmentChain(Distribution[Segmentation]):
    """All segmentations of one form under a chain."""

    what = "segmentation"

    def __init__(
        self,
        potentials: ChainPotentials,
        form: str,
        chain: Chain = FLAT,
        *,
        logs: bool | None = None,
    ) -> None:
        self.chain = chain
        self.form = form
        labels = len(chain.labels)
        shape = len(form), len(form) + 1, labels
        self.potentials = ChainPotentials(
            checked("segment", potentials.segments, shape),
            checked("label bigram", potentials.bigrams, (labels + 1, labels + 1)),
        )
        self._chart = TreeChart(self._tree_potentials(), form, chain.grammar, logs=logs)

    def score(self, structure: Segmentation) -> float:
        """Log weight of a segmentation."""
        tree = self._to_tree(structure)
        return -math.inf if tree is None else self._chart.score(tree)

    def log_partition(self) -> float:
        """Log of the summed weights of all segmentations."""
        return self._chart.log_partition()

    def marginals(self) -> ChainMarginals:
        """Expected number of uses of every segment and label bigram."""
        self._require_mass()
        return self._collect(self._chart.marginals())

    def counts(self, structure: Segmentation) -> ChainMarginals:
        """Number of uses of every segment and label bigram in one segmentation."""
        tree = self._to_tree(structure)
        if tree is None:
            raise ModelError(f"{structure} is not a segmentation of {self.form!r} here")
        return self._collect(self._chart.counts(tree))

    def _collect(self, trees: TreeMarginals) -> ChainMarginals:
        """Bring the grammar's counts back to segments and label bigrams."""
        bigrams = np.zeros_like(self.potentials.bigrams)
        for (_, step), count in zip(self.chain.rules, trees.rules, strict=True):
            if step is not None:
                bigrams[step.last, step.next] += count
                if step.ends:
                    bigrams[step.next, -1] += count
        return ChainMarginals(trees.leaf[:, :, self._columns], bigrams)

    def argmax(self) -> Segmentation:
        """Return the best segmentation."""
        self._require_mass()
        return _segments(self._chart.argmax())

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Segmentation]:
        """Draw segmentations."""
        self._require_mass()
        return [_segments(tree) for tree in self._chart.sample(size, rng=rng)]

    def top_k(self, k: int) -> Ranking[Segmentation]:
        """Return the k best segmentations."""
        ranking = self._chart.top_k(k)
        return Ranking(tuple(Scored(_segments(item.structure), item.score) for item in ranking))

    def log_count(self) -> float:
        """Log of the number of possible segmentations."""
        return self._chart.log_count()

    @property
    def _columns(self) -> list[int]:
        return [self.chain.grammar.labels.index(label) for label in self.chain.labels]

    def _tree_potentials(self) -> TreePotentials:
        m, labels = len(self.form), len(self.chain.grammar.labels)
        leaf, span = np.full((2, m, m + 1, labels), -np.inf)
        leaf[:, :, self._columns] = self.potentials.segments
        span[:, m, :] = 0.0  # what branches is a rest of the form, so it ends where the form does
        rules = np.zeros(len(self.chain.rules))
        for number, (_, step) in enumerate(self.chain.rules):
            if step is not None:
                rules[number] = self.potentials.bigrams[step.last, step.next]
                if step.ends:
                    rules[number] += self.potentials.bigrams[step.next, -1]
        return TreePotentials(leaf, span, rules)

    def _to_tree(self, segments: Segmentation) -> Tree | None:
        """Return the right-branching tree of a segmentation, or None if the chain has none."""
        if not segments or "".join(s.string for s in segments) != self.form:
            return None
        if any(not s.string for s in segments):
            return None
        return chain_tree(self.chain, segments)


def _segments(tree: Tree) -> Segmentation:
    return tuple(Segment(leaf.label, leaf.string) for leaf in tree.leaves())
