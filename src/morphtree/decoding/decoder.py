"""Decoder: the best analysis of many words, quickly; and candidate lists for all decoding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import RLock
from typing import NamedTuple

import numpy as np

from morphtree import _kernels as kernels
from morphtree.decoding.candidates import Listed, Lister, alone
from morphtree.features.templates import Ints
from morphtree.joint.engine import Batch, Engine, starts
from morphtree.joint.estimators import Importance, NBest
from morphtree.model.model import Model
from morphtree.structures.edits import Floats
from morphtree.trees.tree import Tree

CHUNK = 512  # words that are decoded together


class Decoded(NamedTuple):
    """The best analysis of one word; no structure if the word has none."""

    structure: Tree | tuple[str, ...] | None
    form: str
    prob: float
    list_mass: float


class Decoder:
    """A model with threads and scratch space; callers in several threads take turns."""

    def __init__(self, model: Model, *, jobs: int | None = None) -> None:
        self.model = model
        self.engine = Engine(
            model.edits, model.spans, model.weights, jobs=jobs, temperature=model.temperature
        )
        proposer = alone(model.edits, model.proposal_weights, jobs)
        self.lister = Lister(proposer, model.proposals, model.longer)
        self._turn = RLock()  # the kernels write into the scratch space without Python's lock

    def lists(self, words: Sequence[str], how: NBest | Importance, seed: int = 1) -> Listed:
        """List the candidate forms of some words."""
        if isinstance(how, Importance):
            return self.lister.sample(words, how.m, seed=seed)
        with self._turn:
            return self.lister.best(
                words, k=how.k, within=how.within, most=self.model.most, near=self.model.near
            )

    def decode(
        self, words: Iterable[str], how: NBest | Importance | None = None, *, seed: int = 1
    ) -> Iterator[Decoded]:
        """Yield the best analysis of each word, in order."""
        how = how or self.model.estimator
        stream = iter(words)
        while chunk := list(islice(stream, CHUNK)):
            yield from self.decode_listed(chunk, self.lists(chunk, how, seed))

    def decode_listed(self, words: Sequence[str], listed: Listed) -> list[Decoded]:
        """Return the best analysis of each word over its listed forms."""
        with self._turn:
            return self._decode_listed(words, listed)

    def _decode_listed(self, words: Sequence[str], listed: Listed) -> list[Decoded]:
        packed = self._pack(words, listed, self.priors(words, listed))
        most = int(listed.counts.max(initial=0))
        longest = int(listed.lengths.max(initial=0))
        room = 6 * longest + 16
        n = len(words)
        shares = np.array_split(np.arange(n, dtype=np.int32), self.engine.jobs)
        out = (
            np.zeros(n, np.int32), np.zeros((n, 2)), np.zeros((n, room, 4), np.int32),
            np.zeros(n, np.int32),
        )  # fmt: skip
        longest_word = max(map(len, words), default=0)

        def work(number: int) -> int:
            if not len(shares[number]):
                return 0
            part = slice(shares[number][0], shares[number][-1] + 1)
            state: int = kernels.decode.decode(
                sums[number], packed, shares[number], *(array[part] for array in out)
            )
            return state

        while True:
            sums = self.engine.scratch_for(longest_word, longest, most)
            trouble = max(self.engine.map(work, range(len(shares))), default=0)
            if not trouble:
                return self._read(listed, *out)
            self.engine.grow(trouble)

    def priors(self, words: Sequence[str], listed: Listed) -> Floats:
        """Log prior of every listed form: what the proposal transducer says, times `stacking`."""
        none = np.zeros(len(listed.lengths))
        if not self.model.stacking:
            return none
        batch = Batch(
            words, self._pack(words, listed, none), max(map(len, words), default=0),
            int(listed.lengths.max(initial=0)), int(listed.counts.max(initial=0)),
            len(listed.lengths),
        )  # fmt: skip
        with self._turn:
            return self.model.stacking * self.lister.engine.pair_scores(batch)

    def _pack(self, words: Sequence[str], listed: Listed, priors: Floats) -> object:
        zeros = np.zeros(len(words) + 1, np.int32)
        none = np.zeros(0, np.int32)
        return kernels.sums.Batch(
            self.engine.packer.text(words),
            (
                self.engine.packer.code_points(listed.letters), listed.letters,
                starts(listed.lengths.tolist()), starts(listed.counts.tolist()), priors,
            ),
            (zeros, none, np.zeros(0), none),
            (np.zeros(1, np.int32), np.zeros((0, 4), np.int32)),
        )  # fmt: skip

    def _read(
        self, listed: Listed, best: Ints, log_probs: Floats, nodes: Ints, counts: Ints
    ) -> list[Decoded]:
        """Turn the kernel's answers into trees."""
        firsts = starts(listed.counts.tolist())[:-1]
        masses = listed.list_mass().tolist()
        cuts = starts(listed.lengths.tolist())
        probs = np.exp(log_probs[:, 0]).tolist()
        chosen = np.where(best >= 0, firsts + best, 0)
        text = self.lister.text(listed.letters)
        out = []
        for w, form_number in enumerate(chosen.tolist()):
            if best[w] < 0:
                out.append(Decoded(None, "", 0.0, masses[w]))
                continue
            form = text[cuts[form_number] : cuts[form_number + 1]]
            structure = self.model.structure.read(nodes[w, : counts[w]].tolist(), form)
            out.append(Decoded(structure, form, probs[w], masses[w]))
        return out
