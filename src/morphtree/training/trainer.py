"""Training: from a treebank to a model (the objective of Eq. 6 with a penalty)."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from morphtree.decoding.candidates import Lister, alone
from morphtree.errors import ModelError
from morphtree.joint.engine import Engine, Example
from morphtree.joint.estimators import Importance, parse_estimator
from morphtree.model.model import Model
from morphtree.structures.edits import Floats
from morphtree.training.adagrad import NONE, Descent
from morphtree.training.checkpoint import Arrays, Checkpoint
from morphtree.training.cross_fitting import Lists
from morphtree.training.data import Source, signature
from morphtree.training.dev_set import DevSet
from morphtree.training.draws import Draws
from morphtree.training.prepare import Prepared, Report, make_model, prepare, prepare_alike

SNAPSHOTS = 4  # of the weights in an epoch, to be averaged
GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 2.0, 3.0)
NEGLIGIBLE = 0.005  # a weight that no decision depends on
# What dev says is best. The paper's model has no stacking; its features are too few to leave some
# out, and those of wrong candidates matter.
DEFAULTS: dict[str, dict[str, Any]] = {
    "full": {
        "l2": 1.0,
        "rate": 0.1,
        "dropout": (0.5, 0.6),
        "wrong": False,
        "stacking": 0.5,
        "decode": "nbest:7:5",
        "near": 4,
    },
    "paper": {
        "l2": 0.1,
        "rate": 0.5,
        "dropout": (0.0, 0.0),
        "wrong": True,
        "stacking": 0.0,
        "decode": "nbest:20",
        "near": 0,
    },
}


@dataclass(frozen=True)
class Settings:
    """All that decides what comes out, beside the data."""

    features: Literal["paper", "full"] = "full"
    structure: Literal["tree", "chain"] = "tree"
    estimator: str = "nbest:20"
    l2: float | None = None  # penalty
    grammar: str = ""  # by default paper, or compounds if a training tree needs it
    language: str = "en"
    lexicon: str = ""
    related: str = ""  # file of words near in meaning
    without: str = ""  # group of features that is left out
    epochs: int = 100
    patience: int = 5
    seed: int = 1
    rate: float | None = None  # of learning
    batch: int = 32
    longer: int = 5
    average: int = 1  # epochs before weights are averaged; 0: never
    dropout: tuple[float, float] | None = None  # edit and span features left out of a step
    wrong: bool | None = None  # also features that fire on wrong candidates only
    decode: str | None = None  # how forms are listed for dev and by the finished model
    near: int | None = None  # forms proposed because known words begin like the word
    listing: int = 8000  # words that each transducer behind the candidate lists is trained on
    stacking: float | None = None  # weight of the proposal transducer's own score of a form

    def __post_init__(self) -> None:
        sampled = isinstance(parse_estimator(self.estimator), Importance)
        defaults = DEFAULTS[self.features] | ({"stacking": 0.0} if sampled else {})
        for name, default in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)
        if self.stacking and sampled:
            raise ModelError("stacking goes with candidate lists (nbest), not with samples")
        if self.l2 is None or self.l2 < 0 or not math.isfinite(self.l2):
            raise ModelError("the penalty l2 must be a number from 0 on")

    @property
    def files(self) -> tuple[str, ...]:
        """The files that decide, too; or built-in names in their place."""
        return self.lexicon, self.related, self.grammar

    @property
    def file_names(self) -> dict[str, str]:
        """What a model says of the files: their names without the folders."""
        return {"lexicon": Path(self.lexicon).name, "related": Path(self.related).name}


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data has led to."""

    epoch: int
    log_likelihood: float  # of the training data, per word
    dev: dict[str, float]
    seconds: float

    def better_than(self, other: Epoch | None, metric: str) -> bool:
        """Whether this is the best so far: exact trees (or accuracy), then likelihood."""
        if other is None:
            return True
        mine, theirs = self.dev[metric], other.dev[metric]
        return (mine, self.dev["log_likelihood"]) > (theirs, other.dev["log_likelihood"])


class Trainer:
    """One training run."""

    prepared: Prepared  # from `run` on

    def __init__(
        self,
        settings: Settings,
        train: Source,
        dev: Source,
        *,
        jobs: int | None = None,
        report: Report = lambda stage, done: None,
        like: Trainer | None = None,
    ) -> None:
        if not dev.entries:
            raise ModelError(f"{dev.name} has no words; training needs some to know when to stop")
        self.settings = settings
        self.train = train
        self.dev = dev
        self.jobs = jobs
        self.report = report
        self.like = like  # an earlier run on the same words; what it prepared serves again
        self.history: list[Epoch] = []
        self.best: Epoch | None = None
        self.best_weights: Floats = np.zeros(0)
        self._batch: Any = None

    @property
    def task(self) -> dict[str, Any]:
        """What must be the same when a run goes on."""
        return {
            "settings": asdict(self.settings),
            "files": [_digest(name) for name in self.settings.files],
            "train": signature(self.train.entries),
            "dev": signature(self.dev.entries),
            "version": version("morphtree"),
        }

    def run(self, checkpoint: Path | None = None, *, resume: bool = False) -> Iterator[Epoch]:
        """Train; yield every epoch. A checkpoint is written after each."""
        file = Checkpoint(checkpoint, self.task) if checkpoint else None
        lists, state, arrays = file.load() if file and resume else (None, {}, {})
        self._prepare(lists)
        self._start(state, arrays)
        for epoch in range(len(self.history), self.settings.epochs):
            if self._finished():
                break
            yield self._epoch(epoch)
            if file:
                file.save(self.prepared.lists, *self._state())

    def _prepare(self, lists: Lists | None) -> None:
        """Do what comes before the first epoch, or take over what an earlier run has of it."""
        like, self.like = self.like, None
        if like and lists is None and prepare_alike(self.settings, like.settings):
            self.prepared = like.prepared
            if self.settings.estimator == like.settings.estimator:
                self._draws = like._draws
            return
        if like and lists is None:
            lists = like.prepared.lists
        self.prepared = prepare(
            self.settings, self.train, jobs=self.jobs, report=self.report, lists=lists
        )

    def _finished(self) -> bool:
        """Whether the last epochs have brought no better score; likelihood alone does not count."""
        scores = [epoch.dev[_metric(epoch)] for epoch in self.history]
        return bool(scores) and len(scores) - 1 - int(np.argmax(scores)) >= self.settings.patience

    def _start(self, state: dict[str, Any], arrays: Arrays) -> None:
        prepared, settings = self.prepared, self.settings
        size = len(prepared.edits.index) + len(prepared.spans.index)
        self.weights = np.zeros(size)
        self.mean = np.zeros(size)
        self.averaged = 0
        self.engine = Engine(prepared.edits, prepared.spans, self.weights, jobs=self.jobs)
        self.descent = Descent(
            self.weights,
            rate=settings.rate or 0.0,
            l2=settings.l2 or 0.0,
            words=len(prepared.usable),
            batch=settings.batch,
        )
        if state:
            self.weights[:], self.mean = arrays["weights"], arrays["mean"]
            self.descent.resume(arrays["squares"])
            self.averaged = state["averaged"]
            self.history = [Epoch(**epoch) for epoch in state["history"]]
            self.best = self.history[state["best"]]
            self.best_weights = arrays["best"]
        self._dev = DevSet(self.dev, prepared, self.jobs)

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        assert self.best is not None
        state = {
            "averaged": self.averaged,
            "history": [asdict(epoch) for epoch in self.history],
            "best": self.best.epoch,
        }
        arrays = {
            "weights": self.weights, "mean": self.mean, "squares": self.descent.squares,
            "best": self.best_weights,
        }  # fmt: skip
        return state, arrays

    @cached_property
    def _draws(self) -> Draws | None:
        """The samples of each epoch, if the estimator samples."""
        estimator = parse_estimator(self.settings.estimator)
        if not isinstance(estimator, Importance):
            return None
        prepared, longer = self.prepared, self.settings.longer
        engines = [alone(prepared.edits, w, 1) for w in prepared.lists.fold_weights]
        listers = [Lister(engine, longer=longer) for engine in engines]
        return Draws(listers, prepared.lists, estimator.m, self.settings.seed)

    def _examples(self, epoch: int) -> list[Example]:
        if self._draws is None:
            return self.prepared.examples
        return self._draws.examples(self.prepared.examples, epoch, self.engine)

    def _epoch(self, number: int) -> Epoch:
        began = time.perf_counter()
        settings = self.settings
        if self._batch is None or self._draws is not None:
            self._batch = self.engine.packer.pack(self._examples(number))
        rng = np.random.default_rng((settings.seed, number))
        order = rng.permutation(self.prepared.usable)
        total = 0.0
        snapshot = max(1, len(order) // settings.batch // SNAPSHOTS)
        for start in range(0, len(order), settings.batch):
            words = order[start : start + settings.batch]
            dropped = self._dropped(rng)
            with self._without(dropped):
                self.engine.refresh()
                entries, log_probs = self.engine.gradients(self._batch, words)
            self.descent.step(entries, len(words), dropped)
            total += float(log_probs.sum())
            if start // settings.batch % snapshot == snapshot - 1:
                self._average(number)
            self.report(f"epoch {number + 1}", (start + len(words)) / len(order))
        self._average(number)
        candidate = (self.mean if self.averaged else self.weights) * self._kept
        dev = self._dev.measure(candidate)
        epoch = Epoch(number, total / len(order), dev, round(time.perf_counter() - began, 3))
        self.history.append(epoch)
        if epoch.better_than(self.best, _metric(epoch)):
            self.best, self.best_weights = epoch, candidate.copy()
        return epoch

    def _average(self, number: int) -> None:
        """Add the weights to the mean, the first epochs left out."""
        if self.settings.average and number >= self.settings.average:
            self.averaged += 1
            self.mean += (self.weights - self.mean) / self.averaged

    @property
    def _dropout(self) -> tuple[float, float]:
        return self.settings.dropout or (0.0, 0.0)

    @cached_property
    def _kept(self) -> Floats:
        """How much of each weight is there on average when features are dropped."""
        sizes = len(self.prepared.edits.index), len(self.prepared.spans.index)
        return np.repeat(1.0 - np.array(self._dropout), sizes)

    def _dropped(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose features to leave out of one step, so that no rare one is relied upon."""
        if not any(self._dropout):
            return NONE
        return np.flatnonzero(rng.random(len(self.weights), np.float32) >= self._kept)

    @contextmanager
    def _without(self, numbers: NDArray[np.int64]) -> Iterator[None]:
        """Set some weights to zero for a while."""
        kept = self.weights[numbers]
        self.weights[numbers] = 0.0
        yield
        self.weights[numbers] = kept

    def beats(self, other: Trainer) -> bool:
        """Whether the best epoch of this run is better than that of another."""
        assert self.best is not None
        return self.best.better_than(other.best, _metric(self.best))

    def model(self) -> Model:
        """Return the best model so far, its probabilities calibrated on dev."""
        assert self.best is not None
        task = self.task
        temperature = self._dev.temperature(self.best_weights)
        about = {
            "version": version("morphtree"),
            "settings": asdict(self.settings) | self.settings.file_names,
            "grammar": str(self.prepared.structure.grammar),
            "data": {"train": task["train"], "dev": task["dev"]},
            "licence": self.prepared.licence,
            "temperature": temperature,
            "recall": self.prepared.lists.recall,
            "dev": self.best.dev,
            "epoch": self.best.epoch,
        }
        model = make_model(self.prepared, self.best_weights, about).pruned(NEGLIGIBLE)
        return model.cooled(temperature)


def _metric(epoch: Epoch) -> str:
    """Return the metric that says which epoch is best."""
    return "exact_tree" if "exact_tree" in epoch.dev else "accuracy"


def _digest(name: str) -> str:
    """Return a hash of a file's contents; of no file or a built-in name, nothing."""
    path = Path(name)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else ""


def json_line(epoch: Epoch) -> str:
    """Write an epoch as one line of JSON."""
    return json.dumps(asdict(epoch), sort_keys=True)
