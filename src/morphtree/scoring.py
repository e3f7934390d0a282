"""`morphtree.evaluate`: a model, or two, against a treebank, in one call."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import morphtree
from morphtree._util.text import counted
from morphtree.analysis import Reading
from morphtree.analyzer import Analyzer
from morphtree.errors import ModelError, TreebankError
from morphtree.evaluation.evaluation import Evaluation
from morphtree.evaluation.evaluation import evaluate as evaluate_predictions
from morphtree.joint.estimators import How, as_estimator
from morphtree.model.model import Model
from morphtree.treebank.given import Given, as_treebank
from morphtree.treebank.treebank import Treebank

System: TypeAlias = str | os.PathLike[str] | Analyzer | Model
Answers: TypeAlias = list[Reading | None]  # the best reading of each word, None if refused


def evaluate(
    model: System,
    treebank: Given,
    *,
    train: Given | None = None,
    compare: System | None = None,
    decode: How | None = None,
    stored: bool = True,
    jobs: int | None = None,
    seed: int = 1,
    progress: bool = True,
) -> Evaluation:
    """Score a model on the words of a treebank; every figure has a 95 % bootstrap interval.

    ``model`` is a file, the name of a built-in model or an analyzer; ``treebank`` a file, a
    treebank, entries, or a dict from words to trees. With ``train``, the training data, the
    words not in it are scored separately too. ``compare`` is another model: a difference is that
    of ``model`` minus ``compare``, with the p value of a paired randomisation test. Without
    ``stored`` the model computes all words, also those of its own treebank. ``seed`` is that of
    the bootstrap and the test. ``progress`` shows a bar if stderr is a terminal.
    """
    how = None if decode is None else as_estimator(decode)
    gold = _with_entries(as_treebank(treebank, "treebank"))
    seen = None if train is None else _with_entries(as_treebank(train, "train"))
    others = [] if compare is None else [compare]
    systems = [_analyzer(one, stored, jobs) for one in (model, *others)]
    words = [entry.word for entry in gold.entries]
    answers = [_answers(system, words, how, progress) for system in systems]
    ours, *theirs = ([best.tree if best else None for best in found] for found in answers)
    result = evaluate_predictions(
        gold.entries,
        ours,
        baseline=theirs[0] if theirs else None,
        system=_described([system.signature(how) for system in systems]),
        data=Path(gold.name).name,
        train=None if seen is None else {entry.word for entry in seen.entries},
        seed=seed,
    )
    notes = [*_repairs(gold), *(_repairs(seen) if seen else ())]
    for system, found in zip(systems, answers, strict=True):
        notes += _stored(system.name, found)
    return replace(result, notes=tuple(notes))


def _analyzer(system: System, stored: bool, jobs: int | None) -> Analyzer:
    """Return what answers: for an analyzer, the same with other threads or its model alone."""
    if isinstance(system, str | os.PathLike):
        return morphtree.load(system, stored=stored, jobs=jobs)
    if not isinstance(system, Model | Analyzer):
        raise ModelError(f"a model cannot be {system!r:.60}; give a file, a name or an analyzer")
    analyzer = Analyzer(system, "model") if isinstance(system, Model) else system
    analyzer = analyzer if stored else analyzer.computing
    return analyzer.copy(jobs=jobs) if jobs else analyzer


def _with_entries(treebank: Treebank) -> Treebank:
    if not treebank.entries:
        raise TreebankError(f"{treebank.name} has no entries")
    return treebank


def _answers(analyzer: Analyzer, words: Sequence[str], how: How | None, progress: bool) -> Answers:
    """Return the best reading of each word; with a bar if it is wanted and there is a terminal."""
    from tqdm import tqdm

    shown = tqdm(
        analyzer.pipe(words, decode=how), desc=analyzer.name, total=len(words), unit="word",
        leave=False, disable=None if progress else True,
    )  # fmt: skip
    return [analysis.best for analysis in shown]


def _described(signatures: Sequence[dict[str, str]]) -> dict[str, str]:
    """Name the system that is scored, and the other one, if there is one."""
    ours, *others = signatures
    return ours | {f"other_{key}": value for one in others for key, value in one.items()}


def _repairs(treebank: Treebank) -> Iterator[str]:
    """Say if lines had to be changed when a treebank was read."""
    changes = Counter(note.action for note in treebank.notes)
    if changes:
        listed = ", ".join(f"{action} {count}" for action, count in changes.items())
        hint = f"'morphtree treebank check {treebank.name}' lists them"
        yield f"{treebank.name}: {listed} ({hint})"


def _stored(name: str, answers: Answers) -> Iterator[str]:
    """Say how many words the model did not analyse, for they are stored in it."""
    stored = sum(best is not None and best.source == "treebank" for best in answers)
    if stored:
        are = "is" if stored == 1 else "are"
        what = f"{stored} of {counted(len(answers), 'word')} {are} stored in the model {name}"
        alone = "--no-stored (stored=False) scores the model alone"
        yield f"{what} and answered from there; {alone}"
