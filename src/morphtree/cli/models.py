"""The options that choose a model: the code of a language, or a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from morphtree.cli.completion import complete_language, complete_model
from morphtree.model import BUILT_IN

NOT_BOTH = "--lang and a model's file exclude each other; give one of the two"

language_option = click.option("--lang", metavar="CODE", shell_complete=complete_language,
                               help="The language, one that 'morphtree doctor' lists; by default "
                                    f"{BUILT_IN}.")  # fmt: skip
file_option = click.option("--model", metavar="FILE", shell_complete=complete_model,
                           help="A trained model's file, in place of --lang.")  # fmt: skip


def model_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--lang` and `--model`; the command gets a model, by default the built-in one."""

    @wraps(command)
    def with_model(*args: Any, lang: str | None, model: str | None, **options: Any) -> None:
        command(*args, model=chosen(lang, model), **options)

    return language_option(file_option(with_model))


def chosen(lang: str | None, model: str | None) -> str:
    """Return what to load; complain of a language that is not installed before the work."""
    if lang is None:
        return BUILT_IN if model is None else model
    if model is not None:
        raise click.UsageError(NOT_BOTH)
    from morphtree.model.packages import require

    require(lang)
    return lang
