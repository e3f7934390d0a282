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

BUILT_IN = "demo"

_HOMES = {  # loaded on first use, so that importing morphtree stays cheap
    "Analysis": "analyzer",
    "Analyzer": "analyzer",
    "Grammar": "grammar",
    "JointModel": "joint",
    "Reading": "analyzer",
    "Treebank": "treebank",
}


def load(name: str = BUILT_IN) -> Analyzer:
    """Return the analyzer of a model: a file, or the name of a built-in model."""
    from importlib.resources import files
    from pathlib import Path

    from morphtree.analyzer import Analyzer
    from morphtree.errors import ModelError
    from morphtree.model import Model

    if name == BUILT_IN:
        return Analyzer(
            Model.load(Path(str(files("morphtree") / "models" / f"{name}.model"))), name
        )
    if not Path(name).exists():
        raise ModelError(f"there is no file {name!r}; the only model built in is {BUILT_IN!r}")
    return Analyzer(Model.load(Path(name)), name)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"morphtree.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'morphtree' has no attribute {name!r}")
