"""How far figures on a small treebank can be trusted: the Esperanto example on several splits.

    python experiments/esperanto.py [--splits 5]

Each split by family is trained and scored twice, without and with the list of roots. Prints the
share of words whose segments are right and writes experiments/results/esperanto.json.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from statistics import mean

from commands import run

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "examples" / "esperanto.brackets"
ROOTS = ROOT / "examples" / "esperanto-roots.txt"
RESULTS = Path(__file__).parent / "results" / "esperanto.json"
KNOWLEDGE: dict[str, tuple[object, ...]] = {
    "none": ("--language", "none"),
    "roots": ("--lexicon", ROOTS),
}


def accuracy(seed: int, known: tuple[object, ...]) -> float:
    """Split, train and score; return the share of words whose segments are right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = ("--by", "family", "--sizes", "0.7,0.15,0.15", "--seed", seed)
        run("treebank", "split", TREEBANK, "-o", folder / "parts", *sizes)
        train, dev, test = (folder / "parts" / f"{n}.brackets" for n in ("train", "dev", "test"))
        run("train", train, "--dev", dev, "-o", folder / "model", *known)
        scores = json.loads(run("evaluate", folder / "model", test, "--format", "json"))
        return float(scores["accuracy"]["value"])


def main() -> None:
    """Fit all splits, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--splits", type=int, default=5)
    splits = range(1, parser.parse_args().splits + 1)
    found = {name: [accuracy(seed, known) for seed in splits] for name, known in KNOWLEDGE.items()}
    for name, values in found.items():
        print(f"{name:5}", *(f"{100 * value:5.1f}" for value in values), end=" ")
        print(f" mean {100 * mean(values):.1f}")
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
