"""What a model builds over a form: a tree under a grammar, or a flat chain of segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from morphtree._util.arrays import Floats
from morphtree.errors import GrammarError
from morphtree.features.span_features import ChainFeatures, FormMatches, SpanFeatures, TreeFeatures
from morphtree.features.templates import FeatureIndex, Templates
from morphtree.lexicon.lexicon import Knowledge
from morphtree.structures.distribution import Distribution
from morphtree.structures.segment_chain import SegmentChain
from morphtree.structures.tree_chart import TreeChart, read_tree
from morphtree.trees.chain import FLAT, Chain, Segment, chain_tree
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import WORD, Tree

Nodes = tuple[tuple[int, int, int, int], ...]  # label, start, end, rule
MOST_LABELS = 30  # a set of labels is a machine integer


@dataclass(frozen=True)
class Structure:
    """A grammar, or (if ``chain`` is set) the right-linear grammar of a chain."""

    grammar: Grammar
    chain: Chain | None = None

    def __post_init__(self) -> None:
        if len(self.grammar.binarised.labels) > MOST_LABELS:
            raise GrammarError(f"a model can have {MOST_LABELS} labels at most")

    @staticmethod
    def make(name: str, grammar: Grammar) -> Structure:
        """Return the structure of a name: ``tree`` or ``chain``."""
        return Structure(FLAT.grammar, FLAT) if name == "chain" else Structure(grammar)

    @property
    def name(self) -> str:
        """``tree`` or ``chain``."""
        return "chain" if self.chain else "tree"

    @property
    def closed_labels(self) -> tuple[str, ...]:
        """Labels whose strings are few in practice: those of affixes."""
        if self.chain:
            return tuple(part[:-1] for part in self.chain.pattern.split() if part.endswith("*"))
        return self.grammar.affix_labels

    def features(
        self, templates: Templates, knowledge: Knowledge, index: FeatureIndex
    ) -> SpanFeatures:
        """Return the features of such structures."""
        if self.chain:
            return ChainFeatures(templates, self.chain, knowledge, index)
        return TreeFeatures(templates, self.grammar, knowledge, index)

    def nodes(self, tree: Tree) -> Nodes | None:
        """Return the nodes of a gold tree, or None if the grammar cannot derive it."""
        if self.chain:
            flat = chain_tree(
                self.chain, tuple(Segment(leaf.label, leaf.string) for leaf in tree.leaves())
            )
            if flat is None:
                return None
            tree = flat
        return tuple(self.grammar.anchored(tree)) if self.grammar.derives(tree) else None

    @property
    def compounds(self) -> bool:
        """Whether two words can make a word."""
        return any(rule.children == (WORD, WORD) for rule in self.grammar.rules)

    def read(self, nodes: list[list[int]], form: str) -> Tree | tuple[str, ...]:
        """Build a tree, or the segments of a chain, from (label, start, end, arity) in preorder."""
        if self.chain:
            labels = {self.grammar.labels.index(label) for label in self.chain.labels}
            return tuple(form[i:j] for label, i, j, _ in nodes if label in labels)
        return read_tree(iter(nodes), form, self.grammar)


def parser(
    features: SpanFeatures, form: str, match: FormMatches, weights: Floats
) -> Distribution[Any]:
    """Return the distribution over the structures of a form (Eq. 2)."""
    potentials = features.potentials(match, weights)
    if isinstance(features, ChainFeatures):
        return SegmentChain(potentials, form, features.chain)
    return TreeChart(potentials, form, features.grammar)
