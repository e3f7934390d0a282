"""How the model of a language grows with the words that were read by hand, beside silver words.

    python experiments/languages_curve.py CODE [--sizes 0 200 500 1500 all]

Needs ``morphtree[train]``. Builds the held-out model of languages/CODE with so many words of the
train part, drawn by hash, so that the words of a smaller size are among those of a larger one; 0
words is silver alone. Scored on the families that are held out and on the words drawn at random.
The dev part says when to stop and fits the temperature at every size, so even 0 words rests on
some that were read. Prints a table in Markdown, and puts it into docs/languages.md if that has a
place for it; progress goes to the standard error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from marks import insert, standing

from morphtree.analyzer import Analyzer
from morphtree.errors import TreebankError
from morphtree.languages.card import EXACT, INTERVAL, SEGMENTS, SIMPLE, Scored, best_readings
from morphtree.languages.description import Language
from morphtree.languages.parts import DEV, RANDOM, TEST
from morphtree.languages.recipe import Recipe
from morphtree.model.model import Model
from morphtree.reproduction.fit import machine
from morphtree.training.data import signature

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "languages.md"
ALL = "all"
SIZES = ("0", "200", "500", "1500", ALL)
PARTS = {TEST: "held-out families", RANDOM: "random"}
COLUMNS = (SEGMENTS, EXACT, INTERVAL, SIMPLE)


def size_of(text: str) -> int | None:
    """Return how many words a size asks for: None if all."""
    return None if text == ALL else int(text)


def head() -> str:
    """Write the first lines of the table."""
    names = [f"{part}: {column}" for part in PARTS.values() for column in COLUMNS]
    return f"| words read | {' | '.join(names)} |\n|---:|{'---:|' * len(names)}"


def row(words: int, scored: Sequence[Scored]) -> str:
    """Write the figures of one model: one part after the other."""
    cells = [part.cells[column] for part in scored for column in COLUMNS]
    return f"| {words:,} | {' | '.join(cells)} |"


def score(recipe: Recipe, model: Model) -> list[Scored]:
    """Score a model on each part."""
    analyzer = Analyzer(model, "model")
    parts = [recipe.parts[name] for name in PARTS]
    return [Scored.of(entries, best_readings(analyzer, entries)) for entries in parts]


def measured_row(recipe: Recipe, size: int | None) -> str:
    """Build a model with so many words and write its figures."""
    words = len(recipe.known(size))
    try:
        return row(words, score(recipe, recipe.held_out(hand=size)))
    except TreebankError as error:
        if words:
            raise
        # Without rules for silver words nothing is left to learn from.
        print(f"no model of 0 words: {error}", file=sys.stderr)
        return f"| 0 | {' | '.join([''] * len(PARTS) * len(COLUMNS))} |"


def caption(recipe: Recipe) -> str:
    """Say what the figures were made of."""
    made = machine()
    return (
        f"{recipe.language.name}, treebank {signature(recipe.hand)}, seed {recipe.settings.seed},"
        f" dev {len(recipe.parts[DEV])} words, test {len(recipe.parts[TEST])},"
        f" random {len(recipe.parts[RANDOM])}; {made['cores']} cores, Python {made['python']},"
        f" morphtree {made['morphtree']}."
    )


def main() -> None:
    """Build a model of each size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("code", metavar="CODE")
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar=f"N|{ALL}")
    options = parser.parse_args()
    language = Language.read(ROOT / "languages" / options.code)
    with tempfile.TemporaryDirectory() as work:
        recipe = Recipe(language, Path(work), partial(print, file=sys.stderr))
        lines = [head()]
        print(lines[0], flush=True)
        for size in options.sizes:
            lines.append(measured_row(recipe, size_of(size)))
            print(lines[-1], flush=True)
        lines += ["", caption(recipe)]
        print(*lines[-2:], sep="\n")
    if (name := f"curve_{options.code}") in standing(DOCUMENT):
        insert(DOCUMENT, {name: "\n".join(lines)})


if __name__ == "__main__":
    main()
