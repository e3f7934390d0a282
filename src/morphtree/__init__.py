"""Hierarchical canonical morphological segmentation: the tree of a word, with probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from morphtree.errors import MorphtreeError
from morphtree.tree import Tree

if TYPE_CHECKING:
    from morphtree.analyzer import Analysis, Analyzer, Reading
    from morphtree.grammar import Grammar
    from morphtree.joint import JointModel
    from morphtree.treebank import Treebank

__all__ = [
    "Analysis",
    "Analyzer",
    "Grammar",
    "JointModel",
    "MorphtreeError",
    "Reading",
    "Tree",
    "Treebank",
    "load",
]

_HOMES = {  # loaded on first use, so that importing morphtree stays cheap
    "Analysis": "analyzer",
    "Analyzer": "analyzer",
    "Grammar": "grammar",
    "JointModel": "joint",
    "Reading": "analyzer",
    "Treebank": "treebank",
}


def load(name: str = "demo") -> Analyzer:
    """Return the analyzer of a built-in model; so far there is the demonstration model only."""
    from morphtree.analyzer import Analyzer
    from morphtree.demo import load_demo
    from morphtree.errors import ModelError

    if name != "demo":
        raise ModelError(f"there is no model {name!r}; the only one built in so far is 'demo'")
    return Analyzer(load_demo(), name)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"morphtree.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'morphtree' has no attribute {name!r}")
