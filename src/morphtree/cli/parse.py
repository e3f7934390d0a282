"""The commands that answer on the terminal: parse, stem."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from morphtree.cli.models import model_option
from morphtree.errors import BAD_DATA

if TYPE_CHECKING:
    from morphtree.analysis import Analysis, Reading
    from morphtree.trees.tree import Tree

BAR = 10  # characters of a whole probability bar
EIGHTHS = " ▏▎▍▌▋▊▉"
COLOURS = {"PREFIX": "yellow", "SUFFIX": "cyan", "LINK": "magenta"}
STEM = "green"
WORD = "WORD"  # the label of a word; `trees.tree` is imported only when a word is there
SAID_BY = {"treebank": " treebank", "override": " override"}  # in the text; the model says the rest
FORMATS = ("text", "brackets", "flat", "json", "svg", "latex", "dot")

decode_option = click.option("--decode", metavar="HOW",
                             help="Candidate forms: nbest:20 or importance:1000; by default those "
                                  "of the model.")  # fmt: skip

stored_option = click.option("--stored/--no-stored", default=True, show_default=True,
                             help="Answer words of the model's treebank as the treebank does, "
                                  "or let the model compute all.")  # fmt: skip


def control_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options by which users overrule the model."""
    options = (
        click.option("--overrides", default="", type=click.Path(),
                     help="A treebank in any format; its readings replace the model's."),
        click.option("--add-words", default="", type=click.Path(),
                     help="More words for the lexicon: 'word[<TAB>zipf[<TAB>letters of nvar]]'."),
        click.option("--min-prob", default=0.0, type=click.FloatRange(0, 1), metavar="P",
                     help="Leave a word whole if its best reading is less likely."),
        stored_option,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command(short_help="Print the trees of words.")
@click.argument("words", nargs=-1)
@click.option("-n", "count", default=1, show_default=True, metavar="K",
              type=click.IntRange(1, 1000), help="How many readings to show.")  # fmt: skip
@click.option("--format", "style", default="text", show_default=True, type=click.Choice(FORMATS),
              help="text is for people; brackets is 'word<TAB>tree<TAB>probability'.")  # fmt: skip
@click.option(
    "--categories",
    is_flag=True,
    help="Show the category of every word: N, V, A, R, Q (number), X (other).",
)
@click.option("--meanings", is_flag=True, help="Say in words what each step means; text only.")
@decode_option
@model_option
@control_options
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0),
              help="Seed of importance sampling.")  # fmt: skip
def parse(
    words: tuple[str, ...], count: int, style: str, categories: bool, meanings: bool,
    decode: str | None, model: str, seed: int, **controls: Any,
) -> None:  # fmt: skip
    """Print the trees of WORDS; without any, or with -, of the words on standard input.

    In the terminal, prefixes are yellow, stems green, suffixes cyan and linking elements magenta;
    a word that the lexicon does not know has a question mark. NO_COLOR turns the colours off. For
    running text there is 'morphtree text', for files of words 'morphtree segment'.
    """
    import morphtree

    check_files(words)
    analyzer = morphtree.load(model, **controls)
    refused = False
    for word in given_words(words):
        analysis = analyzer.parse(word, count, decode=decode, seed=seed)
        complain(analysis)
        refused |= not analysis
        for line in WRITERS[style](analysis, Shown(categories, meanings)):
            click.echo(line, color=False if os.environ.get("NO_COLOR") else None)
    if refused:
        sys.exit(BAD_DATA)


@click.command(short_help="Print the innermost stems of words.")
@click.argument("words", nargs=-1)
@model_option
@control_options
def stem(words: tuple[str, ...], model: str, **controls: Any) -> None:
    """Print 'word<TAB>stem' for each of WORDS, or of the words on standard input.

    The stem of a compound is that of its right-hand word.
    """
    import morphtree

    check_files(words)
    analyzer = morphtree.load(model, **controls)
    refused = False
    for analysis in analyzer.pipe(given_words(words)):
        if best := analysis.best:
            click.echo(f"{analysis.word}\t{best.stem}")
        else:
            refused = True
            complain(analysis)
    if refused:
        sys.exit(BAD_DATA)


def check_files(words: Sequence[str]) -> None:
    """Refuse the name of a file in place of a word; if it could be a word, only mention it."""
    for word in words:
        if word == "-" or not os.path.isfile(word):
            continue
        from shlex import quote

        file, command = quote(word), click.get_current_context().info_name
        use = f"morphtree segment {file}"
        if command != "explain":  # which has one word
            use += f", or morphtree {command} - < {file}"
        message = f"{word} is a file; for its words use: {use}"
        if not word.isalpha():
            raise click.UsageError(message)
        click.echo(f"morphtree: {message}", err=True)


def complain(analysis: Analysis) -> None:
    """Say on stderr why a word is left whole or refused."""
    if analysis.status == "ok":
        return
    text = "; for running text use: morphtree text" if len(analysis.word.split()) > 1 else ""
    reason = f"{analysis.status}: {analysis.reason}{text}"
    click.echo(f"morphtree: {analysis.word!r} is {reason}", err=True)


def given_words(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the given words; - stands for the lines of standard input."""
    for word in words or ("-",):
        if word == "-":
            for line in sys.stdin.buffer:
                yield line.decode("utf-8", "surrogateescape").lstrip("\ufeff").strip()
        else:
            yield word


# -- formats --------------------------------------------------------------------------------


Writer: TypeAlias = "Callable[[Analysis, Shown], Iterator[str]]"


class Shown(NamedTuple):
    """What is shown beside the trees."""

    categories: bool = False
    meanings: bool = False


def _brackets(analysis: Analysis, shown: Shown) -> Iterator[str]:
    for reading in analysis.readings:
        has = shown.categories and not isinstance(reading.tree, tuple)
        tree = str(reading.classified) if has else reading.notation
        yield f"{analysis.word}\t{tree}\t{reading.prob:.4f}"


def _flat(analysis: Analysis, _: Shown) -> Iterator[str]:
    for reading in analysis.readings:
        yield f"{analysis.word}\t{' '.join(reading.segments)}\t{reading.prob:.4f}"


def _json(analysis: Analysis, _: Shown) -> Iterator[str]:
    yield json.dumps(analysis.to_dict(), ensure_ascii=False)


def _picture(name: str) -> Writer:
    def write(analysis: Analysis, shown: Shown) -> Iterator[str]:
        from morphtree.trees import drawing as pictures

        draw: Callable[[Reading, Sequence[str]], str] = getattr(pictures, name)
        for reading in analysis.readings:
            yield draw(reading, reading.categories if shown.categories else ())

    return write


def _text(analysis: Analysis, shown: Shown) -> Iterator[str]:
    for number, reading in enumerate(analysis.readings):
        if number:
            yield ""
        yield from _reading(analysis.word, reading, shown)
        if shown.meanings and not isinstance(reading.tree, tuple):
            yield from reading.meanings()


def _reading(word: str, reading: Reading, shown: Shown) -> Iterator[str]:
    from morphtree.analysis import derivation
    from morphtree.trees.inner_words import shown_texts

    head = f"{click.style(word, bold=True)}  {bar(reading.prob)} {reading.prob:.0%}"
    head += SAID_BY.get(reading.source, "")
    if isinstance(reading.tree, tuple):
        yield f"{head}  {reading.notation}"
        return
    categories = iter(reading.categories if shown.categories else ())
    whole = next(categories, "") if reading.tree.label == WORD else ""
    yield f"{head}  {derivation(reading.tree, reading.plain)}{whole and f' ({whole})'}"
    known = iter(reading.attested)
    _ = next(known, None) if reading.tree.label == WORD else None
    texts = iter(shown_texts(reading.tree, reading.plain)[1:])
    yield from _branches(reading.tree, texts, known, categories, "")


def bar(share: float) -> str:
    """Draw a share as a bar of fixed width."""
    eighths = round(share * BAR * 8)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(BAR, "░")


def _branches(
    tree: Tree,
    texts: Iterator[str],
    known: Iterator[bool],
    categories: Iterator[str],
    indent: str,
) -> Iterator[str]:
    for number, child in enumerate(tree.children, 1):
        last = number == len(tree.children)
        category = next(categories, "") if child.label == WORD else ""
        mark = " ?" if child.label == WORD and not next(known, True) else ""
        mark = f" ({category}){mark}" if category else mark
        shown = next(texts)
        if not child.children:
            shown = click.style(shown, fg=COLOURS.get(child.label, STEM))
        yield f"{indent}{'└─' if last else '├─'} {shown}{mark}"
        deeper = indent + ("   " if last else "│  ")
        yield from _branches(child, texts, known, categories, deeper)


WRITERS: dict[str, Writer] = {
    "text": _text, "brackets": _brackets, "flat": _flat, "json": _json,
    "svg": _picture("to_svg"), "latex": _picture("to_latex"), "dot": _picture("to_dot"),
}  # fmt: skip
