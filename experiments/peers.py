"""morphtree beside what people would use instead: what is right, and how fast.

    python experiments/peers.py [--words 20000]

Shares come from experiments/results/english.json (``experiments/english.py``), all on the same
words. Speed is measured here, in one run on one thread and in one process, without start-up: the
most frequent words of the list of English, and for morphtree also words that its treebank lacks.
Needs ``morphtree[train]`` and the package ``morfessor``. Writes experiments/results/peers.json and
the table of docs/comparison.md.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from marks import insert
from morphynet import looking_up

import morphtree
from morphtree.languages.baselines import morfessor_on
from morphtree.lexicon.resources import gather

RESULTS = Path(__file__).parent / "results"
DOCUMENT = Path(__file__).parents[1] / "docs" / "comparison.md"
PARTS = ("test-random", "everyday", "test", "coined")
ROWS = {  # our name, and that of english.json
    "Morfessor 2.0.6": "Morfessor (flat)",
    "look-up in MorphyNet": "look-up in MorphyNet",
    "morphtree": "full",
}
ROUNDS = 3


def speed(work: Callable[[list[str]], object], words: list[str]) -> float:
    """Return words a second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work(words)
        best = max(best, len(words) / (time.perf_counter() - began))
    return best


def speeds(count: int) -> dict[str, float]:
    """Measure all systems on the same words."""
    facts = gather("en")
    ranked = sorted(facts, key=lambda word: (-facts[word].zipf, word))
    words = [word for word in ranked if word.isalpha()][:count]
    analyzer = morphtree.load(jobs=1)
    alone = morphtree.load(jobs=1, stored=False)
    systems: dict[str, Callable[[list[str]], object]] = {
        "Morfessor 2.0.6": _each(morfessor_on(facts)),
        "look-up in MorphyNet": _each(looking_up()),
        "morphtree": lambda words: list(analyzer.pipe(words)),
        "morphtree, nothing stored": lambda words: list(alone.pipe(words)),
    }
    return {name: round(speed(work, words)) for name, work in systems.items()}


def _each(system: Callable[[str], object]) -> Callable[[list[str]], object]:
    return lambda words: [system(word) for word in words]


def right(scores: dict[str, Any], part: str, system: str) -> str:
    """Write the shares of right segments and right trees; a flat system has no trees."""
    figures = scores[part]["systems"][system]
    segments, tree = figures["accuracy"], figures["exact_tree"]
    return f"{100 * segments[0]:.1f} / " + (f"{100 * tree[0]:.1f}" if tree else "-")


def table(scores: dict[str, Any], found: dict[str, float]) -> str:
    """Write the table of docs/comparison.md."""
    parts = " | ".join(f"`{part}`" for part in PARTS)
    lines = [
        f"| | {parts} | words a second |",
        "|---|" + "---:|" * (len(PARTS) + 1),
    ]
    for name, there in ROWS.items():
        cells = [right(scores, part, there) for part in PARTS]
        rate = f"{found[name]:,.0f}"
        if name == "morphtree":
            rate += f"; nothing stored: {found['morphtree, nothing stored']:,.0f}"
        lines.append(f"| {name} | {' | '.join(cells)} | {rate} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=int, default=20_000)
    found = speeds(parser.parse_args().words)
    scores = json.loads((RESULTS / "english.json").read_text(encoding="utf-8"))
    (RESULTS / "peers.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    made = table(scores, found)
    print(made)
    insert(DOCUMENT, {"peers": made})


if __name__ == "__main__":
    main()
