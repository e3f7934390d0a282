"""The command line: arguments in, text out."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from morphtree.errors import MorphtreeError

if TYPE_CHECKING:
    from morphtree.analyzer import Analysis
    from morphtree.tree import Tree

BAD_DATA = 3
COMMANDS = {  # loaded when called, so that each command starts fast
    "parse": "morphtree.cli:parse",
    "train": "morphtree.cli_train:train",
    "evaluate": "morphtree.cli_evaluate:evaluate",
    "treebank": "morphtree.cli_treebank:treebank",
}


class BadDataError(click.ClickException):
    """An error that a user can mend, in one sentence."""

    exit_code = BAD_DATA


class Commands(click.Group):
    """A group that loads its commands late and turns morphtree's errors into one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad data ends with exit code 3."""
        try:
            return super().invoke(ctx)
        except MorphtreeError as error:
            raise BadDataError(str(error)) from None
        except BrokenPipeError:  # the reader of our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)


@click.command(cls=Commands)
@click.version_option(package_name="morphtree")
def main() -> None:
    """Hierarchical canonical morphological segmentation: the tree of a word."""
    warnings.formatwarning = lambda message, *_, **__: f"morphtree: warning: {message}\n"


@click.command(short_help="Print the trees of words.")
@click.argument("words", nargs=-1)
@click.option("-n", "count", default=1, show_default=True, type=click.IntRange(1), metavar="K",
              help="How many readings to show.")  # fmt: skip
@click.option("--format", "style", default="text", show_default=True,
              type=click.Choice(["text", "brackets"]),
              help="text is for people; brackets is 'word<TAB>tree<TAB>probability'.")  # fmt: skip
@click.option("--decode", default="nbest:20", show_default=True, metavar="HOW",
              help="Candidate forms: nbest:20 or importance:1000.")  # fmt: skip
@click.option("--model", default="demo", show_default=True, metavar="MODEL",
              help="A trained model's file, or a built-in model.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0),
              help="For importance sampling.")  # fmt: skip
def parse(
    words: tuple[str, ...], count: int, style: str, decode: str, model: str, seed: int
) -> None:
    """Print the trees of WORDS; without any, or with -, of the words on standard input.

    The only built-in model so far is a demonstration; it knows its own few words and little else.
    """
    import morphtree
    from morphtree.estimators import parse_estimator

    estimator = parse_estimator(decode)
    analyzer = morphtree.load(model)
    refused = False
    for word in _words(words):
        analysis = analyzer.parse(word, count, decode=estimator, seed=seed)
        if analysis.status != "ok":
            click.echo(f"morphtree: {word!r} is {analysis.status}: {analysis.reason}", err=True)
        if analysis.status == "refused":
            refused = True
            continue
        for line in _lines(analysis, style):
            click.echo(line)
    if refused:
        sys.exit(BAD_DATA)


def _words(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the given words; - stands for the lines of standard input."""
    for word in words or ("-",):
        if word == "-":
            for line in sys.stdin.buffer:
                yield line.decode("utf-8", "replace").lstrip("\ufeff").strip()
        else:
            yield word


def _lines(analysis: Analysis, style: str) -> Iterator[str]:
    if style == "brackets":
        for reading in analysis.readings:
            tree = reading.tree
            shown = " ".join(tree) if isinstance(tree, tuple) else tree
            yield f"{analysis.word}\t{shown}\t{reading.prob:.4f}"
        return
    yield analysis.word
    for reading in analysis.readings:
        if isinstance(reading.tree, tuple):
            yield f"  {reading.prob:6.1%}  {' '.join(reading.tree)}"
        else:
            yield f"  {reading.prob:6.1%}  {reading.tree}    {_derivation(reading.tree)}"


def _derivation(tree: Tree) -> str:
    """Write how a word was built: ``black + bird -> blackbird -> blackbirds``."""
    from morphtree.respell import respell
    from morphtree.tree import PREFIX, SUFFIX

    bases = [_derivation(c) for c in tree.children if c.label not in (PREFIX, SUFFIX)]
    return " -> ".join(filter(None, (" + ".join(bases), respell(tree))))
