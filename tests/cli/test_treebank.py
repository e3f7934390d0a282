"""Converting a treebank, by way of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from tests.treebanks import make, run, words_of

STEPS = "lock\nunlock = un- + lock\nlockable = lock + -able\n"
TWICE = "unlockable = un- + lockable\nunlockable = unlock + -able\n"


def test_conversion_there_and_back(tmp_path: Path) -> None:
    source = make(tmp_path, STEPS + TWICE)
    brackets = tmp_path / "brackets"
    result = run("convert", source, "--to", "brackets", "-o", brackets)
    assert (result.stdout, result.stderr) == ("", "")
    assert (
        brackets.read_text().splitlines()[-1]
        == "unlockable\t[un [[lock] able]]\t[[un [lock]] able]"
    )
    assert run("convert", brackets, "--to", "derivation").stdout == STEPS + TWICE


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    source = make(tmp_path, STEPS + TWICE + "x\tprov=read\n")
    flat = run("convert", source, "--to", "flat")
    assert flat.stdout.splitlines()[3] == "unlockable\tunlockable\tun lock able"
    assert "dropped tree: 5 (lines 1, 2, 3, 4, 6)" in flat.stderr
    assert "dropped fields: 1 (lines 6)" in flat.stderr
    lines = run("convert", source, "--to", "2016")
    assert lines.stdout.count("unlockable (S") == 2
    assert "dropped readings-apart: 1 (lines 4)" in lines.stderr
    with pytest.raises(TreebankError, match="can be written as brackets"):
        run("convert", make(tmp_path, flat.stdout), "--to", "brackets")


def test_a_file_is_not_converted_into_itself(tmp_path: Path) -> None:
    source = make(tmp_path, STEPS)
    with pytest.raises(TreebankError, match="write to another one"):
        run("convert", source, "--to", "brackets", "-o", source)
    assert source.read_text(encoding="utf-8") == STEPS
    assert run("convert", source, "--to", "brackets", "-o", tmp_path / "new").exit_code == 0
    assert words_of(tmp_path / "new") == words_of(source)


def test_parallel_words_are_compared_by_rules_beside_the_treebank(tmp_path: Path) -> None:
    source = make(tmp_path, "put\nin\nout\ninput = in + put\noutput\n")
    rules = source.parent / "consistency.tsv"
    with pytest.raises(TreebankError, match=r"consistency\.tsv"):
        run("check", source, "--consistency")
    rules.write_text("opposite\tin out\n", encoding="utf-8")
    assert ":5: inconsistent: 'output', but 'input = in + put'" in (
        run("check", source, "--consistency").stdout
    )
    elsewhere = tmp_path / "rules"
    elsewhere.write_text("alike\tin out\n", encoding="utf-8")
    assert not run("check", source, "--consistency", elsewhere).stdout
