"""Lists of candidate forms for many words: the proposal transducer's best, and proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Hashes, Ints
from morphtree._util.hashing import hash_text, mix
from morphtree.features.edit_features import (
    ADD,
    CHANGE,
    COPY,
    DELETE,
    INSERT,
    WRITE,
    EditFeatures,
)
from morphtree.features.potentials import Bigrams, fit
from morphtree.features.sets import NONE
from morphtree.features.span_features import TreeFeatures
from morphtree.features.templates import FeatureIndex, Matches, seed
from morphtree.joint.engine import Engine, starts
from morphtree.joint.estimators import NBest
from morphtree.lexicon.candidate_rules import NO_CANDIDATE_RULES, CandidateRule, CandidateRules
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.lexicon.stored import NOTHING_STORED, Stored
from morphtree.model.model import Model
from morphtree.structures.edit_lattice import EditLattice
from morphtree.trees.grammar import PAPER

BEAM = 7.0  # log weight that an edit may lose against the best one in its place
RUNS = 4  # one more than the letters inserted in a row
NODES = 20_000  # steps of a search
MOST_BY_STORED = kernels.proposing.MOST_BY_STORED
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


class RowMatches(NamedTuple):
    """The features of templates that look at one letter at most.

    They are matched on a word of all letters.
    """

    reading: Matches  # the letter read
    before: Matches  # the letter before an insertion, or none
    after: Matches  # the letter after it

    @staticmethod
    def of(edits: EditFeatures) -> RowMatches:
        """Match those templates."""

        def match(*shapes: tuple[int, int]) -> Matches:
            chosen = [t for t in edits.templates if (t.left, t.right) in shapes and not t.previous]
            return EditFeatures(chosen, edits.alphabet, edits.index).match(edits.alphabet).edits

        return RowMatches(match((0, 0)), match((0, 0), (1, 0)), match((0, 1)))

    def tables(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the rows of a transducer: by the letter read, before and after an insertion."""
        size = self.reading.shape[0] - 1
        plain = self.reading.scores(weights)
        reading = np.zeros((size + 1, size + 2))
        reading[:size, :size], reading[:size, -1] = plain[:size, :size], plain[:size, -1]
        before, after = np.zeros((2, size + 2, size))
        before[[size, *range(size)]] = self.before.scores(weights)[:, size:-1]
        before[-1] = plain[-1, size:-1]  # of a letter that the model does not know
        after[:-1] = self.after.scores(weights)[:, size:-1]
        return reading, before, after


def transducer_tables(edits: EditFeatures, matches: RowMatches, weights: Floats) -> Any:
    """Return a transducer's weights as the search for candidates reads them."""
    rows = matches.tables(weights)
    bigrams = edits.bigram_matches.scores(weights)
    fits = fit(rows[0], rows[1][:, None] + rows[2], bigrams, weights)
    logs = weights, *rows
    numbers = [np.exp(array) if fits else np.ones_like(array) for array in (*logs, bigrams)]
    return kernels.candidate_tables.Transducer(
        logs, numbers[:-1], kernels.pair.BigramWeights(bigrams, numbers[-1], fits), fits
    )


@dataclass(frozen=True)
class CandidateModel:
    """What finding candidates needs of a model, for all threads."""

    edits: EditFeatures
    starts: Hashes  # what contexts are hashed from, by the letter read
    columns: tuple[Ints, Ints]  # the edit that each feature is about, or its kind
    proposal: Any  # tables of the transducer that proposes forms
    joint: Any  # and of the joint model's
    rules: Any
    stored: Any  # readings of stored words
    longer: int  # letters that a form may have more than the word

    @staticmethod
    def of(
        edits: EditFeatures,
        proposal_weights: Floats,
        joint_weights: Floats | None = None,
        *,
        rules: Any,
        stored: Stored,
        longer: int,
    ) -> CandidateModel:
        """Make the tables; without a joint model its scores are those of the other transducer."""
        matches = RowMatches.of(edits)
        proposal = joint = transducer_tables(edits, matches, proposal_weights)
        if joint_weights is not None:
            joint = transducer_tables(edits, matches, joint_weights)
        words = stored.kernel_words(edits.alphabet)
        return CandidateModel(
            edits, _starts(edits), _columns(edits), proposal, joint, rules, words, longer
        )

    def workspace(
        self, longest: int, *, k: int, most: int = 0, near: int = 0, within: float = np.inf
    ) -> Any:
        """Return one thread's memory for words of so many letters.

        It lists the k best forms of a word, less those whose log probability is not within so
        much of the best one's, and at most so many proposals of each kind.
        """
        size, templates = len(self.edits.alphabet), len(self.starts[0])
        n, places, capacity = longest + 1, (longest + 1) * (size + 2), k + MORE
        matches = n * templates * (4 * size + 2)  # every edit by its name and its kind
        arcs = places * (2 * size + 1)
        bigrams = np.asarray(self.proposal.bigrams.logs)
        ints, floats = _zeros(np.int32), _zeros(np.float64)
        long_ints, hashes = _zeros(np.int64), _zeros(np.uint64)
        return kernels.candidate_tables.CandidateWorkspace(
            (
                self.edits.kernel_templates, *self.columns, self.proposal, self.joint, self.rules,
                self.stored,
            ),
            (k, most, near, self.longer),
            (within, BEAM),
            (
                long_ints(n), ints(n), ints(n), hashes(n + 1),
                self.starts.copy(), ints(matches), ints(matches), ints(matches),
            ),
            tuple(self._pair_table(model, longest) for model in (self.proposal, self.joint)),
            (
                np.minimum(bigrams.min(1), 0.0), np.maximum(bigrams.max(1), 0.0),
                floats((RUNS, places)), floats((RUNS, places)), ints((RUNS, places)),
                ints((RUNS, n)), long_ints((RUNS, places)),
            ),
            (
                ints((arcs, 2)), floats(arcs), ints((places, 3)), long_ints(places),
                ints(size), ints(size), floats(size),
            ),
            (ints((NODES, 4)), floats(NODES), kernels.heap.Heap(floats(NODES), ints(NODES))),
            (
                ints((capacity, longest + self.longer)), ints(capacity), floats(capacity),
                floats(capacity), hashes(capacity), ints(capacity), floats(capacity),
                floats(capacity), ints(n), ints(n), hashes((n, n)), ints(0),
            ),
        )  # fmt: skip

    def _pair_table(self, model: Any, longest: int) -> Any:
        local = longest + 1, 2 * len(self.edits.alphabet) + 3
        rows = longest + self.longer + 2
        weights = kernels.pair.EditWeights(model.bigrams, np.zeros(local), np.zeros(local))
        tables = np.zeros((1, rows, longest + 2))
        return kernels.pair.PairTable(weights, tables, np.zeros(rows, np.int32))


def _starts(edits: EditFeatures) -> Hashes:
    """Hash each template with the letter read: those of the model, none, and one row to fill."""
    local = [template for template in edits.templates if not template.previous]
    starts = np.zeros((len(edits.alphabet) + 2, len(local)), np.uint64)
    for number, template in enumerate(local):
        reading = mix(seed(template), 1)
        for row, letter in enumerate(edits.alphabet):
            starts[row, number] = mix(reading, ord(letter)) if template.edit else reading
        starts[-2, number] = mix(seed(template), 0)
    return starts


def _columns(edits: EditFeatures) -> tuple[Ints, Ints]:
    """Return the edit that each feature is about, and the kind of those about all of a kind."""
    size = len(edits.alphabet)
    kinds = dict(zip((COPY, CHANGE, ADD), kernels.local_edits.KINDS, strict=True))
    columns = {DELETE: 2 * size + 2, **dict.fromkeys(kinds, 0)}
    for number, letter in enumerate(edits.alphabet):
        columns[WRITE | ord(letter)] = number
        columns[INSERT | ord(letter)] = size + 1 + number
    return edits.index.slots(columns), edits.index.slots(dict.fromkeys(columns, 0) | kinds)


def _zeros(kind: Any) -> Callable[[Any], NDArray[Any]]:
    return partial(np.zeros, dtype=kind)


def candidate_model(model: Model) -> CandidateModel:
    """Return what finding candidates needs of a model; make it once, and a workspace a thread."""
    return CandidateModel.of(
        model.edits,
        model.proposal_weights,
        model.weights[: len(model.edits.index)],
        rules=model.proposals.kernel(model.edits.alphabet),
        stored=model.spans.knowledge.stored,
        longer=model.max_extra_letters,
    )


def candidate_workspace(model: Model, tables: CandidateModel, longest: int, how: NBest) -> Any:
    """Return a thread's memory for the candidates of words of so many letters.

    The kernels `find_candidates` and `edit_scores` work on it, one word at a time.
    """
    return tables.workspace(
        longest, k=how.k, most=model.rule_proposals, near=model.neighbour_proposals,
        within=how.within,
    )  # fmt: skip


@dataclass
class CandidateGenerator:
    """Lists the forms of words; the engine's weights are those of the proposal transducer."""

    engine: Engine
    proposals: CandidateRules = NO_CANDIDATE_RULES
    longer: int = 5
    stored: Stored = NOTHING_STORED

    def __post_init__(self) -> None:
        self._rules = self.proposals.kernel(self.engine.edits.alphabet)
        self._weights = np.full(1, np.nan)
        self._held: dict[int, tuple[int, list[Any]]] = {}  # by k: longest word, workspaces

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
        workspaces = self._workspaces(longest, k)

        def work(number: int) -> CandidateForms:
            share, workspace = shares[number], workspaces[number]
            workspace.most, workspace.near, workspace.within = most, near, within
            # beside these the word itself, and the word without hyphens
            forms = len(share) * (k + most + near + 2 + MOST_BY_STORED)
            out = CandidateForms(
                np.empty(forms * (longest + self.longer), np.int32), np.empty(forms, np.int32),
                np.empty(forms), np.zeros(len(share), np.int32),
            )  # fmt: skip
            kernels.candidates.list_candidates(workspace, packed, tuple(numbers), share, *out)
            total = int(out.counts.sum())
            used = int(out.lengths[:total].sum())
            return CandidateForms(
                out.letters[:used], out.lengths[:total], out.mass[:total], out.counts
            )

        parts = self.engine.map(work, range(self.engine.jobs))
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
            bare = word.replace("-", "")
            if bare not in ("", word, *drawn) and "-" in self.engine.edits.alphabet:
                drawn.append(bare)  # the others may be without a tree
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

    def _workspaces(self, longest: int, k: int) -> list[Any]:
        """Return a workspace for each thread, for such words and so many forms."""
        weights = self.engine.edit_weights
        if not np.array_equal(weights, self._weights):  # training may have changed them
            self._weights, self._held = weights.copy(), {}
            self._model = CandidateModel.of(
                self.engine.edits, self._weights, rules=self._rules, stored=self.stored,
                longer=self.longer,
            )  # fmt: skip
        held = self._held.get(k)
        if held is None or held[0] < longest:
            spaces = [self._model.workspace(longest, k=k) for _ in range(self.engine.jobs)]
            held = self._held[k] = longest, spaces
        return held[1]
