"""Every Python block of the documents runs, and what the README shows is what the tool prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from morphtree.cli import main

ROOT = Path(__file__).parents[1]
DOCUMENTS = "README.md", "docs/model.md"


def blocks(name: str, language: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_python_blocks_run_and_print_what_they_say(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in blocks(name, "python"):
        exec(compile(block, name, "exec"), {})
        printed = capsys.readouterr().out.splitlines()
        for said in re.findall(r"print\(.*\)  # (.*)", block):
            assert said in printed


def test_the_readme_shows_real_output() -> None:
    (session,) = blocks("README.md", "console")
    command, shown = session.split("\n", 1)
    arguments = shlex.split(command.removeprefix("$ morphtree "))
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert result.stdout == shown


def test_the_readmes_treebank_commands_work() -> None:
    commands = [
        line.split("morphtree ", 1)[1]
        for block in blocks("README.md", "sh")
        for line in block.splitlines()
        if line.startswith(".venv/bin/morphtree treebank")
    ]
    assert len(commands) == 3
    for command in commands:
        arguments = [a.replace("treebank/en", f"{ROOT}/treebank/en") for a in shlex.split(command)]
        assert CliRunner().invoke(main, arguments).exit_code == 0


def test_the_picture_is_drawn_by_the_tool() -> None:
    arguments = ["parse", "--format", "svg", "untestably"]
    drawn = CliRunner().invoke(main, arguments).stdout
    assert drawn == (ROOT / "docs" / "untestably.svg").read_text(encoding="utf-8")


def test_local_links_lead_somewhere() -> None:
    for name in (*DOCUMENTS, "docs/treebank-formats.md", "docs/treebank.md", "docs/english.md"):
        folder = (ROOT / name).parent
        for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            assert (folder / link).exists(), f"{name}: {link}"


def test_documents_name_files_and_tests_that_exist() -> None:
    text = (ROOT / "docs/model.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "morphtree"
    for name in set(re.findall(r"`((?:_kernels/)?[a-z_]+\.py)", text)):
        assert (package / name).exists(), name
    for name in set(re.findall(r"`(tests/[a-z_]+\.py)`", text)):
        assert (ROOT / name).exists(), name
