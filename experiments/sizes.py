"""How good a model is that was trained on few words: random subsets of the English treebank.

    python experiments/sizes.py [--sizes 100 300 500 2000] [--knowledge none list all]

Of N annotated words, drawn from the train part, four fifths are trained on and one fifth says when
to stop. Every model is scored on the whole test part, whose stems none of them has seen. Knowledge:
``none`` of words beside the treebank, a frequency ``list`` and the English spelling rules, or
``all`` that the English model has; the last two need ``morphtree[train]``.

Prints a table and writes experiments/results/sizes.json. One run each, some minutes in all.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from commands import run

from morphtree.lexicon.resources import gather

ROOT = Path(__file__).parents[1]
PARTS = ROOT / "treebank" / "en" / "parts"
RESULTS = Path(__file__).parent / "results" / "sizes.json"
METRICS = ("accuracy", "exact_tree", "morpheme_f1", "constituent_f1")
HEAD = """\
| words | knowledge | segments right | exact tree | morpheme F1 | constituent F1 | training, s |
|---:|---|---:|---:|---:|---:|---:|"""


def draw(size: int, seed: int, folder: Path) -> tuple[Path, Path]:
    """Write random words of the train part to two files, four fifths and one fifth."""
    lines = (PARTS / "train.brackets").read_text(encoding="utf-8").splitlines(keepends=True)
    chosen = random.Random(seed).sample(lines, size)
    train, dev = folder / "train.brackets", folder / "dev.brackets"
    train.write_text("".join(chosen[size // 5 :]), encoding="utf-8")
    dev.write_text("".join(chosen[: size // 5]), encoding="utf-8")
    return train, dev


def known_words(knowledge: str, folder: Path) -> list[str]:
    """Return the options of training that say which words are known."""
    if knowledge != "list":
        return ["--language", "en" if knowledge == "all" else "none"]
    path = folder / "lexicon.tsv"
    facts = gather("en")
    listed = (f"{word}\t{fact.zipf}\n" for word, fact in facts.items() if fact.zipf)
    path.write_text("".join(listed), encoding="utf-8")
    return ["--language", "en", "--lexicon", str(path)]


def fit(size: int, knowledge: str, seed: int) -> dict[str, Any]:
    """Train on so many words and score the model on the test part."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train, dev = draw(size, seed, folder)
        options = known_words(knowledge, folder)
        began = time.perf_counter()
        run("train", train, "--dev", dev, "-o", folder / "m", "--seed", seed, *options)
        seconds = time.perf_counter() - began
        scores = json.loads(
            run("evaluate", folder / "m", PARTS / "test.brackets", "--format", "json")
        )
    values = {metric: scores[metric] for metric in METRICS}
    return {"words": size, "knowledge": knowledge, "seconds": round(seconds, 1), **values}


def row(found: dict[str, Any]) -> str:
    """Write a line of the table."""
    scores = " | ".join(f"{100 * found[metric]['value']:.1f}" for metric in METRICS)
    return f"| {found['words']:,} | {found['knowledge']} | {scores} | {found['seconds']:.0f} |"


def main() -> None:
    """Fit all, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 300, 500, 2000])
    parser.add_argument("--knowledge", nargs="+", default=["none", "list", "all"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(HEAD)
    results = []
    for size in options.sizes:
        for knowledge in options.knowledge:
            results.append(fit(size, knowledge, options.seed))
            print(row(results[-1]), flush=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
