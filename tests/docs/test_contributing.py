"""What CONTRIBUTING.md names is there, and its commands work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from morphtree.cli.main import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_links_and_files_are_there() -> None:
    links = re.findall(r"\]\(([^)#:\s]+)\)", TEXT)
    paths = re.findall(r"\b((?:tests|scripts|src|treebank)/[\w/.]*\w)", TEXT)
    assert len(links) > 3
    assert len(paths) > 5
    for name in (*links, *paths):
        assert (ROOT / name).exists(), name


def test_the_treebank_passes_the_check_that_it_names() -> None:
    (command,) = re.findall(r"`morphtree (treebank check [^`]+)`", TEXT)
    arguments = [str(ROOT / word) if "/" in word else word for word in shlex.split(command)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.stderr
    assert "; 0 errors; " in result.stderr
