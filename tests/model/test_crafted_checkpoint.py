"""Checkpoints with valid checksums and foreign contents: one sentence, or a run that goes on."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from morphtree.errors import ModelError
from morphtree.model.file import read_arrays, write_arrays
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from tests.model import crafting
from tests.small_training import DEV, TRAIN, source

FEW, TRIES = 40, 500
WAYS = crafting.change_header, crafting.drop_from_header, crafting.change_array
SETTINGS = Settings(features="paper", language="none", epochs=1, stacking=0.2)


def run(checkpoint: Path, *, resume: bool) -> Trainer:
    trainer = Trainer(SETTINGS, source(TRAIN), source(DEV), jobs=1)
    for _ in trainer.run(checkpoint, resume=resume):
        pass
    return trainer


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    path = tmp_path_factory.mktemp("checkpoint") / "c"
    run(path, resume=False)
    header, arrays = read_arrays(path)
    return header, {name: np.array(array) for name, array in arrays.items()}


def resumed(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> str:
    """Go on from a checkpoint: "refused" in one sentence, or "trained"."""
    write_arrays(path, header, arrays)
    try:
        run(path, resume=True).model()
    except ModelError as error:
        return "refused" if "--resume" in str(error) and "\n" not in str(error) else str(error)
    return "trained"


def attempt(seed: int, path: Path, contents: tuple[dict[str, Any], dict[str, Any]]) -> str:
    rng = Random(seed)
    header, arrays = deepcopy(contents)
    done = rng.choice(WAYS)(rng, header, arrays)
    try:
        return resumed(path, header, arrays)
    except Exception as error:
        return f"{done}: {error!r}"


@pytest.mark.parametrize("count", [FEW, pytest.param(TRIES, marks=pytest.mark.campaign, id="many")])
def test_crafted_checkpoints_are_refused_or_used(
    count: int, contents: tuple[dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    assert resumed(tmp_path / "c", *contents) == "trained"
    results = [attempt(seed, tmp_path / "c", contents) for seed in range(count)]
    assert not {*results} - {"refused", "trained"}


@pytest.mark.parametrize("name", ["proposal_weights", "fold_weights_000", "state_kept", "folds"])
def test_arrays_of_other_words_are_refused(
    name: str, contents: tuple[dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    header, arrays = deepcopy(contents)
    arrays[name] = arrays[name][:-1]
    assert resumed(tmp_path / "c", header, arrays) == "refused"


def test_a_checkpoint_that_fits_itself_but_not_the_words_is_refused(
    contents: tuple[dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    header, arrays = deepcopy(contents)
    for name in arrays:
        if "weights" in name and not name.startswith("state"):
            arrays[name] = arrays[name][:-1]
    assert resumed(tmp_path / "c", header, arrays) == "refused"


def test_a_form_that_is_much_longer_than_its_word_is_refused(
    contents: tuple[dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    """Features are collected in buffers for words of a treebank."""
    header, arrays = deepcopy(contents)
    lists = bytes(arrays["forms"]).decode().split("\n")
    forms = "\n".join(["a" * 300, *lists[1:]])
    arrays["forms"] = np.frombuffer(forms.encode(), np.uint8)
    assert resumed(tmp_path / "c", header, arrays) == "refused"
