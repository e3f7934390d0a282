"""Hierarchical canonical morphological segmentation: the tree of a word, with probabilities."""

from __future__ import annotations

import os
from collections.abc import Sized
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from morphtree.errors import MorphtreeError
from morphtree.model import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from morphtree.analysis import Analysis, Reading
    from morphtree.analyzer import Analyzer
    from morphtree.joint.joint_model import JointModel
    from morphtree.model.model import Model
    from morphtree.scoring import evaluate
    from morphtree.trained import train
    from morphtree.treebank.entry import Entry
    from morphtree.treebank.given import Given
    from morphtree.treebank.treebank import Treebank
    from morphtree.trees.grammar import Grammar
    from morphtree.trees.tree import Tree

    Words = str | os.PathLike[str] | Mapping[str, float] | Iterable[str]
    __version__: str

__all__ = [
    "Analysis",
    "Analyzer",
    "Grammar",
    "JointModel",
    "MorphtreeError",
    "Reading",
    "Tree",
    "Treebank",
    "evaluate",
    "load",
    "train",
]

_loading = Lock()  # threads that ask for a model at once get the same

_HOMES = {  # loaded on first use, so that importing morphtree stays cheap
    "Analysis": "analysis",
    "Analyzer": "analyzer",
    "Grammar": "trees.grammar",
    "JointModel": "joint.joint_model",
    "Reading": "analysis",
    "Tree": "trees.tree",
    "Treebank": "treebank.treebank",
    "evaluate": "scoring",
    "train": "trained",
}
_MODULES = ("arrow", "daft")  # which need more than morphtree does


def load(
    name: str | os.PathLike[str] = BUILT_IN,
    *,
    overrides: Given = "",
    add_words: Words = "",
    min_prob: float = 0.0,
    stored: bool = True,
    jobs: int | None = None,
) -> Analyzer:
    """Return the analyzer of a language that is installed, by its code, or of a model's file.

    ``overrides`` are readings that win: a treebank, its file, or a dict from words to trees, in
    brackets or not. ``add_words`` are words that the lexicon lacks: a file, a list of words, or a
    dict from words to zipf frequencies. A word whose best reading is less likely than
    ``min_prob`` is left whole. Without ``stored`` the model answers alone: it does not know the
    readings of its treebank.
    """
    from morphtree.analyzer import Analyzer

    if not isinstance(name, str | os.PathLike):
        from morphtree.errors import ModelError

        raise ModelError(f"a model cannot be {name!r:.60}; give the code of a language or a file")
    name = os.fspath(name)
    model = _model(name, stored)
    if _is_given(add_words):
        model = model.with_words(_packed(add_words))
    entries: tuple[Entry, ...] = ()
    if _is_given(overrides):
        from morphtree.treebank.given import as_treebank

        entries = as_treebank(overrides, "overrides").entries
    return Analyzer(model, name, jobs=jobs, overrides=entries, min_prob=min_prob)


def _is_given(value: object) -> bool:
    """Whether there is something in it; a column of a data frame does not say so by itself."""
    return value is not None and (not isinstance(value, Sized) or len(value) > 0)


def _packed(words: Words) -> dict[str, int]:
    """Return what is known of words, as a lexicon holds it."""
    from collections.abc import Mapping

    from morphtree.analyzer import only_words
    from morphtree.lexicon.word_facts import make_lexicon, pack, read_lexicon

    if isinstance(words, str | os.PathLike):
        facts = read_lexicon(os.fspath(words))
    else:
        names = [*only_words(words)]
        facts = make_lexicon(words if isinstance(words, Mapping) else names)
    return {word: pack(fact) for word, fact in facts.items()}


def _model(name: str, stored: bool) -> Model:
    """Find a model, and load it, with its stored derivations or not, unless that was done."""
    path = _path(name)
    found = os.stat(path)
    with _loading:
        return _loaded(path, found.st_mtime_ns, found.st_size, stored)


def _path(name: str) -> str:
    """Return the file of a model; the code of a language is no file of that name, ./de is."""
    if name == BUILT_IN:
        return os.path.join(os.path.dirname(__file__), "models", f"{name}.model")
    if name.isalpha():
        from morphtree.model.packages import model_path, not_installed

        if path := model_path(name):
            return str(path)
        if not os.path.exists(name):
            raise not_installed(name, "file or language")
    if not os.path.exists(name):
        from morphtree.errors import ModelError

        raise ModelError(f"there is no file {name!r}; the only model built in is {BUILT_IN!r}")
    return name


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
    if name in _MODULES:
        return import_module(f"morphtree.{name}")
    if name == "__version__":
        from morphtree._util.installed import installed_version

        return installed_version("morphtree") or "unknown"
    raise AttributeError(f"module 'morphtree' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
