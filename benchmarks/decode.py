"""Time the analysis of new words with a full model: words a second, as users call it.

    MORPHTREE_DATA=../shared/data python benchmarks/decode.py [--model FILE] [--repeat 7]

The words are the distinct dev and test words of a published split. Without --model, a model with
full features is trained on the same split first, for a few epochs: how long decoding takes
depends on its features and candidate lists, hardly on how good it is. Every round starts with a
fresh decoder that has seen training words only, so nothing is remembered of the words timed.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from machine import machine, piped

from morphtree.analysis import Analysis
from morphtree.analyzer import Analyzer
from morphtree.joint.estimators import Importance
from morphtree.model.model import Model
from morphtree.segment.writer import RowWriter
from morphtree.training.data import signature
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank

NO_DATA = """\
benchmarks/decode.py: NOTHING WAS MEASURED. It needs the published splits of 2016:
set MORPHTREE_DATA to the folder that has inside-out-2016/, or give --data."""
SOME = 200  # words for what is slow


def small_model(train: Treebank, dev: Treebank, epochs: int, seed: int) -> Model:
    """Train for a few epochs, and take the model that its file gives."""
    settings = Settings(language="en", grammar="paper", epochs=epochs, seed=seed)
    trainer = Trainer(settings, train, dev)
    for epoch in trainer.run():
        print(f"trained epoch {epoch.epoch + 1} of {epochs}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.model"
        trainer.model().save(path)
        print(f"model: {epochs} epochs, {path.stat().st_size / 1e6:.1f} MB")
        return Model.load(path)


def by_pipe(analyzer: Analyzer, words: list[str]) -> Iterable[Analysis]:
    """Analyse a stream of words."""
    return analyzer.pipe(words)


def by_rows(analyzer: Analyzer, words: list[str]) -> Iterable[bytes]:
    """Write rows of tsv, as ``morphtree segment`` does."""
    return RowWriter(analyzer, "tsv")("\n".join(words).encode()).rows.splitlines()


def by_parse(analyzer: Analyzer, words: list[str]) -> Iterable[Analysis]:
    """Analyse words one by one, two readings of each."""
    return (analyzer.parse(word, 2) for word in words)


def by_sampling(analyzer: Analyzer, words: list[str]) -> Iterable[Analysis]:
    """Analyse a stream of words as the paper did."""
    return analyzer.pipe(words, decode=Importance(1000))


def speeds(
    model: Model,
    words: list[str],
    warm: list[str],
    way: Callable[[Analyzer, list[str]], Iterable[object]],
    jobs: int | None,
    repeat: int,
) -> list[float]:
    """Return the words a second of each round."""
    found = []
    for _ in range(repeat):
        analyzer = Analyzer(model, jobs=jobs)
        for _ in way(analyzer, warm):
            pass
        began = time.perf_counter()
        count = sum(1 for _ in way(analyzer, words))
        found.append(count / (time.perf_counter() - began))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--model", help="a model file; by default one is trained")
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3, help="of the model that is trained")
    parser.add_argument("--repeat", type=int, default=7, help="rounds for each figure")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = Path(options.data) / "inside-out-2016"
    if not options.data or not (data / f"train{options.split}").exists():
        sys.exit(NO_DATA)
    train, dev, test = (
        Treebank(part, Treebank.read(data / f"{part}{options.split}").entries)
        for part in ("train", "dev", "test")
    )
    known = dict.fromkeys(entry.word for entry in train.entries)
    words = [
        w for w in dict.fromkeys(e.word for e in (*dev.entries, *test.entries)) if w not in known
    ]
    print(f"{machine()};\nsplit {options.split}, seed {options.seed}; {len(words)} new words")
    print(f"data: dev {signature(dev.entries)}, test {signature(test.entries)}")
    if options.model:
        model = Model.load(Path(options.model))
        print(f"model: {options.model}, {os.path.getsize(options.model) / 1e6:.1f} MB")
    else:
        model = small_model(train, dev, options.epochs, options.seed)
    print("\n| task | threads | words/s, best | median |\n|---|---:|---:|---:|")
    for name, way, some, jobs in (
        (f"pipe, {model.decode}", by_pipe, words, None),
        (f"pipe, {model.decode}", by_pipe, words, 1),
        (f"rows, {model.decode}", by_rows, words, 1),
        ("parse, two readings, one by one", by_parse, words[:SOME], None),
        ("pipe, importance:1000", by_sampling, words[:SOME], None),
    ):
        rounds = options.repeat if some is words else min(3, options.repeat)
        rates = speeds(model, some, [*known][: len(some) // 4], way, jobs, rounds)
        threads = jobs or os.cpu_count()
        print(f"| {name} | {threads} | {max(rates):.0f} | {np.median(rates):.0f} |")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    note = "" if options.model else ", training included"
    print(
        f"\npeak memory: {most / (1 << 20 if sys.platform == 'darwin' else 1 << 10):.0f} MB{note}"
    )


if __name__ == "__main__":
    piped(main)
