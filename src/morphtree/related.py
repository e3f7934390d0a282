"""How near a word and its possible bases are in meaning, read when a model is trained.

A file has one line for each word that was compared: ``word<TAB>base level<TAB>base level ...``,
with the bases that are near at all and a level from 1 to 4; two compared words without a level
have little to do with each other (*secretary* and *secret*). Compressed by gzip if its name ends
in ``.gz``. `scripts/make_related.py` makes one from word vectors.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

from morphtree.errors import ModelError
from morphtree.treebank_entry import normalise

LEVELS = 4
Related = Mapping[str, Mapping[str, int]]


def read_related(path: str | Path) -> dict[str, dict[str, int]]:
    """Read the compared words, and the near bases of each."""
    related: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_read(Path(path)).splitlines(), 1):
        word, *near = line.split("\t")
        try:
            related[normalise(word)] = dict(map(_base, near))
        except ValueError:
            raise ModelError(
                f"{path}:{number}: expected 'word<TAB>base level<TAB>...', a level from 1 to 4"
            ) from None
    return related


def write_related(path: Path, related: Related) -> None:
    """Write a compressed file; the same contents give the same bytes."""
    lines = (
        "\t".join([word, *(f"{base} {level}" for base, level in near.items())])
        for word, near in related.items()
    )
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n", mtime=0))


def _base(text: str) -> tuple[str, int]:
    base, level = text.split(" ")
    if not 1 <= int(level) <= LEVELS:
        raise ValueError
    return normalise(base), int(level)


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"the related words {path} cannot be read ({reason})") from None
