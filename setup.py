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

FLAGS = ["-O3", "-g0", "-fno-math-errno"]
AVX2_FLAGS = [*FLAGS, "-mavx2", "-mfma"]
AVX2 = ("lattice", "queries", "search")  # loops over letters, several at a time
BUILD = Path("build")


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
        for name in AVX2:  # a module of its own needs a source of its own
            copy = BUILD / "avx2" / f"{name}_avx2.py"
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(kernels[name].read_text(encoding="utf-8"), encoding="utf-8")
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
    include_path=["src"],
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
