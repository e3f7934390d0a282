"""Compile the kernels; without a compiler the package installs all the same and runs uncompiled.

On x86 the hottest ones are compiled twice, the second time for processors with AVX2; the package
chooses when it is imported, so a wheel built anywhere runs everywhere.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# Loops that clear a few places stay loops: a call of memset costs more.
FLAGS = [
    "-O3", "-g0", "-fno-math-errno", "-fno-tree-loop-distribute-patterns",
    "--param=max-inline-insns-auto=200",
]  # fmt: skip
AVX2_FLAGS = [*FLAGS, "-mavx2", "-mfma"]
AVX2 = ("lattice", "queries", "search")  # loops over letters, several at a time
BUILD = Path("build")
COPIES = BUILD / "avx2" / "morphtree" / "_kernels"


def extension(name: str, source: Path, flags: list[str]) -> Extension:
    return Extension(
        f"morphtree._kernels.{name}",
        [str(source)],
        extra_compile_args=flags,
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
    )


def extensions() -> list[Extension]:
    kernels = {p.stem: p for p in Path("src/morphtree/_kernels").glob("*.py") if p.stem[0] != "_"}
    found = [extension(name, path, FLAGS) for name, path in sorted(kernels.items())]
    if platform.machine() in ("x86_64", "AMD64"):
        COPIES.mkdir(parents=True, exist_ok=True)
        for name in AVX2:  # a module of its own needs a source of its own
            copy = COPIES / f"{name}_avx2.py"
            for suffix in (".py", ".pxd"):
                text = kernels[name].with_suffix(suffix).read_text(encoding="utf-8")
                copy.with_suffix(suffix).write_text(text, encoding="utf-8")
            found.append(extension(copy.stem, copy, AVX2_FLAGS))
    return found


DIRECTIVES = {
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "infer_types": True,
}
modules = cythonize(
    extensions(),
    build_dir=str(BUILD / "cython"),
    include_path=["src", str(BUILD / "avx2")],
    compiler_directives=DIRECTIVES,
)
for module in modules:
    module.optional = True  # a failed compilation is a warning, not an error

setup(
    ext_modules=modules,
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build_ext": {"parallel": os.cpu_count()},
    },
)
