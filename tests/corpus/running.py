"""Corpora for the tests, the command that is run on them, and what it has made."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from morphtree.corpus.counting import counted_words

pa: Any = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")
pytest.importorskip("daft")
TABLES = ("vocabulary", "morphemes", "families")
WORDS = ("cats", "untestably", "the", "The", "of", "happily", "readers", "blackbirds", "unlock",
         "well-known", "isn't", "governments", "rereading", "42", "U.S.", "naïve")  # fmt: skip

STEMS = ("lock", "read", "test", "govern", "nation", "quick", "happy", "corner")
SMALL = """
from morphtree.corpus import run
run.PIECE, run.PART = 50_000, 100
from morphtree.__main__ import main
main()
"""


def texts(count: int, seed: int = 1) -> list[str]:
    """Return so many lines, in which the first words are the most frequent."""
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    return [" ".join(rng.choices(WORDS, weights, k=rng.randint(1, 12))) + "." for _ in range(count)]


def write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_many_words(folder: Path) -> None:
    """Write texts with many words that the model has never seen."""
    for number in range(6):
        made_up = [f"{a}{b}{'aeiouy'[number]}{'ness' * k}"
                   for a in STEMS for b in STEMS for k in range(2)]  # fmt: skip
        write_lines(folder / f"{number}.txt", [*texts(2000, number), *made_up])


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "morphtree", "corpus", *map(str, arguments)]


def in_small_steps(*arguments: object) -> list[str]:
    """Return the command that takes few files and few words at a time."""
    return [sys.executable, "-c", SMALL, "corpus", *map(str, arguments)]


def run(*arguments: object, code: int = 0) -> str:
    """Run the command; return all that it prints."""
    return output(command(*arguments), code)


def output(given: list[str], code: int = 0) -> str:
    """Run something that ends with this code; return all that it prints."""
    done = subprocess.run(given, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table, sorted."""
    files = sorted((out / table).rglob("*.parquet"))
    found = [row for file in files for row in pa.parquet.ParquetFile(file).read().to_pylist()]
    return sorted(found, key=repr)


def made(out: Path) -> dict[str, list[dict[str, Any]]]:
    return {table: rows(out, table) for table in TABLES}


def vocabulary(out: Path) -> Counter[str]:
    return Counter({row["word"]: row["count"] for row in rows(out, "vocabulary")})


def expected(lines: list[str]) -> Counter[str]:
    return counted_words(lines)


def summary(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return found


def faults(out: Path) -> dict[str, str]:
    """Return what is wrong with files, by their names."""
    lines = (out / "errors.tsv").read_text(encoding="utf-8").splitlines()
    return {Path(path).name: fault for path, fault in (line.split("\t") for line in lines)}


def finished(out: Path) -> int:
    """Return how many records there are, none if they are just removed."""
    try:
        return len([*out.glob(".work/*.records/*.json")])
    except FileNotFoundError:
        return 0
