"""What the commands share: origins of errors, the terminal."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from morphtree.cli.main import explained, main
from morphtree.errors import TreeError


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--debug", "segment", "no-such-file"),
        ("segment", "--debug", "no-such-file"),
        ("segment", "no-such-file", "--debug"),
        ("treebank", "--debug", "check", "no-such-file"),
        ("treebank", "check", "no-such-file", "--debug"),
    ],
)
def test_debug_shows_where_an_error_comes_from(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("Error: no-such-file")
    plain = run(*(word for word in arguments if word != "--debug"))
    assert plain.exit_code == 3
    assert plain.stderr.count("\n") == 1
    assert plain.stderr.splitlines()[-1] == result.stderr.splitlines()[-1]


def test_an_error_of_ours_is_no_traceback_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("morphtree.load", fail)
    result = run("parse", "cats")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "KeyError: 'lost'" in result.stderr
    assert "--debug" in result.stderr
    assert "in fail" in run("parse", "cats", "--debug").stderr


def test_each_kind_of_error_says_what_to_do() -> None:
    assert explained(TreeError("a node needs a label")).message == "a node needs a label"
    assert (
        explained(PermissionError(13, "Permission denied", "f")).message == "f: Permission denied"
    )
    assert "morphtree doctor" in explained(ImportError("No module named 'x'")).message


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "morphtree", "parse", "--format", "brackets", "cats"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("cats\t[[cat] s]\t")


def test_the_terminal_need_not_know_every_letter() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "morphtree", "parse", "--format", "json", os.fsdecode(b"a\xff")],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"}, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert b'"word": "a\\udcff"' in done.stdout
