"""Runs what the documents show: console sessions, doctests, and Python with its output in comments.

- In a ``console`` block a line ``$ command`` is run, with lines ``> more`` that go on with it; what
  follows is its output, standard error included. The exit code must be 0.
- A ``pycon`` block is a doctest; in a ``python`` block ``print(...)  # text`` says what is printed.
- ``...`` in an output stands for anything.
- ``<!-- not run: why -->`` above a block says that nobody runs it; ``<!-- needs: package -->`` that
  it is run by itself, where the package is installed; ``<!-- file: name -->`` that it is a file for
  the commands below it. ``sh`` blocks are never run.

The blocks of a page share one folder, in which ``examples`` and ``treebank`` are those of the
repository, and one Python namespace. `scripts/refresh_docs.py` writes the outputs anew.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

import morphtree
from morphtree.cli.main import main

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
LINKED = ("examples", "treebank")
RUN = ("console", "pycon", "python")
SHELL = re.compile(r"[|<>;&$*`\n]")  # what needs a shell
FENCE = re.compile(r"```(\S*)")
MARK = re.compile(r"<!-- (not run|needs|file): (.+) -->\Z")
COMMENT = re.compile(r"(?<=\))  # (.*)\Z")


class Block(NamedTuple):
    """A fenced block; ``start`` counts lines from 0 and is that of its first inner line."""

    language: str
    start: int
    lines: list[str]
    mark: str = ""  # "not run", "needs", "file" or nothing
    why: str = ""

    @property
    def is_run(self) -> bool:
        """Whether there is something to do here."""
        return self.mark == "file" or (self.mark != "not run" and self.language in RUN)


class Step(NamedTuple):
    """A command or statement, the output that the page shows, and the lines where it shows it."""

    language: str  # or the name of a file to write
    source: str
    want: str
    start: int
    end: int


def blocks(text: str) -> Iterator[Block]:
    """Find the fenced blocks of a page with the marks above them."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        if opened := FENCE.match(lines[number]):
            end = lines.index("```", number + 1)
            above = MARK.match(lines[number - 1]) if number else None
            mark, why = above.groups() if above else ("", "")
            yield Block(opened[1], number + 1, lines[number + 1 : end], mark, why)
            number = end
        number += 1


def steps(block: Block) -> Iterator[Step]:
    """Cut a block into what is run one after the other."""
    if block.mark == "file":
        return iter([Step(block.why, "\n".join([*block.lines, ""]), "", block.start, block.start)])
    return {"console": _commands, "pycon": _doctests, "python": _statements}[block.language](block)


def _commands(block: Block) -> Iterator[Step]:
    starts = [n for n, line in enumerate(block.lines) if line.startswith("$ ")]
    for first, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        last = first + 1
        while last < end and block.lines[last].startswith("> "):
            last += 1
        source = "\n".join(line[2:] for line in block.lines[first:last])
        yield _step(block, source, last, end)


def _doctests(block: Block) -> Iterator[Step]:
    for example in doctest.DocTestParser().get_examples("\n".join(block.lines) + "\n"):
        first = example.lineno + example.source.count("\n")
        yield _step(block, example.source, first, first + example.want.count("\n"))


def _statements(block: Block) -> Iterator[Step]:
    """Yield top-level statements; what they print stands in a comment on their last line."""
    source = "\n".join(block.lines)
    for statement in ast.parse(source).body:
        assert statement.end_lineno is not None
        line = statement.end_lineno - 1
        said = COMMENT.search(block.lines[line])
        code = "\n".join(block.lines[statement.lineno - 1 : line + 1])
        want = f"{said[1]}\n" if said and code.startswith("print(") else "..."
        yield Step("python", code, want, block.start + line, block.start + line + 1)


def _step(block: Block, source: str, first: int, end: int) -> Step:
    want = "".join(f"{line}\n" for line in block.lines[first:end])
    return Step(block.language, source, want, block.start + first, block.start + end)


def same_package() -> dict[str, str]:
    """Return an environment in which other processes import the morphtree of this one."""
    home = str(Path(morphtree.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": paths}


def matches(want: str, got: str) -> bool:
    """Whether an output is the one that is shown."""
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


@dataclass
class Session:
    """Runs the steps of one page in one folder and one namespace."""

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def __post_init__(self) -> None:
        for name in LINKED:
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / ".bin").mkdir()
        program = "from morphtree.cli.main import main; main(prog_name='morphtree')"
        self._script("morphtree", f'{sys.executable} -c "{program}"')
        self._script("python", sys.executable)

    def _script(self, name: str, command: str) -> None:
        script = self.folder / ".bin" / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)

    def run(self, step: Step) -> str:
        """Run a step in the folder and return what it prints."""
        if step.language not in RUN:
            (self.folder / step.language).write_text(step.source, encoding="utf-8")
            return ""
        with contextlib.chdir(self.folder):
            got = self._command(step.source) if step.language == "console" else self._python(step)
        return got if got.endswith("\n") or not got else f"{got}\n"

    def _command(self, command: str) -> str:
        if not command.startswith("morphtree ") or SHELL.search(command):
            return self._shell(command)
        arguments = shlex.split(command)[1:]
        result = CliRunner().invoke(main, arguments, prog_name="morphtree", catch_exceptions=False)
        if result.exit_code:
            raise AssertionError(f"$ {command}\nends with {result.exit_code}\n{result.output}")
        return result.output

    def _shell(self, command: str) -> str:
        path = f"{self.folder / '.bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            env={**same_package(), "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        if done.returncode:
            raise AssertionError(f"$ {command}\nends with {done.returncode}\n{done.stdout}")
        return done.stdout

    def _python(self, step: Step) -> str:
        mode = "single" if step.language == "pycon" else "exec"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(step.source, "<the page>", mode, dont_inherit=True), self.names)
            except Exception as error:
                if "Traceback" not in step.want:
                    raise
                last = "".join(traceback.format_exception_only(error))
                printed.write(f"Traceback (most recent call last):\n  ...\n{last}")
        return printed.getvalue()


def renewed(lines: list[str], step: Step, got: str) -> list[str]:
    """Return the lines of a page that show a step's output, as they should be now."""
    old = lines[step.start : step.end]
    if matches(step.want, got):
        return old
    if step.language == "python":
        return [COMMENT.sub(lambda _: f"  # {got.rstrip()}", old[0])]
    new = got.removesuffix("\n").split("\n") if got else []
    if step.language == "pycon":
        new = [line or "<BLANKLINE>" for line in new]
    if "..." in old:  # what was left out is left out again
        head = old.index("...")
        tail = len(old) - head - 1
        if len(new) > head + tail:
            before, after = _merged(old[:head], new[:head]), new[len(new) - tail :]
            return [*before, "...", *_merged(old[head + 1 :], after)]
    return _merged(old, new)


def _merged(old: list[str], new: list[str]) -> list[str]:
    """Keep the old lines whose wildcards still match."""
    kept = {n: line for n, line in enumerate(old) if n < len(new) and matches(line, new[n])}
    return [kept.get(n, line) for n, line in enumerate(new)]
