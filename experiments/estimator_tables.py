"""The tables and plots of docs/estimators.md, from experiments/results/estimators.json."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from morphtree.reproduction.experiment import fit_of, read_results

DOCS = Path(__file__).parents[1] / "docs"
DOCUMENT = DOCS / "estimators.md"
RESULTS = Path(__file__).parent / "results"
ALONE = " from a transducer trained alone"
KINDS = ("trained", "untrained")
COLOURS = {"importance": "tab:blue", f"importance{ALONE}": "tab:orange", "nbest": "tab:green"}
METRICS = ("accuracy", "morpheme_f1", "edit_distance", "constituent_f1")


def of_kind(results: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return what was measured with one set of weights."""
    return [found for name, found in results["words"].items() if name.split()[0] == kind]


def columns(results: dict[str, Any], kind: str) -> dict[str, dict[str, list[float]]]:
    """Return estimator -> figure -> its values, one a word."""
    out: dict[str, dict[str, list[float]]] = {}
    for word in of_kind(results, kind):
        for name, figures in word["estimators"].items():
            for figure, value in figures.items():
                out.setdefault(name, {}).setdefault(figure, []).append(value)
    return dict(sorted(out.items(), key=lambda item: (_family(item[0]), size_of(item[0]))))


def _family(name: str) -> str:
    return re.sub(r":\d+", "", name)


def size_of(name: str) -> int:
    """Return the number of forms of an estimator."""
    found = re.search(r":(\d+)", name)
    assert found
    return int(found[1])


def estimators_table(results: dict[str, Any], kind: str) -> list[str]:
    """Compare the estimators with one set of weights: medians over words."""
    found = columns(results, kind)
    words = len(next(iter(found.values()))["bias"])
    lines = [
        f"| {words} words, {kind} | bias of log Z | worst | sd | effective size | coverage"
        " | cosine | worst | of the step | worst | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, figures in found.items():
        sampled = name.startswith("importance")
        worst = max(figures["bias"], key=abs)
        cells = [
            f"{median(figures['bias']):.3f}", f"{worst:.3f}",
            f"{median(figures['sd']):.3f}" if sampled else "0",
            f"{median(figures['size']):.1f}" if sampled else "",
            f"{median(figures['mass']):.3f}",
            f"{median(figures['cosine']):.4f}", f"{min(figures['cosine']):.4f}",
            f"{median(figures['ascent']):.3f}", f"{min(figures['ascent']):.3f}",
            f"{median(figures['seconds']):.3f}",
        ]  # fmt: skip
        lines.append(f"| `{name.removesuffix(ALONE)}`{ALONE * name.endswith(ALONE)} | "
                     + " | ".join(cells) + " |")  # fmt: skip
    return lines


def growth_table(results: dict[str, Any]) -> list[str]:
    """Say how the time of the exact sum grows with the word and with the strings."""
    few, many = results["about"]["strings"], results["whole"]["strings"]
    lines = [
        f"| letters | words | {few:,} strings: log Z | gradient | {many:,} strings: log Z"
        " | gradient |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    by_length: dict[int, list[Sequence[float]]] = {}
    for found in results["words"].values():
        by_length.setdefault(found["length"], []).append(found["seconds"])
    for length, seconds in sorted(by_length.items()):
        small = [median(column) for column in zip(*seconds, strict=True)]
        cells = (f"{value:.1f}" for value in (*small, *results["whole"]["seconds"][str(length)]))
        lines.append(f"| {length} | {len(seconds)} | " + " | ".join(cells) + " |")
    once = results["about"]["once"], results["whole"]["once"]
    lines.append(f"| once for all words | | {once[0]:.1f} | | {once[1]:.1f} | |")
    return lines


def scores_table() -> list[str]:
    """What training with each estimator led to on test words, the same splits for both."""
    found: dict[str, dict[int, Any]] = {}
    for result in read_results([RESULTS]):
        (features, structure, estimator, decode), l2, split = fit_of(result)
        if (features, structure, decode, l2) == ("paper", "tree", "nbest:20", 0.1):
            found.setdefault(estimator, {})[split] = result["test"]
    common = sorted(set.intersection(*map(set, found.values())))
    lines = [
        f"| trained with, {len(common)} splits | accuracy | morpheme F1 | edit distance"
        " | constituent F1 |",
        "|---|---:|---:|---:|---:|",
    ]
    for estimator, tests in found.items():
        cells = []
        for name in METRICS:
            values = [tests[split][name]["value"] for split in common]
            scale, digits = (1, 3) if name == "edit_distance" else (100, 2)
            cells.append(f"{scale * mean(values):.{digits}f} ({scale * stdev(values):.{digits}f})")
        lines.append(f"| `{estimator}` | " + " | ".join(cells) + " |")
    return lines


def tables(results: dict[str, Any]) -> dict[str, str]:
    """Return all tables of the document by name."""
    made = {kind: estimators_table(results, kind) for kind in KINDS}
    made |= {"growth": growth_table(results), "scores": scores_table()}
    return {name: "\n".join(lines) for name, lines in made.items()}


def draw(results: dict[str, Any]) -> None:
    """Draw bias and direction of the gradient against the number of forms."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "morphtree", "font.size": 9})
    from matplotlib import pyplot as plt

    for figure, title in (("bias", "bias of log Z"), ("ascent", "cosine with the exact step")):
        picture, axes = plt.subplots(1, 2, figsize=(7, 2.6), sharey=figure == "ascent")
        for axis, kind in zip(axes, KINDS, strict=True):
            lines: dict[str, list[tuple[int, float]]] = {}
            for name, figures in columns(results, kind).items():
                lines.setdefault(_family(name), []).append((size_of(name), median(figures[figure])))
            for family, points in lines.items():
                style = {"color": COLOURS[family], "marker": "o", "ms": 3, "label": family}
                axis.plot(*zip(*sorted(points), strict=True), **style)
            axis.set(title=kind, xscale="log", xlabel="forms")
        axes[0].set_ylabel(title)
        axes[0].legend(fontsize=6)
        picture.tight_layout()
        picture.savefig(DOCS / f"estimators-{figure}.svg", metadata={"Date": None})
        plt.close(picture)
