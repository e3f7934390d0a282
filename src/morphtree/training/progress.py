"""What a training run shows while it goes on: a table and a bar for people, JSON for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, TypeAlias

from tqdm import tqdm

from morphtree.errors import OptionError
from morphtree.training.trainer import Epoch, json_line

STDOUT = "-"
Shown: TypeAlias = bool | Callable[[Epoch], object]
Log: TypeAlias = str | os.PathLike[str] | None

COLUMNS = {"accuracy": "accuracy %", "exact_tree": "exact tree %", "morpheme_f1": "morpheme F1 %"}
HEAD = "  ".join(["epoch", "   loss", *COLUMNS.values(), "seconds"])
BEST = "*"


def row(epoch: Epoch, *, is_best: bool) -> str:
    """Write an epoch as a line of the table; the first is number 1."""
    scores = (
        f"{100 * epoch.dev[name]:{len(head)}.1f}" if name in epoch.dev else f"{'-':>{len(head)}}"
        for name, head in COLUMNS.items()
    )
    mark = f" {BEST}" if is_best else ""
    loss = f"{-epoch.log_likelihood:7.3f}"
    return "  ".join([f"{epoch.epoch + 1:5}", loss, *scores, f"{epoch.seconds:7.2f}"]) + mark


class Progress:
    """Shows a run, or calls a function with every epoch; and writes a log, if one is named.

    A log on standard output takes the place of the table.
    """

    def __init__(self, shown: Shown, log: Log, *, append: bool = False) -> None:
        self.call = shown if callable(shown) else None
        self.is_shown = shown is True
        self.has_table = self.is_shown and log != STDOUT
        self._log, self._mode = log, "a" if append else "w"
        self._closing = ExitStack()

    def __enter__(self) -> Progress:
        self._stream = self._open()
        self._bar = self._closing.enter_context(ProgressBar(shown=self.is_shown))
        return self

    def _open(self) -> IO[str] | None:
        if self._log is None:
            return None
        if self._log == STDOUT:
            return sys.stdout
        try:
            log = Path(self._log)
            return self._closing.enter_context(log.open(self._mode, encoding="utf-8"))
        except OSError as error:
            raise OptionError(f"the log {self._log} cannot be written ({error.strerror})") from None

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def stage(self, name: str, done: float) -> None:
        """Show how far a stage is."""
        self._bar.show(name, done)

    def say(self, text: str) -> None:
        """Show a text on standard output, unless only the log is to be there."""
        if self.has_table:
            self._bar.clear()
            print(text, flush=True)

    def note(self, text: str) -> None:
        """Say on standard error what was left out."""
        if self.is_shown:
            self._bar.clear()
            print(text, file=sys.stderr, flush=True)

    def epoch(self, epoch: Epoch, *, is_best: bool) -> None:
        """Show an epoch and log it."""
        self.say(row(epoch, is_best=is_best))
        self._bar.scores = f"loss {-epoch.log_likelihood:.3f} dev {epoch.dev['accuracy']:.1%}"
        if self._stream is not None:
            self._bar.clear()
            print(json_line(epoch), file=self._stream, flush=True)
        if self.call is not None:
            self.call(epoch)


class ProgressBar(tqdm):  # type: ignore[type-arg]
    """Stages and epochs on standard error, if that is a terminal."""

    scores = ""

    def __init__(self, *, shown: bool) -> None:
        options: dict[str, Any] = {"disable": not shown or not sys.stderr.isatty()}
        super().__init__(
            total=100, unit="%", leave=False, **options,
            bar_format="{desc:12} |{bar:30}| {n:3.0f} %{postfix}",
        )  # fmt: skip

    def show(self, stage: str, done: float) -> None:
        """Show how far a stage is."""
        self.set_description_str(stage, refresh=False)
        self.set_postfix_str(self.scores, refresh=False)
        self.n = 100 * done
        self.update(0)
