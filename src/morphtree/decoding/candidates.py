"""Lists of candidate forms for many words: the proposal transducer's best, and proposals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints
from morphtree._util.hashing import hash_text
from morphtree.features.edit_features import EditFeatures
from morphtree.features.potentials import Bigrams
from morphtree.features.sets import NONE
from morphtree.features.span_features import TreeFeatures
from morphtree.features.templates import FeatureIndex
from morphtree.joint.engine import Engine, starts
from morphtree.lexicon.candidate_rules import NO_CANDIDATE_RULES, CandidateRule, CandidateRules
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.structures.edit_lattice import EditLattice
from morphtree.trees.grammar import PAPER

BEAM = 7.0  # log weight that an edit may lose against the best one in its place
RUNS = 4  # one more than the letters inserted in a row
NODES = 20_000  # steps of a search
MORE = 256  # proposals looked at, before the best are kept


class CandidateForms(NamedTuple):
    """The forms of some words, as letters laid end to end."""

    letters: Ints
    lengths: Ints
    mass: Floats  # log probability by the proposal transducer; NaN for a proposal of the lexicon
    counts: Ints  # forms of each word

    def split(self, text: str) -> list[list[str]]:
        """Cut the text of all forms into the forms of each word."""
        cuts = starts(self.lengths.tolist()).tolist()
        forms = [text[a:b] for a, b in pairwise(cuts)]
        ends = starts(self.counts.tolist()).tolist()
        return [forms[a:b] for a, b in pairwise(ends)]

    def coverage(self) -> Floats:
        """Return how much of the transducer's mass the forms of each word hold."""
        shares = np.where(np.isnan(self.mass), 0.0, np.exp(self.mass))
        word = np.repeat(np.arange(len(self.counts)), self.counts)
        return np.minimum(np.bincount(word, shares, len(self.counts)), 1.0)


def transducer_engine(edits: EditFeatures, weights: Floats, jobs: int | None) -> Engine:
    """Return the engine of a transducer that is used without a parser."""
    spans = TreeFeatures(NONE, PAPER, Knowledge(Lexicon()), FeatureIndex.of(()))
    return Engine(edits, spans, weights, jobs=jobs)


@dataclass
class CandidateGenerator:
    """Lists the forms of words; the engine's weights are those of the proposal transducer."""

    engine: Engine
    proposals: CandidateRules = NO_CANDIDATE_RULES
    longer: int = 5

    def __post_init__(self) -> None:
        self._rules = self.proposals.kernel(self.engine.edits.alphabet)
        self._buffers: dict[tuple[int, int], Any] = {}

    def best(
        self,
        words: Sequence[str],
        *,
        k: int,
        most: int,
        near: int = 0,
        within: float = np.inf,
        own: Sequence[Iterable[CandidateRule]] | None = None,
    ) -> CandidateForms:
        """List the k best forms of each word, and at most so many proposals of each kind.

        A form whose log probability is not within so much of the best one's is left out;
        ``own`` are the rules that each word itself brought; they do not count.
        """
        if not words:
            return CandidateForms(*(np.zeros(0, t) for t in (np.int32, np.int32, float, np.int32)))
        packed = self.engine.packer.text(words)
        longest = max(map(len, words))
        brought = [self.proposals.own(rules) for rules in own or [()] * len(words)]
        numbers: list[Ints] = []
        for kind in range(3):
            flat = [number for row in brought for number in row[kind]]
            numbers += [np.array(flat, np.int32), starts(len(row[kind]) for row in brought)]
        shares = np.array_split(np.arange(len(words), dtype=np.int32), self.engine.jobs)
        sizes = np.array([k, most, near], np.int32)

        def work(number: int, workspace: Any) -> tuple[int, CandidateForms]:
            share = shares[number]
            forms = len(share) * (k + most + near + 1)
            out = CandidateForms(
                np.empty(forms * (longest + self.longer), np.int32), np.empty(forms, np.int32),
                np.empty(forms), np.zeros(len(share), np.int32),
            )  # fmt: skip
            shortage = kernels.forms.list_forms(
                workspace.edits, self._search_space(number, longest, k), self._rules,
                self.engine.edit_weights, packed, tuple(numbers), share, sizes, within, *out,
            )  # fmt: skip
            total = int(out.counts.sum())
            used = int(out.lengths[:total].sum())
            return shortage, CandidateForms(
                out.letters[:used], out.lengths[:total], out.mass[:total], out.counts
            )

        parts = self.engine.run(work, longest, longest + self.longer, 0)
        return CandidateForms(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def text(self, letters: Ints) -> str:
        """Spell letters."""
        points = self.engine.packer.code_points(letters)
        return points.astype("<u4").tobytes().decode("utf-32-le")

    def strings(self, found: CandidateForms) -> list[list[str]]:
        """Return the forms of each word as strings."""
        return found.split(self.text(found.letters))

    def lattice(self, word: str) -> EditLattice:
        """The transducer's whole distribution over the forms of a word."""
        edits = self.engine.edits
        weights = self.engine.edit_weights
        return EditLattice.of(edits, edits.match(word), weights, self._bigrams, self.longer)

    @cached_property
    def _bigrams(self) -> Bigrams:
        return self.engine.edits.bigrams(self.engine.edit_weights)

    def sample(self, words: Sequence[str], m: int, *, seed: int) -> CandidateForms:
        """Draw m forms of each word from the transducer; list the distinct ones.

        A word's draws depend on the seed and the word, not on the words around it.
        """

        def work(word: str) -> list[tuple[str, float]]:
            lattice = self.lattice(word)
            rng = np.random.default_rng((seed, hash_text(word)))
            drawn = sorted(set(lattice.sample(m, rng=rng)))
            return [(form, lattice.log_prob(form)) for form in drawn]

        found = [*self.engine.map(work, words)]
        forms = [form for row in found for form, _ in row]
        _, letters, _ = self.engine.packer.text(forms)
        return CandidateForms(
            letters,
            np.array([*map(len, forms)], np.int32),
            np.array([mass for row in found for _, mass in row], np.float64),
            np.array([*map(len, found)], np.int32),
        )

    def _search_space(self, number: int, longest: int, k: int) -> Any:
        """Return a thread's buffers for the search of so many forms."""
        held = self._buffers.get((number, k))
        if held is None or held[0] < longest:
            held = self._buffers[number, k] = longest, self._forms(longest, k)
        return held[1]

    def _forms(self, longest: int, k: int) -> Any:
        size = len(self.engine.edits.alphabet) + 2
        shape = longest + 1, RUNS, size
        capacity = k + MORE
        return kernels.paths.Forms(
            (self.longer, BEAM),
            (np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int32)),
            (
                np.zeros((longest + 1, size, 2 * size, 3), np.int32),
                np.zeros((longest + 1, size, 2 * size)),
                np.zeros((longest + 1, size), np.int32),
                np.zeros(size),
            ),
            (np.zeros((NODES, 5), np.int32), np.zeros(NODES)),
            kernels.heap.Heap(np.zeros(NODES), np.zeros(NODES, np.int32)),
            (
                np.zeros((capacity, longest + self.longer + 20), np.int32),
                np.zeros(capacity, np.int32),
                np.zeros(capacity),
                np.zeros(capacity, np.uint64),
                np.zeros(capacity, np.int32),
            ),
        )
