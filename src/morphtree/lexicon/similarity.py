"""How near a word and its possible bases are in meaning, read when a model is trained.

A line a word: ``word<TAB>sources<TAB>base near told<TAB>base near told ...``. The sources are ``v``
if the word's vector was compared with those of its bases, ``d`` if a dictionary explains the word.
``near`` is 0 to 4 by vectors; ``told`` is 1 if the dictionary's explanation of the word names the
base, 2 if it says that they are related. A base that is not there has little to do with the word
(*secretary* and *secret*). Compressed by gzip if the name ends in ``.gz``.
`scripts/make_related.py` makes the file for English.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from morphtree._util.files import read_text
from morphtree._util.text import normalise
from morphtree.errors import ModelError

MOST_NEAR, MOST_TOLD = 4, 2


class Nearness(NamedTuple):
    """How near a base is: by vectors (0 to 4), by what a dictionary tells (0 to 2)."""

    near: int = 0
    told: int = 0


class Meaning(NamedTuple):
    """What a word was compared by, and its near bases."""

    by_vector: bool
    by_dictionary: bool
    bases: Mapping[str, Nearness]


Related = Mapping[str, Meaning]


def read_related(path: str | Path) -> dict[str, Meaning]:
    """Read the compared words, and the near bases of each."""
    related: dict[str, Meaning] = {}
    text = read_text(Path(path), "the related words", ModelError)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            word, sources, *near = line.split("\t")
            if not set(sources) <= {"v", "d"}:
                raise ValueError
            related[normalise(word)] = Meaning(
                "v" in sources, "d" in sources, dict(map(_base, near))
            )
        except ValueError:
            raise ModelError(
                f"{path}:{number}: expected 'word<TAB>sources<TAB>base near told<TAB>...', with"
                f" letters of vd, near up to {MOST_NEAR}, told up to {MOST_TOLD}"
            ) from None
    return related


def _base(text: str) -> tuple[str, Nearness]:
    base, near, told = text.split(" ")
    found = Nearness(int(near), int(told))
    if not (0 <= found.near <= MOST_NEAR and 0 <= found.told <= MOST_TOLD):
        raise ValueError
    return normalise(base), found
