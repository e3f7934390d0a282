"""The command for vocabularies of millions: segment."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from morphtree._util.interrupts import interruptible
from morphtree._util.text import counted
from morphtree.cli.main import resuming
from morphtree.cli.models import model_option
from morphtree.cli.output import check_output
from morphtree.cli.parse import control_options
from morphtree.errors import BAD_DATA, DataError
from morphtree.segment.chunks import Task, results
from morphtree.segment.parts import opened
from morphtree.segment.rows import OF_ONE_READING, ROWS, writer_of
from morphtree.segment.source import InputFile

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.segment.writer import Done

GUESSED = {".tsv": "tsv", ".jsonl": "jsonl", ".parquet": "parquet"}  # by the output's name
UNLIKE = {".csv": ".tsv", ".json": ".jsonl"}  # endings that promise what is not written
NOT_KEPT = "what was written to standard output is not complete; -o FILE can be resumed"


@click.command(short_help="Segment a vocabulary, one word a line.")
@click.argument("file", default="-", type=click.Path())
@click.option("-o", "--output", default="-", type=click.Path(),
              help="The file to write, compressed if its name ends in .gz; by default, or as -, "
                   "standard output.")  # fmt: skip
@click.option("-n", "count", default=1, show_default=True, metavar="K",
              type=click.IntRange(1, 1000),
              help="How many readings to write; in tsv, jsonl and parquet.")  # fmt: skip
@click.option("--format", "style", type=click.Choice([*ROWS]),
              help="tsv: word, morphemes, tree, probability. By default what the name of the "
                   "output ends in (.tsv, .jsonl, .parquet), otherwise tsv.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1),
              help="Threads (for jsonl, parquet and -n, processes), by default one a core.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with an interrupted run.")
@model_option
@control_options
@click.pass_context
def segment(
    context: click.Context, /, file: str, output: str, count: int, style: str | None,
    jobs: int | None, resume: bool, **controls: Any,
) -> None:  # fmt: skip
    """Segment the words of FILE (text, .gz or .zst, or - for standard input), one a line.

    There is one row for each line, in order. A line that is empty, too long or not UTF-8 gives a
    row with the word alone, is named in OUTPUT.errors, and makes the exit code 3. Ctrl-C keeps
    what is finished in OUTPUT.parts.
    """
    style = style or _guessed(output)
    _check(file, output, style, count, resume)
    jobs = jobs or os.cpu_count() or 1
    with interruptible(NOT_KEPT if output == "-" else _how_to_resume(context, file, output)):
        task = Task(style, n=count, **controls)
        analyzer = task.load()  # what cannot be read is told at once
        source = InputFile(file)
        bad = (
            _to_stdout(task, analyzer, source, jobs)
            if output == "-"
            else _to_file(task, analyzer, source, Path(output), jobs, resume)
        )
    if bad:
        where = "named above" if output == "-" else f"see {output}.errors"
        click.echo(f"morphtree: {counted(bad, 'line')} could not be segmented; {where}", err=True)
        sys.exit(BAD_DATA)


def _guessed(output: str) -> str:
    """Return the format that the name of the output ends in."""
    ending = Path(output.removesuffix(".gz")).suffix
    if ending in UNLIKE:
        raise click.UsageError(f"{output}: end it in {UNLIKE[ending]}, or name the --format")
    return GUESSED.get(ending, "tsv")


def _check(file: str, output: str, style: str, count: int, resume: bool) -> None:
    """Complain of an output that cannot be before the work, not after it."""
    out = Path(output)
    if count > 1 and style in OF_ONE_READING:
        raise click.UsageError(f"{style} has one reading a word; choose tsv, jsonl or parquet")
    if output == "-" and style == "parquet":
        raise click.UsageError("parquet needs -o")
    if output == "-" and resume:
        raise click.UsageError("only what is written to a file (-o) can be resumed")
    if out.suffix == ".zst" or (out.suffix == ".gz" and style == "parquet"):
        raise click.UsageError(f"{output}: only text is compressed, and to .gz; choose that ending")
    check_output(file, output)


def _how_to_resume(context: click.Context, file: str, output: str) -> str:
    same = ", with the same input" if file == "-" else ""
    return f"{output}.parts keeps what is finished; to go on{same}: {resuming(context)}"


def _to_stdout(task: Task, analyzer: Analyzer, source: InputFile, jobs: int) -> int:
    bad = first = 0
    with source.lines() as lines, closing(Progress(source, sys.stdout.isatty())) as progress:
        for done in results(task, analyzer, lines, jobs):
            sys.stdout.buffer.write(done.rows)
            sys.stdout.buffer.flush()  # so that errors come after their rows
            for number, fault in done.errors:
                click.echo(f"{first + number + 1}\t{fault}", err=True)
            bad += len(done.errors)
            first += done.lines
            progress.add(done)
    return bad


def _to_file(
    task: Task, analyzer: Analyzer, source: InputFile, out: Path, jobs: int, resume: bool
) -> int:
    write = writer_of(task.format, task.n, out.name)
    count = 0
    try:
        with (
            opened(out, task.description(analyzer), resume=resume) as parts,
            source.lines() as lines,
        ):
            with closing(Progress(source)) as progress:
                for done in results(task, analyzer, lines, jobs, parts):
                    progress.add(done)
                    count += 1
            return parts.join(count, write)
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror}; --resume goes on") from None


class Progress:
    """Finished words, words a second and the time that is left, if standard error is a terminal.

    How many words there are is judged by the part of the file that was read; of standard input
    nobody knows.
    """

    def __init__(self, source: InputFile, hidden: bool = False) -> None:
        self._source = source
        self._bar = None
        if hidden or not sys.stderr.isatty():
            return
        from tqdm import tqdm

        # a terminal may say that it has no columns and no rows, and tqdm would show nothing
        left = "{percentage:3.0f}% |{bar:30}| " if source.size else ""
        time = "about {remaining} left" if source.size else "{elapsed}"
        self._bar = tqdm(
            total=source.size or None, unit=" words", smoothing=0, miniters=1, mininterval=0.1,
            bar_format=f"{left}{{n_fmt}} words, {{rate_noinv_fmt}}, {time}",
            ncols=None if os.get_terminal_size(sys.stderr.fileno()).columns else 80, nrows=20,
        )  # fmt: skip

    def add(self, done: Done) -> None:
        """Count the words of a chunk; what an earlier run did tells nothing of the speed."""
        if self._bar is not None:
            self._bar.total = self._source.total
            self._bar.initial += 0 if done.is_new else done.lines
            self._bar.update(done.lines)

    def close(self) -> None:
        """Leave what is shown."""
        if self._bar is not None:
            self._bar.close()
