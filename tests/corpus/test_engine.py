"""Daft in a program that has used it before: it can be set up once only."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("daft")
PROGRAM = """
import daft
from morphtree.corpus import engine
daft.from_pydict({"word": ["cats"]}).collect()
engine.start(None, 2)
print(daft.from_pydict({"word": ["cats"]}).to_pylist())
"""


def test_a_program_that_has_used_daft_may_count_a_corpus() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[{'word': 'cats'}]\n"), done.stderr
