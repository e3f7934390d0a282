"""Trees to NLTK and back."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from morphtree.errors import TreeError, needs_extra
from morphtree.trees.tree import Tree


def to_nltk(tree: Tree) -> Any:
    """Return an `nltk.Tree` with the same labels; a leaf's only child is its string."""
    nltk_tree = _nltk()
    if tree.is_leaf:
        return nltk_tree(tree.label, [tree.string])
    return nltk_tree(tree.label, [to_nltk(child) for child in tree.children])


def from_nltk(tree: Any) -> Tree:
    """Return the tree of an `nltk.Tree` whose leaves are single strings."""
    if all(isinstance(child, str) for child in tree):
        if len(tree) != 1:
            raise TreeError(f"the node {tree.label()!r} has {len(tree)} strings; give it one")
        return Tree(tree.label(), string=tree[0])
    if any(isinstance(child, str) for child in tree):
        raise TreeError(f"below {tree.label()!r} there are strings beside nodes; wrap them")
    return Tree(tree.label(), tuple(from_nltk(child) for child in tree))


def _nltk() -> Any:
    with needs_extra("nltk", "for NLTK's trees", TreeError):
        return import_module("nltk.tree").Tree
