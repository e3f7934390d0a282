"""Measure how time and memory grow: by letters, by candidates, by the size of a corpus.

    python benchmarks/growth.py [--json FILE] [--plot FILE.svg] [--sizes 10000 100000 1000000]

Words up to 15 letters are taken from the frequency list of English, which has few longer ones;
words of any length are made of its longer words end to end, cut to length. The time of a word is
that of some hundreds on one thread, divided by their number: the best of several rounds after one
that is not counted. Memory is that of all processes of ``morphtree segment``. Needs
``morphtree[train]``, and ``morphtree[plots]`` for the plot.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from machine import machine, piped
from segment import ours, vocabulary, watched

import morphtree
from morphtree.analyzer import Analyzer
from morphtree.joint.estimators import NBest
from morphtree.written.text import LONGEST_WORD

LENGTHS = (5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 64)
CANDIDATES = (1, 2, 5, 10, 20, 30, 40, 50)
LONGEST_LISTED = 15  # letters
LONG = 8  # letters of words that longer ones are made of
WORDS = 200  # for each figure
ROUNDS = 5
EXTREME = "i" * LONGEST_WORD
Table = dict[str, float]


def listed(length: int, known: list[str]) -> list[str]:
    """Return words of the list that have so many letters."""
    return random.Random(length).sample([word for word in known if len(word) == length], WORDS)


def made(length: int, known: list[str]) -> list[str]:
    """Return words of so many letters that are made of others."""
    rng = random.Random(length)
    parts = [word for word in known if LONG <= len(word) <= LONGEST_LISTED]
    return ["".join(rng.choices(parts, k=1 + length // LONG))[:length] for _ in range(WORDS)]


def best(work: Callable[[], object]) -> float:
    """Return the milliseconds of the best round."""
    found = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    return min(found[1:])


def by_length(
    analyzer: Analyzer, known: list[str], words_of: Callable[[int, list[str]], list[str]], most: int
) -> Table:
    """Return the milliseconds of a word, by its letters."""
    found = {}
    for length in (n for n in LENGTHS if n <= most):
        words = words_of(length, known)
        found[str(length)] = best(lambda words=words: analyzer.analyse(words)) / len(words)  # type: ignore[misc]
    return found


def by_candidates(analyzer: Analyzer, known: list[str]) -> Table:
    """Return the milliseconds of a word, by the candidates of the transducer."""
    words = random.Random(1).sample(known, WORDS)
    found = {}
    for k in CANDIDATES:
        how = NBest(k)
        found[str(k)] = best(lambda how=how: analyzer.analyse(words, how)) / len(words)  # type: ignore[misc]
    return found


def extreme(model: str) -> Table:
    """Return the milliseconds of one letter, as often as may be: at first, and again."""
    analyzer = morphtree.load(model, jobs=1)
    analyzer.parse("cats")
    began = time.perf_counter()
    analyzer.parse(EXTREME)
    first = 1000 * (time.perf_counter() - began)
    return {"first": first, "again": best(lambda: analyzer.parse(EXTREME))}


def by_corpus(words: list[str], sizes: list[int], jobs: int) -> Table:
    """Return the megabytes of segmenting so many words."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "words"
        for size in sizes:
            source.write_text("\n".join(words[:size]) + "\n", encoding="utf-8")
            run = watched(ours(source, Path(name) / "out", jobs))
            found[str(size)] = run.peak(slice(None))
            print(f"{size} words: {run.seconds:.1f} s, {found[str(size)]:.0f} MB", file=sys.stderr)
    return found


def print_tables(found: dict[str, Any]) -> None:
    """Print the figures for people."""
    for title, column, name in (
        ("letters of listed words", "ms a word", "listed"),
        ("letters of made words", "ms a word", "made"),
        ("candidates", "ms a word", "candidates"),
        ("words", "MB", "corpus"),
    ):
        digits = 0 if column == "MB" else 3
        print(f"\n| {title} | {column} |\n|---:|---:|")
        for key, value in found[name].items():
            print(f"| {key} | {value:.{digits}f} |")
    first, again = found["extreme"].values()
    print(f"\n{LONGEST_WORD} times *i*: {first:.1f} ms at first, {again:.1f} ms again")


def plot(found: dict[str, Any], path: Path) -> None:
    """Draw the three curves."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "morphtree", "font.size": 9})
    from matplotlib import pyplot as plt

    picture, axes = plt.subplots(1, 3, figsize=(9, 2.6), layout="constrained")
    for axis, name, title, unit in zip(
        axes, ("made", "candidates", "corpus"), ("letters", "candidates", "words"),
        ("ms a word", "ms a word", "MB"), strict=True,
    ):  # fmt: skip
        points = [(float(key), value) for key, value in found[name].items()]
        axis.plot(*zip(*points, strict=True), color="#31688e", marker="o", ms=3)
        axis.set(xlabel=title, ylabel=unit, ylim=(0, 1.1 * max(y for _, y in points)))
    points = [(float(key), value) for key, value in found["listed"].items()]
    axes[0].plot(*zip(*points, strict=True), color="#b35806", marker="o", ms=3, label="listed")
    axes[0].lines[0].set_label("made of others")
    axes[0].legend(frameon=False)
    axes[2].set_xscale("log")
    picture.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure all, print tables, and write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model", default="en")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--jobs", type=int, default=2, help="of segment")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--plot", type=Path, help="draw them here")
    options = parser.parse_args()
    words = vocabulary(max([*options.sizes, 100_000]))
    known = words[:100_000]
    analyzer = morphtree.load(options.model, jobs=1)
    found = {
        "machine": machine(),
        "listed": by_length(analyzer, known, listed, LONGEST_LISTED),
        "made": by_length(analyzer, known, made, LONGEST_WORD),
        "candidates": by_candidates(analyzer, known),
        "extreme": extreme(options.model),
        "corpus": by_corpus(words, options.sizes, options.jobs),
    }
    print(found["machine"])
    print_tables(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        plot(found, options.plot)


if __name__ == "__main__":
    piped(main)
