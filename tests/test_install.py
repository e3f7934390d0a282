"""The package installs and works on a machine without a compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
