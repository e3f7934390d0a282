"""Compile the kernels; without a compiler the package installs all the same and runs uncompiled."""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["-O3", "-fno-math-errno"]
KERNELS = sorted(p for p in Path("src/morphtree/_kernels").glob("*.py") if p.stem[0] != "_")

extensions = [
    Extension(
        f"morphtree._kernels.{path.stem}",
        [str(path)],
        extra_compile_args=os.environ.get("MORPHTREE_CFLAGS", "").split() or FLAGS,
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
    )
    for path in KERNELS
]

modules = cythonize(extensions, build_dir="build/cython")
for module in modules:
    module.optional = True  # a failed compilation is a warning, not an error

setup(
    ext_modules=modules,
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build_ext": {"parallel": os.cpu_count()},
    },
)
