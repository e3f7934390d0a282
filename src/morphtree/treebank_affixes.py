"""The inventory of affixes: a table of affix, side, categories, allomorphs and examples."""

from __future__ import annotations

import os
import re
from pathlib import Path

from morphtree.errors import TreebankError
from morphtree.tree import PREFIX, SUFFIX
from morphtree.treebank_entry import content_lines, normalise
from morphtree.treebank_files import read_text

LABELS = {"prefix": PREFIX, "suffix": SUFFIX}
HEADER = "affix"
ALLOMORPHS = 4  # the column; those before it are affix, side, attaches to, makes


def read_affixes(path: str | os.PathLike[str]) -> frozenset[tuple[str, str]]:
    """Read the (label, string) pairs of a tab-separated inventory, allomorphs included."""
    pairs: set[tuple[str, str]] = set()
    for number, line in content_lines(read_text(Path(path))):
        columns = line.split("\t")
        if columns[0] == HEADER:
            continue
        if len(columns) < 2 or columns[1] not in LABELS:
            raise TreebankError(f"{path}:{number}: expected 'affix<TAB>prefix|suffix<TAB>...'")
        others = columns[ALLOMORPHS] if len(columns) > ALLOMORPHS else ""
        names = re.findall(r"[^\s,;/]+", f"{columns[0]} {others}")
        pairs |= {
            (LABELS[columns[1]], bare) for name in names if (bare := normalise(name).strip("-"))
        }
    return frozenset(pairs)
