"""Decoder: the best analyses of many words, quickly; and candidate lists for all decoding."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from morphtree import _kernels as kernels
from morphtree._util.parallel import batches
from morphtree.decoding.analyses import Analyses
from morphtree.decoding.candidates import (
    CandidateForms,
    CandidateGenerator,
    candidate_model,
    candidate_workspace,
    transducer_engine,
)
from morphtree.decoding.inflection import follow_bases
from morphtree.errors import ModelError
from morphtree.joint.engine import Packer, starts
from morphtree.joint.estimators import How, Importance, NBest, as_estimator
from morphtree.structures.distribution import require

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from morphtree._util.arrays import Floats
    from morphtree.model.model import Model

FEW = 4  # words that may all be stored, so that no table need be made for others
CHUNK = 512  # words that are decoded together
SHARE = 16  # words that are worth a thread
MOST_READINGS = 1000  # of a word; their derivations are kept in every cell of the chart
CODE_POINTS = np.dtype("<u4")
STEP = 24  # letters; the capacity of a workspace is a multiple of it
KEPT_SIZES, KEPT_READINGS = 8, 20  # of workspaces that are kept: many readings take much memory


class Hypothesis(NamedTuple):
    """One analysis: a structure over a form, and its probability among all of the candidates."""

    structure: Any  # a tree, or the strings of segments; None if there is no analysis
    form: str
    prob: float


class Decoded(NamedTuple):
    """The best analyses of one word, best first; none if no candidate has one."""

    hypotheses: tuple[Hypothesis, ...]
    coverage: float  # how much of the transducer's probability the candidates hold
    stored: bool = False  # whether these are the readings of a stored word

    @property
    def best(self) -> Hypothesis:
        """The best analysis; one without structure if there is none."""
        return self.hypotheses[0] if self.hypotheses else Hypothesis(None, "", 0.0)


class Size(NamedTuple):
    """What a workspace has capacity for, and how it finds candidates."""

    word: int  # letters
    form: int
    readings: int
    how: NBest


Work = Callable[[Any, int, int, Any], None]  # workspace, first and last word + 1, analyses


class Decoder:
    """A model with threads and workspaces; several threads may call it at once."""

    def __init__(self, model: Model, *, jobs: int | None = None) -> None:
        self.model = model
        self.jobs = jobs or os.cpu_count() or 1
        self.packer = Packer(model.edits.alphabet)
        self._free: dict[Size, list[Any]] = {}  # workspaces that nobody is using
        self._lock = Lock()

    @cached_property
    def generator(self) -> CandidateGenerator:
        """What lists candidates apart from decoding."""
        model = self.model
        proposer = transducer_engine(model.edits, model.proposal_weights, self.jobs)
        return CandidateGenerator(
            proposer, model.proposals, model.max_extra_letters, model.spans.knowledge.stored
        )

    def candidates(
        self, words: Sequence[str], how: NBest | Importance, seed: int = 1
    ) -> CandidateForms:
        """List the candidate forms of some words."""
        if isinstance(how, Importance):
            return self.generator.sample(words, how.m, seed=seed)
        with self._lock:
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
        how: How | None = None,
        *,
        n: int = 1,
        seed: int = 1,
    ) -> Iterator[Decoded]:
        """Yield the n best analyses of each word, in order."""
        self._require_readings(n)
        for chunk in batches(words, max(1, CHUNK // n)):
            yield from self.read(self.analyses(chunk, how, n=n, seed=seed))

    def analyses(
        self,
        words: Sequence[str],
        how: How | None = None,
        *,
        n: int = 1,
        seed: int = 1,
    ) -> Analyses:
        """Return the n best analyses of each word as arrays."""
        how = self.model.estimator if how is None else as_estimator(how)
        self._require_readings(n)
        inflects = bool(self.model.inflections)
        asked = n + 1 if inflects and n > 1 else n  # one may turn out to be there twice
        found = self._found(words, how, asked, seed)
        if inflects:
            follow_bases(self.model, words, found, partial(self.analyses, how=how, seed=seed))
        return found if asked == n else found._replace(order=found.order[:, :n])

    def _found(self, words: Sequence[str], how: NBest | Importance, n: int, seed: int) -> Analyses:
        """Return the n best analyses of each word, inflected words by themselves."""
        packed = self.packer.text(words)
        longest = max(map(len, words), default=0)
        form = _rounded(longest + self.model.max_extra_letters)
        found = self._capacity(len(words), n, form)
        out = kernels.analyses.Analyses(*found)
        if len(words) <= FEW and self._are_stored(packed, out):
            return found
        if isinstance(how, Importance):
            return self._over(words, self.candidates(words, how, seed), n)
        size = Size(_rounded(longest), form, n, how)
        self._run(partial(_decode, packed), len(words), size, out)
        return found

    def _are_stored(self, packed: Any, out: Any) -> bool:
        """Answer for words that are all stored: no table of the model is needed for them."""
        if not len(self.model.stored):
            return False
        return bool(kernels.stored.answer(self._stored_words, packed, out))

    def _capacity(self, words: int, n: int, form: int) -> Analyses:
        """Return capacity for the n best analyses of words whose forms have so many letters."""
        nodes = self.model.structure.grammar.binarised.most_nodes(form)
        return Analyses.empty(words, n, form, nodes)

    def decode_candidates(
        self, words: Sequence[str], candidates: CandidateForms, *, n: int = 1
    ) -> list[Decoded]:
        """Return the n best analyses of each word over its candidate forms."""
        self._require_readings(n)
        return self.read(self._over(words, candidates, n))

    def _over(self, words: Sequence[str], candidates: CandidateForms, n: int) -> Analyses:
        given = (
            candidates.letters, starts(candidates.lengths.tolist()), candidates.mass,
            starts(candidates.counts.tolist()),
        )  # fmt: skip
        most = int(candidates.counts.max(initial=1))
        word, form = max(map(len, words), default=0), int(candidates.lengths.max(initial=0))
        size = Size(_rounded(word), _rounded(form), n, NBest(most))
        found = self._capacity(len(words), n, size.form)
        work = partial(_decode_given, self.packer.text(words), given)
        self._run(work, len(words), size, kernels.analyses.Analyses(*found))
        return found

    def read(self, found: Analyses) -> list[Decoded]:
        """Turn the kernels' answers into trees."""
        probs = np.exp(found.log_probs).tolist()
        letters = found.forms.shape[2]
        text = found.forms.astype(CODE_POINTS).tobytes().decode("utf-32-le", "replace")
        read, n, out = self.model.structure.read, found.forms.shape[1], []
        lengths, counts = found.lengths.tolist(), found.counts.tolist()
        coverage, stored = found.coverage.tolist(), found.stored.tolist()
        for word, slots in enumerate(found.order.tolist()):
            hypotheses = []
            for slot in slots:
                if (length := lengths[word][slot]) >= 0:
                    start = (word * n + slot) * letters
                    form = text[start : start + length]
                    nodes = found.nodes[word, slot, : counts[word][slot]].tolist()
                    hypotheses.append(Hypothesis(read(nodes, form), form, probs[word][slot]))
            out.append(Decoded(tuple(hypotheses), coverage[word], bool(stored[word])))
        return out

    def _require_readings(self, n: int) -> None:
        """Refuse to look for no readings, or for more than there is memory for."""
        require(n, 1, "best readings")
        if n > MOST_READINGS:
            raise ModelError(f"a word has {MOST_READINGS} readings at most; ask for fewer than {n}")

    def _run(self, work: Work, words: int, size: Size, out: Any) -> None:
        """Let the threads decode, each its share of the words."""
        jobs = min(self.jobs, words // SHARE)
        if jobs <= 1:
            self._share(work, size, out, 0, words)
        else:
            cuts = np.linspace(0, words, jobs + 1).astype(int).tolist()
            share = partial(self._share, work, size, out)
            list(self._pool.map(share, cuts[:-1], cuts[1:]))

    def _share(self, work: Work, size: Size, out: Any, first: int, end: int) -> None:
        """Decode some of the words in a workspace that nobody else is using."""
        with self._lock:
            free = self._free.setdefault(size, [])
            workspace = free.pop() if free else None
        workspace = workspace or self._workspace(size)
        work(workspace, first, end, out)
        with self._lock:
            if size.readings <= KEPT_READINGS:
                free.append(workspace)
            if len(self._free) > KEPT_SIZES:
                self._free.clear()

    @cached_property
    def _stored_words(self) -> Any:
        """The stored words as the kernels read them."""
        return self.model.stored.kernel_words(self.model.edits.alphabet)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor  # a single word needs none

        return ThreadPoolExecutor(self.jobs)

    @cached_property
    def _tables(self) -> tuple[Any, Any, Floats]:
        """What all workspaces share: tables for candidates, weights of spans and of rules."""
        model = self.model
        weights = model.weights[len(model.edits.index) :]
        return (
            candidate_model(model), model.spans.span_index.weights(weights),
            model.spans.rule_matches.scores(weights),
        )  # fmt: skip

    def _workspace(self, size: Size) -> Any:
        """Return a workspace of one thread."""
        with self._lock:
            candidates, weights, rules = self._tables
            tables = self.model.spans.kernel_tables
        model, side = self.model, max(size.word, size.form)
        grammar = model.spans.grammar.binarised
        stored, places = model.spans.knowledge.stored, (side + 1) * (side + 2) // 2
        chart = grammar.kernel_chart(side + 1, rules, stored.most_steps * places, stored.weight)
        chart.rank_into(*grammar.lists(side + 1, size.readings))
        spans = model.spans.workspace(side, 1, places)
        longest = max(size.word, size.form - model.max_extra_letters)
        return kernels.decode.Decoder(
            kernels.parser.Parser(tables, spans, weights, chart),
            candidate_workspace(model, candidates, longest, size.how),
            candidates.stored, self.packer.alphabet, model.stacking,
            (model.temperature, model.new_word_temperature, model.new_stem_temperature),
            np.zeros(side, np.int64),
        )  # fmt: skip


def _decode(packed: Any, workspace: Any, first: int, end: int, out: Any) -> None:
    kernels.decode.decode(workspace, packed, first, end, out)


def _decode_given(packed: Any, given: Any, workspace: Any, first: int, end: int, out: Any) -> None:
    kernels.decode.decode_given(workspace, packed, given, first, end, out)


def _rounded(letters: int) -> int:
    """Return the next multiple of a number of letters, so that few sizes are asked for."""
    return -(-max(letters, 1) // STEP) * STEP
