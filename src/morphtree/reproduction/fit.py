"""One fit of the experiment: what is kept of its training and of its scores on test words."""

from __future__ import annotations

import json
import os
import platform
import resource
import time
from collections.abc import Sequence
from importlib.metadata import version
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from morphtree._util.files import write_atomically
from morphtree.decoding.decoder import Decoder
from morphtree.evaluation.errors import is_right
from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.metrics import calibration_error, measure, segments_of
from morphtree.evaluation.report import to_dict
from morphtree.joint.estimators import parse_estimator
from morphtree.training.trainer import Trainer
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank

FOLDER = "inside-out-2016"  # of the published data
RELEASED = ("accuracy", "morpheme_f1", "morpheme_f1_macro", "edit_distance")
Result = dict[str, Any]


def record(trainer: Trainer, seconds: float, split: int) -> Result:
    """Say what was fitted on what, and how it went on dev."""
    assert trainer.best is not None
    prepared = trainer.prepared
    return {
        "split": split,
        "task": trainer.task,
        "features": {"edits": len(prepared.edits.index), "parts": len(prepared.spans.index)},
        "skipped": dict(prepared.data.skipped),
        "recall": {"train": round(prepared.lists.recall, 4), "dev": trainer.best.dev["recall"]},
        "epochs": len(trainer.history),
        "dev": trainer.best.dev,
        "seconds": round(seconds, 1),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "machine": machine(),
    }


def machine() -> Result:
    """Say on what a figure was made."""
    return {
        "cores": os.cpu_count(), "python": platform.python_version(),
        "morphtree": version("morphtree"),
    }  # fmt: skip


def score(trainer: Trainer, source: Treebank, decode: str | None, jobs: int | None) -> Result:
    """Evaluate the best model on test words; no word of theirs is kept."""
    entries = source.entries
    decoder = Decoder(trainer.model(), jobs=jobs)
    decode = decode or decoder.model.decode
    began = time.perf_counter()
    decoded = decoder.decode([entry.word for entry in entries], parse_estimator(decode))
    best = [item.best for item in decoded]
    seconds = time.perf_counter() - began
    guesses = [parse.structure for parse in best]
    train = {entry.word for entry in trainer.train.entries}
    report = to_dict(evaluate(entries, guesses, data=f"{FOLDER}/{source.name}", train=train))
    right = [is_right(e, guess) for e, guess in zip(entries, guesses, strict=True)]
    return {
        **without_examples(report),
        "as_released": as_released(entries, guesses),
        "calibration_error": round(calibration_error(right, [parse.prob for parse in best]), 4),
        "decode": decode,
        "words_per_second": round(len(entries) / seconds, 1),
    }


def without_examples(report: Any) -> Any:
    """Leave the examples of errors out: they are the published data."""
    if not isinstance(report, dict):
        return report
    return {k: without_examples(v) for k, v in report.items() if k != "examples"}


def as_released(entries: Sequence[Entry], guesses: Sequence[Any]) -> dict[str, float]:
    """Score as the authors' released code scores its flat model.

    It cuts the gold segments out of the guessed form, at their places in the gold form.
    """
    segments = [segments_of(guess) for guess in guesses]
    cut = [
        Entry(entry.word, segments=cut_alike(entry.segments, "".join(guess)))
        for entry, guess in zip(entries, segments, strict=True)
    ]
    scores = measure(cut, segments)
    return {name: round(scores[name] or 0.0, 6) for name in RELEASED}


def cut_alike(gold: Sequence[str], form: str) -> tuple[str, ...]:
    """Cut a form at the places where the gold segments are."""
    ends = list(accumulate(map(len, gold), initial=0))
    return tuple(form[i:j] for i, j in pairwise(ends))


def write(path: Path, result: Result) -> None:
    """Write the file of one fit in one step."""
    text = json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False)
    write_atomically(path, f"{text}\n")
