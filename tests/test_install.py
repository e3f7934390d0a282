"""The package installs, also without a compiler, and declares what it needs."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_without_a_compiler_it_runs_uncompiled_with_one_line_of_warning(tmp_path: Path) -> None:
    source = tmp_path / "source"  # without what an earlier build left behind
    skip = shutil.ignore_patterns("build", "*.so", "*.egg-info", ".*", "tests", "experiments")
    shutil.copytree(ROOT, source, ignore=skip)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    bin_folder = tmp_path / "venv" / "bin"
    subprocess.run(
        [bin_folder / "pip", "install", "--quiet", source],
        env={**os.environ, "CC": "/bin/false"},
        check=True,
    )
    done = subprocess.run(
        [bin_folder / "morphtree", "parse", "--format", "brackets", "untestably"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.startswith("untestably\t[[un [[test] able]] ly]\t0.9")
    assert done.stderr.count("\n") == 1
    assert "install a C compiler" in done.stderr


def declared() -> dict[str, Requirement]:
    """What the package says it needs, in itself or for an extra, but for itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = chain(project["dependencies"], *project["optional-dependencies"].values())
    found = [Requirement(text) for text in texts]
    return {canonicalize_name(r.name): r for r in found if r.name != "morphtree"}


def pinned(name: str) -> dict[str, Version]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def imported() -> set[str]:
    """The modules of others that ours import, or name for a late import."""
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
                argument = node.args[0]
                found.add(str(argument.value) if isinstance(argument, ast.Constant) else "")
    return {name.split(".")[0] for name in found} - sys.stdlib_module_names - {"morphtree", ""}


def test_all_that_is_imported_is_declared() -> None:
    build_only = {"cython"}
    assert {canonicalize_name(name) for name in imported()} - build_only <= declared().keys()


def test_the_constraints_have_a_version_of_all_that_is_declared() -> None:
    versions = pinned("constraints.txt")
    for name, requirement in declared().items():
        assert requirement.specifier.contains(versions[name]), name


def test_the_oldest_versions_are_those_declared() -> None:
    for name, version in pinned("lowest.txt").items():
        assert str(declared()[name].specifier) == f">={version}"
