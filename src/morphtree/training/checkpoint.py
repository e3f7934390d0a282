"""Checkpoints: the state of a training run, from which it resumes with the same bits."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morphtree.errors import ModelError
from morphtree.model.file import pack_text, read_arrays, unpack_text, write_arrays
from morphtree.model.schema import (
    MOST,
    Spec,
    check_arrays,
    list_of,
    mapping,
    number,
    record,
    require,
    whole,
)
from morphtree.training.cross_fitting import CandidateLists

Arrays = dict[str, NDArray[Any]]
SCHEMA = 3  # 1 had other names, 2 no `kept`
STATE, FOLD = "state_", "fold_weights_"  # what names of arrays begin with
LARGEST = 1e30  # sum of squares, or weight
EDITS = Spec("float64", ("edit features",), within=LARGEST)
FEATURES = Spec("float64", ("features",), within=LARGEST)
FORMS = Spec("uint8", ("forms",), below=2)
ANY = number(-math.inf, math.inf)
RUN = record(
    averaged=whole(MOST),
    best=whole(MOST),
    history=list_of(record(epoch=whole(MOST), log_likelihood=ANY, dev=mapping(ANY), seconds=ANY)),
)


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
        self._check_contents(header, mapped)
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

    def _check_contents(self, header: Mapping[str, Any], arrays: Arrays) -> None:
        """Refuse what `save` did not write; sizes are compared with the data later."""
        try:
            _check_arrays(arrays)
            require(ANY(header.get("recall")) and RUN(header.get("state")), "its state is strange")
            state = header["state"]
            scored = all({"accuracy", "log_likelihood"} <= {*e["dev"]} for e in state["history"])
            require(scored and state["best"] < len(state["history"]), "its epochs are strange")
        except ModelError as error:
            reason = str(error).partition(";")[0]
            raise ModelError(
                f"{self.path} cannot be used ({reason}); remove it and train without --resume"
            ) from None

    def _check(self, header: Mapping[str, Any]) -> None:
        if header.get("kind") != "checkpoint":
            raise ModelError(
                f"{self.path} is not a checkpoint; remove it and train without --resume"
            )
        if header.get("schema") != SCHEMA:
            raise ModelError(
                f"{self.path} was written by another version of morphtree; train without --resume"
            )
        if json.dumps(header.get("task"), sort_keys=True) != json.dumps(self.task, sort_keys=True):
            raise ModelError(
                f"{self.path} belongs to other data or settings; "
                "use the same ones, or train without --resume"
            )


def _check_arrays(arrays: Arrays) -> None:
    folds = [name for name in arrays if name.startswith(FOLD)]
    specs = {
        "proposal_weights": EDITS,
        **dict.fromkeys(folds, EDITS),
        "folds": Spec("int32 int64", ("items",), below=max(len(folds), 1)),
        "forms": Spec("uint8", ("letters",)),
        **{f"{STATE}{name}": FEATURES for name in ("weights", "mean", "accumulator", "best")},
        f"{STATE}kept": FORMS,
    }
    items = check_arrays(arrays, specs)["items"]
    lists = unpack_text(arrays["forms"]).count("\n") + 1
    require(lists == items, "there is not one list of forms for each item")
    require(arrays[f"{STATE}accumulator"].min(initial=0) >= 0, "a sum of squares is negative")
