"""Treebank files and the commands on them, for tests."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from morphtree.cli.treebank import treebank
from morphtree.errors import MorphtreeError
from morphtree.treebank.treebank import Treebank

INVENTORY = """\
affix\tside\tattaches\tmakes\tallomorphs\texamples
un-\tprefix\tA\tA\t\tunhappy unfair untestable
-able\tsuffix\tV\tA\t-ible\treadable washable usable
-ness\tsuffix\tA\tN\t\thappiness kindness illness
-s\tsuffix\tN\tN\t\tcats boxes cities
-er\tsuffix\tV\tN\t\tsinger baker runner
"""


def run(*arguments: str | Path, text: str = "") -> Result:
    result = CliRunner().invoke(treebank, [*map(str, arguments)], input=text)
    if isinstance(result.exception, MorphtreeError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def make(folder: Path, text: str, name: str = "bank.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def words_of(path: Path) -> set[str]:
    return {entry.word for entry in Treebank.read(path).entries}
