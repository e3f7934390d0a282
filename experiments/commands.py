"""Commands of morphtree, run by experiments."""

from __future__ import annotations

from click.testing import CliRunner

from morphtree.cli.main import main


def run(*arguments: object) -> str:
    """Run a command of morphtree and return what it prints."""
    result = CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)
    if result.exit_code:
        raise SystemExit(result.stderr)
    return result.stdout
