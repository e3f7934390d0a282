"""The command that opens the editor of treebanks."""

from __future__ import annotations

import gc
import getpass
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from morphtree.cli.serve import say_address
from morphtree.errors import DataError, needs_extra

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.web.editor.checks import Guidelines
    from morphtree.web.editor.editor import Setup

option = click.option


@click.command(short_help="Open the page to annotate words.")
@click.argument("treebank", type=click.Path(dir_okay=False))
@option("--queue", metavar="WORDS", type=click.Path(),
        help="Words to annotate, one a line; or a treebank, for its words.")  # fmt: skip
@option("--model", default="", metavar="MODEL",
        help="Model that proposes; by default TREEBANK's own, if there is one.")  # fmt: skip
@option("--against", default="", metavar="MODEL", help="Second model; queues disagreements.")
@option("--compare", default="", metavar="TREEBANK2", type=click.Path(),
        help="A second annotator's file, to compare and adjudicate.")  # fmt: skip
@option("--affixes", type=click.Path(), help="A closed list of affixes, as 'treebank check' has.")
@option("--lexicon", default="", type=click.Path(), help="A list of words that are known.")
@option("--language", default="none", show_default=True, metavar="en|de|id|none",
        help="Language whose word lists to use; with en, spelling is checked.")  # fmt: skip
@option("--who", default="", help="Your name in the file; by default that of your account.")
@option("--host", default="127.0.0.1", show_default=True,
        help="The address to listen on; 0.0.0.0 lets other machines in.")  # fmt: skip
@option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535),
        help="The port; 0 takes a free one.")  # fmt: skip
@option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def annotate(
    treebank: str, host: str, port: int, opens: bool, compare: str, **options: Any
) -> None:
    """Annotate words in the browser; TREEBANK is a bracket file, made if it is not there.

    Every save is one more line at its end, on the disk before the page says so. The page trains a
    model on it, TREEBANK's name with the ending .model, which then proposes. Ctrl-C stops it.
    """
    with needs_extra("serve", "for the editor"):
        from morphtree.web.editor.app import make_app
        from morphtree.web.service.server import serve as run
    from morphtree.treebank.treebank import Treebank
    from morphtree.web.editor.editor import Editor
    from morphtree.web.editor.journal import Journal

    path = Path(treebank)
    if not path.parent.is_dir():
        raise DataError(f"there is no folder {path.parent} for {path.name}; make it first")
    if compare:
        Treebank.read(compare)  # complain of it now, not on the page
    is_new = not path.exists()
    journal = Journal(path)  # complains of a model before that is read as one
    if is_new:
        click.echo(f"{path} was not there; it is new and empty", err=True)
    setup = _setup(path.with_suffix(".model"), **options)
    editor = Editor(journal, replace(setup, other=compare))
    editor.prepare()
    gc.collect()
    gc.freeze()  # a look through a large treebank takes a second, and finds no garbage
    app = make_app(editor, host)

    def ready(url: str) -> None:
        where = f"{url}#{app.state.token}"
        say_address(where)
        if opens:
            click.launch(where)

    run(app, host, port, ready)


def _setup(
    own: Path, queue: str | None, model: str, against: str, affixes: str | None, lexicon: str,
    language: str, who: str,
) -> Setup:  # fmt: skip
    """Read what the options name; `own` is the model that the page trains."""
    from morphtree.web.editor.editor import Setup
    from morphtree.web.editor.queue import read_words

    return Setup(
        words=read_words(queue) if queue else [],
        guidelines=_guidelines(affixes, lexicon, language, "en" in (language, model)),
        analyzer=_model(model or (str(own) if own.exists() else "")),
        against=_model(against),
        who=who or _account(),
        training=("--lexicon", lexicon) if lexicon else ("--language", language),
    )


def _model(name: str) -> Analyzer | None:
    import morphtree

    return morphtree.load(name, jobs=1) if name else None


def _guidelines(affixes: str | None, lexicon: str, language: str, english: bool) -> Guidelines:
    from morphtree.lexicon.lexicon import Lexicon
    from morphtree.lexicon.resources import gather
    from morphtree.lexicon.word_facts import pack, read_lexicon
    from morphtree.treebank.affixes import read_inventory
    from morphtree.web.editor.checks import Guidelines

    facts = read_lexicon(lexicon) if lexicon else gather(language) if language != "none" else None
    return Guidelines(
        affixes=read_inventory(affixes) if affixes else None,
        lexicon=Lexicon({word: pack(fact) for word, fact in facts.items()}) if facts else None,
        english=english,
    )


def _account() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return "annotator"
