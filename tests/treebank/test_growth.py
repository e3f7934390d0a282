"""No file takes long: time and memory of every reader grow as the file does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from morphtree.treebank.formats import READERS, WRITERS
from tests.treebank.adversarial import CASES, CHOSEN, QUICK, peak, seconds

FEW = (4500, 9000, 18_000)  # within what a line may have
MANY = (9000, 18_000, 36_000, 72_000, 144_000)
RATIO = 3.0  # of what twice the size takes; the square would make it 4
NOISE = 0.05  # seconds that mean nothing
SMALL = 200_000  # bytes that mean nothing
LONGEST = 1e-4  # seconds a character, for a line that names a word of hundreds of morphemes


def slow(case: str, sizes: Sequence[int], path: Path) -> str:
    """Say where a reader takes too long as the size doubles; nothing if it does not."""
    before = seconds(case, sizes[0], path, 1)
    for size in sizes[1:]:
        now = seconds(case, size, path, 1)
        if now > _limit(case, size, before):  # or something else took the processor
            now, before = seconds(case, size, path), seconds(case, size // 2, path)
            if now > _limit(case, size, before):
                return f"{case}: {size} characters take {now:.3f} s, half of them {before:.3f} s"
        before = now
    return ""


def _limit(case: str, size: int, before: float) -> float:
    passes = len(WRITERS) if case.startswith("convert") else 1  # each writer reads what it wrote
    return min(LONGEST * passes * size, RATIO * before) + NOISE


@pytest.mark.parametrize("case", QUICK)
def test_time_grows_as_the_file(case: str, tmp_path: Path) -> None:
    assert not slow(case, FEW, tmp_path / "file")


@pytest.mark.parametrize("case", [case for case in QUICK if case.partition(":")[0] in READERS])
def test_memory_grows_as_the_file(case: str, tmp_path: Path) -> None:
    small, large = (peak(case, size, tmp_path / "file") for size in (6000, 12_000))
    assert large < RATIO * small + SMALL


@pytest.mark.campaign
def test_no_large_file_takes_long(tmp_path: Path, tally: Callable[[int, list[str]], None]) -> None:
    failures = [fault for case in CHOSEN if (fault := slow(case, MANY, tmp_path / "file"))]
    tally(len(CHOSEN), failures)


@pytest.mark.campaign
def test_no_start_middle_or_end_takes_long(
    tmp_path: Path, tally: Callable[[int, list[str]], None]
) -> None:
    sizes = (9000, 18_000)
    failures = [fault for case in CASES if (fault := slow(case, sizes, tmp_path / "file"))]
    tally(len(CASES), failures)
