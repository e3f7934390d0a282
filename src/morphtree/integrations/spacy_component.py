"""A spaCy component: ``nlp.add_pipe("morphtree")`` gives every word ``token._.morphtree``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import morphtree
from morphtree.analysis import Analysis

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
        """Keep the analysis of every token that has a letter, as plain data that spaCy can save."""
        words = dict.fromkeys(token.text for token in doc if any(map(str.isalpha, token.text)))
        found = {analysis.word: analysis.to_dict() for analysis in self.analyzer.pipe(words)}
        doc.user_data[EXTENSION] = found
        return doc


def analysis_of(token: Any) -> Analysis | None:
    """Return the analysis of a token of a document that the component has seen."""
    data = token.doc.user_data.get(EXTENSION, {}).get(token.text)
    return None if data is None else Analysis.from_dict(data)


def make(nlp: Any, name: str, model: str) -> Component:
    """Make the component; ``model`` is a built-in name or a file."""
    if not _tokens.Token.has_extension(EXTENSION):
        _tokens.Token.set_extension(EXTENSION, getter=analysis_of)
    return Component(morphtree.load(model))


_language.Language.factory("morphtree", default_config={"model": "en"}, func=make)
