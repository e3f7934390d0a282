"""Checking, counting, converting and splitting, by way of the commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morphtree.cli.treebank import treebank
from morphtree.errors import MorphtreeError, TreebankError
from morphtree.treebank.split import entry_counts, split, stems
from morphtree.treebank.stats import kind, scope, statistics
from morphtree.treebank.treebank import Entry, Treebank
from morphtree.trees.tree import Tree

FAMILIES = ["act", "bake", "call", "deal", "earn", "fill", "gain", "help", "join", "kick"]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(treebank, [str(argument) for argument in arguments])
    if isinstance(result.exception, MorphtreeError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def make(folder: Path, text: str, name: str = "bank.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# -- check ----------------------------------------------------------------------------------


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


# -- stats ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "kind_", "scope_", "depth_"),
    [
        ("[window]", "simple", None, 0),
        ("[[cat] s]", "one affix", None, 1),
        ("[[[care] less] ness]", "several affixes", None, 2),
        ("[[re [place]] ment]", "several affixes", "prefix first", 2),
        ("[un [[bear] able]]", "several affixes", "suffix first", 2),
        ("[[un [[test] able]] ly]", "several affixes", "suffix first", 3),
        ("[[black] [bird]]", "compound", None, 1),
        ("[un [test] able]", "irregular", None, 1),
    ],
)
def test_kinds_and_scopes(tree: str, kind_: str, scope_: str | None, depth_: int) -> None:
    parsed = Tree.parse(tree)
    assert (kind(parsed), scope(parsed), parsed.depth) == (kind_, scope_, depth_)


def test_statistics_count_repetitions_and_readings() -> None:
    one, other = Tree.parse("[[re [lock]] s]"), Tree.parse("[[relock] s]")
    entries = (
        Entry("a", (one,)),
        Entry("a", (other,)),
        Entry("b", (one, other)),
        Entry("b", (one, other)),
    )
    counted = statistics(Treebank("bank", entries))
    assert (counted.entries, counted.words, counted.repeated, counted.conflicting) == (4, 2, 2, 1)
    assert counted.readings == {1: 2, 2: 2}
    assert counted.morphemes == {2: 1, 3: 3}
    assert counted.affixes == {"-s": 4, "re-": 3}


def test_stats_prints_a_table(tmp_path: Path) -> None:
    result = run("stats", make(tmp_path, "cat\ncats = cat + -s\n"))
    rows = dict(line.split("  ", 1) for line in result.stdout.splitlines() if line[0] != " ")
    assert rows["distinct words"].strip() == "2"
    assert rows["morphemes a word"].strip() == "1.50"
    assert rows["most frequent affixes"].strip() == "-s 1"


# -- convert --------------------------------------------------------------------------------

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


# -- split ----------------------------------------------------------------------------------


def family_file(folder: Path) -> Path:
    lines = [f"{w}\n{w}s = {w} + -s\n{w}er = {w} + -er\nre{w} = re- + {w}\n" for w in FAMILIES]
    compounds = [f"{a}{b} = {a} + {b}\n" for a in FAMILIES for b in FAMILIES if a < b]
    return make(folder, "".join(lines + compounds))


def words_of(path: Path) -> set[str]:
    return {entry.word for entry in Treebank.read(path).entries}


def test_no_stem_is_on_two_sides(tmp_path: Path) -> None:
    source = family_file(tmp_path)
    out = tmp_path / "parts"
    result = run(
        "split", source, "--by", "family", "--sizes", "0.4,0.1,0.1", "-o", out, "--to", "brackets"
    )
    assert result.exit_code == 0
    parts = {
        name: Treebank.read(out / f"{name}.brackets") for name in ("train", "dev", "test", "mixed")
    }
    found = {name: {s for e in bank.entries for s in stems(e)} for name, bank in parts.items()}
    for one, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
        assert found[one]
        assert not found[one] & found[other]
    for entry in parts["mixed"].entries:
        assert all(not stems(entry) <= found[name] for name in ("train", "dev", "test"))
    assert len(parts["test"].entries) >= 8
    total = sum(len(bank.entries) for bank in parts.values())
    assert total == len(Treebank.read(source).entries)


def test_a_split_in_the_derivation_format_stands_alone(tmp_path: Path) -> None:
    out = tmp_path / "parts"
    run("split", family_file(tmp_path), "--by", "family", "--sizes", "30,8,8", "-o", out)
    train, test = words_of(out / "train.txt"), words_of(out / "test.txt")
    assert len(test) >= 8
    assert not train & test


def test_the_lines_of_a_word_stay_together() -> None:
    entries = tuple(Entry(f"w{n % 30}", (Tree.stem("x"),), line=n) for n in range(60))
    parts = split(Treebank("bank", entries), "word", (40, 10, 10), seed=3)
    assert {name: len(part.entries) for name, part in parts.items()} == {
        "train": 40,
        "dev": 10,
        "test": 10,
    }
    words = [{entry.word for entry in part.entries} for part in parts.values()]
    assert sum(map(len, words)) == 30
    assert parts != split(Treebank("bank", entries), "word", (40, 10, 10), seed=4)


def test_a_split_does_not_depend_on_string_hashes(tmp_path: Path) -> None:
    source = family_file(tmp_path)
    code = "from morphtree.cli.treebank import treebank; treebank()"
    texts = []
    for hash_seed in ("1", "2"):
        out = tmp_path / hash_seed
        arguments = ["split", source, "--by", "family", "--sizes", ".5,.2,.2", "-o", out]
        subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        texts.append({path.name: path.read_text() for path in out.iterdir()})
    assert texts[0] == texts[1]


def test_a_folder_with_files_is_not_overwritten(tmp_path: Path) -> None:
    source = make(tmp_path, "".join(f"{word}\n" for word in FAMILIES))
    arguments = ("split", source, "--by", "word", "--sizes", "6,2,2", "-o", tmp_path)
    with pytest.raises(MorphtreeError, match="not empty; add --force"):
        run(*arguments)
    assert os.listdir(tmp_path) == ["bank.txt"]
    assert run(*arguments, "--force").exit_code == 0
    assert len(words_of(tmp_path / "train.txt")) == 6


def test_sizes() -> None:
    assert entry_counts((0.8, 0.1, 0.1), 50) == [40, 5, 5]
    for sizes in ((0.9, 0.9, 0.9), (1, 2), (2, 2.5, 1), (40, 10, 10), (-1, 2, 3)):
        with pytest.raises(MorphtreeError):
            entry_counts(sizes, 50)


def test_bad_usage(tmp_path: Path) -> None:
    flat = make(tmp_path, "ab\tab\ta b\n")
    out = tmp_path / "parts"
    with pytest.raises(MorphtreeError, match="has no families"):
        run("split", flat, "--by", "family", "--sizes", "1,0,0", "-o", out)
    assert not out.exists()
    result = run("split", flat, "--by", "word", "--sizes", "many", "-o", out)
    assert result.exit_code == 2
    with pytest.raises(MorphtreeError, match="absent cannot be read: No such file"):
        run("check", tmp_path / "absent")
