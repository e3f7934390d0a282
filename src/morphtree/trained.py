"""`morphtree.train`: from a treebank to an analyzer, in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from morphtree.analyzer import Analyzer
from morphtree.errors import OptionError
from morphtree.lexicon.resources import require_language
from morphtree.lexicon.word_facts import make_lexicon
from morphtree.model.model import Model
from morphtree.training.fitting import (
    Fitting,
    check_choice,
    check_different,
    check_whole,
    check_writable,
    checkpoints,
    l2_grid,
)
from morphtree.training.parts import choose_parts
from morphtree.training.progress import STDOUT, Log, Progress, Shown
from morphtree.training.settings import Settings
from morphtree.training.summary import Outcome, describe
from morphtree.training.trainer import Epoch
from morphtree.treebank.given import Given

SOURCES = "treebank", "dev treebank", "lexicon", "grammar", "file of related words"
GIVEN_WORDS = "given words"  # what a model calls a lexicon that was no file


class TrainedAnalyzer(Analyzer):
    """An analyzer whose model was just trained; printed, it says how good that is.

    ``history`` has the epochs, ``scores`` the metrics on dev words, ``path`` the model's file,
    ``skipped`` a sentence for each word or reading that could not be learned from.
    """

    def __init__(
        self, model: Model, outcome: Outcome, skipped: Iterable[str], jobs: int | None
    ) -> None:
        super().__init__(model, str(outcome.path or "trained"), jobs=jobs)
        self.skipped: tuple[str, ...] = tuple(skipped)
        self.path: Path | None = outcome.path
        self.history: tuple[Epoch, ...] = tuple(outcome.history)
        self.scores: dict[str, float] = outcome.scores
        self.summary = str(outcome)

    def __str__(self) -> str:
        return self.summary


def train(
    train: Given,
    dev: Given | None = None,
    output: str | os.PathLike[str] | None = None,
    *,
    features: Literal["full", "paper"] = "full",
    structure: Literal["tree", "chain"] = "tree",
    estimator: str = "nbest:20",
    l2: float | str | None = None,
    grammar: str | os.PathLike[str] = "",
    language: str = "none",
    lexicon: str | os.PathLike[str] | Mapping[str, float] | Iterable[str] = "",
    related: str | os.PathLike[str] = "",
    epochs: int = 100,
    seed: int = 1,
    jobs: int | None = None,
    resume: bool = False,
    progress: Shown = True,
    log: Log = None,
) -> TrainedAnalyzer:
    """Train a model on words and their trees; return its analyzer, and write it to a file.

    ``train`` and ``dev`` are files, treebanks, or pairs of a word and its tree; without ``dev``
    some words are held out, whole families of them. ``lexicon`` is a file of words, or words, or
    a mapping from words to zipf frequencies; ``language`` a code such as ``en``, whose word lists
    are used. ``l2`` is a number, or ``"grid"`` to try several. ``progress`` shows a table, or is
    called with every epoch; ``log`` is a file for lines of JSON. ``resume`` goes on from the
    checkpoint beside ``output``, if there is one.
    """
    check_choice("features", features, "full", "paper")
    check_choice("structure", structure, "tree", "chain")
    check_whole("epochs", epochs, 1)
    check_whole("seed", seed, 0)
    if jobs is not None:
        check_whole("jobs", jobs, 1)
    require_language(language)
    words = None if isinstance(lexicon, str | os.PathLike) else make_lexicon(lexicon)
    settings = Settings(
        features=features, structure=structure, estimator=estimator, grammar=os.fspath(grammar),
        language=language, related=os.fspath(related), epochs=epochs, seed=seed,
        lexicon=GIVEN_WORDS if words is not None else os.fspath(lexicon),  # type: ignore[arg-type]
    )  # fmt: skip
    grid = l2_grid(l2)
    path = None if output is None else Path(output)
    given = train, dev, lexicon, grammar, related
    _check_files(path, log, dict(zip(SOURCES, given, strict=True)), resume=resume)
    files = checkpoints(path, grid) if path else []
    fitting = Fitting(settings, choose_parts(train, dev, seed), grid, words, files, jobs)
    goes_on = resume and any(file.exists() for file in files)
    with Progress(progress, log, append=goes_on) as shown:
        return _run(fitting, path, shown, resume=resume)


def _check_files(path: Path | None, log: Log, given: Mapping[str, object], *, resume: bool) -> None:
    """Complain of files that cannot be written, or that are read, before the work."""
    sources = [
        (what, Path(name)) for what, name in given.items()
        if isinstance(name, str | os.PathLike) and os.fspath(name)
    ]  # fmt: skip
    if path is not None:
        check_writable(path, sources)
    elif resume:
        raise OptionError("a run goes on from the checkpoint beside its output; name the output")
    if log is not None and log != STDOUT:
        check_different(Path(log), [*sources, *([("model", path)] if path else [])])


def _run(fitting: Fitting, path: Path | None, shown: Progress, *, resume: bool) -> TrainedAnalyzer:
    """Fit, write the model, and say what came out."""
    parts = fitting.parts
    for treebank in (parts.train, parts.dev):
        for note in treebank.notes:
            shown.note(f"{treebank.place(note.line)}: {note.action}: {note.message}")
    shown.say(describe(parts, fitting.settings))
    best = fitting.run(shown, resume=resume)
    model = best.model()
    if path is not None:
        model.save(path)
    assert best.best is not None
    outcome = Outcome(parts, best.settings, best.history, best.best, model.header["dev"], path)
    shown.say(f"\n{outcome}")
    for file in fitting.files:
        file.unlink(missing_ok=True)
    return TrainedAnalyzer(model, outcome, best.prepared.data.notes, fitting.jobs)
