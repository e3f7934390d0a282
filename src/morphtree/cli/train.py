"""The command ``morphtree train``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from morphtree._util.files import replaced_suffix
from morphtree.cli.completion import complete_grammar
from morphtree.cli.languages import language_option
from morphtree.errors import Interrupted

option = click.option


@click.command(short_help="Train a model on a treebank.")
@click.argument("train_file", metavar="TRAIN", type=click.Path())
@option("--dev", "dev_file", metavar="DEV", type=click.Path(),
        help="Treebank for early stopping and calibration; otherwise a part of TRAIN is held out,"
        " by family.")  # fmt: skip
@option("-o", "--output", metavar="MODEL", type=click.Path(),
        help="File to write the model to; by default TRAIN with the suffix .model.")  # fmt: skip
@option("--features", type=click.Choice(["full", "paper"]), default="full", show_default=True,
        help="All features, or exactly the paper's.")  # fmt: skip
@option("--structure", type=click.Choice(["tree", "chain"]), default="tree", show_default=True,
        help="Trees, or the flat baseline.")  # fmt: skip
@option("--estimator", default="nbest:20", show_default=True, metavar="HOW",
        help="Estimator of the partition function: nbest:20 or importance:10.")  # fmt: skip
@option("--l2", metavar="X|grid", help="Weight of L2 regularisation, by default 1"
        " (paper: 0.1); grid tries several on DEV.")  # fmt: skip
@option("--grammar", default="", metavar="paper|compounds|links|FILE",
        shell_complete=complete_grammar,
        help="By default the smallest of the three that the training trees need.")  # fmt: skip
@language_option()
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
@option("--log", metavar="FILE", type=click.Path(),
        help="Write a line of JSON after every epoch; - is standard output, in place of the"
        " table.")  # fmt: skip
def train(train_file: str, dev_file: str | None, output: str | None, **options: Any) -> None:
    """Train a model on the treebank TRAIN and write it to the file MODEL.

    A table has one line an epoch; * is the best on DEV so far. MODEL.checkpoint says where a run
    stands; it is removed when the model is written.
    """
    import morphtree

    model = Path(output) if output else replaced_suffix(Path(train_file), ".model")
    try:
        morphtree.train(train_file, dev_file, model, **options)
    except KeyboardInterrupt:
        raise Interrupted(how_to_go_on(model, options["l2"])) from None


def how_to_go_on(model: Path, l2: str | None) -> str:
    """Say what is left of a run that was interrupted."""
    from morphtree.training.fitting import checkpoints, l2_grid

    kept = [str(file) for file in checkpoints(model, l2_grid(l2)) if file.exists()]
    if not kept:
        return "nothing was written, for no epoch was finished"
    return f"the same command with --resume goes on from {', '.join(kept)}"
