"""Somebody who has only the README: every command of it, in its order, and what it shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import httpx

from morphtree.web.editor.guard import TOKEN
from tests.annotating import change, lines, saved
from tests.documents import LINKED, ROOT, Block, blocks, matches, same_package, steps

README = list(blocks((ROOT / "README.md").read_text(encoding="utf-8")))
INSTALLS = [block for block in README if block.why == "installs"]
PAGES = [line for block in README if block.why == "opens a page" for line in block.lines]
SHOWN = [block for block in README if block.is_run]
NOT_COPIED = shutil.ignore_patterns(
    ".venv*", "build", "*.so", "*.egg-info", ".git", ".*_cache", ".hypothesis", "__pycache__"
)


def environment(programs: Path) -> dict[str, str]:
    """Return what a shell sees in which these programs are found first."""
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def run(command: str, folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout  # pip may warn


def look(block: Block, folder: Path, env: dict[str, str]) -> None:
    """Run what a block shows, in processes of their own, and compare."""
    if block.language == "console":
        for step in steps(block):
            assert matches(step.want, run(step.source, folder, env)), step.source
        return
    script = folder / "newcomer.py"  # the blocks of Python go on where the one before ended
    before = script.read_text(encoding="utf-8") if script.exists() else ""
    script.write_text(before + "\n".join([*block.lines, ""]), encoding="utf-8")
    earlier = [b for b in SHOWN if b.language == "python" and b.start <= block.start]
    printed = [s.want for b in earlier for s in steps(b) if s.source.startswith("print(")]
    got = run(f"python {script.name}", folder, env)
    assert matches("".join(printed), got), got


@contextmanager
def page(command: str, folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Give the address of a page that a command opens, at a free port."""
    words = [*shlex.split(command, comments=True), "--port", "0"]
    with subprocess.Popen(
        words, cwd=folder, env={**env, "PYTHONUNBUFFERED": "1"}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            assert "http://127.0.0.1:" in said, said
            yield said.split()[1]
        finally:
            process.terminate()


def ask_the_service(opened: httpx.Client, _: Path) -> None:
    """Look at a word as the page does."""
    found = opened.get("v1/explain/unhappily").json()
    assert found["reading"]["tree"] == "[[un [happy]] ly]"
    assert "Wiktionary derives *unhappily* from *unhappy*" in found["sentences"][1]["text"]


def annotate_a_word(opened: httpx.Client, folder: Path) -> None:
    """Type a word, accept a tree, and find it in the file, as the page does."""
    word, tree = "unhappily", "[[un [happy]] ly]"
    opened.post("edit/words", json={"words": [word]}).raise_for_status()
    assert opened.get("edit/queue").json()["words"] == [word]
    saved(opened, change(word, tree), who="newcomer")
    assert lines(folder / "my.brackets") == [f"{word}\t{tree}"]


USES = {"serve": ask_the_service, "annotate": annotate_a_word}  # of the commands that open a page


def use_everything(folder: Path, env: dict[str, str]) -> None:
    for block in SHOWN:
        look(block, folder, env)
    assert [command.split()[1] for command in PAGES] == [*USES]
    for command, use in zip(PAGES, USES.values(), strict=True):
        with page(command, folder, env) as address:
            base, _, token = address.partition("#")
            with httpx.Client(base_url=base, headers={TOKEN: token}, timeout=60) as opened:
                assert "morphtree" in opened.get("").text
                use(opened, folder)


def test_the_readme_says_all_that_a_newcomer_needs() -> None:
    said = "\n".join(line for block in README for line in block.lines)
    for what in ("morphtree parse", "morphtree explain", "morphtree.train", "morphtree.evaluate",
                 "morphtree annotate", "morphtree serve", "pytest"):  # fmt: skip
        assert what in said, what


def test_a_newcomer_where_it_is_installed(tmp_path: Path) -> None:
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    programs = tmp_path / "programs"
    programs.mkdir()
    main = "from morphtree.cli.main import main; main(prog_name='morphtree')"
    for name, command in (("morphtree", f'-c "{main}"'), ("python", "")):
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec {sys.executable} {command} "$@"\n')
        script.chmod(0o755)
    use_everything(tmp_path, environment(programs) | {"PYTHONPATH": same_package()["PYTHONPATH"]})


@pytest.mark.slow
def test_a_newcomer_with_a_fresh_copy(tmp_path: Path) -> None:
    """Install by the first command of the README, then do all the rest."""
    copy = tmp_path / "morphtree"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    plain = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    [install, tests] = INSTALLS
    first = next(steps(SHOWN[0]))
    assert matches(first.want, run("\n".join(install.lines), copy, plain))
    assert any(".venv/bin/pytest" in line for line in tests.lines)
    programs = copy / ".venv" / "bin"
    [extras] = re.findall(r"pip install '(\.\[[\w,]+\])'", "\n".join(PAGES))
    run(f"{programs}/pip install -q '{extras}'", copy, plain)
    use_everything(copy, plain | {"PATH": environment(programs)["PATH"]})
