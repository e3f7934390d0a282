"""Importance sampling in training: forms sampled anew for every epoch from frozen transducers.

The proposal distribution of a word is the transducer of its fold, which never saw the word. The
gold form is a stratum of its own: it counts in full, and samples of it count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats
from morphtree._util.hashing import hash_text
from morphtree.decoding.candidates import CandidateGenerator
from morphtree.joint.engine import Batch, Engine, Example
from morphtree.structures.edit_lattice import EditLattice
from morphtree.training.data import gold_forms

BLOCK = 10  # epochs that are sampled at once: making a lattice costs more than sampling from it


class Samples(NamedTuple):
    """The samples of one example: how often each form was drawn in each epoch of a block."""

    forms: list[str]
    log_probs: Floats  # by the proposal distribution
    counts: NDArray[np.int32]  # (BLOCK, forms)


class PackedBlock(NamedTuple):
    """The forms of all examples in one block, packed, and their offsets in each epoch."""

    block: int
    batch: Batch
    offsets: Floats  # (BLOCK, forms)


@dataclass
class ImportanceSampler:
    """Samples m forms of every example for each epoch."""

    generators: list[CandidateGenerator]  # of each fold
    folds: Sequence[int]  # of each example
    m: int
    seed: int
    _blocks: dict[int, list[Samples]] = field(default_factory=dict)  # other runs use them again
    _packed: PackedBlock | None = None

    def batch(self, base: list[Example], epoch: int, engine: Engine) -> Batch:
        """Return the examples with the forms of an epoch, packed.

        The forms of a whole block are packed and matched at once; those that the epoch has not
        drawn are left out by their offsets.
        """
        block, row = divmod(epoch, BLOCK)
        if self._packed is None or self._packed.block != block:
            self._packed = None
            samples = self._samples(block, base, engine)
            self._packed = self._pack(block, base, samples, engine)
        self._packed.batch.offsets[:] = self._packed.offsets[row]
        return self._packed.batch

    def examples(self, base: list[Example], epoch: int, engine: Engine) -> list[Example]:
        """Return the same as examples."""
        block, row = divmod(epoch, BLOCK)
        return [
            self.example(example, samples, row)
            for example, samples in zip(base, self._samples(block, base, engine), strict=True)
        ]

    def _samples(self, block: int, base: list[Example], engine: Engine) -> list[Samples]:
        if block not in self._blocks:
            tasks = zip(base, self.folds, range(len(base)), strict=True)
            self._blocks[block] = list(engine.map(lambda task: self._sample(block, *task), tasks))
        return self._blocks[block]

    def _pack(
        self, block: int, base: list[Example], samples: list[Samples], engine: Engine
    ) -> PackedBlock:
        examples, offsets = [], []
        for example, sample in zip(base, samples, strict=True):
            forms, weights = self.weighed(example, sample)
            examples.append(Example(example.word, forms, example.golds))
            offsets.append(weights)
        batch = engine.packer.pack(examples)
        engine.match(batch)
        return PackedBlock(block, batch, np.concatenate(offsets, axis=1))

    def _sample(self, block: int, example: Example, fold: int, number: int) -> Samples:
        lattice = self.generators[fold].lattice(example.word)
        rng = np.random.default_rng((self.seed, block, number, hash_text(example.word)))
        return count_samples(lattice, lattice.sample(BLOCK * self.m, rng=rng), self.m)

    def example(self, example: Example, samples: Samples, row: int) -> Example:
        """Return an example with the forms of one epoch, importance weights as offsets."""
        forms, offsets = self.weighed(example, samples)
        chosen = np.flatnonzero(offsets[row] > -np.inf)
        return Example(
            example.word, tuple(forms[n] for n in chosen.tolist()), example.golds,
            offsets[row, chosen],
        )  # fmt: skip

    def weighed(self, example: Example, samples: Samples) -> tuple[tuple[str, ...], Floats]:
        """Return all forms of a block, and their importance weights in each of its epochs."""
        assert example.offsets is None, "stacking is for lists, not for samples"
        gold = gold_forms(example.golds)
        others = [n for n, form in enumerate(samples.forms) if form not in gold]
        with np.errstate(divide="ignore"):
            drawn = np.log(samples.counts[:, others] / self.m) - samples.log_probs[others]
        return (
            (*(samples.forms[n] for n in others), *gold),
            np.concatenate([drawn, np.zeros((len(drawn), len(gold)))], axis=1),
        )


def count_samples(lattice: EditLattice, sample: Sequence[str], m: int) -> Samples:
    """Count sampled forms, m for each epoch; the empty form is no form."""
    forms = sorted(set(sample) - {""})
    numbers = {form: number for number, form in enumerate(forms)}
    counts = np.zeros((len(sample) // m, len(forms)), np.int32)
    for place, form in enumerate(sample):
        if form:
            counts[place // m, numbers[form]] += 1
    return Samples(forms, np.array([lattice.log_prob(form) for form in forms]), counts)
