"""Draw words of a language at random from its 30,000 most frequent ones, to be annotated.

    python scripts/draw_frequent.py CODE NUMBER [--seed SEED]

Words that the treebank has already, or that are listed for its test part, are left out. This is how
most words of the treebanks beside English were chosen (seed 20261118, later lists 20261119).
"""

from __future__ import annotations

import argparse
import random
from importlib import import_module
from pathlib import Path

from morphtree.languages.description import Language
from morphtree.languages.parts import listed_parts
from morphtree.treebank.treebank import Treebank

ROOT = Path(__file__).parents[1]
MOST = 30_000
SEED = 20261118


def draw(language: Language, number: int, seed: int) -> list[str]:
    """Return so many words, in random order."""
    frequent = import_module("wordfreq").top_n_list(language.code, MOST)
    home = language.treebank_folder
    read = {entry.word for entry in Treebank.read(home / "entries").entries}
    left_out = read | listed_parts(home / "made").keys()
    letters = {*language.alphabet}
    words = [w for w in frequent if len(w) > 1 and letters.issuperset(w) and w not in left_out]
    random.Random(seed).shuffle(words)
    return words[:number]


def main() -> None:
    """Print the words."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("code", metavar="CODE")
    parser.add_argument("number", type=int, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    language = Language.read(ROOT / "languages" / options.code)
    print(*draw(language, options.number, options.seed), sep="\n")


if __name__ == "__main__":
    main()
