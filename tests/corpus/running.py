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


def texts(count: int, seed: int = 1) -> list[str]:
    """Return so many lines, in which the first words are the most frequent."""
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    return [" ".join(rng.choices(WORDS, weights, k=rng.randint(1, 12))) + "." for _ in range(count)]


def write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "morphtree", "corpus", *map(str, arguments)]


def run(*arguments: object, code: int = 0) -> str:
    """Run the command; return all that it prints."""
    done = subprocess.run(command(*arguments), capture_output=True, text=True)
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


def finished(out: Path) -> int:
    """Return how many records there are, none if they are just removed."""
    try:
        return len([*out.glob(".work/*.records/*.json")])
    except FileNotFoundError:
        return 0
