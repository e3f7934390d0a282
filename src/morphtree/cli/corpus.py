"""The command for corpora: corpus."""

from __future__ import annotations

import sys
from typing import Any

import click

from morphtree._util.interrupts import interruptible
from morphtree._util.text import counted
from morphtree.cli.models import model_option
from morphtree.cli.parse import control_options
from morphtree.errors import BAD_DATA

AGAIN = "what is finished is kept; repeat the command to go on"


@click.command(short_help="Count and analyse the words of a corpus.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="OUT",
              help="The folder of the tables, a path or a URL.")  # fmt: skip
@click.option("--text-column", default="text", show_default=True, metavar="C",
              help="The column that has the texts, of all but text files.")  # fmt: skip
@click.option("--min-count", default=1, show_default=True, metavar="N", type=click.IntRange(1),
              help="Leave out words that occur less often.")  # fmt: skip
@click.option("--tokens", is_flag=True, help="Write every token with its place, too.")
@click.option("--ray", metavar="ADDRESS",
              help="Work on a cluster of Ray: its address, auto, or local for one of this machine.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1),
              help="Threads on this machine, by default one a core.")  # fmt: skip
@model_option
@control_options
def corpus(
    inputs: tuple[str, ...], output: str, text_column: str, min_count: int, tokens: bool,
    ray: str | None, jobs: int | None, model: str, **controls: Any,
) -> None:  # fmt: skip
    """Count and analyse the words of a corpus: INPUTs are files, globs or URLs that Daft reads.

    Files of text, JSON lines, CSV or Parquet, by their names. OUT gets the tables vocabulary,
    morphemes and families in Parquet, a summary and two pictures. A run that was interrupted goes
    on when the command is repeated. Files that cannot be read are named in OUT/errors.tsv, and
    make the exit code 3.
    """
    if ray and jobs:
        raise click.UsageError("--jobs is for this machine; a cluster of Ray has its own cores")
    with interruptible(AGAIN):
        told = _told(inputs, output, text_column, ray, jobs, (model, controls, min_count, tokens))
    from morphtree.corpus.summary import lines

    for line in lines(told):
        click.echo(line)
    if told["faults"]:
        said = counted(len(told["faults"]), "fault")
        click.echo(f"morphtree: {said} in the input; see {output}/errors.tsv", err=True)
        sys.exit(BAD_DATA)


def _told(
    inputs: tuple[str, ...], output: str, column: str, ray: str | None, jobs: int | None,
    settings: tuple[Any, ...],
) -> dict[str, Any]:  # fmt: skip
    """Do what is not done, and return the summary."""
    from morphtree.corpus.engine import start
    from morphtree.corpus.inputs import found
    from morphtree.corpus.run import Run, Task, opened
    from morphtree.corpus.store import Store
    from morphtree.corpus.summary import summarised

    task = Task(*settings)
    task.load()  # what cannot be read is told at once
    cores = start(ray, jobs)
    given = found(inputs, column, output)
    _ = given.without_texts  # none has any: that is told at once, too
    store, described = Store(output), task.description(given)
    with store.locked():
        if told := opened(store, described):
            return told
        run = Run(store, given, task, cores, Progress())
        run.finish()
        return summarised(run, described)


class Progress:
    """How much of each stage is done, if standard error is a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that so much of a stage is done."""
        if not sys.stderr.isatty():
            return
        from tqdm import tqdm

        if stage != self._stage:
            self._stage = stage
            shape = "{desc:12}{percentage:3.0f}% |{bar:30}| {elapsed}, about {remaining} left"
            self._bar = tqdm(total=total, initial=done, desc=stage, bar_format=shape)
        self._bar.update(done - self._bar.n)
        if done >= total:
            self._bar.close()
            self._stage = ""
