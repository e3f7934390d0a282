"""The option that names a language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from morphtree.lexicon.resources import NO_LANGUAGE, languages


def language_option(more: str = "") -> Callable[..., Any]:
    """Return the option `--language`, none of them by default; its help lists those that exist."""
    found = ", ".join(languages()) or "none of them before pip install 'morphtree[train]'"
    return click.option(
        "--language", default=NO_LANGUAGE, show_default=True, metavar="CODE",
        help=f"Language whose word lists to use: {found}; or {NO_LANGUAGE}.{more}",
    )  # fmt: skip
