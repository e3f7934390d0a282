"""Decoder: the best analyses of many words, quickly; and candidate lists for all decoding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints
from morphtree._util.parallel import batches
from morphtree.decoding.candidates import CandidateForms, CandidateGenerator, transducer_engine
from morphtree.errors import ModelError
from morphtree.joint.engine import Batch, Engine, starts
from morphtree.joint.estimators import Importance, NBest
from morphtree.model.model import Model
from morphtree.structures.distribution import require

CHUNK = 512  # words that are decoded together
MOST_READINGS = 1000  # of a word; their derivations are kept in every cell of the chart


class Hypothesis(NamedTuple):
    """One analysis: a structure over a form, and its probability among all of the candidates."""

    structure: Any  # a tree, or the strings of segments; None if there is no analysis
    form: str
    prob: float


class Decoded(NamedTuple):
    """The best analyses of one word, best first; none if no candidate has one."""

    hypotheses: tuple[Hypothesis, ...]
    coverage: float  # how much of the transducer's probability the candidates hold

    @property
    def best(self) -> Hypothesis:
        """The best analysis; one without structure if there is none."""
        return self.hypotheses[0] if self.hypotheses else Hypothesis(None, "", 0.0)


class BestReadings(NamedTuple):
    """The best analysis of each of some words, as the kernels write it."""

    codes: NDArray[np.int64]  # the code points of forms, end to end
    starts: Ints  # of the forms
    forms: Ints  # the form of each word, -1 if there is no analysis
    probs: Floats
    nodes: Ints  # (words, N, 4)  label, start, end, number of children; parents first
    counts: Ints  # of nodes


class Decoder:
    """A model with threads and workspaces; callers in several threads take turns."""

    def __init__(self, model: Model, *, jobs: int | None = None) -> None:
        self.model = model
        self.engine = Engine(
            model.edits, model.spans, model.weights, jobs=jobs, temperature=model.temperature
        )
        proposer = transducer_engine(model.edits, model.proposal_weights, jobs)
        self.generator = CandidateGenerator(proposer, model.proposals, model.max_extra_letters)
        self._turn = RLock()  # the kernels write into the workspaces without Python's lock

    def candidates(
        self, words: Sequence[str], how: NBest | Importance, seed: int = 1
    ) -> CandidateForms:
        """List the candidate forms of some words."""
        if isinstance(how, Importance):
            return self.generator.sample(words, how.m, seed=seed)
        with self._turn:
            return self.generator.best(
                words,
                k=how.k,
                within=how.within,
                most=self.model.rule_proposals,
                near=self.model.neighbour_proposals,
            )

    def decode(
        self,
        words: Iterable[str],
        how: NBest | Importance | None = None,
        *,
        n: int = 1,
        seed: int = 1,
    ) -> Iterator[Decoded]:
        """Yield the n best analyses of each word, in order."""
        how = how or self.model.estimator
        if n > MOST_READINGS:
            raise ModelError(f"a word has {MOST_READINGS} readings at most; ask for fewer than {n}")
        for chunk in batches(words, max(1, CHUNK // n)):
            yield from self.decode_candidates(chunk, self.candidates(chunk, how, seed), n=n)

    def decode_candidates(
        self, words: Sequence[str], candidates: CandidateForms, *, n: int = 1
    ) -> list[Decoded]:
        """Return the n best analyses of each word over its candidate forms."""
        require(n, 1, "best readings")
        with self._turn:
            found = self._decode_candidates(words, candidates, n)
        return self._read(candidates, *found)

    def best(self, words: Sequence[str]) -> BestReadings:
        """Return the best analysis of each word, over the model's own kind of candidates."""
        candidates = self.candidates(words, self.model.estimator)
        with self._turn:
            _, forms, log_probs, nodes, counts = self._decode_candidates(words, candidates, 1)
        firsts = starts(candidates.counts.tolist())[:-1]
        return BestReadings(
            self.engine.packer.code_points(candidates.letters),
            starts(candidates.lengths.tolist()),
            np.where(forms[:, 0] < 0, np.int32(-1), firsts + forms[:, 0]),
            np.exp(log_probs[:, 0]), nodes[:, 0], counts[:, 0],
        )  # fmt: skip

    def _decode_candidates(
        self, words: Sequence[str], candidates: CandidateForms, n: int
    ) -> tuple[Ints, Ints, Floats, Ints, Ints]:
        batch = self._pack(words, candidates)
        nodes = self.model.structure.grammar.binarised.most_nodes(batch.longest_form)
        shape = len(words), n
        shares = np.array_split(np.arange(len(words), dtype=np.int32), self.engine.jobs)
        out = (
            np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.zeros(shape),
            np.empty((*shape, nodes, 4), np.int32), np.zeros(shape, np.int32),
        )  # fmt: skip

        def work(number: int, workspace: Any) -> tuple[int, None]:
            first = int(shares[number][0]) if len(shares[number]) else len(words)
            part = slice(first, first + len(shares[number]))
            return kernels.decode.decode(
                workspace, batch.packed, shares[number], *(array[part] for array in out)
            ), None

        self.engine.run(work, *batch.sizes, n)
        return out

    def _pack(self, words: Sequence[str], candidates: CandidateForms) -> Batch:
        """Pack words and candidates; what the proposal transducer says of a form is its offset."""
        zeros, none = np.zeros(len(words) + 1, np.int32), np.zeros(0, np.int32)
        offsets = np.zeros(len(candidates.lengths))
        packed = kernels.sums.Batch(
            self.engine.packer.text(words),
            (
                self.engine.packer.code_points(candidates.letters), candidates.letters,
                starts(candidates.lengths.tolist()), starts(candidates.counts.tolist()), offsets,
            ),
            (zeros, none, np.zeros(0), none),
            (np.zeros(1, np.int32), np.zeros((0, 4), np.int32)),
        )  # fmt: skip
        batch = Batch(
            words, packed, max(map(len, words), default=0), int(candidates.lengths.max(initial=0)),
            int(candidates.counts.max(initial=0)), len(offsets),
        )  # fmt: skip
        if self.model.stacking:
            offsets[:] = self.model.stacking * self.generator.engine.pair_scores(batch)
        return batch

    def _read(
        self,
        candidates: CandidateForms,
        order: Ints,
        forms: Ints,
        log_probs: Floats,
        nodes: Ints,
        counts: Ints,
    ) -> list[Decoded]:
        """Turn the kernel's answers into trees."""
        firsts = starts(candidates.counts.tolist())[:-1, None]
        cuts = starts(candidates.lengths.tolist()).tolist()
        text = self.generator.text(candidates.letters)
        columns = (order, np.where(forms < 0, -1, firsts + forms), np.exp(log_probs), counts)
        rows = zip(
            candidates.coverage().tolist(), nodes, *(c.tolist() for c in columns), strict=True
        )
        out = []
        for coverage, found, slots, numbers, probs, sizes in rows:
            hypotheses = []
            for slot in slots:
                if numbers[slot] >= 0:
                    form = text[cuts[numbers[slot]] : cuts[numbers[slot] + 1]]
                    structure = self.model.structure.read(found[slot, : sizes[slot]].tolist(), form)
                    hypotheses.append(Hypothesis(structure, form, probs[slot]))
            out.append(Decoded(tuple(hypotheses), coverage))
        return out
