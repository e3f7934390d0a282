"""Print the mean (and standard deviation) over splits of the results in experiments/results.

python experiments/table.py
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev
from typing import Any

RESULTS = Path(__file__).parent / "results"
METRICS = ("accuracy", "morpheme_f1", "edit_distance", "constituent_f1", "constituent_f1_free")
PUBLISHED = {
    "paper, Flat": ("72.88 (1.21)", "78.89 (0.9)", "0.72 (0.04)", "", "", ""),
    "paper, Hier": ("73.19 (1.09)", "85.55 (0.6)", "0.55 (0.03)", "79.01 (0.5)", "", ""),
}


def cell(values: list[float | None], percent: bool) -> str:
    """Write a mean and a standard deviation."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    scale, digits = (100, 2) if percent else (1, 3)
    spread = stdev(known) if len(known) > 1 else 0.0
    return f"{scale * mean(known):.{digits}f} ({scale * spread:.{digits}f})"


def figures(tests: list[dict[str, Any]]) -> list[str]:
    """Return the cells of one row."""
    row = []
    for name in METRICS:
        values = [test[name] and test[name]["value"] for test in tests]
        row.append(cell(values, percent=name != "edit_distance"))
    row.append(cell([test.get("calibration_error") for test in tests], percent=False))
    return row


def main() -> None:
    """Group the files by what was fitted, and print a table in Markdown."""
    fits: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(RESULTS.glob("*-*.json")):
        fits[path.stem.rpartition("-")[0]].append(json.loads(path.read_text(encoding="utf-8")))
    print("| fit | splits | words |", " | ".join((*METRICS, "calibration error")), "|")
    print("|---|---:|---|" + "---:|" * (len(METRICS) + 1))
    for name, cells in PUBLISHED.items():
        print(f"| {name} | 10 | all |", " | ".join(cells), "|")
    for name, results in fits.items():
        tests = [result["test"] for result in results]
        print(f"| {name} | {len(tests)} | all |", " | ".join(figures(tests)), "|")
        unseen = [test["unseen"] for test in tests]
        print(f"| {name} | {len(tests)} | unseen |", " | ".join(figures(unseen)), "|")
    for name, results in fits.items():
        seconds = [result["seconds"] for result in results]
        print(f"\n{name}: {mean(seconds):.0f} s a fit", end="")
        print(f", at most {max(result['peak_megabytes'] for result in results)} MB", end="")
    print()


if __name__ == "__main__":
    main()
