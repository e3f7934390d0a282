"""Whatever a file holds, it is read, or refused with its place, and soon."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from morphtree.errors import GrammarError, ModelError, TreebankError
from morphtree.lexicon.word_facts import read_lexicon
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.check import check_file
from morphtree.treebank.formats import FORMATS, WRITERS
from morphtree.treebank.treebank import SHOWN, Treebank
from morphtree.trees.grammar import Grammar
from tests.treebank.fuzzed_files import CHANGES, files

LIMIT = 1.0  # seconds of processor time for a file of at most some ten thousand characters
FEW, TRIES = 300, 30_000
COUNTS = [FEW, pytest.param(TRIES, marks=pytest.mark.campaign)]
WHOLE = (" is empty", " has no entries", "not UTF-8")  # what a message says of no single line


def fault(path: Path, format: str | None) -> str:
    """Say what is wrong with how a file was read; nothing if it was read or refused well."""
    began = time.process_time()
    try:
        treebank = Treebank.read(path, format)
    except TreebankError as error:
        lines = str(error).split("\n")
        bad = [line for line in lines[:SHOWN] if not _is_placed(line, path)]
        return f"no place: {bad[0][:200]}" if bad else _late(began)
    written = [WRITERS[name](treebank.entries) for name in FORMATS]
    check_file(path, format)
    return _late(began) if all(written) else "nothing was written"


def _late(began: float) -> str:
    took = time.process_time() - began
    return f"it took {took:.1f} s" if took > LIMIT else ""


def _is_placed(line: str, path: Path) -> bool:
    name, _, rest = line.partition(f"{path}")
    if any(what in rest for what in WHOLE):
        return True
    return not name and rest[:1] == ":" and rest[1:].partition(":")[0].isdigit()


@pytest.mark.parametrize("count", COUNTS)
def test_any_file_is_read_or_refused_with_its_line(count: int, tmp_path: Path) -> None:
    path, failures = tmp_path / "file", []
    for number, (format, data) in enumerate(files(count)):
        path.write_bytes(data)
        if found := fault(path, format):
            failures.append((number, format, found))
    assert not failures


TABLES = {
    "affixes": "affix\tside\nun-\tprefix\tA\tA\t\tunfair\n-able\tsuffix\tV\tA\t-ible\tusable",
    "lexicon": "# words\nwug\t2.5\tn\td\nblick\ncafé\t3\tnv\tn",
    "grammar": "WORD -> PREFIX WORD | WORD SUFFIX | <string>\nPREFIX -> <string>\nSUFFIX -> WORD",
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", TABLES)
def test_any_table_is_read_or_refused(kind: str, count: int, tmp_path: Path) -> None:
    rng, path, failures = random.Random(kind), tmp_path / "file", []
    for number in range(count // 3):
        text = TABLES[kind]
        for _ in range(rng.randint(1, 5)):
            text = rng.choice(CHANGES)(rng, text)
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        if found := table_fault(kind, path):
            failures.append((number, found))
    assert not failures


def table_fault(kind: str, path: Path) -> str:
    read = {"affixes": read_inventory, "lexicon": read_lexicon, "grammar": load_grammar}[kind]
    began = time.process_time()
    try:
        read(path)
    except (TreebankError, ModelError, GrammarError) as error:
        return _late(began) if str(error).startswith(str(path)) else str(error)[:200]
    return _late(began)


def load_grammar(path: Path) -> object:
    return Grammar.load(str(path)).binarised
