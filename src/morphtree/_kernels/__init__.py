"""The hot loops: ordinary typed Python, compiled by Cython when the package is installed.

Without a compiler, or with ``MORPHTREE_PURE=1`` in the environment, the same files run as they
are: much slower, with the same results. The hottest ones are there twice,
once for processors with AVX2; ``MORPHTREE_BASELINE=1`` asks for the other.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import sys
import warnings
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType
from typing import Any

import numpy as np

_ENTRY_POINTS = {
    "mixing": (),
    "arithmetic": (),
    "capacity": (),
    "arcs": ("leave_log_space",),
    "lattice": ("forward", "backward", "total"),
    "queries": ("expect", "sample"),
    "pair": ("pair_table",),
    "heap": (),
    "search": ("best_forms",),
    "chart": ("load",),
    "topdown": ("expect_all", "sample"),
    "kbest": ("best",),
    "hashing": ("edit_features", "edit_contexts"),
    "analyses": (),
    "stored": ("answer",),
    "span_tables": (),
    "lookups": (),
    "bases": (),
    "constituents": (),
    "attributes": (),
    "matching": ("place_rows",),
    "spans": ("span_contexts", "span_attributes", "form_contexts", "span_matches"),
    "parser": (),
    "edits": (),
    "matches": (),
    "sums": ("match_words",),
    "candidate_tables": (),
    "local_edits": (),
    "paths": (),
    "proposing": (),
    "candidates": ("find_candidates", "edit_scores", "list_candidates"),
    "forms": ("pair_scores",),
    "gradients": (
        "gradients",
        "lattice_gradient",
        "edit_numbers",
        "local_scores",
        "drop",
        "step",
        "refresh_shrinkage",
    ),
    "decode": ("decode", "decode_given"),
    "lines": ("read_lines",),
    "rows": ("write_rows", "join_rows"),
    "columns": ("write_columns",),
}


def _compiled() -> dict[str, str] | None:
    """Name the compiled module of each kernel, or return None unless all of them are there."""
    files = set(os.listdir(os.path.dirname(__file__)))
    there = {f[: -len(end)] for end in EXTENSION_SUFFIXES for f in files if f.endswith(end)}
    if not there.issuperset(_ENTRY_POINTS):
        return None
    fast = not os.environ.get("MORPHTREE_BASELINE") and _has_avx2()
    twice = {name for name in _ENTRY_POINTS if fast and f"{name}_avx2" in there}
    return {name: f"{name}_avx2" if name in twice else name for name in _ENTRY_POINTS}


def _has_avx2() -> bool:
    """Whether this processor has AVX2 and fused multiply-add, as far as Linux tells."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            flags = next((line.split() for line in lines if line.startswith("flags")), [])
    except OSError:
        return False
    return {"avx2", "fma"} <= set(flags)


def _uncompiled() -> list[ModuleType]:
    """Import the sources, even where compiled modules lie beside them."""
    with_cython = importlib.util.find_spec("cython") is not None
    cython = import_module("cython" if with_cython else f"{__name__}._nocython")
    before = {name: module for name, module in sys.modules.items() if _is_cythons(name)}
    sys.modules["cython"] = cython
    sys.modules["cython.cimports.libc.math"] = _math()
    _as_cimport("_constants", import_module(f"{__name__}._constants"))
    try:
        return [_from_source(name, entries) for name, entries in _ENTRY_POINTS.items()]
    finally:
        for name in filter(_is_cythons, list(sys.modules)):
            del sys.modules[name]
        sys.modules.update(before)


def _is_cythons(name: str) -> bool:
    return name.partition(".")[0] == "cython"


def _math() -> ModuleType:
    """Return Python's math for C's; numpy's ldexp takes numpy's integers."""
    module = ModuleType("math")
    vars(module).update(vars(math), ldexp=np.ldexp)
    return module


def _as_cimport(name: str, module: ModuleType) -> None:
    """Let ``from cython.cimports...`` find a module, as it does when Cython compiles."""
    sys.modules[f"cython.cimports.{__name__}.{name}"] = module


def _from_source(name: str, entries: tuple[str, ...]) -> ModuleType:
    full_name = f"{__name__}.{name}"
    source = os.path.join(os.path.dirname(__file__), f"{name}.py")
    spec = importlib.util.spec_from_file_location(full_name, source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module
    _as_cimport(name, module)
    spec.loader.exec_module(module)
    for entry in entries:
        setattr(module, entry, _quiet(getattr(module, entry)))
    return module


def _quiet(function: Any) -> Any:
    """Let numpy's scalars overflow to infinity without a word, as C's do."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args)

    return call


_names = None if os.environ.get("MORPHTREE_PURE") else _compiled()
COMPILED = _names is not None
if _names is None:
    if not os.environ.get("MORPHTREE_PURE"):
        warnings.warn(
            "morphtree runs uncompiled and slowly; install a C compiler and reinstall it",
            RuntimeWarning,
            stacklevel=2,
        )
    globals().update(zip(_ENTRY_POINTS, _uncompiled(), strict=True))


def __getattr__(name: str) -> Any:
    """Import a compiled kernel when it is first asked for: few commands need all of them."""
    if _names is None or name not in _names:
        raise AttributeError(f"there is no kernel {name!r}")
    module = globals()[name] = import_module(f"{__name__}.{_names[name]}")
    return module
