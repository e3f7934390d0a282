"""What is too large for a treebank of words is refused, with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.entry import MAX_LETTERS, MAX_LINE, Note, Problem
from morphtree.treebank.formats import FORMATS, READERS, step_trees
from morphtree.treebank.treebank import Treebank
from tests.treebank.test_formats import entry_of, problems_of


def test_the_letters_of_a_word_are_bounded() -> None:
    doubled = "\n".join(["a0", *(f"a{n + 1} = a{n} + a{n}" for n in range(30))])
    assert problems_of(doubled) == [(9, "too-long")]  # the rest is built on it
    assert len(entry_of("\n".join(doubled.split("\n")[:8]), "a7").segments) == 128


def test_the_readings_of_a_file_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_trees, "MORE", 100)
    text = "a\na = b + b\nb\nc = a|* + a|*\nd = c|* + c|*\n"
    text += "\n".join(f"w{n} = d|* + a|*" for n in range(300))
    parsed = READERS["derivation"](text)
    assert {problem.code for problem in parsed.problems} == {"too-many-readings"}
    assert len(parsed.entries) == 304
    assert sum(len(entry.readings) for entry in parsed.entries) <= 100 + 2 * 305


def test_a_long_cycle_is_shown_by_its_ends() -> None:
    count = 500
    text = "\n".join(f"a{n} = a{(n + 1) % count} + a0" for n in range(count))
    problems = READERS["derivation"](text).problems
    assert {problem.code for problem in problems} == {"cycle"}
    assert {problem.line for problem in problems} == {*range(1, count + 1)}
    whole = next(problem for problem in problems if problem.line == count)
    assert whole.message.startswith("a0 -> a1 -> ")
    assert " -> ... -> " in whole.message
    assert whole.message.endswith("a499 -> a0: no word may contain itself")


def long_word(format: str, letters: int) -> str:
    word = "a" * letters
    return {
        "2016": f"b (S ({word}:stem) (s:suffix))",
        "brackets": f"b\t[{word}]",
        "derivation": f"b\n{word} = b + -s",
        "flat": f"b\t{word}\t{word}",
    }[format]


@pytest.mark.parametrize("format", FORMATS)
def test_a_word_or_line_too_long_is_refused_with_its_line(format: str) -> None:
    for text, said in [
        (long_word(format, MAX_LETTERS + 1), "letters, more than 256; correct the line"),
        ("b" + " " * MAX_LINE, "characters, more than 20000; write one entry a line"),
        ("\u0315\u0300" * (MAX_LINE // 3) + " = a", ""),
    ]:
        parsed = READERS[format](text)
        faults: list[Problem | Note] = [*parsed.problems]
        faults += [note for note in parsed.notes if note.action == "dropped"]
        assert [fault.line for fault in faults] == [text.count("\n") + 1]
        assert said in faults[0].message
    assert READERS[format](long_word(format, MAX_LETTERS - 1)).entries


def test_of_many_problems_the_first_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("a\t[a\n" * 1000, encoding="utf-8")
    with pytest.raises(TreebankError) as caught:
        Treebank.read(path)
    lines = str(caught.value).split("\n")
    assert lines[0].startswith(f"{path}:1: malformed")
    assert lines[100:] == [f"900 problems more; 'morphtree treebank check {path}' lists them all"]
