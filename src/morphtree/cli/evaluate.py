"""The command ``morphtree evaluate``: a model, or two, against a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from morphtree.cli.completion import complete_model
from morphtree.cli.parse import stored_option
from morphtree.errors import TreebankError
from morphtree.evaluation.evaluation import evaluate as evaluate_predictions
from morphtree.evaluation.metrics import Prediction
from morphtree.evaluation.report import REPORTS
from morphtree.treebank.treebank import Treebank

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.joint.estimators import Importance, NBest


@click.command(short_help="Score a model on a treebank.")
@click.argument("model", shell_complete=complete_model)
@click.argument("treebank", type=click.Path())
@click.option("--train", type=click.Path(),
              help="The training data; words not in it are scored separately too.")  # fmt: skip
@click.option("--compare", metavar="MODEL2", shell_complete=complete_model,
              help="Another model, to compare with by a paired test.")  # fmt: skip
@click.option("--format", "style", default="text", show_default=True,
              type=click.Choice(list(REPORTS)),
              help="text is for people, latex needs booktabs.")  # fmt: skip
@click.option("--decode", metavar="HOW",
              help="Candidate forms: nbest:20, importance:1000; by default as parse.")  # fmt: skip
@stored_option
@click.option("--jobs", type=click.IntRange(1), help="Threads; as many as cores if not given.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0),
              help="Seed of the bootstrap and the paired test.")  # fmt: skip
def evaluate(
    model: str, treebank: str, train: str | None, compare: str | None, style: str,
    decode: str | None, stored: bool, jobs: int | None, seed: int,
) -> None:  # fmt: skip
    """Score MODEL, a file or the name of a built-in model, on the words of TREEBANK.

    Every figure has a 95 % bootstrap interval; a difference is that of MODEL minus MODEL2, with
    the p value of a paired randomisation test. Flat data have no figures on trees.
    """
    import morphtree
    from morphtree.joint.estimators import parse_estimator

    how = parse_estimator(decode) if decode else None
    gold = _read(treebank)
    known = None if train is None else {entry.word for entry in _read(train).entries}
    words = [entry.word for entry in gold.entries]
    systems = [model] if compare is None else [model, compare]
    analyzers = [morphtree.load(name, stored=stored, jobs=jobs) for name in systems]
    signatures = [analyzer.signature(how) for analyzer in analyzers]
    predictions = [predict(analyzer, words, decode=how) for analyzer in analyzers]
    result = evaluate_predictions(
        gold.entries,
        predictions[0],
        baseline=None if compare is None else predictions[1],
        system=signatures[0] | {f"other_{k}": v for one in signatures[1:] for k, v in one.items()},
        data=Path(treebank).name,
        train=known,
        seed=seed,
    )
    click.echo(REPORTS[style](result))


def _read(file: str) -> Treebank:
    """Read a treebank that has words, and say on stderr if lines had to be changed."""
    treebank = Treebank.read(file)
    changes = Counter(note.action for note in treebank.notes)
    if changes:
        listed = ", ".join(f"{action} {count}" for action, count in changes.items())
        hint = f"'morphtree treebank check {file}' lists them"
        click.echo(f"{file}: {listed} ({hint})", err=True)
    if not treebank.entries:
        raise TreebankError(f"{file} has no entries")
    return treebank


def predict(
    analyzer: Analyzer, words: Sequence[str], *, decode: NBest | Importance | None
) -> list[Prediction]:
    """Return the best reading of each word, None if refused; with a bar if stderr is a terminal.

    On stderr it says how many words the model did not analyse, for they are stored in it.
    """
    from tqdm import tqdm

    analyses = analyzer.pipe(words, decode=decode)
    shown = tqdm(
        analyses, desc=analyzer.name, total=len(words), unit="word", leave=False, disable=None
    )
    best = [analysis.readings[0] if analysis.readings else None for analysis in shown]
    stored = sum(reading is not None and reading.source == "treebank" for reading in best)
    if stored:
        what = f"{stored} of {len(words)} words are stored in the model {analyzer.name}"
        click.echo(f"{what} and answered from there; --no-stored scores the model alone", err=True)
    return [None if reading is None else reading.tree for reading in best]
