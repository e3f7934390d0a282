"""Time training on a published split: from text to the best dev model, and one sampling epoch.

    MORPHTREE_DATA=../shared/data python benchmarks/train.py [--split 0] [--epochs 100] [--jobs N]

Each part runs in a process of its own, so that its peak memory is its own. Seconds are wall-clock
time unless they are called CPU seconds; an epoch's include the scoring of dev. The first epoch sums
over all candidates, the second matches features for all later ones. Samples are drawn for several
epochs at once, so the first epoch of a block pays for all of them: the mean over a block is what an
epoch costs.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, piped

from morphtree.training.data import signature
from morphtree.training.importance_sampling import BLOCK
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank

NO_DATA = """\
benchmarks/train.py: NOTHING WAS MEASURED. It needs the published splits of 2016:
set MORPHTREE_DATA to the folder that has inside-out-2016/, or give --data."""


def read(data: Path, split: int) -> tuple[Treebank, Treebank]:
    """Read the train and dev part of a split."""
    train, dev = (data / "inside-out-2016" / f"{part}{split}" for part in ("train", "dev"))
    return tuple(Treebank(path.name, Treebank.read(path).entries) for path in (train, dev))  # type: ignore[return-value]


def peak() -> float:
    """Return the peak memory of this process, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def run(data: Path, split: int, jobs: int | None, settings: Settings) -> dict[str, Any]:
    """Train once; return what took how long."""
    began = time.perf_counter()
    train, dev = read(data, split)
    trainer = Trainer(settings, train, dev, jobs=jobs)
    ends = [time.perf_counter() - began for _ in trainer.run()]
    model = trainer.model()
    total = time.perf_counter() - began
    assert trainer.best is not None
    prepared = trainer.prepared
    return {
        "prepared": ends[0] - trainer.history[0].seconds,
        "best": ends[trainer.best.epoch],
        "total": total,
        "epochs": [epoch.seconds for epoch in trainer.history],
        "best epoch": trainer.best.epoch + 1,
        "dev": trainer.best.dev,
        "words": len(prepared.examples),
        "features": (len(prepared.edits.index), len(prepared.spans.index)),
        "weights": int(np.count_nonzero(model.weights)),
        "peak": peak(),
        "cpu": time.process_time(),
        "signature": f"train {signature(train.entries)}, dev {signature(dev.entries)}",
    }


def alone(data: Path, split: int, jobs: int | None, settings: Settings) -> dict[str, Any]:
    """Do the same in a new process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(run, data, split, jobs, settings).result()


def show_full(found: dict[str, Any]) -> None:
    """Print the figures of a whole training run."""
    edits, spans = found["features"]
    dev = found["dev"]
    print(f"\n## full features, nbest:20, {found['words']} words\n")
    print("| from text to | seconds |\n|---|---:|")
    print(f"| the first epoch (lexicon, features, candidate lists) | {found['prepared']:.1f} |")
    print(f"| the best dev model (epoch {found['best epoch']}) | {found['best']:.1f} |")
    print(f"| the end ({len(found['epochs'])} epochs, calibration) | {found['total']:.1f} |")
    print(f"\nCPU seconds: {found['cpu']:.1f}")
    epochs = found["epochs"]
    middle = f"median {np.median(epochs):.2f} s, best {min(epochs):.2f} s"
    print(f"one epoch: first {epochs[0]:.2f} s, {middle}")
    print(f"features: {edits} of edits, {spans} of spans; {found['weights']} weights are not zero")
    print(f"dev: accuracy {dev['accuracy']:.4f}, exact tree {dev['exact_tree']:.4f}")
    print(f"peak memory: {found['peak']:.0f} MB")


def show_sampling(found: dict[str, Any]) -> None:
    """Print the figures of sampling epochs."""
    seconds = found["epochs"][:BLOCK]
    print(f"\n## paper's features, importance:10, {found['words']} words\n")
    print("| one epoch | seconds |\n|---|---:|")
    print(f"| mean of {len(seconds)}, sampling included | {np.mean(seconds):.2f} |")
    print(f"| the first, with the samples of {BLOCK} epochs | {seconds[0]:.2f} |")
    if len(seconds) > 1:
        print(f"| best of the others | {min(seconds[1:]):.2f} |")
    print(f"\npeak memory: {found['peak']:.0f} MB")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=100, help="of the full model, at most")
    parser.add_argument("--sampling-epochs", type=int, default=BLOCK)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = Path(options.data)
    if not options.data or not (data / "inside-out-2016" / f"train{options.split}").exists():
        sys.exit(NO_DATA)
    print(f"{machine()};\nsplit {options.split}, seed {options.seed}, jobs {options.jobs or 'all'}")
    common: dict[str, Any] = {"language": "en", "grammar": "paper", "seed": options.seed}
    full = Settings(epochs=options.epochs, **common)
    found = alone(data, options.split, options.jobs, full)
    print(f"data: {found['signature']}")
    show_full(found)
    sampling = Settings(
        features="paper", estimator="importance:10", epochs=options.sampling_epochs, **common
    )
    show_sampling(alone(data, options.split, options.jobs, sampling))


if __name__ == "__main__":
    piped(main)
