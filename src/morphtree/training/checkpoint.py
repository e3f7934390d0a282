"""Checkpoints: the state of a training run, from which it resumes with the same bits."""

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
from morphtree.training.cross_fitting import CandidateLists

Arrays = dict[str, NDArray[Any]]
SCHEMA = 3  # 1 had other names, 2 no `kept`
STATE, FOLD = "state_", "fold_weights_"  # what names of arrays begin with


@dataclass
class Checkpoint:
    """A file beside the model; `task` says what is being trained on what."""

    path: Path
    task: Mapping[str, Any]

    def save(self, lists: CandidateLists, state: Mapping[str, Any], arrays: Arrays) -> None:
        """Write the candidate lists and the state of the optimisation, atomically."""
        stored = {f"{STATE}{name}": array for name, array in arrays.items()}
        stored |= {
            "proposal_weights": lists.weights,
            "folds": lists.folds,
            "forms": pack_text("\n".join("\t".join(forms) for forms in lists.forms)),
        }
        stored |= {f"{FOLD}{n:03}": weights for n, weights in enumerate(lists.fold_weights)}
        header: dict[str, Any] = {
            "kind": "checkpoint",
            "schema": SCHEMA,
            "task": self.task,
            "state": state,
            "recall": lists.recall,
        }
        write_arrays(self.path, header, stored)

    def load(self) -> tuple[CandidateLists, dict[str, Any], Arrays]:
        """Read what `save` wrote; it must be of the same task."""
        header, mapped = read_arrays(self.path)
        self._check(header)
        arrays = {name: np.array(array) for name, array in mapped.items()}
        lists = CandidateLists(
            arrays["proposal_weights"],
            [tuple(filter(None, line.split("\t")))
             for line in unpack_text(arrays["forms"]).split("\n")],
            header["recall"],
            [arrays[name] for name in sorted(arrays) if name.startswith(FOLD)],
            arrays["folds"],
        )  # fmt: skip
        state = {n.removeprefix(STATE): a for n, a in arrays.items() if n.startswith(STATE)}
        return lists, header["state"], state

    def _check(self, header: Mapping[str, Any]) -> None:
        if header.get("kind") != "checkpoint":
            raise ModelError(
                f"{self.path} is not a checkpoint; remove it and train without --resume"
            )
        if header.get("schema") != SCHEMA:
            raise ModelError(
                f"{self.path} was written by another version of morphtree; train without --resume"
            )
        if json.dumps(header["task"], sort_keys=True) != json.dumps(self.task, sort_keys=True):
            raise ModelError(
                f"{self.path} belongs to other data or settings; "
                "use the same ones, or train without --resume"
            )
