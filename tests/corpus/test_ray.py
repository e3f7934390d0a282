"""On a local cluster of Ray: the same tables, whatever is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.running import (
    finished,
    in_small_steps,
    made,
    output,
    run,
    write_many_words,
)

pytest.importorskip("ray")
pytestmark = pytest.mark.slow
WORKERS = 3  # the head of the cluster is one
ACTOR = b"Swordfish"  # in the name of a worker of Daft that waits for work
CLUSTER = """
import sys
from ray.cluster_utils import Cluster
cluster = Cluster(initialize_head=True, head_node_args=dict(num_cpus=1, include_dashboard=False))
for _ in range(int(sys.argv[1])):
    cluster.add_node(num_cpus=1)
print("address", cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Start machines with a core each, one of them the head; yield its address."""
    given = [sys.executable, "-c", CLUSTER, str(workers - 1)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(given, **pipes) as process:  # type: ignore[call-overload]
        yield next(line.split()[1] for line in process.stdout if line.startswith("address"))
        process.stdin.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster(WORKERS) as found:
        yield found


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    write_many_words(folder)
    return folder


@pytest.fixture(scope="module")
def wanted(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    out = tmp_path_factory.mktemp("native") / "out"
    run(source, "-o", out)
    return {**made(out)}


def waiting() -> set[int]:
    """Return the processes of Daft's workers that wait; a busy one has the name of its work."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if ACTOR in path.read_bytes():
                found.add(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_of_any_size_makes_the_same_tables(
    source: Path, wanted: dict[str, object], tmp_path: Path, workers: int
) -> None:
    with cluster(workers) as address:
        output(in_small_steps(source, "-o", tmp_path / "out", "--ray", address))
    assert made(tmp_path / "out") == wanted


@contextmanager
def halfway(given: list[str], out: Path, records: int) -> Iterator[tuple[Any, int]]:
    """Start a command; yield it and a worker, a busy one if there is, at so many records."""
    before, workers = waiting(), set[int]()
    with subprocess.Popen(given) as process:
        while not workers or finished(out) < records:
            assert process.poll() is None
            time.sleep(0.01)
            workers = {n for n in workers | waiting() - before if Path(f"/proc/{n}").exists()}
        yield process, min(workers - waiting() or workers)


@pytest.mark.parametrize("records", [0, 2, 4, 6])
def test_a_worker_that_is_killed_changes_nothing(
    address: str, source: Path, wanted: dict[str, object], tmp_path: Path, records: int
) -> None:
    out = tmp_path / "out"
    given = in_small_steps(source, "-o", out, "--ray", address)
    with halfway(given, out, records) as (process, worker):
        os.kill(worker, signal.SIGKILL)
        if process.wait():
            output(given)
    assert made(out) == wanted


@pytest.mark.parametrize("records", [0, 2, 4, 6])
def test_a_driver_that_is_killed_goes_on(
    address: str, source: Path, wanted: dict[str, object], tmp_path: Path, records: int
) -> None:
    out = tmp_path / "out"
    given = in_small_steps(source, "-o", out, "--ray", address)
    with halfway(given, out, records) as (process, _):
        process.kill()
    output(given)
    assert made(out) == wanted
