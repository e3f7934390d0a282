"""The command that opens the editor of treebanks."""

from __future__ import annotations

import gc
import getpass
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from morphtree.cli.completion import complete_grammar
from morphtree.cli.languages import language_option
from morphtree.cli.serve import say_address
from morphtree.errors import DataError, needs_extra
from morphtree.lexicon.resources import NO_LANGUAGE

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.lexicon.word_facts import Facts
    from morphtree.trees.grammar import Grammar
    from morphtree.web.editor.checks import Guidelines
    from morphtree.web.editor.editor import Setup
    from morphtree.web.editor.journal import Journal

option = click.option


@click.command(short_help="Open the page to annotate words.")
@click.argument("treebank", type=click.Path(dir_okay=False))
@option("--queue", metavar="WORDS", type=click.Path(),
        help="Words to annotate, one a line; or a treebank, for its words. Without it, the page"
        " asks for words.")  # fmt: skip
@option("--model", default="", metavar="MODEL",
        help="Model that proposes; by default TREEBANK's own, if there is one.")  # fmt: skip
@option("--against", default="", metavar="MODEL", help="Second model; queues disagreements.")
@option("--compare", default="", metavar="TREEBANK2", type=click.Path(),
        help="A second annotator's file, to compare and adjudicate.")  # fmt: skip
@option("--affixes", type=click.Path(), help="A closed list of affixes, as 'treebank check' has.")
@option("--lexicon", default="", type=click.Path(), help="A list of words that are known.")
@option("--grammar", default="", metavar="compounds|links|paper|FILE",
        shell_complete=complete_grammar,
        help="What a word can be made of; links adds linking elements and circumfixes. By default"
        " compounds, or links if TREEBANK or the model has them.")  # fmt: skip
@language_option(" Its frequent words are offered; with en, spelling is checked.")
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
    setup = _setup(journal, **options)
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
    journal: Journal, queue: str | None, model: str, against: str, affixes: str | None,
    lexicon: str, grammar: str, language: str, who: str,
) -> Setup:  # fmt: skip
    """Read what the options name; without a model, the one that the page has trained proposes."""
    from morphtree.web.editor.editor import Setup
    from morphtree.web.editor.frequency import FrequencyList, by_frequency
    from morphtree.web.editor.queue import read_words

    words = read_words(queue) if queue else []
    facts = _facts(lexicon, language)
    own = journal.path.with_suffix(".model")
    analyzer = _model(model or (str(own) if own.exists() else ""))
    rules = _grammar(grammar, journal, analyzer)
    known = ("--lexicon", lexicon) if lexicon else ("--language", language)
    return Setup(
        words=words,
        frequency=FrequencyList(Path(lexicon).name or language, by_frequency(facts)),
        guidelines=replace(
            _guidelines(affixes, facts, bool(lexicon), "en" in (language, model)), grammar=rules
        ),
        analyzer=analyzer,
        against=_model(against),
        who=who or _account(),
        training=(*known, "--grammar", grammar) if grammar else known,
    )


def _model(name: str) -> Analyzer | None:
    import morphtree

    return morphtree.load(name, jobs=1) if name else None


def _grammar(name: str, journal: Journal, analyzer: Analyzer | None) -> Grammar:
    """Return the grammar that is asked for; by default what the file and the model need."""
    from morphtree.trees.grammar import COMPOUNDS, LINKS, Grammar, smallest
    from morphtree.web.editor.shape import LABELS

    if name:
        grammar = Grammar.load(name)
        if others := {label for rule in grammar.rules for label in rule.children} - {*LABELS}:
            raise DataError(
                f"the grammar {name} has {', '.join(sorted(others))}; the editor knows only"
                f" {', '.join(LABELS)}"
            )
        return grammar
    used = (smallest(tree for entry in journal.entries() for tree in entry.readings),
            analyzer.model.structure.grammar if analyzer else COMPOUNDS)  # fmt: skip
    return LINKS if LINKS in used else COMPOUNDS


def _facts(lexicon: str, language: str) -> dict[str, Facts]:
    """Return what is known of words: by a list of the user's, or by those of a language."""
    from morphtree.lexicon.resources import gather
    from morphtree.lexicon.word_facts import read_lexicon

    if lexicon:
        return read_lexicon(lexicon)
    return {} if language == NO_LANGUAGE else gather(language)


def _guidelines(
    affixes: str | None, facts: dict[str, Facts], is_curated: bool, english: bool
) -> Guidelines:
    from morphtree.lexicon.lexicon import Lexicon
    from morphtree.lexicon.word_facts import pack
    from morphtree.treebank.affixes import read_inventory
    from morphtree.web.editor.checks import Guidelines

    return Guidelines(
        affixes=read_inventory(affixes) if affixes else None,
        lexicon=Lexicon({word: pack(fact) for word, fact in facts.items()}) if facts else None,
        is_curated=is_curated,
        english=english,
    )


def _account() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return "annotator"
