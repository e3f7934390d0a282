"""A spaCy component: ``nlp.add_pipe("morphtree")`` gives every word ``token._.morphtree``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import morphtree
from morphtree.analysis import Analysis
from morphtree.errors import ModelError
from morphtree.model.packages import require

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

EXTENSION = "morphtree"
_language: Any = import_module("spacy.language")
_tokens: Any = import_module("spacy.tokens")


class Component:
    """Analyses the words of a document, each once for every part of speech that it has there."""

    def __init__(self, analyzer: Analyzer, n: int = 1) -> None:
        self.analyzer = analyzer
        self.n = n

    def __call__(self, doc: Any) -> Any:
        """Keep the analysis of every token that has a letter, as plain data that spaCy can save.

        The part of speech, if the pipeline has found it before, chooses between readings.
        """
        tokens = ((token.text, token.pos_) for token in doc)
        pairs = [*dict.fromkeys(pair for pair in tokens if any(map(str.isalpha, pair[0])))]
        found: dict[str, dict[str, Any]] = {}
        for (word, pos), analysis in zip(pairs, self.analyzer.tagged(pairs, self.n), strict=True):
            found.setdefault(pos, {})[word] = analysis.to_dict()
        doc.user_data[EXTENSION] = found
        return doc


def analysis_of(token: Any) -> Analysis | None:
    """Return the analysis of a token of a document that the component has seen.

    If the part of speech came later, the analysis does not know of it.
    """
    found = token.doc.user_data.get(EXTENSION, {})
    data = found.get(token.pos_, {}).get(token.text) or found.get("", {}).get(token.text)
    return None if data is None else Analysis.from_dict(data)


def make(nlp: Any, name: str, lang: str | None, model: str | None, n: int) -> Component:
    """Make the component; ``n`` is how many readings to keep."""
    if not _tokens.Token.has_extension(EXTENSION):
        _tokens.Token.set_extension(EXTENSION, getter=analysis_of)
    return Component(morphtree.load(_chosen(nlp.lang, lang, model)), n)


def _chosen(own: str, lang: str | None, model: str | None) -> str:
    """Return what to load: a model's file, a language, or else the pipeline's own language."""
    if model is None:
        code = own if lang is None else lang
        require(code)
        return code
    if lang is not None:
        raise ModelError("'lang' and 'model' exclude each other; give one of the two")
    return model


_language.Language.factory(
    "morphtree", default_config={"lang": None, "model": None, "n": 1}, func=make
)
