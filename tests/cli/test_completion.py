"""Completion in a shell."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.testing import CliRunner, Result

from morphtree.cli.main import main
from tests.language_packages import install


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_MORPHTREE_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, check=True)
    assert run("completion", "tcsh").exit_code == 2


def completed(*words: str) -> set[str]:
    """Return what bash would be told for the last word."""
    found = CliRunner().invoke(
        main, [], prog_name="morphtree", standalone_mode=True,
        env={"_MORPHTREE_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(("morphtree", *words)),
             "COMP_CWORD": str(len(words))},
    )  # fmt: skip
    return set(found.stdout.split())


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("pa",), {"plain,parse"}),
        (("treebank", "st"), {"plain,stats"}),
        (("parse", "--format", "b"), {"plain,brackets"}),
        (("segment", "--format", "si"), {"plain,sigmorphon"}),
        (("parse", "--model", "e"), {"plain,en"}),
        (("parse", "--model", "my"), {"file,my"}),
        (("parse", "--lang", "e"), {"plain,en"}),
        (("evaluate", "e"), {"plain,en"}),
        (("train", "--grammar", "c"), {"plain,compounds"}),
        (("train", "--dev", "d"), {"file,d"}),
        (("treebank", "convert", "--to", "de"), {"plain,derivation"}),
    ],
)
def test_commands_formats_and_models_complete(words: tuple[str, ...], found: set[str]) -> None:
    assert completed(*words) == found


def test_an_empty_model_name_completes_to_files_and_built_in_models() -> None:
    assert completed("parse", "--model", "") == {"file,", "plain,en"}


def test_installed_languages_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "de", "fr")
    assert completed("text", "--lang", "") == {"plain,en", "plain,de", "plain,fr"}
    assert completed("text", "--lang", "d") == {"plain,de"}
