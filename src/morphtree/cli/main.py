"""The command line: arguments in, text out."""

from __future__ import annotations

import os
import sys
import warnings
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from shlex import join
from typing import IO, Any

import click

from morphtree._util.interrupts import (
    ending_on_signals,
    exit_code,
    last_line,
    leave,
    may_say,
)
from morphtree.errors import BAD_DATA, MorphtreeError, OptionError

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's would wait in a loop for 50 ms

DEBUG = "morphtree.debug"
ARGUMENTS = "morphtree.arguments"
RESUME = "--resume"
COMMANDS = {  # loaded when called, so that each command starts fast
    "parse": "morphtree.cli.parse:parse",
    "stem": "morphtree.cli.parse:stem",
    "explain": "morphtree.cli.explain:explain",
    "segment": "morphtree.cli.segment:segment",
    "text": "morphtree.cli.text:text",
    "corpus": "morphtree.cli.corpus:corpus",
    "serve": "morphtree.cli.serve:serve",
    "annotate": "morphtree.cli.annotate:annotate",
    "train": "morphtree.cli.train:train",
    "evaluate": "morphtree.cli.evaluate:evaluate",
    "treebank": "morphtree.cli.treebank:treebank",
    "reproduce": "morphtree.cli.reproduce:reproduce",
    "doctor": "morphtree.cli.doctor:doctor",
    "completion": "morphtree.cli.completion:completion",
}
CLICKS_OWN = click.ClickException, click.Abort, click.exceptions.Exit


class BadDataError(click.ClickException):
    """An error that a user can mend, in one sentence."""

    exit_code = BAD_DATA


class StoppedError(click.ClickException):
    """The user's Ctrl-C; the message, if there is any, says how to go on."""

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        """130, or 143 after SIGTERM."""
        return exit_code()

    def show(self, file: IO[Any] | None = None) -> None:
        """Write one line."""
        if may_say():
            click.echo(last_line(self.message), file=file, err=True)


def debug_option(*, hidden: bool) -> click.Option:
    """Return the option that shows where an error comes from."""

    def note(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        ctx.meta[DEBUG] = value or ctx.meta.get(DEBUG, False)

    return click.Option(
        ["--debug"], is_flag=True, is_eager=True, expose_value=False, hidden=hidden,
        callback=note, help="Show where an error comes from.",
    )  # fmt: skip


class Commands(click.Group):
    """A group that loads its commands late and turns errors into one sentence."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program, which Ctrl-C ends."""
        with ending_on_signals():
            try:
                return super().__call__(*args, **kwargs)
            except SystemExit as done:
                if "daft" in sys.modules and isinstance(done.code, int):
                    leave(done.code)  # its threads may be busy with objects of Python
                raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments, for the command that resumes this one."""
        ctx.meta[ARGUMENTS] = [*args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command; it takes --debug as the group does."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        add_debug(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; of a slip of the keyboard, say which one may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, 1)
            if not near:
                raise
            told = f"No such command {args[0]!r}. Did you mean {near[0]!r}?"
            raise click.UsageError(told, error.ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad data ends with exit code 3."""
        try:
            return super().invoke(ctx)
        except CLICKS_OWN:
            raise
        except KeyboardInterrupt as error:
            raise StoppedError(str(error)) from None
        except BrokenPipeError:  # the reader of our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except Exception as error:
            if ctx.meta.get(DEBUG):
                import_module("traceback").print_exc()
            raise explained(error) from None


def resuming(ctx: click.Context) -> str:
    """Return the command that goes on with this one, as it is typed in a shell."""
    words = [word for word in ctx.meta[ARGUMENTS] if word != RESUME]
    end = words.index("--") if "--" in words else len(words)  # of the options
    return f"{ctx.find_root().info_name} {join([*words[:end], RESUME, *words[end:]])}"


def add_debug(command: click.Command) -> None:
    """Let a command, and those below it, take --debug."""
    if not any(param.name == "debug" for param in command.params):
        command.params.append(debug_option(hidden=True))
    for below in getattr(command, "commands", {}).values():
        add_debug(below)


def explained(error: Exception) -> click.ClickException:
    """Say in one sentence what went wrong, and what to do."""
    if isinstance(error, OptionError):
        return click.UsageError(str(error))
    if isinstance(error, MorphtreeError):
        return BadDataError(str(error))
    if isinstance(error, OSError) and error.strerror:
        return BadDataError(f"{error.filename or 'the system'}: {error.strerror}")
    if isinstance(error, ImportError):
        return BadDataError(f"{error}; 'morphtree doctor' says what to install")
    kind = type(error).__name__
    return click.ClickException(
        f"this should not happen ({kind}: {error}); please report what --debug shows"
    )


@click.command(
    cls=Commands,
    params=[debug_option(hidden=False)],
    context_settings={"help_option_names": ["-h", "--help"]},  # of all commands
)
@click.version_option(package_name="morphtree")
def main() -> None:
    """Hierarchical canonical morphological segmentation: the tree of a word."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what a terminal cannot show is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    warnings.formatwarning = lambda message, *_, **__: f"morphtree: warning: {message}\n"
