"""The paper's experiment, fit by fit: ten splits, a grid of L2 weights, trees and chains.

Every fit has a folder of its own. Its result is put there in one step, so that a run can be
stopped, taken up again, and spread over machines that share the folder or copy it together.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from morphtree._util.parallel import in_processes
from morphtree.errors import DataError
from morphtree.reproduction.fit import Result, record, score, write
from morphtree.training.dev_set import selection_score
from morphtree.training.settings import Settings, same_settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank

GRID = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)  # the paper's
TUNING = (0, 1, 2)  # the splits whose dev sets choose one L2 weight for all


class Kind(NamedTuple):
    """What is fitted and how it is decoded: a row of the table."""

    features: str
    structure: str
    estimator: str
    decode: str

    @property
    def name(self) -> str:
        """``paper-tree-importance10-importance1000``."""
        return "-".join(self).replace(":", "")

    @property
    def l2_grid(self) -> tuple[float, ...]:
        """The L2 weights that dev chooses from; that of the full features was chosen once."""
        return GRID if self.features == "paper" else (1.0,)


KINDS = (
    Kind("paper", "chain", "importance:10", "importance:1000"),
    Kind("paper", "chain", "nbest:20", "nbest:20"),
    Kind("paper", "tree", "importance:10", "importance:1000"),
    Kind("paper", "tree", "nbest:20", "nbest:20"),
    Kind("full", "tree", "nbest:20", "nbest:7:5"),
)


class Fit(NamedTuple):
    """One model on one split."""

    kind: Kind
    l2: float
    split: int

    @property
    def folder(self) -> Path:
        """Where its result goes, below the folder of all."""
        return Path(self.kind.name) / f"l2-{self.l2}" / f"split-{self.split}"

    @property
    def alike(self) -> tuple[int, str, str]:
        """What fits have in common that can share all that comes before the first epoch."""
        return self.split, self.kind.features, self.kind.structure


Group = list[tuple[Fit, str]]  # fits that are prepared alike, each with its place among all


def fit_of(result: Result) -> Fit:
    """Say what a result is of."""
    settings = result["task"]["settings"]
    kind = Kind(
        settings["features"], settings["structure"], settings["estimator"], result["test"]["decode"]
    )
    return Fit(kind, settings["l2"], result["split"])


def read_results(folders: Iterable[Path]) -> Iterator[Result]:
    """Yield the results of fits in some folders: those of `Reproduction`, and single files."""
    for folder in folders:
        for path in sorted([*folder.glob("*-*-*-*.json"), *folder.rglob("result.json")]):
            try:
                result = json.loads(path.read_text(encoding="utf-8"))
                fit_of(result)
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(f"{path} is no result of a fit ({error}); remove it") from None
            yield result


def read_split(folder: Path, name: str) -> Treebank:
    """Read one file of a split."""
    return Treebank(name, Treebank.read(folder / name).entries)


@dataclass
class Reproduction:
    """The experiment on one copy of the data."""

    data: Path | None  # the folder with train0, dev0, test0, ...; None: only look at results
    output: Path
    splits: Sequence[int]
    kinds: Sequence[Kind] = KINDS
    results: Sequence[Path] = ()  # folders with more results
    shard: tuple[int, int] = (1, 1)
    jobs: int | None = None
    others: dict[str, Any] = field(default_factory=dict)  # settings that differ from the paper's
    say: Callable[[str], object] = str  # what it does; processes must be able to pickle it
    _last: tuple[tuple[Any, ...], Trainer] | None = None

    def settings(self, fit: Fit) -> Settings:
        """Return the settings of a fit."""
        features, structure, estimator, _ = fit.kind
        return Settings(
            features=features, structure=structure, estimator=estimator, l2=fit.l2,  # type: ignore[arg-type]
            grammar="paper", **{"language": "en", **self.others},
        )  # fmt: skip

    @cached_property
    def found(self) -> dict[Fit, Result]:
        """The results that are there and of the same settings and data, if these are there."""
        results = read_results([*self.results, self.output])
        pairs = ((fit_of(result), result) for result in results)
        return {fit: result for fit, result in pairs if self._is_valid(fit, result)}

    def _is_valid(self, fit: Fit, result: Result) -> bool:
        """Whether a result is what this fit would give again."""
        if fit.split not in self.splits or self.data is None:
            return fit.split in self.splits
        task, made = self._trainer(fit).task, result["task"]
        same = same_settings(task["settings"], made["settings"])
        return same and all(made[name] == task[name] for name in ("train", "dev"))

    def run(self, *, grid: bool = False) -> bool:
        """Fit what is missing; return whether all of it is there (other shards may be at work)."""
        first = [split for split in self.splits if split in TUNING] or list(self.splits[:3])
        tuning = [
            Fit(kind, l2, split)
            for split in (self.splits if grid else first)
            for kind in self.kinds
            for l2 in kind.l2_grid
        ]
        if not self._fit_all(tuning) or grid:
            return self._has(tuning)
        chosen = {kind: shared_l2(kind, self.found) for kind in self.kinds}
        return self._fit_all(
            [Fit(kind, chosen[kind], split) for split in self.splits for kind in self.kinds]
        )

    def _fit_all(self, fits: Sequence[Fit]) -> bool:
        """Do this shard's part of some fits; those that are prepared alike are in one part.

        Several parts are done side by side, each in a process with one thread: much of a fit by
        samples is Python, which threads cannot share.
        """
        part, parts = self.shard
        groups = list(dict.fromkeys(fit.alike for fit in fits))
        mine: dict[tuple[Any, ...], Group] = {}
        for number, fit in enumerate(fits):
            if fit not in self.found and groups.index(fit.alike) % parts == part - 1:
                mine.setdefault(fit.alike, []).append((fit, f"{number + 1} of {len(fits)}"))
        processes = min(self.jobs or os.cpu_count() or 1, len(mine))
        if processes <= 1:
            for group in mine.values():
                self.found |= self.fit_group(group)
        else:
            alone = replace(self, jobs=1, _last=None)
            for found in in_processes(partial(_fitter, alone), mine.values(), jobs=processes):
                self.found |= found
        return self._has(fits)

    def fit_group(self, group: Group) -> dict[Fit, Result]:
        """Do some fits, each with its place among all, one after the other."""
        return {fit: self._fit(fit, place) for fit, place in group}

    def _has(self, fits: Sequence[Fit]) -> bool:
        return all(fit in self.found for fit in fits)

    def _trainer(self, fit: Fit, last: Trainer | None = None) -> Trainer:
        train, dev = (self._source(f"{part}{fit.split}") for part in ("train", "dev"))
        return Trainer(self.settings(fit), train, dev, jobs=self.jobs, like=last)

    @cached_property
    def _source(self) -> Callable[[str], Treebank]:
        assert self.data is not None
        return cache(partial(read_split, self.data))

    def _fit(self, fit: Fit, place: str) -> Result:
        """Train, evaluate, write. What is prepared serves all fits of a kind of model."""
        folder = self.output / fit.folder
        folder.mkdir(parents=True, exist_ok=True)
        alike = fit.alike
        last = self._last[1] if self._last and self._last[0] == alike else None
        trainer, checkpoint = self._trainer(fit, last), folder / "checkpoint"
        self._last = None
        began, resumed = time.perf_counter(), checkpoint.exists()
        for epoch in trainer.run(checkpoint, resume=resumed):
            accuracy = f"dev accuracy {epoch.dev['accuracy']:.4f}"
            self.say(f"{fit.folder} ({place}): epoch {epoch.epoch + 1}, {accuracy}")
        result = record(trainer, time.perf_counter() - began, fit.split) | {"resumed": resumed}
        result["test"] = score(
            trainer, self._source(f"test{fit.split}"), fit.kind.decode, self.jobs
        )
        write(folder / "result.json", result)
        checkpoint.unlink(missing_ok=True)
        self._last = alike, trainer
        return result


def _fitter(experiment: Reproduction) -> Callable[[Group], dict[Fit, Result]]:
    """Return what does some fits in a process of its own."""
    return experiment.fit_group


def shared_l2(kind: Kind, found: dict[Fit, Result]) -> float:
    """Return the L2 weight that is best on the dev sets of the first splits, if all saw them."""
    tried = {l2: {f.split for f in found if f.kind == kind and f.l2 == l2} for l2 in kind.l2_grid}
    tried = {l2: splits for l2, splits in tried.items() if splits} or {
        f.l2: {f.split} for f in found if f.kind == kind
    }
    common = sorted(set.intersection(*tried.values()))
    common = [split for split in common if split in TUNING] or common

    def score(l2: float) -> tuple[float, ...]:
        scores = [selection_score(found[Fit(kind, l2, split)]["dev"]) for split in common]
        return tuple(sum(column) / len(scores) for column in zip(*scores, strict=True))

    return max(tried, key=score)


def chosen_l2(kind: Kind, found: dict[Fit, Result], *, grid: bool) -> dict[int, float]:
    """Return the L2 weight of each split: the best on its own dev set, or one for all."""
    if not any(fit.kind == kind for fit in found):
        return {}
    splits = sorted({fit.split for fit in found if fit.kind == kind})
    if not grid:
        l2 = shared_l2(kind, found)
        return {split: l2 for split in splits if Fit(kind, l2, split) in found}
    tried = {s: [f.l2 for f in found if f.kind == kind and f.split == s] for s in splits}
    return {
        split: max(values, key=lambda l2: selection_score(found[Fit(kind, l2, split)]["dev"]))
        for split, values in tried.items()
    }
