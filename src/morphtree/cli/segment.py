"""The command for vocabularies of millions: segment."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from morphtree._util.files import is_same_file
from morphtree.cli.parse import control_options, model_option
from morphtree.errors import BAD_DATA, DataError
from morphtree.segment.chunks import Task, results
from morphtree.segment.parts import opened
from morphtree.segment.rows import ROWS, parquet_writer, write_rows
from morphtree.segment.source import InputFile

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.segment.writer import Done


@click.command(short_help="Segment a vocabulary, one word a line.")
@click.argument("file", default="-", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="The file to write; otherwise stdout.")
@click.option("--format", "style", default="tsv", show_default=True, type=click.Choice([*ROWS]),
              help="tsv: word, morphemes, tree, probability.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1),
              help="Threads (processes for jsonl and parquet), by default one a core.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with an interrupted run.")
@model_option
@control_options
def segment(
    file: str, output: str | None, style: str, jobs: int | None, resume: bool, **controls: Any
) -> None:
    """Segment the words of FILE (text, .gz or .zst, or - for standard input), one a line.

    There is one row for each line, in order. A line that is empty, too long or not UTF-8 gives an
    empty row, is named in OUTPUT.errors, and makes the exit code 3.
    """
    if style == "parquet" and output is None:
        raise click.UsageError("parquet needs -o")
    if resume and (output is None or file == "-"):
        raise click.UsageError("only a file that is written to a file can be resumed")
    if output is not None:
        _check(Path(file), Path(output))
    task = Task(style, **controls)
    analyzer = task.load()  # what cannot be read is told at once
    source = InputFile(file)
    jobs = jobs or os.cpu_count() or 1
    bad = (
        _to_file(task, analyzer, source, Path(output), jobs, resume)
        if output
        else _to_stdout(task, analyzer, source, jobs)
    )
    if bad:
        where = f"see {output}.errors" if output else "they are named above"
        click.echo(f"morphtree: {bad} lines could not be segmented; {where}", err=True)
        sys.exit(BAD_DATA)


def _check(source: Path, output: Path) -> None:
    """Complain of an output that cannot be before the work, not after it."""
    if output.is_dir():
        raise click.UsageError(f"{output} is a folder; name the file to write")
    if is_same_file(output, source):
        raise click.UsageError(f"{output} is the file to be read; write to another one")


def _to_stdout(task: Task, analyzer: Analyzer, source: InputFile, jobs: int) -> int:
    bad = first = 0
    with source.lines() as lines:
        for done in results(task, analyzer, lines, jobs):
            assert done is not None
            sys.stdout.buffer.write(done.rows)
            for number, fault in done.errors:
                click.echo(f"{first + number + 1}\t{fault}", err=True)
            bad += len(done.errors)
            first += done.lines
    sys.stdout.buffer.flush()
    return bad


def _to_file(
    task: Task, analyzer: Analyzer, source: InputFile, out: Path, jobs: int, resume: bool
) -> int:
    write = parquet_writer() if task.format == "parquet" else write_rows
    count = 0
    try:
        with (
            opened(out, task.description(analyzer), resume=resume) as parts,
            source.lines() as lines,
        ):
            for done in _shown(results(task, analyzer, lines, jobs, parts.has), source):
                if done is not None:
                    parts.add(count, done)
                count += 1
            return parts.join(count, write)
    except OSError as error:
        raise DataError(f"{out} cannot be written: {error.strerror}; --resume goes on") from None


def _shown(stream: Iterator[Done | None], source: InputFile) -> Iterator[Done | None]:
    """Show a bar with words a second and the time that is left, if there is a terminal."""
    if not sys.stderr.isatty():
        yield from stream
        return
    import time

    from tqdm import tqdm

    began, words, last = time.perf_counter(), 0, 0
    with tqdm(total=source.size or None, unit="B", unit_scale=True) as progress:
        for done in stream:
            words += done.lines if done else 0
            progress.update(source.read - last)
            last = source.read
            rate = words / (time.perf_counter() - began)
            progress.set_postfix_str(f"{words} words, {rate:.0f} words/s")
            yield done
