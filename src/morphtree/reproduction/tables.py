"""The tables of the experiment: the paper's rows, ours, and what is to be known of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from morphtree._util.text import counted
from morphtree.reproduction.experiment import Fit, Kind, chosen_l2
from morphtree.reproduction.fit import RELEASED, Result
from morphtree.treebank.stats import PREFIX_FIRST, SUFFIX_FIRST, Statistics
from morphtree.treebank.treebank import load

METRICS = {
    "accuracy": "accuracy",
    "morpheme_f1": "morpheme F1",
    "morpheme_f1_macro": "macro",
    "edit_distance": "edit distance",
    "constituent_f1": "constituent F1",
    "constituent_f1_free": "without offsets",
}
PUBLISHED = {
    "paper, Flat": ("72.88 (1.21)", "78.89 (0.9)", "", "0.72 (0.04)", "", ""),
    "paper, Hier": ("73.19 (1.09)", "85.55 (0.6)", "", "0.55 (0.03)", "79.01 (0.5)", ""),
}
Found = dict[Fit, Result]


def cell(values: Sequence[float | None], percent: bool) -> str:
    """Write a mean and a sample standard deviation."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    scale, digits = (100, 2) if percent else (1, 3)
    spread = f" ({scale * stdev(known):.{digits}f})" if len(known) > 1 else ""
    return f"{scale * mean(known):.{digits}f}{spread}"


def chosen(kind: Kind, found: Found, *, grid: bool) -> list[Result]:
    """Return the results of a kind, one per split, at the L2 weights that dev chose."""
    picked = chosen_l2(kind, found, grid=grid)
    return [found[Fit(kind, l2, split)] for split, l2 in picked.items()]


def scores(kinds: Sequence[Kind], found: Found, *, grid: bool = False) -> Iterator[str]:
    """Yield the lines of the main table: all test words, and those that are not in train."""
    yield "| fit | splits | words | " + " | ".join((*METRICS.values(), "calibration")) + " |"
    yield "|---|---:|---|" + "---:|" * (len(METRICS) + 1)
    for name, cells in PUBLISHED.items():
        yield f"| {name} | 10 | all | " + " | ".join((*cells, "")) + " |"
    for kind in kinds:
        tests = [result["test"] for result in chosen(kind, found, grid=grid)]
        if not tests:
            continue
        for words, parts in (("all", tests), ("unseen", [test["unseen"] for test in tests])):
            row = [_metric(parts, name) for name in METRICS]
            row.append(cell([part.get("calibration_error") for part in parts], percent=False))
            yield f"| {kind.name} | {len(parts)} | {words} | " + " | ".join(row) + " |"


def _metric(parts: Sequence[Result], name: str) -> str:
    values = [part[name] and part[name]["value"] for part in parts if part]
    return cell(values, percent=name != "edit_distance")


def released(kinds: Sequence[Kind], found: Found, *, grid: bool = False) -> Iterator[str]:
    """Yield a table of two ways to score: gold segments, and gold cut out of the guessed form."""
    yield "| fit | splits | gold | " + " | ".join(METRICS[name] for name in RELEASED) + " |"
    yield "|---|---:|---|" + "---:|" * len(RELEASED)
    for kind in kinds:
        tests = [result["test"] for result in chosen(kind, found, grid=grid)]
        tests = [test for test in tests if "as_released" in test]
        if tests:
            ours = " | ".join(_metric(tests, name) for name in RELEASED)
            theirs = " | ".join(
                cell([test["as_released"][name] for test in tests], name != "edit_distance")
                for name in RELEASED
            )
            yield f"| {kind.name} | {len(tests)} | as annotated | {ours} |"
            yield f"| {kind.name} | {len(tests)} | cut from the guess | {theirs} |"


def notes(kinds: Sequence[Kind], found: Found, *, grid: bool = False) -> Iterator[str]:
    """Yield what was chosen, how long a fit took, and where."""
    for kind in kinds:
        picked = chosen_l2(kind, found, grid=grid)
        if picked:
            results = chosen(kind, found, grid=grid)
            listed = ", ".join(f"{split}: {l2:g}" for split, l2 in picked.items())
            resumed = sum(result.get("resumed", False) for result in results)
            broken = f" ({resumed} resumed, timed from there)" if resumed else ""
            machines = Counter(_machine(result) for result in results)
            seconds = mean(result["seconds"] for result in results)
            most = max(result["peak_megabytes"] for result in results)
            yield (
                f"{kind.name}: lambda by split {listed}; {seconds:.0f} s a fit{broken},"
                f" at most {most} MB ({'; '.join(machines)})"
            )
    rows = [result for fit, result in found.items() if fit.kind in kinds]
    hours = sum(result["seconds"] for result in rows) / 3600
    fits = counted(len(rows), "fit")
    yield f"all {fits} that are there, other lambdas too: {hours:.1f} hours one by one"


def _machine(result: Result) -> str:
    machine = result["machine"]
    made = machine.get("morphtree", result["task"]["version"])
    return f"{counted(machine['cores'], 'core')}, Python {machine['python']}, morphtree {made}"


def facts(folder: Path, splits: Sequence[int]) -> dict[str, Any]:
    """Count what is to be known of the data before any figure is believed."""
    out: dict[str, Any] = {"splits": {}}
    whole = folder / "treebank.txt"
    if whole.exists():
        treebank, problems = load(whole)
        counted = Statistics(treebank)
        out["treebank"] = {
            "entries": counted.entries,
            "distinct words": counted.words,
            "repeated words": counted.repeated,
            "repeated with different trees": counted.conflicting,
            "outside the paper's grammar": counted.entries - counted.in_grammar["paper"],
            "prefix and suffix": sum(counted.scopes.values()),
            "prefix attached first": counted.scopes[PREFIX_FIRST],
            "suffix attached first": counted.scopes[SUFFIX_FIRST],
            "lines repaired": _lines(treebank.notes, "repaired"),
            "lines dropped": _lines(treebank.notes, "dropped"),
            "unreadable lines": len(problems),
            "faults": dict(sorted(Counter(note.code for note in treebank.notes).items())),
        }
    for split in splits:
        train, test = (load(folder / f"{part}{split}").treebank for part in ("train", "test"))
        seen = {entry.word for entry in train.entries}
        both = sum(entry.word in seen for entry in test.entries)
        out["splits"][str(split)] = {"test": len(test.entries), "also in train": both}
    return out


def _lines(notes: Sequence[Any], action: str) -> int:
    return len({note.line for note in notes if note.action == action})


def faults(counted: dict[str, Any]) -> Iterator[str]:
    """Yield the facts of the data as a table."""
    yield "| what | count |"
    yield "|---|---:|"
    treebank = dict(counted.get("treebank", {}))
    kinds = treebank.pop("faults", {})
    for name, count in treebank.items():
        yield f"| {name} | {count} |"
    for name, count in kinds.items():
        yield f"| fault: {name} | {count} |"
    shares = [both["also in train"] / both["test"] for both in counted["splits"].values()]
    if shares:
        low, high = 100 * min(shares), 100 * max(shares)
        yield f"| test words that are also in train | {low:.1f} to {high:.1f} % |"
