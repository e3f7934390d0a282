"""The command for running text: text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from morphtree._util.files import decompressed, replacing
from morphtree._util.interrupts import interruptible
from morphtree.cli.models import model_option
from morphtree.cli.output import STDIO, check_output
from morphtree.cli.parse import control_options
from morphtree.errors import DataError
from morphtree.running_text.blocks import decoded
from morphtree.running_text.formats import MARK, NO_MARK, is_mark, json_lines, marked, table

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

FORMATS = ("marked", "table", "jsonl")


@click.command(short_help="Analyse the words of a running text.")
@click.argument("file", default=STDIO, type=click.Path())
@click.option("-o", "--output", default=STDIO, type=click.Path(),
              help="The file to write; otherwise stdout.")  # fmt: skip
@click.option("--format", "style", default="marked", show_default=True, type=click.Choice(FORMATS),
              help="marked: the text with a mark between morphemes; table: a line for each type, "
                   "by falling count; jsonl: a line for each word, with places.")  # fmt: skip
@click.option("--mark", default=MARK, show_default=True, metavar="C",
              help="The character between morphemes; one in the text is doubled.")  # fmt: skip
@model_option
@control_options
def text(file: str, output: str, style: str, mark: str, model: str, **controls: Any) -> None:
    """Analyse the words of FILE, a text in UTF-8 (or .gz, .zst, or - for standard input).

    Words are found by Unicode's word boundaries, and each distinct one is analysed once. The text
    may be of any length: it is read in blocks.
    """
    _check(file, output, mark)
    with interruptible("" if output == STDIO else f"{output} is as it was"):
        _write(file, output, style, mark, model, controls)


def _write(
    file: str, output: str, style: str, mark: str, model: str, controls: dict[str, Any]
) -> None:
    import morphtree

    analyzer = morphtree.load(model, **controls)
    with _opened(file) as stream, _written(output) as out:
        pieces = decoded(stream, "standard input" if file == STDIO else file)
        for part in _parts(style, analyzer, mark)(pieces):
            out.write(part.encode())


def _parts(style: str, analyzer: Analyzer, mark: str) -> Callable[[Iterator[str]], Iterator[str]]:
    """Return what turns a text into parts of the output."""
    if style == "marked":
        return lambda pieces: marked(pieces, analyzer.pipe, mark)
    write = table if style == "table" else json_lines
    return lambda pieces: write(pieces, analyzer.pipe)


def _check(file: str, output: str, mark: str) -> None:
    """Complain of what cannot be before the work, not after it."""
    if not is_mark(mark):
        raise click.UsageError(NO_MARK.format(mark))
    check_output(file, output)


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    """Open the text; one sentence says why it cannot be read."""
    if file == STDIO:
        yield sys.stdin.buffer
        return
    if Path(file).is_dir():
        raise DataError(f"{file} is a folder; give a text file")
    with ExitStack() as stack:
        try:
            stream: Any = stack.enter_context(Path(file).open("rb"))
        except FileNotFoundError:
            raise DataError(
                f"{file} does not exist; a text that you type: echo TEXT | morphtree text"
            ) from None
        except OSError as error:
            raise DataError(f"{file} cannot be read: {error.strerror}") from None
        yield stack.enter_context(decompressed(file, stream))


@contextmanager
def _written(output: str) -> Iterator[IO[bytes]]:
    """Open the output; a file is put in place when it is complete."""
    if output == STDIO:
        yield sys.stdout.buffer
        return
    try:
        with replacing(Path(output)) as stream:
            yield stream
    except OSError as error:
        raise DataError(f"{output} cannot be written: {error.strerror}") from None
