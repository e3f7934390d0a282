"""The command that says why: morphtree explain."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from morphtree.cli.models import model_option
from morphtree.cli.parse import check_files, control_options

if TYPE_CHECKING:
    from morphtree.explain import Explanation


@click.command(short_help="Say why a word has its reading.")
@click.argument("word")
@click.option("-n", "number", default=1, show_default=True, type=click.IntRange(1),
              help="The reading to explain, the best being 1.")  # fmt: skip
@click.option("--against", type=click.IntRange(1), metavar="K",
              help="The reading to compare it with; by default the best other one.")  # fmt: skip
@click.option("--features", is_flag=True, help="Also show the weighted features of the model.")
@click.option("--top", default=8, show_default=True, type=click.IntRange(1), metavar="N",
              help="How many features to show for and against it.")  # fmt: skip
@click.option("--format", "style", default="text", show_default=True,
              type=click.Choice(["text", "json"]))  # fmt: skip
@model_option
@control_options
def explain(
    word: str, number: int, against: int | None, features: bool, top: int, style: str, model: str,
    **controls: Any,
) -> None:  # fmt: skip
    """Say in a few sentences why WORD has a reading, and not another one.

    With --features also what speaks for and against it, feature by feature. Numbers are natural
    logarithms there: 0.7 doubles the odds. What both readings have in common does not count.
    """
    import morphtree

    check_files([word])
    found = morphtree.load(model, **controls).explain(word, number, against)
    if style == "json":
        click.echo(json.dumps(found.to_dict(), ensure_ascii=False))
        return
    for line in (*_text(found), *(_features(found, top) if features else ())):
        click.echo(line)


def _text(found: Explanation) -> Iterator[str]:
    yield from (*found.heading, "")
    for sentence in found.sentences:
        yield _styled(sentence.text)


def _styled(text: str) -> str:
    """Write what stands between asterisks in italics, where that can be shown."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return re.sub(r"\*(.+?)\*", lambda match: click.style(match[1], italic=True), text)


def _features(found: Explanation, top: int) -> Iterator[str]:
    """Yield the weighted features, those for the reading first."""
    yield ""
    if found.other:
        yield f"log odds, by the model alone: {found.margin:+.2f}"
    for line in found.edits:
        yield f"restored: {line}"
    yield f"{found.spelling:+.2f}  the way from spelling to canonical form"
    for title, sign in (("for it", 1), ("against it", -1)):
        causes = [cause for cause in found.causes if cause.weight * sign > 0]
        yield f"{title} ({sum(cause.weight for cause in causes):+.2f} in all):"
        for cause in causes[:top]:
            yield f"  {cause.weight:+.2f}  {cause.span}: {cause.words}"
