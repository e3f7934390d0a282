"""Importance sampling in training: forms drawn anew for every epoch from frozen transducers.

Each word's forms come from the transducer of its fold, which never saw the word. The gold form is
a stratum of its own: it counts in full, and draws of it count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree.decoding.candidates import Lister
from morphtree.features.templates import hash_text
from morphtree.joint.engine import Engine, Example
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.edits import Floats
from morphtree.training.cross_fitting import Lists

BLOCK = 10  # epochs that are drawn at once: making a lattice costs more than drawing from it


class Drawn(NamedTuple):
    """What was drawn for one example: how often each form came up in each epoch of a block."""

    forms: list[str]
    log_probs: Floats  # by the transducer that they were drawn from
    counts: NDArray[np.int32]  # (BLOCK, forms)


@dataclass
class Draws:
    """The draws of all examples, m for each epoch."""

    listers: list[Lister]  # of each fold
    lists: Lists
    m: int
    seed: int
    _blocks: dict[int, list[Drawn]] = field(default_factory=dict)  # other runs may need them again

    def examples(self, base: list[Example], epoch: int, engine: Engine) -> list[Example]:
        """Return the examples with the forms of an epoch."""
        block, row = divmod(epoch, BLOCK)
        if block not in self._blocks:
            tasks = zip(base, self.lists.folds.tolist(), range(len(base)), strict=True)
            self._blocks[block] = list(engine.map(lambda task: self._draw(block, *task), tasks))
        return [
            self.example(example, drawn, row)
            for example, drawn in zip(base, self._blocks[block], strict=True)
        ]

    def _draw(self, block: int, example: Example, fold: int, number: int) -> Drawn:
        lattice = self.listers[fold].lattice(example.word)
        rng = np.random.default_rng((self.seed, block, number, hash_text(example.word)))
        return drawn_from(lattice, lattice.sample(BLOCK * self.m, rng=rng), self.m)

    def example(self, example: Example, drawn: Drawn, row: int) -> Example:
        """Return an example with the forms of one epoch of a block."""
        assert example.offsets is None, "stacking is for lists, not for samples"
        gold = dict.fromkeys(g.form for g in example.golds)
        counts = drawn.counts[row]
        chosen = [n for n in np.flatnonzero(counts).tolist() if drawn.forms[n] not in gold]
        offsets = np.log(counts[chosen] / self.m) - drawn.log_probs[chosen]
        return Example(
            example.word, (*(drawn.forms[n] for n in chosen), *gold), example.golds,
            np.concatenate([offsets, np.zeros(len(gold))]),
        )  # fmt: skip


def drawn_from(lattice: EditLattice, sample: Sequence[str], m: int) -> Drawn:
    """Sort a sample; every m forms of it are those of an epoch. The empty form is no form."""
    forms = sorted(set(sample) - {""})
    numbers = {form: number for number, form in enumerate(forms)}
    counts = np.zeros((len(sample) // m, len(forms)), np.int32)
    for place, form in enumerate(sample):
        if form:
            counts[place // m, numbers[form]] += 1
    return Drawn(forms, np.array([lattice.log_prob(form) for form in forms]), counts)
