"""Fit the published splits and write one small JSON file for each fit.

    python experiments/run.py --splits 0-9 --features full

Needs the published data (``$MORPHTREE_DATA`` or ``--data``); ``--dev-only`` opens no test file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sys
import time
from pathlib import Path
from typing import Any

from morphtree.decoder import Decoder
from morphtree.estimators import parse_estimator
from morphtree.evaluation import evaluate
from morphtree.evaluation_report import to_dict
from morphtree.metrics import calibration_error, is_right
from morphtree.train import Settings, Trainer
from morphtree.training_data import Source
from morphtree.treebank import Treebank

RESULTS = Path(__file__).parent / "results"


def read(folder: Path, name: str) -> Source:
    """Read one file of a split."""
    return Source(name, Treebank.read(folder / name).entries)


def fit(
    folder: Path, split: int, settings: Settings, jobs: int | None, last: Trainer | None
) -> tuple[Trainer, float]:
    """Train on one split; return the trainer and the seconds from text to the best model.

    The candidate lists of the last fit of the split are used again, if there was one.
    """
    began = time.perf_counter()
    trainer = Trainer(
        settings, read(folder, f"train{split}"), read(folder, f"dev{split}"), jobs=jobs,
        lists=last.prepared.lists if last else None,
    )  # fmt: skip
    for epoch in trainer.run():
        dev = {
            name: round(epoch.dev[name], 4)
            for name in ("accuracy", "morpheme_f1", "log_likelihood")
        }
        shown = f"{epoch.log_likelihood:.4f} {dev} {epoch.seconds} s"
        print(f"split {split} epoch {epoch.epoch} {shown}",
              file=sys.stderr, flush=True)  # fmt: skip
    return trainer, time.perf_counter() - began


def test(
    folder: Path, split: int, trainer: Trainer, decode: str | None, jobs: int | None
) -> dict[str, Any]:
    """Evaluate the best model on the test words of a split."""
    entries = read(folder, f"test{split}").entries
    decoder = Decoder(trainer.model(), jobs=jobs)
    words = [entry.word for entry in entries]
    began = time.perf_counter()
    decode = decode or decoder.model.decode
    decoded = list(decoder.decode(words, parse_estimator(decode)))
    seconds = time.perf_counter() - began
    train = {entry.word for entry in trainer.train.entries}
    scored = evaluate(
        entries, [item.structure for item in decoded], data=f"inside-out-2016/test{split}",
        train=train,
    )  # fmt: skip
    report = to_dict(scored)
    right = [is_right(e, d.structure) for e, d in zip(entries, decoded, strict=True)]
    return {
        **report,
        "calibration_error": round(calibration_error(right, [d.prob for d in decoded]), 4),
        "decode": decode,
        "words_per_second": round(len(words) / seconds, 1),
    }


def record(trainer: Trainer, seconds: float, split: int) -> dict[str, Any]:
    """Say what was fitted on what, and how it went on dev."""
    assert trainer.best is not None
    prepared = trainer.prepared
    return {
        "split": split,
        "task": trainer.task,
        "features": {"edits": len(prepared.edits.index), "parts": len(prepared.parts.index)},
        "skipped": dict(prepared.data.skipped),
        "recall": {"train": round(prepared.lists.recall, 4), "dev": trainer.best.dev["recall"]},
        "epochs": len(trainer.history),
        "dev": trainer.best.dev,
        "seconds": round(seconds, 1),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
    }


def numbers(text: str) -> list[int]:
    """Read ``0-2,5``."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def main() -> None:
    """Fit, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--splits", default="0-9")
    parser.add_argument("--features", default="full", choices=["full", "paper"])
    parser.add_argument("--structure", default="tree", choices=["tree", "chain"])
    parser.add_argument("--estimators", default=["nbest:20"], nargs="*")
    parser.add_argument("--decode", help="how forms are listed; by default the model's own way")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=JSON", help="other settings")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--dev-only", action="store_true")
    options = parser.parse_args()
    folder = Path(options.data) / "inside-out-2016"
    if not options.data or not folder.is_dir():
        sys.exit("the published data are not there; set MORPHTREE_DATA or give --data")
    others = {name: json.loads(value) for name, _, value in (s.partition("=") for s in options.set)}
    others = {k: tuple(v) if isinstance(v, list) else v for k, v in others.items()}
    for split in numbers(options.splits):
        trainer = None
        for estimator in options.estimators:
            settings = Settings(
                features=options.features, structure=options.structure, estimator=estimator,
                grammar="paper", **others,
            )  # fmt: skip
            trainer, seconds = fit(folder, split, settings, options.jobs, trainer)
            result = record(trainer, seconds, split)
            if not options.dev_only:
                result["test"] = test(folder, split, trainer, options.decode, options.jobs)
                write(result, settings)
            print(
                json.dumps({"split": split, "estimator": estimator, "dev": result["dev"]}),
                flush=True,
            )


def write(result: dict[str, Any], settings: Settings) -> None:
    """Write the file of one fit."""
    RESULTS.mkdir(exist_ok=True)
    how = settings.estimator.replace(":", "")
    name = f"{settings.features}-{settings.structure}-{how}-{result['split']}.json"
    text = json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False)
    (RESULTS / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
