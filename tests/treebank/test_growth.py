"""No file takes long: time and memory of every reader grow as the file does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.treebank.adversarial import CASES, CHOSEN, peak, seconds

SIZES = (4500, 9000, 18_000, 72_000, 144_000)  # within what a line may have, and beyond
RATIO = 3.0  # of what twice the size takes; the square would make it 4
NOISE = 0.02  # seconds that mean nothing
SMALL = 200_000  # bytes that mean nothing
LONGEST = 2.0  # seconds, for the largest size


def slow(case: str, path: Path) -> str:
    """Say where a reader takes too long; nothing if it does not."""
    before, last = 0.0, SIZES[0]
    for size in SIZES:
        now = seconds(case, size, path, 1)
        if before and now > (limit := RATIO ** (size / last / 2) * before + NOISE):
            now, before = seconds(case, size, path), seconds(case, last, path)  # once more
            limit = RATIO ** (size / last / 2) * before + NOISE
            if now > limit:
                return f"{case}: {size} characters take {now:.3f} s, more than {limit:.3f} s"
        if now > LONGEST:
            return f"{case}: {size} characters take {now:.1f} s"
        before, last = now, size
    return ""


@pytest.mark.parametrize("case", CHOSEN)
def test_time_grows_as_the_file(case: str, tmp_path: Path) -> None:
    assert not slow(case, tmp_path / "file")


@pytest.mark.parametrize("case", CHOSEN)
def test_memory_grows_as_the_file(case: str, tmp_path: Path) -> None:
    small, large = (peak(case, size, tmp_path / "file") for size in (15_000, 30_000))
    assert large < RATIO * small + SMALL


@pytest.mark.campaign
def test_no_start_middle_or_end_takes_long(tmp_path: Path) -> None:
    faults = [fault for case in CASES if (fault := slow(case, tmp_path / "file"))]
    assert not faults
