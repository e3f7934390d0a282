"""How good the estimators of log Z(w) and of its gradient are, against the exact sum.

    python experiments/estimators.py [--data DIR] [--words 6] [--cache DIR]

Trains a model with the paper's features on split 0 (or takes it from the cache), asks all
estimators about test words of 3 to 7 letters, and writes experiments/results/estimators.json, the
plots and the tables of docs/estimators.md. Words that the results have already are not asked
again; ``--tables`` only writes plots and tables. No word is written down, only its length.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: seconds are those of one core

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from estimator_model import LONGEST, SEED, SMALL, WHOLE, choose, read, train
from estimator_tables import ALONE, DOCUMENT, draw, tables
from marks import insert

from morphtree.errors import ModelError
from morphtree.joint.estimators import Importance, NBest
from morphtree.joint.exact import Exact
from morphtree.joint.joint_model import JointDistribution, JointModel, Parse, Weights
from morphtree.reproduction.fit import FOLDER, write
from morphtree.trees.tree import Tree

RESULTS = Path(__file__).parent / "results" / "estimators.json"
DRAWS = {1: 20, 10: 10, 100: 5, 1000: 2}  # forms: times the estimate is made
BEST = (1, 5, 20, 100)
SPREAD = 0.1  # of untrained weights


def time_whole(folder: Path, cache: Path) -> dict[str, Any]:
    """Time the exact sum with all features and all attested words, one word of each length."""
    _, exact, about = read(cache, WHOLE)
    out: dict[str, Any] = {**about, "seconds": {}}
    for tree, word, name in choose(folder, 1):
        out["seconds"][name.split("-")[0]] = study(exact, tree, word, None, clock=True)["seconds"]
    return out


def cosine(one: Weights, two: Weights) -> float:
    """The cosine of the angle between two gradients."""
    a, b = np.concatenate(one), np.concatenate(two)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


@dataclass(frozen=True)
class Truth:
    """A word with its gold tree, and the exact values."""

    word: str
    tree: Tree
    log_z: float
    gradient: Weights

    def ascent(self, joint: JointDistribution[Any], gradient: Weights) -> Weights | None:
        """The gradient of log p(t, u | w), given that of log Z; None if the gold is impossible."""
        try:
            gold = joint.counts(Parse(self.tree.form, self.tree))
        except ModelError:  # an affix that the model has never seen
            return None
        return Weights(*(a - b for a, b in zip(gold, gradient, strict=True)))


def ask(
    model: JointModel[Any], truth: Truth, estimator: NBest | Importance, times: int
) -> dict[str, float]:
    """Make an estimate several times, and compare it with the exact values."""
    found: dict[str, list[float]] = {name: [] for name in ("bias", "size", "mass", "cosine")}
    began = time.process_time()
    for run in range(times):
        joint = model.distribution(truth.word, estimator, rng=np.random.default_rng((SEED, run)))
        estimate = joint.estimate()
        found["bias"].append(estimate.log_z - truth.log_z)
        found["size"].append(estimate.effective_sample_size or 0.0)
        found["mass"].append(estimate.candidate_coverage)
        found["cosine"].append(cosine(joint.marginals(), truth.gradient))
    out = {"seconds": (time.process_time() - began) / times}
    out |= {name: float(np.mean(values)) for name, values in found.items()}
    out["sd"] = float(np.std(found["bias"], ddof=1)) if times > 1 else 0.0
    ascents = [climb(model, truth, estimator, run) for run in range(times)]
    if None not in ascents:
        out["ascent"] = float(np.mean(ascents))  # type: ignore[arg-type]
    return {name: float(f"{value:.6g}") for name, value in out.items()}


def climb(
    model: JointModel[Any], truth: Truth, estimator: NBest | Importance, run: int
) -> float | None:
    """Compare the step that training would take, gold in the sum, with the exact one."""
    rng = np.random.default_rng((SEED, run))
    joint = model.distribution(truth.word, estimator, rng=rng, keep=truth.tree.form)
    mine, theirs = truth.ascent(joint, joint.marginals()), truth.ascent(joint, truth.gradient)
    return None if mine is None or theirs is None else cosine(mine, theirs)


def study(exact: Exact, tree: Tree, word: str, proposal: Any, *, clock: bool) -> dict[str, Any]:
    """Ask the exact sum and, unless it is for the clock only, all estimators."""
    began = time.process_time()
    summed = exact.sum(word)
    log_z = summed.log_partition()
    middle = time.process_time()
    gradient = summed.gradient()
    ended = time.process_time()
    out: dict[str, Any] = {
        "length": len(word),
        "log_z": round(log_z, 6),
        "rounding": float(f"{summed.rounding:.2g}"),
        "seconds": [round(middle - began, 2), round(ended - middle, 2)],
        "estimators": {},
    }
    if not clock:
        truth = Truth(word, tree, log_z, gradient)
        asked = asked_of(proposal)
        out["estimators"] = {n: ask(exact.model, truth, *how) for n, how in asked.items()}
    return out


def asked_of(proposal: Any) -> dict[str, tuple[NBest | Importance, int]]:
    """Return all estimators by name, and how often to ask them."""
    asked: dict[str, tuple[NBest | Importance, int]] = {}
    for m, times in DRAWS.items():
        asked[f"importance:{m}"] = Importance(m), times
        if proposal:
            asked[f"importance:{m}{ALONE}"] = Importance(m, proposal), times
    return asked | {f"nbest:{k}": (NBest(k), 1) for k in BEST}


def measure(folder: Path, cache: Path, count: int) -> dict[str, Any]:
    """Ask about every word that the results lack; they are written after each."""
    results: dict[str, Any] = {"words": {}}
    if RESULTS.exists():
        results = json.loads(RESULTS.read_text(encoding="utf-8"))
    wanted = [
        (tree, word, f"{kind} {name}", kind)
        for tree, word, name in choose(folder, count)
        for kind in ("trained", "untrained")
        if f"{kind} {name}" not in results["words"]
    ]
    if not wanted and "whole" in results:
        return results
    train(folder, cache)
    model, exact, about = read(cache, SMALL)
    joint = model.joint
    rng = np.random.default_rng(SEED)
    random = Weights(*(SPREAD * rng.normal(size=len(v)) for v in joint.weights))
    alone = joint.with_weights(Weights(model.proposal_weights, joint.weights.spans))
    sums = {"trained": exact, "untrained": exact.with_weights(random)}
    results["about"] = {
        **about, "letters": len(model.edits.alphabet),
        "edit features": len(joint.weights.edits), "part features": len(joint.weights.spans),
        "attested": len(model.spans.knowledge.lexicon), "longer": joint.longer, "spread": SPREAD,
    }  # fmt: skip
    for tree, word, name, kind in wanted:
        proposal, clock = alone.lattice if kind == "trained" else None, len(word) == LONGEST
        results["words"][name] = study(sums[kind], tree, word, proposal, clock=clock)
        write(RESULTS, results)
        print(name, results["words"][name]["seconds"], file=sys.stderr, flush=True)
    del exact, sums
    if "whole" not in results:
        results["whole"] = time_whole(folder, cache)
        write(RESULTS, results)
    return results


def main() -> None:
    """Measure, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--words", type=int, default=6, help="of each length")
    parser.add_argument("--cache", default=".estimators", help="folder for the trained model")
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    options = parser.parse_args()
    folder = Path(options.data) / FOLDER
    if not options.tables:
        if not options.data or not folder.is_dir():
            sys.exit("the published data are not there; set MORPHTREE_DATA or give --data")
        measure(folder, Path(options.cache), options.words)
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    draw(results)
    insert(DOCUMENT, tables(results))


if __name__ == "__main__":
    main()
