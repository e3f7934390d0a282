"""Checkpoints: where a training run stands, so that it can go on with the same bits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree.errors import ModelError
from morphtree.model.file import pack_text, read_arrays, unpack_text, write_arrays
from morphtree.training.cross_fitting import Lists

Arrays = dict[str, NDArray[Any]]


@dataclass
class Checkpoint:
    """A file beside the model; `task` says what is being trained on what."""

    path: Path
    task: Mapping[str, Any]

    def save(self, lists: Lists, state: Mapping[str, Any], arrays: Arrays) -> None:
        """Write the candidate lists and the state of the optimisation, atomically."""
        stored = {f"state_{name}": array for name, array in arrays.items()}
        stored |= {
            "lists_weights": lists.weights,
            "lists_folds": lists.folds,
            "lists_forms": pack_text("\n".join("\t".join(forms) for forms in lists.forms)),
        }
        stored |= {f"lists_fold{n}": w for n, w in enumerate(lists.fold_weights)}
        header: dict[str, Any] = {
            "kind": "checkpoint",
            "task": self.task,
            "state": state,
            "recall": lists.recall,
        }
        write_arrays(self.path, header, stored)

    def load(self) -> tuple[Lists, dict[str, Any], Arrays]:
        """Read what `save` wrote; it must be of the same task."""
        header, arrays = read_arrays(self.path)
        if header.get("kind") != "checkpoint":
            raise ModelError(
                f"{self.path} is not a checkpoint; remove it and train without --resume"
            )
        if json.dumps(header["task"], sort_keys=True) != json.dumps(self.task, sort_keys=True):
            raise ModelError(
                f"{self.path} belongs to other data or settings; "
                "use the same ones, or train without --resume"
            )
        copies = {name: np.array(array) for name, array in arrays.items()}
        text = unpack_text(copies["lists_forms"])
        folds = sorted(
            (name for name in copies if name.startswith("lists_fold") and name != "lists_folds"),
            key=lambda name: int(name.removeprefix("lists_fold")),
        )
        lists = Lists(
            copies["lists_weights"],
            [tuple(filter(None, line.split("\t"))) for line in text.split("\n")],
            header["recall"],
            [copies[name] for name in folds],
            copies["lists_folds"],
        )
        state = {
            name.removeprefix("state_"): array
            for name, array in copies.items()
            if name.startswith("state_")
        }
        return lists, header["state"], state
