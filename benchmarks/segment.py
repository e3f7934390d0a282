"""Segment new words from file to file, and let Morfessor do the same in turns.

    python benchmarks/segment.py [--words 40000] [--jobs 1 2] [--rounds 5] [--morfessor FOLDER]

The words are those of the frequency list of English, and more made by adding affixes to them.
Needs ``morphtree[train]`` and, for the comparison, the commands of the package ``morfessor`` in a
folder, by default that of this Python. Morfessor is trained on the 100,000 most frequent words and
segments with ``morfessor-segment``, which uses one process. Every round runs all commands, one
after the other, their start included; a ratio is that of the medians.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median

from machine import machine, piped

from morphtree.lexicon.resources import gather
from morphtree.trees.spelling import attach

MORFESSOR = "morfessor-segment"
PREFIXES = ("un", "re", "non", "over", "anti", "mis")
SUFFIXES = ("s", "ed", "ing", "ness", "ly", "er", "able", "less", "ish", "ize")
TRAINING = 100_000  # words that Morfessor learns from
PAUSE = 0.05  # seconds between two looks at the memory


def vocabulary(count: int) -> list[str]:
    """Return so many distinct words, frequent ones first, then composed ones."""
    zipfs = {w: f.zipf for w, f in gather("en").items() if w.isalpha() and w.isascii()}
    words = dict.fromkeys(sorted(zipfs, key=lambda w: (-zipfs[w], w)))
    for word in list(words):
        if len(words) >= count:
            break
        words |= dict.fromkeys(prefix + word for prefix in PREFIXES)
        words |= dict.fromkeys(attach(word, suffix, "suffix")[0] for suffix in SUFFIXES)
    return list(islice(words, count))


@dataclass
class Run:
    """How long a command took, and the memory of all its processes, look by look."""

    seconds: float = 0.0
    megabytes: list[float] = field(default_factory=list)
    largest: float = 0.0  # megabytes that one of the processes had at most

    def peak(self, part: slice) -> float:
        """Return the most memory in a part of the run."""
        return max(self.megabytes[part], default=0.0)


def watched(command: list[str]) -> Run:
    """Run a command and watch it; it may keep its bytecode, as installed packages do."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run, began, quiet = Run(), time.perf_counter(), subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=env) as process:
        while process.returncode is None:
            sizes = [*map(resident, family(process.pid))]
            run.megabytes.append(sum(sizes))
            run.largest = max(run.largest, *sizes, 0.0)
            try:
                process.wait(PAUSE)
            except subprocess.TimeoutExpired:
                continue
    run.seconds = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return run


def family(process: int) -> Iterator[int]:
    """Yield a process and all that it started, as far as Linux tells."""
    yield process
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in read(path).split():
            yield from family(int(child))


def resident(process: int) -> float:
    """Return the megabytes that a process has in memory."""
    lines = read(Path(f"/proc/{process}/status")).splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


def read(path: Path) -> str:
    """Read a file of a process that may have ended."""
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def ours(source: Path, out: Path, jobs: int) -> list[str]:
    """Return the command that segments with morphtree."""
    command = [sys.executable, "-m", "morphtree", "segment", str(source), "-o", str(out)]
    return [*command, "--jobs", str(jobs)]


def theirs(source: Path, folder: Path, words: list[str], tools: Path) -> list[str]:
    """Train Morfessor; return the command that segments with it."""
    model, train = folder / "model", folder / "train"
    train.write_text("\n".join(words[:TRAINING]) + "\n", encoding="utf-8")
    watched([str(tools / "morfessor-train"), "-d", "ones", "-s", str(model), str(train)])
    command = [str(tools / "morfessor-segment"), "-l", str(model)]
    return [*command, "-o", str(folder / "theirs"), str(source)]


def print_table(runs: dict[str, list[Run]], words: int) -> None:
    """Print the medians, and how much faster than Morfessor."""
    seconds = {name: median(run.seconds for run in of) for name, of in runs.items()}
    base = seconds.get(MORFESSOR)
    print("\n| command | seconds | words/s | ratio to Morfessor | peak MB |")
    print("|---|---:|---:|---:|---:|")
    for name, of in runs.items():
        ratio = f"{base / seconds[name]:.2f}" if base else ""
        peak = max(run.peak(slice(None)) for run in of)
        rate = words / seconds[name]
        print(f"| {name} | {seconds[name]:.2f} | {rate:.0f} | {ratio} | {peak:.0f} |")


def main() -> None:
    """Print the speeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--words", type=int, default=40_000)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--morfessor", type=Path, default=Path(sys.executable).parent)
    parser.add_argument("--no-morfessor", action="store_true")
    options = parser.parse_args()
    if not (options.no_morfessor or (options.morfessor / "morfessor-segment").exists()):
        sys.exit("pip install morfessor for the comparison, or add --no-morfessor")
    words = vocabulary(options.words)
    print(f"{machine()}; {len(words)} words, {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "words"
        source.write_text("\n".join(words) + "\n", encoding="utf-8")
        commands = {
            f"morphtree segment --jobs {n}": ours(source, folder / "ours", n) for n in options.jobs
        }
        if not options.no_morfessor:
            commands[MORFESSOR] = theirs(source, folder, words, options.morfessor)
        runs: dict[str, list[Run]] = {title: [] for title in commands}
        for _ in range(options.rounds):
            for title, command in commands.items():
                runs[title].append(watched(command))
                print(f"{title}: {runs[title][-1].seconds:.2f} s", file=sys.stderr)
        print_table(runs, len(words))


if __name__ == "__main__":
    piped(main)
