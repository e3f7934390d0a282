"""The command ``morphtree train``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from morphtree._util.files import is_same_file
from morphtree.cli.completion import complete_grammar

if TYPE_CHECKING:
    from morphtree.training.settings import Settings
    from morphtree.training.trainer import Trainer
    from morphtree.treebank.treebank import Treebank

option = click.option


@click.command(short_help="Train a model on a treebank.")
@click.argument("train_file", metavar="TRAIN", type=click.Path())
@option("--dev", "dev_file", required=True, metavar="DEV", type=click.Path(),
        help="Treebank for early stopping and calibration.")  # fmt: skip
@option("-o", "--output", required=True, metavar="MODEL", type=click.Path(),
        help="File to write the model to.")  # fmt: skip
@option("--features", type=click.Choice(["full", "paper"]), default="full", show_default=True,
        help="All features, or exactly the paper's.")  # fmt: skip
@option("--structure", type=click.Choice(["tree", "chain"]), default="tree", show_default=True,
        help="Trees, or the flat baseline.")  # fmt: skip
@option("--estimator", default="nbest:20", show_default=True, metavar="HOW",
        help="Estimator of the partition function: nbest:20 or importance:10.")  # fmt: skip
@option("--l2", default="", metavar="X|grid", help="Weight of L2 regularisation, by default 1"
        " (paper: 0.1); grid tries several on DEV.")  # fmt: skip
@option("--grammar", default="", metavar="paper|compounds|FILE",
        shell_complete=complete_grammar,
        help="By default compounds if a training tree needs it, else paper.")  # fmt: skip
@option("--language", default="en", show_default=True, metavar="en|de|id|none",
        help="Language whose word lists to use.")  # fmt: skip
@option("--lexicon", default="", metavar="FILE", type=click.Path(),
        help="A word list of your own instead.")  # fmt: skip
@option("--related", default="", metavar="FILE",
        help="File of words and bases that are similar in meaning.")  # fmt: skip
@option("--epochs", default=100, show_default=True, type=click.IntRange(1),
        help="Passes over TRAIN, at most.")  # fmt: skip
@option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed of random numbers."
)
@option("--jobs", type=click.IntRange(1), metavar="N",
        help="Threads; by default one a core. The result does not depend on them.")  # fmt: skip
@option("--resume", is_flag=True, help="Go on from MODEL.checkpoint, if it is there.")
def train(
    train_file: str, dev_file: str, output: str, l2: str, jobs: int | None, resume: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Train a model on the treebank TRAIN and write it to the file MODEL.

    Every epoch is a line of JSON on standard output. MODEL.checkpoint says where a run stands; it
    is removed when the model is written.
    """
    from morphtree.training.settings import GRID, Settings

    settings = Settings(**options)
    model = Path(output)
    _check_writable(model)
    _check_different(model, train_file, dev_file)
    treebanks = _read(train_file), _read(dev_file)
    best: Trainer | None = None
    grid = GRID if l2 == "grid" else (_number(l2) if l2 else None,)
    files = [
        model.with_name(f"{model.name}{f'.{value}' if len(grid) > 1 else ''}.checkpoint")
        for value in grid
    ]
    for value, file in zip(grid, files, strict=True):
        again = resume and file.exists()
        trainer = _run(replace(settings, l2=value), treebanks, file, jobs, again, best)
        if best is None or trainer.beats(best):
            best = trainer
    assert best is not None
    best.model().save(model)
    for file in files:
        file.unlink(missing_ok=True)


def _check_writable(model: Path) -> None:
    """Complain before the work, not after it."""
    if not model.parent.is_dir():
        raise click.UsageError(f"there is no folder {model.parent} to write {model.name} into")
    if model.is_dir():
        raise click.UsageError(f"{model} is a folder; name the file to write")
    try:
        with TemporaryFile(dir=model.parent):
            pass
    except OSError as error:
        raise click.UsageError(f"{model} cannot be written ({error.strerror})") from None


def _check_different(model: Path, *treebanks: str) -> None:
    """Refuse to replace what is learned from by the model."""
    for path in map(Path, treebanks):
        if is_same_file(model, path):
            raise click.UsageError(f"{model} is the treebank itself; name another file to write")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"--l2 must be a number or 'grid', not {text!r}") from None


def _read(path: str) -> Treebank:
    """Read a treebank and say what the reader had to repair or drop."""
    from morphtree.treebank.treebank import Treebank

    treebank = Treebank.read(Path(path))
    for note in treebank.notes:
        click.echo(f"{path}:{note.line}: {note.action}: {note.message}", err=True)
    return treebank


def _run(
    settings: Settings, treebanks: tuple[Treebank, Treebank], file: Path, jobs: int | None,
    resume: bool, like: Trainer | None,
) -> Trainer:  # fmt: skip
    from morphtree.training.trainer import Trainer, json_line

    with ProgressBar() as bar:
        trainer = Trainer(settings, *treebanks, jobs=jobs, report=bar.show, like=like)
        for epoch in trainer.run(file, resume=resume):
            if epoch.epoch == 0:
                _say_skipped(trainer)
            bar.clear()
            click.echo(json_line(epoch))
            bar.scores = f"loss {-epoch.log_likelihood:.3f} dev {epoch.dev['accuracy']:.1%}"
    return trainer


def _say_skipped(trainer: Trainer) -> None:
    data = trainer.prepared.data
    for note in data.notes:
        click.echo(f"{note}; skipped", err=True)
    skipped = sum(data.skipped.values())
    if skipped:
        click.echo(f"{skipped} of {skipped + len(data.items)} words were skipped", err=True)


class ProgressBar(tqdm):  # type: ignore[type-arg]
    """Stages and epochs on standard error, if that is a terminal."""

    scores = ""

    def __init__(self) -> None:
        super().__init__(
            total=100, unit="%", leave=False, disable=not sys.stderr.isatty(),
            bar_format="{desc:12} |{bar:30}| {n:3.0f} % {postfix}",
        )  # fmt: skip

    def show(self, stage: str, done: float) -> None:
        """Show how far a stage is."""
        self.set_description_str(stage, refresh=False)
        self.set_postfix_str(self.scores, refresh=False)
        self.n = 100 * done
        self.update(0)
