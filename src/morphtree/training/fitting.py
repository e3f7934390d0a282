"""Fits and their files: the model, the checkpoints beside it, one fit or a grid of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeAlias

from morphtree._util.files import is_same_file
from morphtree.errors import OptionError
from morphtree.lexicon.word_facts import Facts
from morphtree.training.parts import Parts
from morphtree.training.progress import HEAD, Progress
from morphtree.training.settings import GRID, Settings
from morphtree.training.summary import warn_of_language
from morphtree.training.trainer import Trainer

CHECKPOINT = ".checkpoint"
Source: TypeAlias = tuple[str, Path]  # what a file is, and its name


def l2_grid(l2: float | str | None) -> tuple[float | None, ...]:
    """Return the weights of regularisation to try; None is the default."""
    if l2 is None or l2 == "":
        return (None,)
    if l2 == "grid":
        return GRID
    try:
        return (float(l2),)
    except (TypeError, ValueError):
        raise OptionError(f"l2 must be a number or 'grid', not {l2!r}") from None


def check_choice(name: str, value: object, *choices: str) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        raise OptionError(f"{name} must be {' or '.join(choices)}, not {value!r}")


def check_whole(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number, or too small a one."""
    if not isinstance(value, Integral) or value < least:
        raise OptionError(f"{name} must be a whole number from {least} on, not {value!r}")


def checkpoints(model: Path, grid: Sequence[float | None]) -> list[Path]:
    """Return the file of each fit that says where it stands."""
    names = [f".{value}" if len(grid) > 1 else "" for value in grid]
    return [model.with_name(f"{model.name}{name}{CHECKPOINT}") for name in names]


def check_writable(model: Path, sources: Iterable[Source]) -> None:
    """Complain before the work, not after it; and never replace what is learned from."""
    if not model.parent.is_dir():
        raise OptionError(f"there is no folder {model.parent} to write {model.name} into")
    if model.is_dir():
        raise OptionError(f"{model} is a folder; name the file to write")
    try:
        with TemporaryFile(dir=model.parent):
            pass
    except OSError as error:
        raise OptionError(f"{model} cannot be written ({error.strerror})") from None
    check_different(model, sources)


def check_different(written: Path, sources: Iterable[Source]) -> None:
    """Refuse to write to what is learned from, given as pairs of what it is and its file."""
    for what, path in sources:
        if written == path or is_same_file(written, path):
            raise OptionError(f"{written} is the {what} itself; name another file to write")


@dataclass
class Fitting:
    """One fit, or one for each weight of regularisation; the best on dev is kept."""

    settings: Settings
    parts: Parts
    grid: tuple[float | None, ...]
    words: Mapping[str, Facts] | None  # of the lexicon, if they are not in a file
    files: list[Path]  # checkpoints, one a fit; none if no file is to be written
    jobs: int | None

    def run(self, progress: Progress, *, resume: bool) -> Trainer:
        """Fit all; return the best."""
        best: Trainer | None = None
        for l2, file in zip_longest(self.grid, self.files):
            trainer = self._fit(l2, file, progress, resume=resume, like=best)
            if best is None or trainer.beats(best):
                best = trainer
        assert best is not None
        return best

    def _fit(
        self, l2: float | None, file: Path | None, progress: Progress, *, resume: bool,
        like: Trainer | None,
    ) -> Trainer:  # fmt: skip
        again = resume and file is not None and file.exists()
        trainer = Trainer(
            replace(self.settings, l2=l2), self.parts.train, self.parts.dev, jobs=self.jobs,
            report=progress.stage, like=like, words=self.words,
        )  # fmt: skip
        epochs = trainer.run(file, resume=again)
        first = next(epochs, None)
        if like is None:
            self._say_prepared(trainer, progress)
        done = len(trainer.history) - (first is not None) if again else 0
        progress.say(self._heading(trainer, done))
        for epoch in chain([first] if first else [], epochs):
            progress.epoch(epoch, is_best=epoch is trainer.best)
        return trainer

    def _heading(self, trainer: Trainer, done: int) -> str:
        """Return what stands above the table of a fit, of which some epochs may be done."""
        lines = []
        if len(self.grid) > 1:
            lines.append(f"l2 {trainer.settings.l2:g}")
        if done:
            lines.append(f"going on after epoch {done}")
        return "\n".join(["", *lines, HEAD])

    def _say_prepared(self, trainer: Trainer, progress: Progress) -> None:
        """Say which words were skipped, and doubt the word list if it knows few of the others."""
        data = trainer.prepared.data
        for note in data.notes:
            progress.note(f"{note}; skipped")
        skipped = sum(data.skipped.values())
        if skipped:
            words = len(self.parts.train.entries)
            progress.note(f"{skipped} of {words} words were skipped")
        warn_of_language(trainer.prepared)
