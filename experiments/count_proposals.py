"""What the editor proposes before there is a model, without and with a lexicon.

    python experiments/count_proposals.py

Counts of so many words of the English treebank propose readings of 600 others. Prints how often
the first reading is right, and any of the nine. Needs ``morphtree[serve,train]``.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.resources import gather
from morphtree.lexicon.word_facts import pack
from morphtree.treebank.treebank import Treebank
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.words_inside import is_common

TREEBANK = Path(__file__).parents[1] / "treebank" / "en" / "entries"
SEED, ANNOTATED, TESTED = 1, (0, 50, 200, 1000), slice(5000, 5600)


def main() -> None:
    """Print two lines for each number of words."""
    entries = [*Treebank.read(TREEBANK).entries]
    random.Random(SEED).shuffle(entries)
    facts = gather("en")
    english = Guidelines(lexicon=Lexicon({word: pack(fact) for word, fact in facts.items()}))
    tested = entries[TESTED]
    for count in ANNOTATED:
        for name, guidelines in ("alone", Guidelines()), ("with a lexicon", english):
            counts = Counts(entries[:count], (), partial(is_common, guidelines=guidelines))
            offered = [[tree for tree, _ in counts.propose(entry.word)] for entry in tested]
            pairs = [*zip(offered, tested, strict=True)]
            first = sum(trees[0] in entry.readings for trees, entry in pairs) / len(pairs)
            any_one = sum(not {*trees}.isdisjoint(e.readings) for trees, e in pairs) / len(pairs)
            print(f"{count} words, {name}: first {first:.1%}, among the nine {any_one:.1%}")


if __name__ == "__main__":
    main()
