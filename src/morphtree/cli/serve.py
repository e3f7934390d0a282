"""The command that opens the page and the HTTP service."""

from __future__ import annotations

from typing import Any

import click

from morphtree.cli.completion import complete_language
from morphtree.cli.models import chosen, file_option
from morphtree.cli.parse import control_options
from morphtree.errors import needs_extra


@click.command(short_help="Open the page to look at words, and the HTTP service.")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="The address to listen on; 0.0.0.0 lets other machines in.")  # fmt: skip
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535),
              help="The port; 0 takes a free one.")  # fmt: skip
@click.option("--rate", default=1000.0, show_default=True, type=click.FloatRange(0),
              help="Ordinary words a second for each client; 0 is no limit.")  # fmt: skip
@click.option("--cors", "origins", multiple=True, metavar="ORIGIN",
              help="Let pages of this origin use the service; may be repeated.")  # fmt: skip
@click.option("--proxy", default="", metavar="ADDRESS",
              help="A reverse proxy whose X-Forwarded-For names the client.")  # fmt: skip
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="Another name of this service; may be repeated.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1), help="Parsing threads; by default, the cores.")
@click.option("--lang", "langs", multiple=True, metavar="CODE", shell_complete=complete_language,
              help="A language, as for parse; may be repeated, then the page offers a choice.",
)  # fmt: skip
@file_option
@control_options
def serve(
    host: str, port: int, rate: float, origins: tuple[str, ...], proxy: str, hosts: tuple[str, ...],
    threads: int | None, langs: tuple[str, ...], model: str | None, **controls: Any,
) -> None:  # fmt: skip
    """Serve the page at http://HOST:PORT/ and the service at /v1, described at /docs.

    Nothing leaves this machine, and no word that is asked for is written down. Ctrl-C stops it.
    """
    import morphtree

    if len(langs) > 1 and (controls["overrides"] or controls["add_words"]):
        raise click.UsageError("--overrides and --add-words are of one language; give one --lang")
    with needs_extra("serve", "for the service"):
        from morphtree.web.service.app import Settings, make_app
        from morphtree.web.service.server import serve as run
    names = dict.fromkeys(chosen(lang, model) for lang in langs or (None,))
    analyzers = [morphtree.load(name, **controls) for name in names]
    app = make_app(*analyzers, settings=Settings(rate, origins, threads, (host, *hosts)))
    run(app, host, port, say_address, proxy)


def say_address(url: str) -> None:
    """Say where the page is."""
    click.echo(f"morphtree: {url} (Ctrl-C stops it)")
