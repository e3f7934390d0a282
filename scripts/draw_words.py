"""Draw words at random from the frequency list of English, the same number from each band.

    python scripts/draw_words.py > treebank/en/made/random-words.txt

This is how the 500 words of the part ``test-random`` were chosen, before anything else was.
"""

from __future__ import annotations

import random
import re

from morphtree.lexicon.resources import gather

SEED = 20161101
BANDS = (5.0, 4.0, 3.0, 2.5, 2.0)  # the lowest zipf of each; the first has no upper end
EACH = 100
WORD = re.compile(r"[a-z]{2,}(['-][a-z]+)*")


def draw() -> list[str]:
    """Return the words of all bands, in alphabetical order."""
    zipfs = {w: facts.zipf for w, facts in gather("en").items() if WORD.fullmatch(w)}
    rng = random.Random(SEED)
    drawn: list[str] = []
    upper = 10.0
    for lower in BANDS:
        drawn += rng.sample(sorted(w for w, z in zipfs.items() if lower <= z < upper), EACH)
        upper = lower
    return sorted(drawn)


if __name__ == "__main__":
    print("\n".join(draw()))
