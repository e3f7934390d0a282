"""Segment a large vocabulary, and time Morfessor on the same list in the same run.

    python benchmarks/segment.py [--words 1000000] [--jobs 2] [--no-morfessor]

The words are those of the frequency list of English, and more made by adding affixes to them.
Needs ``morphtree[train]`` and, for the comparison, the package ``morfessor``: it is trained on the
100,000 most frequent words and segments with ``morfessor-segment``, which uses one process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from machine import machine

from morphtree.lexicon.resources import gather
from morphtree.trees.spelling import attach

PREFIXES = ("un", "re", "non", "over", "anti", "mis")
SUFFIXES = ("s", "ed", "ing", "ness", "ly", "er", "able", "less", "ish", "ize")
TRAINING = 100_000  # words that Morfessor learns from
PAUSE = 0.2  # seconds between two looks at the memory


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

    def peak(self, part: slice) -> float:
        """Return the most memory in a part of the run."""
        return max(self.megabytes[part], default=0.0)


def watched(command: list[str]) -> Run:
    """Run a command and watch it."""
    run, began = Run(), time.perf_counter()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        while process.poll() is None:
            run.megabytes.append(sum(map(resident, family(process.pid))))
            time.sleep(PAUSE)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    run.seconds = time.perf_counter() - began
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


def ours(source: Path, out: Path, words: int, jobs: int) -> Run:
    """Segment with morphtree; say how fast, and whether memory grew."""
    command = [sys.executable, "-m", "morphtree", "segment", str(source), "-o", str(out)]
    run = watched([*command, "--jobs", str(jobs)])
    quarter = max(1, len(run.megabytes) // 4)
    first, last = run.peak(slice(quarter)), run.peak(slice(-quarter, None))
    print(
        f"morphtree segment, {words} words, {jobs} processes: {run.seconds:.1f} s, "
        f"{words / run.seconds:.0f} words/s; memory of all processes at most {first:.0f} MB in the "
        f"first quarter, {last:.0f} MB in the last",
        flush=True,
    )
    return run


def theirs(source: Path, folder: Path, words: list[str]) -> Run:
    """Train Morfessor and segment with it; say how fast."""
    model, train, out = folder / "model", folder / "train", folder / "theirs"
    train.write_text("\n".join(words[:TRAINING]) + "\n", encoding="utf-8")
    tools = Path(sys.executable).parent
    watched([str(tools / "morfessor-train"), "-d", "ones", "-s", str(model), str(train)])
    run = watched([str(tools / "morfessor-segment"), "-l", str(model), "-o", str(out), str(source)])
    rate = len(words) / run.seconds
    print(f"morfessor-segment, 1 process: {run.seconds:.1f} s, {rate:.0f} words/s")
    return run


def main() -> None:
    """Print the speeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-morfessor", action="store_true")
    options = parser.parse_args()
    words = vocabulary(options.words)
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "words"
        source.write_text("\n".join(words) + "\n", encoding="utf-8")
        mine = ours(source, folder / "ours", len(words), options.jobs)
        if options.no_morfessor:
            return
        if not find_spec("morfessor"):
            sys.exit("pip install morfessor for the comparison, or add --no-morfessor")
        other = theirs(source, folder, words)
        print(f"ratio of speeds, morphtree to morfessor: {other.seconds / mine.seconds:.2f}")


if __name__ == "__main__":
    main()
