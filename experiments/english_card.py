"""The tables of docs/english.md, from the results in experiments/results.

python experiments/english_card.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from marks import insert

DOCUMENT = Path(__file__).parents[1] / "docs" / "english.md"
RESULTS = Path(__file__).parent / "results"
METRICS = ("accuracy", "exact_tree", "morpheme_f1", "constituent_f1")
PARTS = {
    "test": "words of stems that the model has never seen",
    "test-random": "drawn from the frequency list",
    "everyday": "chosen and annotated without the model and the treebank at hand",
    "coined": "invented and annotated likewise",
    "mixed": "compounds with stems in two parts",
    "dev": "on which settings were chosen",
}
GROUPS = (
    "words that are not in train", "prefix first, given the segments",
    "suffix first, given the segments",
    "simple words left whole",
)  # fmt: skip
BOTH = "both readings in the top two"
NUMBERS = ("median top probability, one reading", "calibration error")
Report = dict[str, Any]


def cell(value: list[float] | None, metric: str) -> str:
    """Write a figure; exact trees have an interval."""
    if value is None:
        return ""
    mean, low, high = (100 * v for v in value)
    return f"{mean:.1f} [{low:.1f}, {high:.1f}]" if metric == "exact_tree" else f"{mean:.1f}"


def head(title: str) -> str:
    """Write the head of a table of systems."""
    return (
        f"| {title} | segments right | exact tree | morpheme F1 | constituent F1 | p |\n"
        "|---|---:|---:|---:|---:|---:|"
    )


def row(name: str, figures: Report) -> str:
    """Write the row of a system."""
    cells = " | ".join(cell(figures[metric], metric) for metric in METRICS)
    p = figures["p"]
    return f"| {name} | {cells} | {'' if p is None else f'{p:.3f}'} |"


def systems(report: Report, title: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the table of some systems on one part."""
    yield head(title)
    yield from (row(name, report["systems"][name]) for name in names)


def scores(figures: Report) -> Iterator[str]:
    """Yield a table for each part of the treebank."""
    for part, what in PARTS.items():
        words = f"{figures[part]['words']:,} words"
        yield f"`{part}`: {what}, {words}, exact tree with 95 % interval:\n"
        rows = figures[part]["systems"]
        worst_first = sorted(rows, key=lambda name, rows=rows: rows[name]["accuracy"][0])  # type: ignore[misc]
        yield from systems(figures[part], "system", worst_first)
        yield ""


def groups(figures: Report) -> Iterator[str]:
    """Yield the table of kinds of words and of probabilities."""
    yield f"| | {' | '.join(PARTS)} |\n|---|" + "---:|" * len(PARTS)
    shares = {name: [figures[p]["groups"].get(name) for p in PARTS] for name in GROUPS}
    shares[BOTH] = [figures[p]["probabilities"].get(BOTH) for p in PARTS]
    for name, found in shares.items():
        cells = (f"{100 * share[0]:.1f} % of {share[1]}" if share else "" for share in found)
        yield f"| {name} | {' | '.join(cells)} |"
    for name in NUMBERS:
        cells = (f"{figures[p]['probabilities'][name]:.3f}" for p in PARTS)
        yield f"| {name} | {' | '.join(cells)} |"


def tables() -> dict[str, str]:
    """Return all tables by name."""
    figures = json.loads((RESULTS / "english.json").read_text(encoding="utf-8"))
    left_out = json.loads((RESULTS / "english-groups.json").read_text(encoding="utf-8"))
    title = "trained on a third of the words"
    return {
        "scores": "\n".join(scores(figures)).strip(),
        "kinds": "\n".join(groups(figures)),
        "groups": "\n".join(systems(left_out["test"], title, sorted(left_out["test"]["systems"]))),
    }


if __name__ == "__main__":
    insert(DOCUMENT, tables())
