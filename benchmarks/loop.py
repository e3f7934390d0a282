"""Time a loop of ``parse``, word by word, beside ``pipe`` on one thread.

    python benchmarks/loop.py [--words 2000] [--rounds 5] [--before SRC]

The words are drawn from the frequency list of English: half are stored in the built-in model, half
are not. Times are those of the processor, the best of five passes in each round. With --before,
the folder ``src`` of another version (its kernels compiled), each round times that version too,
in turns and in processes of their own. Needs ``morphtree[train]``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from machine import machine, piped

import morphtree

PASSES = 5  # over the words in a round, of which the fastest counts
LISTED = 40_000  # of the frequency list, the most frequent words first
CHILD = "--child"


def drawn(count: int, seed: int) -> dict[str, list[str]]:
    """Return as many stored words as new ones."""
    from segment import vocabulary

    stored = morphtree.load().model.stored
    words = random.Random(seed).sample(vocabulary(LISTED), LISTED)
    kinds = {
        "stored": [word for word in words if word in stored],
        "new": [word for word in words if word not in stored],
    }
    return {kind: found[: count // 2] for kind, found in kinds.items()}


def measure(kinds: dict[str, list[str]]) -> dict[str, float]:
    """Return the microseconds a word of each task."""
    analyzer, found = morphtree.load(jobs=1), {}
    for kind, words in kinds.items():
        for task, way in (
            ("parse", lambda words: [analyzer.parse(word) for word in words]),
            ("pipe", lambda words: [*analyzer.pipe(words)]),
        ):
            best = min(seconds(way, words) for _ in range(PASSES))
            found[f"{kind} words, {task}"] = best / len(words) * 1e6
    return found


def seconds(way: Callable[[list[str]], object], words: list[str]) -> float:
    """Return the processor time of one pass; other programs do not count."""
    began = time.process_time()
    way(words)
    return time.process_time() - began


def measured_by(source: str, kinds: dict[str, list[str]]) -> dict[str, float]:
    """Measure a version in a process of its own."""
    command = [sys.executable, __file__, CHILD]
    env = os.environ | {"PYTHONPATH": source}
    done = subprocess.run(
        command, input=json.dumps(kinds), env=env, check=True, capture_output=True, text=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table."""
    if sys.argv[1:] == [CHILD]:
        print(json.dumps(measure(json.load(sys.stdin))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", type=Path, metavar="SRC")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kinds = drawn(options.words, options.seed)
    sources = [str(Path(morphtree.__file__).parents[1])]
    sources += [str(options.before.resolve())] if options.before else []
    runs = [[measured_by(source, kinds) for source in sources] for _ in range(options.rounds)]
    print(f"{machine()};\n{options.words} words, medians of {options.rounds} rounds\n")
    more = " before | ratio of the rounds |" if options.before else ""
    print(f"| task | us a word | words/s |{more}\n|---|---:|---:|{'---:|---:|' if more else ''}")
    for task in runs[0][0]:
        now = median(run[0][task] for run in runs)
        row = f"| {task} | {now:.1f} | {1e6 / now:.0f} |"
        if options.before:
            ratio = median(run[1][task] / run[0][task] for run in runs)
            row += f" {1e6 / median(run[1][task] for run in runs):.0f} | {ratio:.2f} |"
        print(row)
    for kind in kinds:
        parse, pipe = (f"{kind} words, {task}" for task in ("parse", "pipe"))
        ratios = [[run[n][parse] / run[n][pipe] for run in runs] for n in range(len(sources))]
        said = ", before ".join(f"{median(of):.2f}" for of in ratios)
        print(f"\n{kind} words: parse takes so many times as long as pipe: {said}")


if __name__ == "__main__":
    piped(main)
