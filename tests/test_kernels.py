"""The kernels load uncompiled, with Cython or without, and leave nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from morphtree import _kernels

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


@pytest.mark.skipif(not _kernels.COMPILED, reason="needs the compiled kernels")
def test_a_kernel_compiled_twice_is_the_fast_one_whatever_was_loaded_before() -> None:
    code = "from morphtree import _kernels as k; print(*(getattr(k, n).__name__ for n in k._names))"
    env = {name: value for name, value in os.environ.items() if name != "MORPHTREE_BASELINE"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    names = [f"morphtree._kernels.{name}" for name in (_kernels._compiled() or {}).values()]
    assert done.stdout.split() == names
