"""``python -m morphtree.languages build de``: make the model of a language."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from morphtree._util.files import read_text, write_atomically
from morphtree._util.text import counted
from morphtree.errors import MorphtreeError
from morphtree.languages.card import write_card
from morphtree.languages.description import FILE, Language
from morphtree.languages.folder import make_folder, missing_rows
from morphtree.languages.recipe import Recipe
from morphtree.languages.stem_shapes import StemShapes, spells_nearly
from morphtree.model.model import Model
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.check import check_file
from morphtree.treebank.treebank import Treebank


@click.group()
def main() -> None:
    """Make the models of languages."""


code_argument = click.argument("code")
languages_option = click.option("--languages", default="languages", show_default=True,
                                type=click.Path(path_type=Path),
                                help="The folder that holds one for each language.")  # fmt: skip


def _described(languages: Path, code: str) -> Language:
    folder = languages / code
    if not (folder / FILE).exists():
        raise click.UsageError(f"there is no {folder / FILE}; run this where the languages are")
    return Language.read(folder)


@main.command()
@code_argument
@click.option("--name", required=True, help="The name of the language, in English.")
@languages_option
def new(code: str, name: str, languages: Path) -> None:
    """Make the folder of a new language CODE, and say how to begin."""
    folder = languages / code
    for path in make_folder(folder, code, name):
        click.echo(f"made       {path}")
    entries = folder / "treebank" / "entries" / f"{code}.brackets"
    click.echo(f"next       morphtree annotate {entries} --grammar links --open")


@main.command()
@code_argument
@languages_option
def affixes(code: str, languages: Path) -> None:
    """Add the affixes of the treebank of CODE that affixes.tsv lacks; you fill in what they do."""
    home = _described(languages, code).treebank_folder
    path = home / "affixes.tsv"
    rows = [*missing_rows(Treebank.read(home / "entries").entries, read_inventory(path))]
    text = read_text(path)
    write_atomically(path, "\n".join([*text.splitlines(), *rows, ""]))
    click.echo(f"{counted(len(rows), 'row')} added to {path}")


@main.command()
@code_argument
@languages_option
@click.pass_context
def check(context: click.Context, code: str, languages: Path) -> None:
    """Check the treebank of the language CODE by its grammar, its affixes and its spelling."""
    language = _described(languages, code)
    home = language.treebank_folder
    inventory = read_inventory(home / "affixes.tsv")
    spelt = StemShapes(language.silver).spells if language.silver else spells_nearly
    treebank, found = check_file(
        home / "entries", None, language.load_grammar(), inventory, spelt=spelt
    )
    # Of trees, the rules of English say what spells a word of several parts: no news here.
    simple = {e.line for e in treebank.entries if any(tree.is_leaf for tree in e.readings)}
    is_english = treebank.format != "derivation"
    problems = [
        problem
        for problem in found
        if not (is_english and problem.code == "respell" and problem.line not in simple)
    ]
    for problem in problems:
        click.echo(f"{treebank.place(problem.line)}: {problem.code}: {problem.message}")
    entries = counted(len(treebank.entries), "entry", "entries")
    click.echo(f"{entries}; {counted(len(problems), 'problem')}", err=True)
    context.exit(1 if problems else 0)


def _command(code: str, hand: int | None, no_silver: bool) -> str:
    """Return the command that makes a build, without the options that only say where."""
    fewer = f" --hand {hand}" if hand is not None else ""
    return f"python -m morphtree.languages build {code}{fewer}{' --no-silver' * no_silver}"


@main.command()
@code_argument
@languages_option
@click.option("--work", default=None, type=click.Path(path_type=Path),
              help="Where intermediate files go; build/CODE if not given.")  # fmt: skip
@click.option("--build", "builds", default="both", show_default=True,
              type=click.Choice(["held-out", "release", "both"]))  # fmt: skip
@click.option("--hand", type=click.IntRange(0), help="Use only so many words read by hand.")
@click.option("--no-silver", is_flag=True, help="Use words read by hand only.")
def build(
    code: str, languages: Path, work: Path | None, builds: str, hand: int | None, no_silver: bool
) -> None:
    """Build the model of the language CODE: the held-out build, the release and the card."""
    language = _described(languages, code)
    work = work or Path("build") / code
    recipe = Recipe(language, work, click.echo)
    held_out = work / "held-out.model"
    if builds != "release":
        recipe.held_out(hand=hand, with_silver=not no_silver).save(held_out)
    model = Model.load(held_out)
    target = language.model_file
    if builds != "held-out":
        recipe.release(model).save(target)
    measured = target if builds != "held-out" else held_out
    size = measured.stat().st_size
    card = write_card(recipe, model, size, recipe.known(hand), _command(code, hand, no_silver))
    where = language.folder if builds != "held-out" else work
    (where / "card.md").write_text(card, encoding="utf-8")
    click.echo(card)


if __name__ == "__main__":
    try:
        main()
    except MorphtreeError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(3)
