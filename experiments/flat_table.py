"""Print the results of experiments/flat.py beside those of 2016.

python experiments/flat_table.py
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean, stdev
from typing import Any

RESULTS = Path(__file__).parent / "results" / "flat"  # not where reproduce looks
HEAD = """\
| language | model | splits | error rate | edit distance | morpheme F1 |
|---|---|---:|---:|---:|---:|"""
JOINT, BEST = "joint log-linear, 2016", "encoder-decoder and reranker, 2016"
PUBLISHED = {
    "english": {JOINT: (".27", ".98", ".76"), BEST: (".19", ".21", ".82")},
    "german": {JOINT: (".41", "1.01", ".76"), BEST: (".20", ".29", ".87")},
    "indonesian": {JOINT: (".10", ".15", ".80"), BEST: (".05", ".05", ".96")},
}
FITS = {
    "tree": "morphtree, tree",
    "tree-plain": "morphtree, tree, frequencies and dictionary only",
    "chain": "morphtree, chain",
    "chain-plain": "morphtree, chain, frequencies and dictionary only",
}


def load(language: str, fit: str) -> list[dict[str, Any]]:
    """Return what was measured on the test words of each split."""
    paths = sorted(RESULTS.glob(f"flat-{language}-{fit}-[0-9].json"))
    return [json.loads(path.read_text(encoding="utf-8"))["test"] for path in paths]


def cell(values: list[float]) -> str:
    """Write a mean and, of several, a standard deviation, as the papers do."""
    spread = f" ({_short(stdev(values))})" if len(values) > 1 else ""
    return _short(mean(values)) + spread


def _short(number: float) -> str:
    return f"{number:.3f}".removeprefix("0")


def table() -> str:
    """Return the table of all results there are, in Markdown."""
    lines = [HEAD]
    for language, published in PUBLISHED.items():
        for name, cells in published.items():
            lines.append(f"| {language} | {name} | 5 | " + " | ".join(cells) + " |")
        for fit, name in FITS.items():
            if tests := load(language, fit):
                cells = (
                    cell([test["error_rate"] for test in tests]),
                    cell([test["edit_distance"]["value"] for test in tests]),
                    cell([test["morpheme_f1"]["value"] for test in tests]),
                )
                row = f"| {language} | {name} | {len(tests)} | " + " | ".join(cells) + " |"
                lines.append(row)
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
