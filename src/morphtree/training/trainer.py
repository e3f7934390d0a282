"""Training: from a treebank to a model, by the L2-regularised conditional likelihood of Eq. (6)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats
from morphtree._util.text import short_hash
from morphtree.decoding.candidates import CandidateGenerator, transducer_engine
from morphtree.errors import ModelError
from morphtree.joint.engine import Batch, Engine
from morphtree.joint.estimators import Importance, parse_estimator
from morphtree.lexicon.word_facts import Facts
from morphtree.model.model import Model
from morphtree.training.adagrad import AdaGrad
from morphtree.training.checkpoint import Arrays, Checkpoint
from morphtree.training.cross_fitting import CandidateLists, Report
from morphtree.training.data import signature
from morphtree.training.dev_set import DevSet, calibrated, measured, selection_score
from morphtree.training.importance_sampling import ImportanceSampler
from morphtree.training.listed_forms import ListedForms
from morphtree.training.prepare import Prepared, make_model, prepare
from morphtree.training.settings import Settings
from morphtree.treebank.treebank import Treebank

SNAPSHOTS = 4  # of the weights in an epoch, to be averaged
NEGLIGIBLE = 0.005  # a weight that no decision depends on


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data has led to."""

    epoch: int
    log_likelihood: float  # of the training data, per word
    dev: dict[str, float]
    seconds: float


@dataclass
class WeightAverage:
    """The running mean of the weights."""

    mean: Floats
    count: int = 0

    def add(self, weights: Floats) -> None:
        """Take one more snapshot in."""
        self.count += 1
        self.mean += (weights - self.mean) / self.count


class Trainer:
    """One training run."""

    prepared: Prepared  # from `run` on

    def __init__(
        self,
        settings: Settings,
        train: Treebank,
        dev: Treebank,
        *,
        jobs: int | None = None,
        report: Report = lambda stage, done: None,
        like: Trainer | None = None,
        words: Mapping[str, Facts] | None = None,
    ) -> None:
        if not dev.entries:
            raise ModelError(f"{dev.name} has no words; training needs some to know when to stop")
        self.settings = settings.for_words(len(train.entries))
        self.train = train
        self.dev = dev
        self.jobs = jobs
        self.report = report
        self.words = words  # of the lexicon, if they are not in a file
        self.like = like  # an earlier run on the same words; what it prepared serves again
        self.history: list[Epoch] = []
        self.best: Epoch | None = None
        self.best_weights: Floats = np.zeros(0)

    @property
    def task(self) -> dict[str, Any]:
        """What must be the same when a run goes on."""
        return {
            "settings": asdict(self.settings),
            "files": [self._lexicon_hash, *map(_file_hash, self.settings.files[1:])],
            "train": signature(self.train.entries),
            "dev": signature(self.dev.entries),
            "version": version("morphtree"),
        }

    @cached_property
    def _lexicon_hash(self) -> str:
        if self.words is None:
            return _file_hash(self.settings.lexicon)
        return short_hash(repr(sorted(self.words.items())).encode())

    def run(self, checkpoint: Path | None = None, *, resume: bool = False) -> Iterator[Epoch]:
        """Train; yield every epoch. A checkpoint is written after each."""
        file = Checkpoint(checkpoint, self.task) if checkpoint else None
        lists, state, arrays = file.load() if file and resume else (None, {}, {})
        self._prepare(lists)
        self._start()
        if state:
            self._restore(state, arrays)
        while len(self.history) < self.settings.epochs and not self._stops_early():
            yield self._epoch(len(self.history))
            if file:
                file.save(self.prepared.lists, *self._state())

    def _prepare(self, lists: CandidateLists | None) -> None:
        """Do what comes before the first epoch, or take over what an earlier run has of it."""
        like, self.like = self.like, None
        if like and lists is None and self.settings.prepares_like(like.settings):
            self.prepared = like.prepared
            if self.settings.estimator == like.settings.estimator:
                self._sampler = like._sampler
            return
        if like and lists is None:
            lists = like.prepared.lists
        self.prepared = prepare(
            self.settings, self.train, jobs=self.jobs, report=self.report, lists=lists,
            words=self.words,
        )  # fmt: skip

    def _start(self) -> None:
        prepared, settings = self.prepared, self.settings
        self.weights = prepared.start_weights()
        self.average = WeightAverage(np.zeros(prepared.size))
        used = self.weights.copy() if any(settings.dropout or ()) else self.weights
        self.engine = Engine(prepared.edits, prepared.spans, used, jobs=self.jobs)
        self.adagrad = AdaGrad(
            self.weights,
            learning_rate=settings.learning_rate or 0.0,
            l2=settings.l2 or 0.0,
            words=len(prepared.usable),
            batch_size=settings.batch_size,
        )
        self._listed = ListedForms(prepared.examples, self.engine)
        self._dev = DevSet(self.dev, prepared, self.jobs)

    # -- objective: log likelihood over candidate lists, or over forms sampled for each epoch

    @cached_property
    def _sampler(self) -> ImportanceSampler | None:
        """The sampler of forms, if the estimator samples."""
        estimator = parse_estimator(self.settings.estimator)
        if not isinstance(estimator, Importance):
            return None
        lists, edits = self.prepared.lists, self.prepared.edits
        proposals = lists.possible_weights(self.prepared.impossible)
        generators = [
            CandidateGenerator(
                transducer_engine(edits, weights, 1), longer=self.settings.max_extra_letters
            )
            for weights in proposals
        ]
        return ImportanceSampler(generators, lists.folds.tolist(), estimator.m, self.settings.seed)

    def _examples(self, epoch: int) -> Batch:
        """Return the examples of an epoch, packed."""
        if self._sampler:
            return self._sampler.batch(self.prepared.examples, epoch, self.engine)
        return self._listed.of_epoch(epoch)

    def _step(self, batch: Batch, words: NDArray[np.int32], rng: np.random.Generator) -> float:
        """Take one step; return the log likelihood of its words before it."""
        if any(self.settings.dropout or ()):
            draws = rng.random(len(self.weights), np.float32)
            self.adagrad.drop(draws, self._keep_rates, self.engine.weights)
        self.engine.refresh()
        entries, log_probs = self.engine.gradients(batch, words)
        self.adagrad.step(entries, len(words))
        return float(log_probs.sum())

    # -- feature dropout

    @cached_property
    def _keep_rates(self) -> Floats:
        """The probability with which each feature is kept in a step; what is impossible stays."""
        sizes = len(self.prepared.edits.index), len(self.prepared.spans.index)
        rates = np.repeat(1.0 - np.array(self.settings.dropout or (0.0, 0.0)), sizes)
        rates[self.prepared.impossible] = 1.0
        return rates

    # -- epochs and averaging

    def _epoch(self, number: int) -> Epoch:
        began = time.perf_counter()
        batch = self._examples(number)
        rng = np.random.default_rng((self.settings.seed, number))
        order = rng.permutation(self.prepared.usable)
        total, done = 0.0, 0
        interval = max(1, len(order) // self.settings.batch_size // SNAPSHOTS)
        for step, words in enumerate(self.adagrad.batches(order), 1):
            total += self._step(batch, words, rng)
            if step % interval == 0:
                self._take_snapshot(number)
            done += len(words)
            self.report(f"epoch {number + 1}", done / len(order))
        self._take_snapshot(number)
        weights = (self.average.mean if self.average.count else self.weights) * self._keep_rates
        dev = self._dev.measure(weights)
        epoch = Epoch(number, total / len(order), dev, round(time.perf_counter() - began, 3))
        self._select(epoch, weights)
        return epoch

    def _take_snapshot(self, epoch: int) -> None:
        """Add the weights to their average, the first epochs left out."""
        if 0 < self.settings.average_after <= epoch:
            self.average.add(self.weights)

    # -- early stopping

    def _select(self, epoch: Epoch, weights: Floats) -> None:
        """Note an epoch, and its weights if they are the best so far on dev."""
        self.history.append(epoch)
        if self.best is None or selection_score(epoch.dev) > selection_score(self.best.dev):
            self.best, self.best_weights = epoch, weights.copy()

    def _stops_early(self) -> bool:
        """Whether the last epochs have brought no better score; likelihood alone does not count."""
        scores = [selection_score(epoch.dev)[0] for epoch in self.history]
        return bool(scores) and len(scores) - 1 - int(np.argmax(scores)) >= self.settings.patience

    def beats(self, other: Trainer) -> bool:
        """Whether the best epoch of this run is better than that of another."""
        assert self.best is not None
        assert other.best is not None
        return selection_score(self.best.dev) > selection_score(other.best.dev)

    # -- checkpoints

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        assert self.best is not None
        state = {
            "averaged": self.average.count,
            "history": [asdict(epoch) for epoch in self.history],
            "best": self.best.epoch,
        }
        arrays: Arrays = {
            "weights": self.weights, "mean": self.average.mean,
            "accumulator": self.adagrad.accumulator, "best": self.best_weights,
            "kept": self._listed.kept,
        }  # fmt: skip
        return state, arrays

    def _restore(self, state: dict[str, Any], arrays: Arrays) -> None:
        sizes = len(arrays["weights"]), len(arrays["kept"])
        if sizes != (len(self.weights), len(self._listed.kept)):
            raise ModelError("the checkpoint is of other words; train without --resume")
        self.weights[:] = arrays["weights"]
        self.adagrad.resume(arrays["accumulator"])
        self.average = WeightAverage(arrays["mean"], state["averaged"])
        self.history = [Epoch(**epoch) for epoch in state["history"]]
        self.best = self.history[state["best"]]
        self.best_weights = arrays["best"]
        self._listed.restore(arrays["kept"])

    # -- the finished model: pruned, calibrated and measured on dev

    def model(self) -> Model:
        """Return the best model so far, as its file will hold it."""
        assert self.best is not None
        task = self.task
        about = {
            "version": task["version"],
            "settings": task["settings"] | self.settings.file_names,
            "grammar": str(self.prepared.structure.grammar),
            "data": {"train": task["train"], "dev": task["dev"]},
            "licence": self.prepared.licence,
            "recall": self.prepared.lists.recall,
            "epoch": self.best.epoch,
        }
        model = make_model(self.prepared, self.best_weights, about).pruned(NEGLIGIBLE)
        model = calibrated(model, self.dev.entries, self.jobs)
        return measured(model, self.dev.entries, self.jobs)


def _file_hash(name: str) -> str:
    """Return a hash of a file's contents; of no file or a built-in name, nothing."""
    path = Path(name)
    return short_hash(path.read_bytes()) if path.is_file() else ""


def json_line(epoch: Epoch) -> str:
    """Write an epoch as one line of JSON."""
    return json.dumps(asdict(epoch), sort_keys=True)
