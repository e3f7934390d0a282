"""The commands of ``morphtree treebank``: check, propose, stats, convert, split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import TextIO

import click

from morphtree._util.files import is_same_file, replaced_suffix, write_atomically
from morphtree._util.text import counted
from morphtree.cli.completion import complete_grammar
from morphtree.errors import TreebankError
from morphtree.lexicon.resources import gather
from morphtree.lexicon.word_facts import read_lexicon
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.check import check_file
from morphtree.treebank.consistency import read_rules
from morphtree.treebank.entry import Entry, Note, Problem
from morphtree.treebank.formats import FORMATS
from morphtree.treebank.formats.lines import read_words
from morphtree.treebank.propose import StepProposer, with_bases
from morphtree.treebank.split import UNUSED, has_families, split
from morphtree.treebank.stats import Statistics, draw
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import Grammar

EXAMPLES = 5  # lines named for each kind of loss
RULES = "consistency.tsv"

format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format of FILE; found out from its content if not given.",
)


@click.group(short_help="Check, count, convert and split treebanks.")
def treebank() -> None:
    """Check, count, convert and split treebanks in any of the four formats."""


@treebank.command(short_help="List what is wrong with a treebank.")
@click.argument("file", type=click.Path())
@format_option
@click.option("--grammar", default="compounds", show_default=True,
              metavar="paper|compounds|links|FILE", shell_complete=complete_grammar)  # fmt: skip
@click.option("--affixes", type=click.Path(),
              help="Inventory, 'affix<TAB>prefix|suffix' a line; any other affix is an error.",
)  # fmt: skip
@click.option("--language", help="Also check parts of speech and unattested words, "
              "with the [train] packages of this language.")  # fmt: skip
@click.option("--consistency", type=click.Path(), is_flag=False, flag_value="", metavar="[RULES]",
              help="Also check that parallel words are analysed alike, by a table of rules; "
                   "without RULES, by consistency.tsv beside FILE.")  # fmt: skip
@click.pass_context
def check(
    context: click.Context, file: str, format_: str | None, grammar: str, affixes: str | None,
    language: str | None, consistency: str | None,
) -> None:  # fmt: skip
    """List what is wrong with FILE, one line each: "file:line: code: message".

    A warning has "warning" before its code. Lines dropped by the tolerant reader of the 2016
    format are errors, repairs are warnings. The exit code is 1 if there are errors.
    """
    inventory = None if affixes is None else read_inventory(affixes)
    facts = None if language is None else gather(language)
    rules = None
    if consistency is not None:
        rules = read_rules(consistency or Path(file).resolve().parent / RULES)
    read, problems = check_file(file, format_, Grammar.load(grammar), inventory, facts, rules)
    if rules is not None and read.format != "derivation":
        raise TreebankError(f"{file} has no steps to compare; convert it to derivation first")
    for problem in problems:
        level = "" if problem.is_error else "warning "
        click.echo(f"{read.place(problem.line)}: {level}{problem.code}: {problem.message}")
    errors = [problem for problem in problems if problem.is_error]
    warnings = [problem for problem in problems if not problem.is_error]
    summary = f"{_entries(read.entries)}; {_tally('error', errors)}; "
    click.echo(f"{summary}{_tally('warning', warnings)}", err=True)
    context.exit(1 if errors else 0)


@treebank.command(short_help="Propose how words are made, for somebody to read.")
@click.argument("affixes", type=click.Path())
@click.argument("words", type=click.File(encoding="utf-8"), default="-")
@click.option("--language", help="Take frequencies and parts of speech from the [train] packages.")
@click.option("--lexicon", type=click.Path(),
              help="Take them from a file: 'word[<TAB>zipf[<TAB>parts of speech]]' a line.",
)  # fmt: skip
@click.option("--least", default=1.5, show_default=True, help="The lowest zipf of a base.")
def propose(
    affixes: str, words: TextIO, language: str | None, lexicon: str | None, least: float
) -> None:
    """Propose the last step of each of WORDS, one word a line, and of the bases that it needs.

    AFFIXES is an inventory as 'treebank check' reads it. A pair is proposed if the rules of
    spelling lead from the base to the word and the lexicon knows the base; other ways follow as
    comments, likelier ones first. The rules know no meaning: read every line.
    """
    if (language is None) == (lexicon is None):
        raise click.UsageError("give either --language or --lexicon, to say what is a word")
    facts = gather(language) if language else read_lexicon(lexicon or "")
    proposer = StepProposer(read_inventory(affixes), facts, least)
    for _, steps in with_bases(proposer, read_words(enumerate(words, 1), words.name)):
        click.echo(str(steps[0]))
        for other in steps[1 : 1 + EXAMPLES]:
            click.echo(f"# or: {other}")


def _entries(entries: Sequence[Entry]) -> str:
    return counted(len(entries), "entry", "entries")


def _tally(name: str, problems: list[Problem]) -> str:
    counts = Counter(problem.code for problem in problems)
    listed = ", ".join(f"{code} {count}" for code, count in counts.most_common())
    total = counted(len(problems), name)
    return f"{total} ({listed})" if listed else total


@treebank.command()
@click.argument("file", type=click.Path())
@format_option
@click.option("--plot", type=click.Path(), is_flag=False, flag_value="treebank.svg",
              help="Also draw the figures: treebank.svg, or a file .svg, .png, .pdf.")  # fmt: skip
def stats(file: str, format_: str | None, plot: str | None) -> None:
    """Count words, readings, kinds of words, depth, affixes and scopes in FILE."""
    counts = Statistics(Treebank.read(file, format_))
    if plot is not None:
        draw(counts, plot)
    rows = list(counts.rows())
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        click.echo(f"{name:<{width}}  {value}")


@treebank.command()
@click.argument("file", type=click.Path())
@format_option
@click.option("--to", required=True, type=click.Choice(FORMATS), help="The format to write.")
@click.option("-o", "--output", type=click.Path(), help="The file to write; otherwise stdout.")
def convert(file: str, format_: str | None, to: str, output: str | None) -> None:
    """Write FILE in another format, and say on stderr what that format cannot hold."""
    source = Treebank.read(file, format_)
    if output is not None and is_same_file(Path(output), Path(file)):
        raise TreebankError(f"{output} is the file to be converted; write to another one")
    text = StringIO()
    lost = source.write(text, to)
    _report(file, [*source.notes, *lost])
    if source.entries and not text.getvalue():
        raise TreebankError(f"nothing in {file} can be written as {to}")
    if output is None:
        click.echo(text.getvalue(), nl=False)
    else:
        write_atomically(Path(output), text.getvalue())


def _report(file: str, notes: Iterable[Note]) -> None:
    by_kind: dict[tuple[str, str], list[int]] = {}
    for note in notes:
        by_kind.setdefault((note.action, note.code), []).append(note.line)
    for (action, code), lines in by_kind.items():
        named = ", ".join(map(str, lines[:EXAMPLES])) + (" ..." if len(lines) > EXAMPLES else "")
        click.echo(f"{file}: {action} {code}: {len(lines)} (lines {named})", err=True)


def _sizes(context: click.Context, parameter: click.Parameter, value: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter("give three numbers, such as 0.8,0.1,0.1") from None


@treebank.command("split")
@click.argument("file", type=click.Path())
@format_option
@click.option("--by", type=click.Choice(["family", "word"]),
              help="What stays in one part; by default family, or word if FILE is flat.",
)  # fmt: skip
@click.option("--sizes", default="0.8,0.1,0.1", show_default=True, callback=_sizes,
              help="train,dev,test: entries, or fractions.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Seed of the split.")
@click.option("-o", "--output", type=click.Path(),
              help="The folder to write to; by default FILE with the suffix .split.")  # fmt: skip
@click.option(
    "--to", type=click.Choice(FORMATS), help="The format to write; that of FILE if not given."
)
@click.option("--force", is_flag=True, help="Write even if the folder holds files already.")
def split_command(
    file: str, format_: str | None, by: str | None, sizes: tuple[float, ...], seed: int,
    output: str | None, to: str | None, force: bool,
) -> None:  # fmt: skip
    """Write the parts train, dev and test of FILE to a folder.

    By family no stem is in two parts; a compound with stems in two parts goes to "mixed". By
    word, the lines of a word stay together. A part written as derivation also holds the bases
    of its words; --to brackets avoids that.
    """
    source = Treebank.read(file, format_)
    parts = split(source, by or ("family" if has_families(source) else "word"), sizes, seed)
    folder = _folder(output or replaced_suffix(Path(file), ".split"), force)
    _report(file, source.notes)
    written = to or source.format
    suffix = Path(file).suffix if written == source.format else f".{written}"
    for name, part in parts.items():
        path = folder / f"{name}{suffix}"
        said = f"{name}: {_entries(part.entries)}"
        if name != UNUSED:
            _report(str(path), part.write(path, written))
            said += f" in {path}"
        click.echo(said, err=True)


def _folder(output: str | Path, force: bool) -> Path:
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TreebankError(f"{folder} cannot be made a folder: {error.strerror}") from None
    if any(folder.iterdir()) and not force:
        raise TreebankError(f"{folder} is not empty; add --force to write there all the same")
    return folder
