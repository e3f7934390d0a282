"""The command ``morphtree completion``, and what completes beside files and choices."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.shell_completion import CompletionItem, get_completion_class

from morphtree.model import BUILT_IN

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "morphtree"
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def word_or_file(*words: str) -> Complete:
    """Return what completes one of some words, or the name of a file."""

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(word) for word in words if word.startswith(incomplete)]
        if found and incomplete:
            return found
        return [CompletionItem(incomplete, type="file"), *found]  # bash forgets what is before

    return complete


def complete_language(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the code of an installed language."""
    from morphtree.model.packages import codes

    return [CompletionItem(code) for code in codes() if code.startswith(incomplete)]


complete_model = word_or_file(BUILT_IN)
complete_grammar = word_or_file("paper", "compounds", "links")


@click.command(short_help="Print a script that completes commands in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script by which SHELL completes commands, options, formats and models.

    For bash, put this line into ~/.bashrc: eval "$(morphtree completion bash)". For zsh, the same
    with zsh into ~/.zshrc. For fish: morphtree completion fish >
    ~/.config/fish/completions/morphtree.fish
    """
    from morphtree.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(main, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
