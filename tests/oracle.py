"""Brute force: enumerate every structure of a tiny input, as slowly and plainly as possible."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np

from morphtree.features.potentials import ChainPotentials, EditPotentials, TreePotentials
from morphtree.trees.chain import Chain, Segment, Segmentation
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import Tree

Edit = tuple[str, int, int, int]  # kind, place in the word, letter written last, letter written


@cache
def edit_paths(
    n: int, size: int, longest: int
) -> tuple[tuple[tuple[Edit, ...], tuple[int, ...]], ...]:
    """Every sequence of edits that reads n letters and writes at most `longest`, with its form."""

    def walk(i: int, form: tuple[int, ...]) -> Iterator[tuple[tuple[Edit, ...], tuple[int, ...]]]:
        last = form[-1] if form else size
        if i == n:
            yield (), form
        if i < n:
            for rest, whole in walk(i + 1, form):
                yield (("delete", i, last, -1), *rest), whole
        if len(form) < longest:
            for letter in range(size):
                if i < n:
                    for rest, whole in walk(i + 1, (*form, letter)):
                        yield (("substitute", i, last, letter), *rest), whole
                for rest, whole in walk(i, (*form, letter)):
                    yield (("insert", i, last, letter), *rest), whole

    return tuple(walk(0, ()))


def edit_score(p: EditPotentials, edit: Edit) -> float:
    kind, i, last, letter = edit
    if kind == "delete":
        return float(p.delete[i] + p.bigrams.delete[p.classes[i], last])
    if kind == "insert":
        return float(p.insert[i, letter] + p.bigrams.insert[last, letter])
    return float(p.substitute[i, letter] + p.bigrams.substitute[p.classes[i], last, letter])


def scored_paths(
    p: EditPotentials, longest: int
) -> list[tuple[tuple[Edit, ...], tuple[int, ...], float]]:
    """Every possible path with its form and log weight."""
    n, size = p.substitute.shape
    scored = [
        (path, form, sum(edit_score(p, edit) for edit in path))
        for path, form in edit_paths(n, size, longest)
    ]
    return [item for item in scored if item[2] > -np.inf]


def form_scores(p: EditPotentials, alphabet: str, longest: int) -> dict[str, float]:
    """Log weight of every possible form, alignments summed."""
    scores: defaultdict[str, float] = defaultdict(lambda: -np.inf)
    for _, form, score in scored_paths(p, longest):
        text = "".join(alphabet[letter] for letter in form)
        scores[text] = float(np.logaddexp(scores[text], score))
    return dict(scores)


def trees(grammar: Grammar, form: str) -> list[Tree]:
    """Every tree of a form, straight from the rules."""

    def build(label: str, string: str) -> Iterator[Tree]:
        for rule in grammar.rules:
            if rule.parent != label:
                continue
            if not rule.children:
                yield Tree(label, string=string)
                continue
            for cuts in itertools.combinations(range(1, len(string)), len(rule.children) - 1):
                ends = (0, *cuts, len(string))
                parts = [string[a:b] for a, b in itertools.pairwise(ends)]
                choices = [list(build(c, s)) for c, s in zip(rule.children, parts, strict=True)]
                for children in itertools.product(*choices):
                    yield Tree(label, children)

    found = list(build(grammar.start, form)) if form else []
    return [t.children[0] for t in found] if grammar.has_silent_start else found


def tree_parts(grammar: Grammar, tree: Tree) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The potentials that a tree uses: (array, index)."""
    rules = [(rule.parent, rule.children) for rule in grammar.rules]
    if grammar.has_silent_start:
        yield "rules", (rules.index((grammar.start, (tree.label,))),)
    for (label, children), span in zip(tree.productions(), tree.spans(), strict=True):
        yield "rules", (rules.index((label, children)),)
        where = span.start, span.end, grammar.labels.index(label)
        if not children:
            yield "leaf", where
        elif len(children) > 1:
            yield "span", where


def stored_splits(p: TreePotentials, grammar: Grammar, tree: Tree) -> int:
    """How many nodes of a tree are split as a stored derivation is."""
    stored = {tuple(row) for row in p.stored.tolist()}
    rules = [(rule.parent, rule.children) for rule in grammar.rules]
    nodes = zip(tree.nodes(), tree.productions(), tree.spans(), strict=True)
    return sum(
        (s.start, s.start + len(node.children[0].form), s.end, rules.index(production)) in stored
        for node, production, s in nodes
        if len(node.children) > 1
    )


def tree_scores(p: TreePotentials, grammar: Grammar, form: str) -> dict[Tree, float]:
    """Log weight of every possible tree."""
    scores = {
        tree: float(sum(getattr(p, array)[index] for array, index in tree_parts(grammar, tree)))
        + p.bonus * stored_splits(p, grammar, tree)
        for tree in trees(grammar, form)
    }
    return {tree: score for tree, score in scores.items() if score > -np.inf}


def segmentations(chain: Chain, form: str) -> Iterator[Segmentation]:
    """Every labelled segmentation that fits the chain's pattern."""
    pattern = re.compile(
        "".join(
            f"(?:{part.rstrip('*')} )" + ("*" if part.endswith("*") else "")
            for part in chain.pattern.split()
        )
    )
    for count in range(len(form)):
        for cuts in itertools.combinations(range(1, len(form)), count):
            ends = (0, *cuts, len(form))
            strings = [form[a:b] for a, b in itertools.pairwise(ends)]
            for labels in itertools.product(chain.labels, repeat=len(strings)):
                if pattern.fullmatch("".join(f"{label} " for label in labels)):
                    yield tuple(map(Segment, labels, strings))


def chain_parts(chain: Chain, segments: Segmentation) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The potentials that a segmentation uses: (array, index)."""
    start, last = 0, len(chain.labels)
    for label, string in segments:
        number = chain.labels.index(label)
        yield "bigrams", (last, number)
        yield "segments", (start, start + len(string), number)
        start, last = start + len(string), number
    yield "bigrams", (last, len(chain.labels))


def chain_scores(p: ChainPotentials, chain: Chain, form: str) -> dict[Segmentation, float]:
    """Log weight of every possible segmentation."""
    scores = {
        s: float(sum(getattr(p, array)[index] for array, index in chain_parts(chain, s)))
        for s in segmentations(chain, form)
    }
    return {s: score for s, score in scores.items() if score > -np.inf}
