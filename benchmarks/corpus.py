"""How corpora grow, and how fast data frames are beside ``morphtree segment``.

    python benchmarks/corpus.py growth [--millions 1 10 100] [--rounds 3] [--ray] [--keep FOLDER]
    python benchmarks/corpus.py words [--words 200000] [--rounds 3] [--ray]

``growth`` makes texts whose words are drawn by the frequencies of the package wordfreq, and runs
``morphtree corpus`` on them in turns, on two threads or with --ray on a local cluster: time by
what it is spent on, and the most memory that one of its processes has. Figures are medians.
``words`` analyses the same distinct words by ``morphtree segment --jobs 2``, by
``morphtree.daft.parse`` on this machine and, with --ray, on a local cluster of Ray, in turns. The
start is measured by a few words and is not part of the words a second. Needs
``morphtree[scale,train]``, and ``ray`` for the cluster.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from shutil import rmtree
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from machine import machine, piped
from segment import ours, vocabulary, watched

FEW = 64  # words that tell how long a start takes
FILE = 2_500_000  # tokens of a file
BLOCK = 100_000  # tokens that are drawn together
LINE = 18  # words of a line
CHILD = "--child"
PART = 8192  # words of a partition on a cluster


def write_texts(folder: Path, tokens: int, seed: int = 1) -> None:
    """Write texts of so many tokens, sentences of words by their frequencies."""
    listed = import_module("wordfreq").get_frequency_dict("en", "large")
    words = np.array([*listed], object)
    sums = np.cumsum([*listed.values()])
    rng = np.random.default_rng(seed)
    for number, first in enumerate(range(0, tokens, FILE)):
        with (folder / f"{number:04}.txt").open("w", encoding="utf-8") as stream:
            for start in range(first, min(first + FILE, tokens), BLOCK):
                count = min(BLOCK, tokens - start)
                drawn = np.searchsorted(sums, rng.random(count) * sums[-1])
                stream.writelines(_sentences(words[np.minimum(drawn, len(words) - 1)].tolist()))


def _sentences(words: list[str]) -> Iterator[str]:
    for start in range(0, len(words), LINE):
        first, *others = words[start : start + LINE]
        middle = len(others) // 2
        clauses = " ".join(others[:middle]), " ".join(others[middle:])
        yield f"{first.capitalize()} {clauses[0]}, {clauses[1]}.\n"


class Grown(NamedTuple):
    """What a corpus took: seconds by what they are spent on, and megabytes of a process."""

    tokens: int
    types: int
    seconds: float
    processors: float
    tokenising: float
    shuffling: float
    analysis: float
    megabytes: float


def grown(texts: Path, out: Path, how: list[str]) -> Grown:
    """Run the command on texts."""
    before = children()
    command = [sys.executable, "-m", "morphtree", "corpus", str(texts), "-o", str(out), *how]
    run = watched(command)
    told = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    rmtree(out)
    of = told["seconds"]
    shuffling = of["merged"] + of["morphemes"] + of["families"]
    return Grown(told["tokens"], told["types"], run.seconds, children() - before, of["counts"],
                 shuffling, of["vocabulary"], run.largest)  # fmt: skip


def growth(options: argparse.Namespace) -> None:
    """Print time and memory by the size of a corpus."""
    print(f"{machine()}; {options.rounds} rounds; {load()} before", flush=True)
    how = ["--ray", "local"] if options.ray else ["--jobs", "2"]
    runs: dict[float, list[Grown]] = {millions: [] for millions in options.millions}
    with tempfile.TemporaryDirectory(dir=options.keep) as name:
        for millions in runs:
            (Path(name) / f"{millions}").mkdir()
            write_texts(Path(name) / f"{millions}", round(millions * 1e6))
        for _, millions in product(range(options.rounds), runs):
            runs[millions].append(grown(Path(name) / f"{millions}", Path(name) / "out", how))
            print(f"{millions:g}: {runs[millions][-1]}; {load()}", file=sys.stderr, flush=True)
    print("\n| million tokens | types | seconds | of processors | tokens/s | tokenising |"
          " analysis | shuffling | start and pictures | MB of a process |")  # fmt: skip
    print("|---:" * 10 + "|")
    for millions, found in runs.items():
        told = Grown(*map(median, zip(*found, strict=True)))
        rest = told.seconds - told.tokenising - told.analysis - told.shuffling
        cells = (f"{part:.1f} ({part / told.seconds:.0%})" for part in
                 (told.tokenising, told.analysis, told.shuffling, rest))  # fmt: skip
        print(f"| {millions:g} | {told.types:,.0f} | {told.seconds:.1f} | {told.processors:.1f} |"
              f" {told.tokens / told.seconds:,.0f} | {' | '.join(cells)} |"
              f" {told.megabytes:.0f} |")  # fmt: skip


def load() -> str:
    """Say how busy the machine is."""
    return f"load average {os.getloadavg()[0]:.1f}"


class Times(NamedTuple):
    """Seconds of the start, of the words, and those of all processors for the words."""

    start: float
    words: float
    processors: float


def by_segment(words: list[str], folder: Path) -> tuple[float, float]:
    """Return the seconds that the command takes for words in a file, and those of processors."""
    source = folder / "words"
    source.write_text("\n".join(words) + "\n", encoding="utf-8")
    before = children()
    return watched(ours(source, folder / "out.tsv", 2)).seconds, children() - before


def children() -> float:
    """Return the seconds of processors that ended processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def child(source: str, way: str) -> None:
    """Print how long Daft takes to start, and then for all words; as a process of its own."""
    words = Path(source).read_text(encoding="utf-8").split()
    began = time.perf_counter()
    engine = import_module("morphtree.corpus.engine")
    engine.start("local" if way == "ray" else None, None if way == "ray" else 2)
    by_daft(words[:FEW], way)
    started, used = time.perf_counter(), time.process_time()
    by_daft(words, way)
    processors = time.process_time() - used
    print(json.dumps([started - began, time.perf_counter() - started, processors]))


def by_daft(words: list[str], way: str) -> None:
    """Analyse words by an expression of Daft."""
    daft: Any = import_module("daft")
    parse = import_module("morphtree.daft").parse
    frame = daft.from_pydict({"word": words})
    if way == "ray":
        frame = frame.into_partitions(max(1, len(words) // PART))
    frame.with_column("tree", parse(daft.col("word"))).collect()


def compare(options: argparse.Namespace) -> None:
    """Print the words a second of all ways."""
    words = vocabulary(options.words)
    random.Random(1).shuffle(words)
    print(
        f"{machine()}; {len(words):,} words, {options.rounds} rounds; {load()} before\n", flush=True
    )
    ways = ["segment --jobs 2", "native", *(["ray"] if options.ray else [])]
    runs: dict[str, list[Times]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "all"
        source.write_text("\n".join(words), encoding="utf-8")
        for _ in range(options.rounds):
            for way in ways:
                runs[way].append(measured(way, words, source, folder))
                print(f"{way}: {runs[way][-1]}; {load()}", file=sys.stderr, flush=True)
    base = [median(times) for times in zip(*runs[ways[0]], strict=True)]
    print("| way | start, s | words/s | ratio | processor us a word | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for way, found in runs.items():
        start, seconds, used = (median(times) for times in zip(*found, strict=True))
        of_processors = f"{used / len(words) * 1e6:.1f} | {base[2] / used:.2f}"
        print(f"| {way} | {start:.2f} | {len(words) / seconds:,.0f} | {base[1] / seconds:.2f} |"
              f" {of_processors if way != 'ray' else ' | '} |")  # fmt: skip


def measured(way: str, words: list[str], source: Path, folder: Path) -> Times:
    """Return the times of one way."""
    if way.startswith("segment"):
        few, all_words = by_segment(words[:FEW], folder), by_segment(words, folder)
        return Times(few[0], all_words[0] - few[0], all_words[1] - few[1])
    command = [sys.executable, __file__, CHILD, str(source), way]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Times(*json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print the figures."""
    if sys.argv[1:2] == [CHILD]:
        child(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(required=True)
    of_growth = commands.add_parser("growth")
    of_growth.add_argument("--millions", type=float, nargs="+", default=[1, 10, 100])
    of_growth.add_argument("--rounds", type=int, default=3)
    of_growth.add_argument("--ray", action="store_true")
    of_growth.add_argument("--keep", metavar="FOLDER", help="where the texts are put")
    of_growth.set_defaults(work=growth)
    of_words = commands.add_parser("words")
    of_words.add_argument("--words", type=int, default=200_000)
    of_words.add_argument("--rounds", type=int, default=3)
    of_words.add_argument("--ray", action="store_true")
    of_words.set_defaults(work=compare)
    options = parser.parse_args()
    options.work(options)


if __name__ == "__main__":
    piped(main)
