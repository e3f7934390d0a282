"""What a check finds in a treebank, by way of the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result

from morphtree.treebank.check import check_file
from tests.treebanks import make, run


def codes(result: Result) -> list[tuple[str, str]]:
    lines = (line.split(": ") for line in result.stdout.splitlines())
    return [(place.rsplit(":", 1)[1], code) for place, code, *_ in lines]


def test_a_clean_file_passes(tmp_path: Path) -> None:
    result = run(
        "check", make(tmp_path, "happy\nunhappy = un- + happy\nunhappier = unhappy + -er\n")
    )
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "3 entries; 0 errors; 0 warnings\n"


def test_derivation_faults_are_errors(tmp_path: Path) -> None:
    text = "a = b + -s\nhappy\nhappies = happy + -est\nx = y + -s\ny = x + -s\n= + =\n"
    path = make(tmp_path, text)
    result = run("check", path)
    assert result.exit_code == 1
    assert f"{path}:1: unknown-base: the base 'b' has no line of its own" in result.stdout
    expected = {("1", "unknown-base"), ("3", "respell"), ("5", "cycle"), ("6", "malformed")}
    assert expected <= set(codes(result))
    assert "cycle 1" in result.stderr


def test_an_irregular_step_and_its_descendants_pass(tmp_path: Path) -> None:
    text = "go\nwent = go + -ed\tprov=read note=irregular\nwents = went + -s\n"
    assert run("check", make(tmp_path, text)).exit_code == 0


def test_repairs_and_respelling_are_warnings_in_2016_files_and_drops_errors(tmp_path: Path) -> None:
    repaired = "men (S (man:stem) (s:suffix ))\nabc (S (a:stem) (b:suffix) (c:suffix))\n"
    result = run("check", make(tmp_path, repaired))
    assert result.exit_code == 0
    assert codes(result) == [
        ("1", "warning respell"),
        ("1", "warning spaces"),
        ("2", "warning out-of-grammar"),
    ]
    result = run("check", make(tmp_path, repaired + "(S (a:stem) (b:suffix))\n"))
    assert result.exit_code == 1
    assert codes(result)[-1] == ("3", "missing-word")


def test_repetitions_readings_and_grammar_in_brackets(tmp_path: Path) -> None:
    text = "ab\t[ab]\nab\t[ab]\nab\t[[a] [b]]\nabs\t[abs]\t[[ab] s]\t[a [bs]]\n"
    assert codes(run("check", make(tmp_path, text))) == [
        ("2", "duplicate"),
        ("3", "conflict"),
        ("4", "too-many-readings"),
    ]
    result = run("check", "--grammar", "paper", make(tmp_path, text))
    assert ("3", "out-of-grammar") in codes(result)


def test_affixes_outside_the_inventory_are_errors(tmp_path: Path) -> None:
    affixes = make(
        tmp_path, "affix\tside\tto\tmakes\tallomorphs\nin-\tprefix\tA\tA\tim-, il-\n", "affixes.tsv"
    )
    bank = make(tmp_path, "moral\nimmoral = im- + moral\nmorals = moral + -s\nims = moral + -im\n")
    result = run("check", bank, "--affixes", affixes)
    assert [code for code in codes(result) if code[1] == "unknown-affix"] == [
        ("3", "unknown-affix"),
        ("4", "unknown-affix"),  # im- is a prefix only
    ]


def checked(tmp_path: Path, inventory: Path, text: str) -> list[str]:
    pytest.importorskip("lemminflect")
    path = tmp_path / "bank.derivation"
    path.write_text(text, encoding="utf-8")
    out = run("check", path, "--affixes", inventory, "--language", "en").output
    return [line.split(": ")[1] for line in out.splitlines() if str(path) in line]


def test_check_finds_wrong_categories_and_unknown_words(inventory: Path, tmp_path: Path) -> None:
    text = "happy\nhappyable = happy + -able\nwugg\nteach\nteachness = teach + -ness\n"
    found = checked(tmp_path, inventory, text)
    assert found.count("category") == 2
    assert found.count("unattested") == 3


def test_notes_and_fields_answer_the_check(inventory: Path, tmp_path: Path) -> None:
    text = "wugg\tpos=V note=rare\nwuggable = wugg + -able\tnote=rare\n"
    assert checked(tmp_path, inventory, text) == []
    text = "happy\nhappyable = happy + -able\tnote=rare irregular\n"
    assert checked(tmp_path, inventory, text) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [("cat\tpos=Z", "category"), ("mice\tlemma=mouse", "unknown-lemma"),
     ("mice\tfeature=plural", "unknown-lemma"), ("cat\tpos=NV", "")],
)  # fmt: skip
def test_fields_that_say_nothing_are_found(line: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "words.derivation"
    path.write_text(f"window\n{line}\n", encoding="utf-8")
    found = check_file(path, "derivation")[1]
    assert [(problem.line, problem.code) for problem in found] == ([(2, code)] if code else [])
