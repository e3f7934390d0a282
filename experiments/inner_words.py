"""Does an answer contradict the treebank? Words outside it, and the trees of the words inside.

    python experiments/inner_words.py [--model MODEL] [--words 40000] [--list]

Takes the most frequent words of ``wordfreq`` that are no entries of treebank/en, and counts those
whose best tree has an inner word that is an entry with other readings. Needs ``morphtree[train]``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from wordfreq import iter_wordlist

import morphtree
from morphtree.training.storing import derivations
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import WORD, Tree

ENTRIES = Path(__file__).parents[1] / "treebank" / "en" / "entries"


class Contradiction(NamedTuple):
    """A word, its tree, and the word inside that the treebank has otherwise."""

    word: str
    tree: Tree
    inner: str
    stored: tuple[Tree, ...]


def contradictions(
    word: str, tree: Tree, entries: Mapping[str, tuple[Tree, ...]]
) -> Iterator[Contradiction]:
    """Yield the words inside a tree that the treebank has otherwise, however they are written."""
    for node in tree.nodes():
        if node.label != WORD or node is tree:
            continue
        known = {text: entries[text] for text in spellings(node) if text in entries}
        if known and not any(node in readings for readings in known.values()):
            text, readings = next(iter(known.items()))
            yield Contradiction(word, tree, text, readings)


def main() -> None:
    """Print the count, and the contradictions if asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model", default="en")
    parser.add_argument("--words", type=int, default=40_000)
    parser.add_argument("--list", action="store_true", help="print every contradiction")
    options = parser.parse_args()
    entries = derivations(Treebank.read(ENTRIES).entries)
    new = (word for word in iter_wordlist("en", "large") if word.isalpha() and word not in entries)
    words = [*islice(new, options.words)]
    analyses = morphtree.load(options.model).pipe(words)
    found = [
        item
        for analysis in analyses
        if isinstance(tree := analysis.readings[0].tree, Tree)
        for item in islice(contradictions(analysis.word, tree, entries), 1)
    ]
    if options.list:
        for item in found:
            print(item.word, item.tree, f"{item.inner}:", *item.stored)
    share = len(found) / len(words)
    print(f"{len(found)} of {len(words)} words ({share:.2%}) contradict an entry inside them")


if __name__ == "__main__":
    main()
