"""Splitting a treebank, by way of the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from morphtree.errors import MorphtreeError
from morphtree.treebank.entry import Entry
from morphtree.treebank.split import entry_counts, split, stems
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from tests.treebanks import make, run, words_of

FAMILIES = ["act", "bake", "call", "deal", "earn", "fill", "gain", "help", "join", "kick"]


def family_file(folder: Path) -> Path:
    lines = [f"{w}\n{w}s = {w} + -s\n{w}er = {w} + -er\nre{w} = re- + {w}\n" for w in FAMILIES]
    compounds = [f"{a}{b} = {a} + {b}\n" for a in FAMILIES for b in FAMILIES if a < b]
    return make(folder, "".join(lines + compounds))


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


def test_a_split_needs_no_options(tmp_path: Path) -> None:
    source = family_file(tmp_path)
    result = run("split", source)
    out = tmp_path / "bank.split"
    assert result.exit_code == 0
    assert f"in {out / 'train.txt'}" in result.stderr.splitlines()[0]
    parts = {name: Treebank.read(out / f"{name}.txt") for name in ("train", "dev", "test")}
    assert all(len(part.entries) >= 8 for part in parts.values())
    asked = tmp_path / "asked"
    run("split", source, "--by", "family", "--sizes", "0.8,0.1,0.1", "--seed", "1", "-o", asked)
    for name in parts:
        assert (out / f"{name}.txt").read_bytes() == (asked / f"{name}.txt").read_bytes()


def test_a_flat_file_is_split_by_word(tmp_path: Path) -> None:
    flat = make(tmp_path, "".join(f"{w}s\t{w}s\t{w} s\n" for w in FAMILIES))
    assert run("split", flat).exit_code == 0
    sizes = [len(words_of(tmp_path / "bank.split" / f"{n}.txt")) for n in ("train", "dev", "test")]
    assert sizes == [8, 1, 1]


def test_bad_usage(tmp_path: Path) -> None:
    flat = make(tmp_path, "ab\tab\ta b\n")
    out = tmp_path / "parts"
    with pytest.raises(MorphtreeError, match="has no families"):
        run("split", flat, "--by", "family", "--sizes", "1,0,0", "-o", out)
    assert not out.exists()
    result = run("split", flat, "--by", "word", "--sizes", "many", "-o", out)
    assert result.exit_code == 2
    with pytest.raises(MorphtreeError, match="absent does not exist"):
        run("check", tmp_path / "absent")
