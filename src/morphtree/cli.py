"""The command line: arguments in, text out."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from morphtree.errors import BAD_DATA, MorphtreeError

if TYPE_CHECKING:
    pass

COMMANDS = {  # loaded when called, so that each command starts fast
    "parse": "morphtree.cli_parse:parse",
    "stem": "morphtree.cli_parse:stem",
    "explain": "morphtree.cli_parse:explain",
    "segment": "morphtree.cli_segment:segment",
    "train": "morphtree.cli_train:train",
    "evaluate": "morphtree.cli_evaluate:evaluate",
    "treebank": "morphtree.cli_treebank:treebank",
    "doctor": "morphtree.cli_doctor:doctor",
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
