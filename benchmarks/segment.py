"""Segment a large vocabulary, and time Morfessor on the same list in the same run.

    python benchmarks/segment.py [--words 1000000] [--jobs N] [--no-morfessor]

The words are those of the frequency list of English, and more made by adding affixes to them.
Needs ``morphtree[train]`` and, for the comparison, the package ``morfessor``: it is trained on the
100,000 most frequent words and segments with ``morfessor-segment``, which uses one process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from morphtree.attested import gather
from morphtree.respell import attach

PREFIXES = ("un", "re", "non", "over", "anti", "mis")
SUFFIXES = ("s", "ed", "ing", "ness", "ly", "er", "able", "less", "ish", "ize")


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


def timed(command: list[str]) -> float:
    """Run a command and return its seconds."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Print the speeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-morfessor", action="store_true")
    options = parser.parse_args()
    words = vocabulary(options.words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "words.txt"
        source.write_text("\n".join(words) + "\n", encoding="utf-8")
        cli = [sys.executable, "-c", "from morphtree.cli import main; main()"]
        ours = timed([*cli, "segment", str(source), "-o", str(folder / "out"),
                      "--jobs", str(options.jobs)])  # fmt: skip
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        rate = len(words) / ours
        print(f"{len(words)} words, {options.jobs} processes: {ours:.1f} s, {rate:.0f} words/s, "
              f"at most {peak} MB a process", flush=True)  # fmt: skip
        if options.no_morfessor or not find_spec("morfessor"):
            return
        tool = [sys.executable, "-c", "import sys; from morfessor.cmd import "]
        model = folder / "morfessor.bin"
        train = folder / "train.txt"
        train.write_text("\n".join(words[:100_000]) + "\n", encoding="utf-8")
        learn = "main, get_default_argparser as p; main(p().parse_args(sys.argv[1:]))"
        timed([tool[0], tool[1], tool[2] + learn, "-t", str(train), "-s", str(model),
               "-d", "ones"])  # fmt: skip
        theirs = timed([tool[0], tool[1], tool[2] + learn, "-l", str(model), "-T", str(source),
                        "-o", str(folder / "theirs")])  # fmt: skip
        print(f"morfessor-segment: {theirs:.1f} s, {len(words) / theirs:.0f} words/s; "
              f"ratio {theirs / ours:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
