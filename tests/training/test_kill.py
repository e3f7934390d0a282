"""A training run that was killed at any moment ends with the same bytes when it is resumed."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.small_training import DEV, QUICK, TRAIN, start

KILLS = 50


@pytest.mark.campaign
def test_training_killed_at_random_moments(
    tmp_path: Path, tally: Callable[[int, int], None]
) -> None:
    for name, text in (("train", TRAIN), ("dev", DEV)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    common = [str(tmp_path / "train"), "--dev", str(tmp_path / "dev"), "--epochs", "20", *QUICK]
    began = time.monotonic()
    expected = finished(common, tmp_path / "whole")
    seconds = time.monotonic() - began
    rng, kills, failures = random.Random(1), 0, 0
    while kills < KILLS:
        model = tmp_path / f"cut{kills}"
        for _ in range(min(5, KILLS - kills)):
            kills += killed(start("train", *common, "-o", str(model), "--resume"),
                            rng.uniform(0, seconds))  # fmt: skip
            if model.exists():
                break
        failures += finished(common, model) != expected
    tally(kills, failures)


def finished(arguments: list[str], model: Path) -> bytes:
    """Train to the end; return the model."""
    if not model.exists():
        process = start("train", *arguments, "-o", str(model), "--resume")
        process.communicate()
        assert process.returncode == 0
    return model.read_bytes()


def killed(process: subprocess.Popen[str], moment: float) -> bool:
    """Kill a run after so many seconds; False if it ended before."""
    try:
        process.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    return False
