"""Time the kernels against a plain log-space run of the same recurrences, in one go.

    python benchmarks/kernels.py [--repeat 9]

Both columns are the same compiled code; "plain" makes one logaddexp an arc, "scaled" multiplies
and adds. Each figure is the best of several rounds in which the two take turns, on one core, for a
fresh lattice or chart with given potentials (27 symbols, k = 5; copying is favoured as a trained
model does; the chart has a form three letters longer than the word). Python's share is included.
"""

from __future__ import annotations

import argparse
import platform
import string
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from machine import piped

from morphtree import _kernels
from morphtree._util.parallel import batches
from morphtree.features.potentials import Bigrams, EditPotentials, TreePotentials
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.grammar import PAPER

ALPHABET = string.ascii_lowercase + "-"
LONGER = 5
SEED = 20161101
LENGTHS = 8, 12, 16, 24


def edit_potentials(rng: np.random.Generator, n: int) -> EditPotentials:
    """Random weights around those of a trained transducer."""
    size = len(ALPHABET)
    word = rng.integers(0, size, n)
    substitute = rng.normal(-9, 1, (n, size))
    substitute[np.arange(n), word] += 10
    bigrams = Bigrams(
        rng.normal(size=(size, size + 1, size)),
        rng.normal(size=(size + 1, size)),
        rng.normal(size=(size, size + 1)),
    )
    insert, delete = rng.normal(-9, 1, (n + 1, size)), rng.normal(-7, 1, n)
    return EditPotentials(substitute, insert, delete, word.astype(np.int32), bigrams)


def tasks(n: int) -> dict[str, Callable[[bool], object]]:
    """What is timed for a word of n letters; the argument asks for log space."""
    rng = np.random.default_rng(SEED)
    edits = edit_potentials(rng, n)
    m = n + 3
    shape = m, m + 1, len(PAPER.labels)
    trees = TreePotentials(rng.normal(size=shape), rng.normal(size=shape), rng.normal(size=6))
    form = (ALPHABET * 2)[:m]

    def lattice(logs: bool) -> EditLattice:
        return EditLattice(edits, ALPHABET, n + LONGER, logs=logs)

    def chart(logs: bool) -> TreeChart:
        return TreeChart(trees, form, PAPER, logs=logs)

    best = lattice(False).argmax()
    ready = {
        logs: lattice(logs) for logs in (False, True)
    }  # a pair table shares its word's weights
    for one in ready.values():
        one.log_partition()
    return {
        "lattice: sum": lambda logs: lattice(logs).log_partition(),
        "lattice: sum + expected edits": lambda logs: lattice(logs).marginals(),
        "lattice: 20 best forms": lambda logs: lattice(logs).top_k(20),
        "pair table": lambda logs: ready[logs].score(best),
        "pair table + expected edits": lambda logs: ready[logs].pair_marginals(best),
        "chart: inside": lambda logs: chart(logs).log_partition(),
        "chart: inside-outside": lambda logs: chart(logs).marginals(),
        "chart: best tree": lambda logs: chart(logs).argmax(),
    }


def seconds(task: Callable[[bool], object], logs: bool, at_least: float = 0.005) -> float:
    """Time one call, over as many calls as make up a measurable while."""
    calls, started = 0, time.perf_counter()
    while True:
        task(logs)
        calls += 1
        spent = time.perf_counter() - started
        if spent > at_least:
            return spent / calls


def compare(repeat: int) -> dict[tuple[int, str], tuple[float, float]]:
    """Best microseconds of scaled and plain for each length and task.

    Every round measures everything once, so that a busy moment of the machine spoils one round
    and not one task.
    """
    todo = {(n, name): task for n in LENGTHS for name, task in tasks(n).items()}
    best = dict.fromkeys(todo, (float("inf"), float("inf")))
    for _ in range(repeat):
        for key, task in todo.items():
            scaled, plain = 1e6 * seconds(task, False), 1e6 * seconds(task, True)
            best[key] = min(best[key][0], scaled), min(best[key][1], plain)
    return best


def threads(repeat: int) -> tuple[float, float]:
    """Lattice sums a second with one and with two threads."""
    rng = np.random.default_rng(SEED)
    words = [edit_potentials(rng, 12)] * 400
    for potentials in words[:1]:
        EditLattice(potentials, ALPHABET, 17).log_partition()

    def log_partitions(batch: list[EditPotentials]) -> list[float]:
        return [EditLattice(p, ALPHABET, 17).log_partition() for p in batch]

    def run(jobs: int) -> float:
        started = time.perf_counter()
        with ThreadPoolExecutor(jobs) as pool:
            for _ in pool.map(log_partitions, batches(words, 16)):
                pass
        return len(words) / (time.perf_counter() - started)

    rounds = [(run(1), run(2)) for _ in range(repeat)]
    return max(one for one, _ in rounds), max(two for _, two in rounds)


def kernels() -> str:
    """Say how the kernels were compiled."""
    if not _kernels.COMPILED:
        return "NOT COMPILED"
    return "compiled for AVX2" if "avx2" in _kernels.lattice.__name__ else "compiled"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9, help="rounds for each figure")
    repeat = parser.parse_args().repeat
    print(f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__},")
    print(f"kernels {kernels()}; seed {SEED}\n")
    print("| letters | task | scaled, us | plain, us | ratio |\n|---|---|---:|---:|---:|")
    for (n, name), (scaled, plain) in compare(repeat).items():
        print(f"| {n} | {name} | {scaled:.1f} | {plain:.1f} | {plain / scaled:.1f} |")
    one, two = threads(repeat)
    print(f"\n12 letters, lattice sums a second: {one:.0f} with one thread, {two:.0f} with two")


if __name__ == "__main__":
    piped(main)
