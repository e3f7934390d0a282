"""Hierarchical canonical morphological segmentation: the tree of a word, with probabilities."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from morphtree.errors import MorphtreeError

if TYPE_CHECKING:
    from morphtree.analysis import Analysis, Reading
    from morphtree.analyzer import Analyzer
    from morphtree.joint.joint_model import JointModel
    from morphtree.model.model import Model
    from morphtree.treebank.entry import Entry
    from morphtree.treebank.treebank import Treebank
    from morphtree.trees.grammar import Grammar
    from morphtree.trees.tree import Tree

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

BUILT_IN = "en"
_loading = Lock()  # threads that ask for a model at once get the same

_HOMES = {  # loaded on first use, so that importing morphtree stays cheap
    "Analysis": "analysis",
    "Analyzer": "analyzer",
    "Grammar": "trees.grammar",
    "JointModel": "joint.joint_model",
    "Reading": "analysis",
    "Tree": "trees.tree",
    "Treebank": "treebank.treebank",
}


def load(
    name: str = BUILT_IN,
    *,
    overrides: str = "",
    add_words: str = "",
    min_prob: float = 0.0,
    stored: bool = True,
    jobs: int | None = None,
) -> Analyzer:
    """Return the analyzer of a model: a file, or the name of a built-in model.

    ``overrides`` is a treebank whose readings win, ``add_words`` a file of words that the lexicon
    lacks; a word whose best reading is less likely than ``min_prob`` is left whole. Without
    ``stored`` the model answers alone: it does not know the readings of its treebank.
    """
    from morphtree.analyzer import Analyzer

    model = _model(name, stored)
    if add_words:
        from morphtree.lexicon.word_facts import pack, read_lexicon

        model = model.with_words({w: pack(f) for w, f in read_lexicon(add_words).items()})
    entries: tuple[Entry, ...] = ()
    if overrides:
        from morphtree.treebank.treebank import Treebank

        entries = Treebank.read(overrides).entries
    return Analyzer(model, name, jobs=jobs, overrides=entries, min_prob=min_prob)


def _model(name: str, stored: bool) -> Model:
    """Find a model, and load it, with its stored derivations or not, unless that was done."""
    import os

    from morphtree.errors import ModelError

    path = name
    if name == BUILT_IN:
        path = os.path.join(os.path.dirname(__file__), "models", f"{name}.model")
    elif not os.path.exists(name):
        raise ModelError(f"there is no file {name!r}; the only model built in is {BUILT_IN!r}")
    found = os.stat(path)
    with _loading:
        return _loaded(path, found.st_mtime_ns, found.st_size, stored)


@lru_cache(maxsize=4)
def _loaded(path: str, changed: int, size: int, stored: bool) -> Model:
    """Load a model's file; a file that was written anew is another one."""
    from morphtree.lexicon.stored import NOTHING_STORED
    from morphtree.model.model import Model

    return Model.load(path) if stored else Model.load(path).with_stored(NOTHING_STORED)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"morphtree.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'morphtree' has no attribute {name!r}")
