"""Importance sampling in training: forms drawn anew for every epoch from frozen transducers.

Each word's forms come from the transducer of its fold, which never saw the word. The gold form is
a stratum of its own: it counts in full, and draws of it count for nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from morphtree.candidates import Lister
from morphtree.crossfit import Lists
from morphtree.engine import Engine, Example
from morphtree.features import hash_text

BLOCK = 10  # epochs that are drawn at once: making a lattice costs more than drawing from it


@dataclass
class Draws:
    """The draws of all examples, m for each epoch."""

    listers: list[Lister]  # of each fold
    lists: Lists
    m: int
    seed: int
    _block: int = -1
    _drawn: list[tuple[list[list[str]], dict[str, float]]] = field(default_factory=list)

    def examples(self, base: list[Example], epoch: int, engine: Engine) -> list[Example]:
        """Return the examples with the forms of an epoch."""
        if epoch // BLOCK != self._block:
            self._block = epoch // BLOCK
            tasks = zip(base, self.lists.folds.tolist(), range(len(base)), strict=True)
            self._drawn = list(engine.map(lambda task: self._draw(*task), tasks))
        return [
            self._example(example, *drawn, epoch % BLOCK)
            for example, drawn in zip(base, self._drawn, strict=True)
        ]

    def _draw(
        self, example: Example, fold: int, number: int
    ) -> tuple[list[list[str]], dict[str, float]]:
        lattice = self.listers[fold].lattice(example.word)
        rng = np.random.default_rng((self.seed, self._block, number, hash_text(example.word)))
        forms = lattice.sample(BLOCK * self.m, rng=rng)
        rows = [forms[start : start + self.m] for start in range(0, len(forms), self.m)]
        return rows, {form: lattice.log_prob(form) for form in sorted(set(forms)) if form}

    def _example(
        self, example: Example, rows: list[list[str]], log_q: dict[str, float], row: int
    ) -> Example:
        gold = dict.fromkeys(g.form for g in example.golds)
        assert example.offsets is None, "stacking is for lists, not for samples"
        counts = Counter(form for form in rows[row] if form and form not in gold)
        drawn = sorted(counts)
        offsets = [math.log(counts[form] / self.m) - log_q[form] for form in drawn]
        return Example(
            example.word, (*drawn, *gold), example.golds,
            np.array([*offsets, *(0.0 for _ in gold)]), example.own,
        )  # fmt: skip
