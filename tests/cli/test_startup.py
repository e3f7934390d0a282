"""One word on the command line takes little time and memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from morphtree import _kernels

pytestmark = pytest.mark.skipif(not _kernels.COMPILED, reason="needs the compiled kernels")
MOST_SECONDS = 1.0  # of processor time
MOST_MEGABYTES = 150

# A child's peak counts that of the process that started it, so a small one must do that.
MEASURE = """
import json, resource, subprocess, sys
out = subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True, text=True).stdout
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([out, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def measure() -> tuple[str, float, float]:
    """Parse a word; return what is printed, the seconds and the megabytes."""
    command = "-m", "morphtree", "parse", "--format", "brackets", "untestably"
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=True
    )
    out, seconds, megabytes = json.loads(done.stdout)
    return out, seconds, megabytes


def test_parsing_a_word_stays_small() -> None:
    out, _, megabytes = measure()
    assert out.startswith("untestably\t[[un [[test] able]] ly]")
    assert 20 < megabytes < MOST_MEGABYTES


@pytest.mark.perf
def test_parsing_a_word_starts_quickly() -> None:
    assert measure()[1] < MOST_SECONDS


@pytest.mark.parametrize(
    ("code", "needless"),
    [
        ("import morphtree", {"numpy", "dataclasses", "inspect", "pathlib", "json"}),
        ("import morphtree.cli.main as m; m.main(['parse', 'cats'], standalone_mode=False)",
         {"tqdm", "gzip", "html", "multiprocessing", "importlib.metadata", "numpy.random",
          "morphtree.treebank.entry", "morphtree._kernels.gradients"}),
    ],
)  # fmt: skip
def test_nothing_is_imported_that_is_not_needed(code: str, needless: set[str]) -> None:
    script = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert needless.isdisjoint(done.stdout.decode().split())
