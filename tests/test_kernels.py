"""The kernels load uncompiled, with Cython or without, and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WITH_CYTHON = "import cython"
WITHOUT_CYTHON = """
import importlib.util, sys
sys.modules["cython"] = None
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "cython" else find(name, *rest)
"""
LOAD = """
import sys
from morphtree import _kernels
print(_kernels.COMPILED, _kernels.arithmetic.shifted(3.0, -1) * 2.0**64)
print([name for name in sys.modules if name.startswith("cython.cimports.morphtree")])
"""


@pytest.mark.parametrize("before", ["", WITH_CYTHON, WITHOUT_CYTHON])
def test_they_load_uncompiled(before: str) -> None:
    if before == WITH_CYTHON:
        pytest.importorskip("cython")
    done = subprocess.run(
        [sys.executable, "-c", before + LOAD], env={**os.environ, "MORPHTREE_PURE": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "False 3.0\n[]\n"
