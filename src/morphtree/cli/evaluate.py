"""The command ``morphtree evaluate``: a model, or two, against a treebank."""

from __future__ import annotations

import click

from morphtree.cli.completion import complete_model
from morphtree.cli.models import chosen, language_option
from morphtree.cli.parse import stored_option
from morphtree.evaluation.report import REPORTS


@click.command(short_help="Score a model on a treebank.")
@click.argument("model", shell_complete=complete_model)
@click.argument("treebank", type=click.Path(), required=False)
@language_option
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
    model: str, treebank: str | None, lang: str | None, train: str | None, compare: str | None,
    style: str, decode: str | None, stored: bool, jobs: int | None, seed: int,
) -> None:  # fmt: skip
    """Score MODEL, a file or the code of a language, on the words of TREEBANK.

    'evaluate --lang CODE TREEBANK' is the same as 'evaluate CODE TREEBANK'.

    Every figure has a 95 % bootstrap interval; a difference is that of MODEL minus MODEL2, with
    the p value of a paired randomisation test. Flat data have no figures on trees.
    """
    import morphtree

    model, treebank = _named(model, treebank, lang)
    result = morphtree.evaluate(
        model, treebank, train=train, compare=compare, decode=decode, stored=stored, jobs=jobs,
        seed=seed,
    )  # fmt: skip
    for note in result.notes:
        click.echo(note, err=True)
    click.echo(REPORTS[style](result))


def _named(first: str, second: str | None, lang: str | None) -> tuple[str, str]:
    """Return model and treebank; with --lang, the only argument is the treebank."""
    if second is None and lang is None:
        raise click.UsageError("Missing argument 'TREEBANK'.")
    return (chosen(lang, first), second) if second is not None else (chosen(lang, None), first)
