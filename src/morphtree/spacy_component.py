"""A spaCy component: ``nlp.add_pipe("morphtree")`` gives every word ``token._.morphtree``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import morphtree

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

EXTENSION = "morphtree"
_language: Any = import_module("spacy.language")
_tokens: Any = import_module("spacy.tokens")


class Component:
    """Analyses the words of a document, each distinct one once."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer

    def __call__(self, doc: Any) -> Any:
        """Set the analysis of every token that has a letter."""
        words = dict.fromkeys(token.text for token in doc if any(map(str.isalpha, token.text)))
        found = {analysis.word: analysis for analysis in self.analyzer.pipe(words)}
        for token in doc:
            token._.set(EXTENSION, found.get(token.text))
        return doc


def make(nlp: Any, name: str, model: str) -> Component:
    """Make the component; ``model`` is a built-in name or a file."""
    if not _tokens.Token.has_extension(EXTENSION):
        _tokens.Token.set_extension(EXTENSION, default=None)
    return Component(morphtree.load(model))


_language.Language.factory("morphtree", default_config={"model": "en"}, func=make)
