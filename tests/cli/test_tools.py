"""What stands around the commands: origins of errors, completion, the doctor."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morphtree.cli import doctor as cli_doctor
from morphtree.cli.main import explained, main
from morphtree.errors import TreeError

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


# -- errors -------------------------------------------------------------------------------------


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


# -- completion ---------------------------------------------------------------------------------


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


# -- doctor -------------------------------------------------------------------------------------


def requirements() -> list[str]:
    """Return what an installed package says it requires."""
    extras = PROJECT["optional-dependencies"]
    below = [f"{item}; extra == '{extra}'" for extra, items in extras.items() for item in items]
    return [*PROJECT["dependencies"], *below]


def test_doctor_speaks_of_every_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_doctor, "requires", lambda _: requirements())
    monkeypatch.setattr(cli_doctor, "_version", {"morphtree": "1.0", "numpy": "2"}.get)
    result = run("doctor")
    assert result.exit_code == 0
    for extra, names in PROJECT["optional-dependencies"].items():
        line = next(x for x in result.stdout.splitlines() if x.startswith(f"[{extra}]: "))
        assert f"pip install 'morphtree[{extra}]'" in line
        listed = line.partition(" for ")[2].split(", ")
        assert len(listed) == sum(not name.startswith("morphtree[") for name in names)
    assert "numpy: 2\n" in result.stdout
    assert "click: MISSING" in result.stdout


def test_doctor_finds_a_damaged_or_missing_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cli_doctor, "files", lambda _: tmp_path)
    result = run("doctor")
    assert (result.exit_code, "model en: MISSING" in result.stdout) == (1, True)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "en.model").write_bytes(b"no model")
    result = run("doctor")
    assert (result.exit_code, "model en: DAMAGED" in result.stdout) == (1, True)


def test_the_terminal_need_not_know_every_letter() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "morphtree", "parse", "--format", "json", os.fsdecode(b"a\xff")],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"}, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert b'"word": "a\\udcff"' in done.stdout
