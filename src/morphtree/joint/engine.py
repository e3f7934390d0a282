"""Engine: the joint model on many words at once, straight from features to gradients.

`joint_model.py` is the definition; this is the same in few calls of the kernels, for training
and for decoding many words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints
from morphtree._util.capacity import ENOUGH, Capacity
from morphtree._util.hashing import code_points
from morphtree.features.edit_features import EditFeatures
from morphtree.features.potentials import fit
from morphtree.features.span_features import SpanFeatures

PARTS = 8  # of stored matches, each filled by one thread
RUNS, MOST_RUNS = 1 << 11, 1 << 26  # of features, for a form and in all; memory is used as needed
Item = TypeVar("Item")
Result = TypeVar("Result")


class Gold(NamedTuple):
    """One gold reading: its form, and the nodes (label, start, end, rule) of its tree.

    Of a flat one only the segments are known: nodes (0, start, end, 0).
    """

    form: str
    weight: float
    nodes: tuple[tuple[int, int, int, int], ...]
    flat: bool = False


def flat_gold(segments: Sequence[str], weight: float) -> Gold:
    """Return the gold of an entry of which only the segments are known."""
    nodes, at = [], 0
    for segment in segments:
        nodes.append((0, at, at + len(segment), 0))
        at += len(segment)
    return Gold("".join(segments), weight, tuple(nodes), flat=True)


@dataclass(frozen=True)
class Example:
    """A word, the forms that stand for all, and what is right."""

    word: str
    forms: tuple[str, ...]
    golds: tuple[Gold, ...] = ()
    offsets: Floats | None = None


@dataclass(frozen=True)
class Batch:
    """Examples, packed for the kernels."""

    examples: Sequence[Any]  # or only their words
    packed: Any
    longest_word: int
    longest_form: int
    most_forms: int
    forms: int
    # of examples, so that they can be changed and looked up:
    offsets: Floats = field(default_factory=lambda: np.zeros(0))  # a form with -inf is left out
    gold_forms: Ints = field(default_factory=lambda: np.zeros(0, np.int32))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """What a workspace must have capacity for."""
        return self.longest_word, self.longest_form, self.most_forms


def starts(lengths: Iterable[int]) -> Ints:
    """Return where each of several rows starts when they are laid end to end."""
    return np.array([*accumulate(lengths, initial=0)], np.int32)


class Packer:
    """Turns examples into flat arrays, with the letters of one alphabet."""

    def __init__(self, alphabet: str) -> None:
        self.alphabet = code_points(alphabet)
        self.size = len(alphabet)
        self._numbers = np.full(int(self.alphabet.max(initial=0)) + 2, -1, np.int32)
        self._numbers[self.alphabet] = np.arange(self.size)

    def text(self, strings: Sequence[str]) -> tuple[NDArray[np.int64], Ints, Ints]:
        """Return code points, letters and starts; an unknown letter is A plus its code point."""
        codes = code_points("".join(strings))
        letters = self._numbers.take(codes, mode="clip")  # all beyond the alphabet are alike
        unknown = letters < 0
        if unknown.any():
            letters[unknown] = self.size + codes[unknown]
        return codes, letters, starts(map(len, strings))

    def code_points(self, letters: Ints) -> NDArray[np.int64]:
        """Return the code points of letters; the way back from `text`."""
        known = self.alphabet[np.minimum(letters, self.size - 1)]
        return np.where(letters < self.size, known, letters.astype(np.int64) - self.size)

    def pack(self, examples: Sequence[Example]) -> Batch:
        """Pack examples."""
        words = self.text([example.word for example in examples])
        forms = [form for example in examples for form in example.forms]
        first_form = starts(len(example.forms) for example in examples)
        given = [np.zeros(len(e.forms)) if e.offsets is None else e.offsets for e in examples]
        offsets = np.concatenate([np.zeros(0), *given])
        golds = [gold for example in examples for gold in example.golds]
        gold_forms = np.array(
            [
                first + example.forms.index(gold.form)
                for first, example in zip(first_form.tolist(), examples, strict=False)
                for gold in example.golds
            ],
            np.int32,
        )
        nodes = [node for gold in golds for node in gold.nodes]
        packed = kernels.sums.Batch(
            words,
            (*self.text(forms), first_form, offsets),
            (
                starts(len(example.golds) for example in examples),
                gold_forms,
                np.array([gold.weight for gold in golds], np.float64),
                np.array([gold.flat for gold in golds], np.int32),
            ),
            (
                starts(len(gold.nodes) for gold in golds),
                np.array(nodes, np.int32).reshape(-1, 4),
            ),
        )
        return Batch(
            examples,
            packed,
            max(map(len, (e.word for e in examples)), default=0),
            max(map(len, forms), default=0),
            max((len(example.forms) for example in examples), default=0),
            len(forms),
            offsets,
            gold_forms,
        )


def _empty_matches(batch: Batch, features: int) -> list[Any]:
    """Return room for the matches of a batch, in parts that threads can fill."""
    runs = min(MOST_RUNS, RUNS * batch.forms)
    rows = cells = runs // 8
    words = np.full((2, len(batch.examples)), -1, np.int32)
    start, end = np.full((2, batch.forms), -1, np.int32)
    arrays = np.empty((cells, 5), np.int32), np.empty(rows, np.int32)
    found = np.empty(runs, np.int32), np.empty(runs, np.uint8)
    slots = np.zeros(features, np.uint8)
    return [
        kernels.matches.Matches(
            kernels.matches.Constituents(start, end, arrays[0], *_part(cells, part)),
            words, arrays[1], found, slots, _part(rows, part), _part(runs, part),
        )
        for part in range(PARTS)
    ]  # fmt: skip


def _part(size: int, part: int) -> tuple[int, int]:
    """Return where one of the parts of an array begins and ends."""
    return part * size // PARTS, (part + 1) * size // PARTS


class Engine:
    """One model's features with weights that may change, and threads to use them."""

    def __init__(
        self,
        edits: EditFeatures,
        spans: SpanFeatures,
        weights: Floats,
        *,
        jobs: int | None = None,
        temperature: float = 1.0,
    ) -> None:
        self.edits = edits
        self.spans = spans
        self.weights = weights  # those of the edits, then those of the spans
        self.jobs = jobs or os.cpu_count() or 1
        self.temperature = temperature
        self.packer = Packer(edits.alphabet)
        self.capacity = Capacity()
        self._bigram_starts, self._bigram_features = edits.bigram_matches.by_cell()
        self._rule_starts, self._rule_features = spans.rule_matches.by_cell()
        self.bigrams = np.zeros(edits.bigram_matches.shape)
        self._bigram_numbers = np.ones_like(self.bigrams)
        self._bigram_weights = kernels.pair.BigramWeights(self.bigrams, self._bigram_numbers, True)
        self.rules = np.zeros(spans.rule_matches.shape)
        self._pool = ThreadPoolExecutor(self.jobs)
        self._workspaces: list[Any] = []
        self._made_for = self.capacity  # what the workspaces hold
        self._entries: dict[int, tuple[Ints, Floats]] = {}
        self._lock = Lock()
        self.refresh()

    def refresh(self) -> None:
        """Take note of changed weights."""
        split = len(self.edits.index)
        self.bigrams[...] = self.edits.bigram_matches.scores(self.weights[:split])
        self._bigram_weights.fits = fit(self.bigrams)
        if self._bigram_weights.fits:
            np.exp(self.bigrams, out=self._bigram_numbers)
        self.rules[...] = self.spans.rule_matches.scores(self.weights[split:])

    @property
    def edit_weights(self) -> Floats:
        """The weights of the transducer."""
        return self.weights[: len(self.edits.index)]

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterable[Result]:
        """Let the threads work."""
        return map(work, items) if self.jobs == 1 else self._pool.map(work, items)

    def workspaces(self, word: int, form: int, forms: int, readings: int = 1) -> list[Any]:
        """Return a workspace for each thread, large enough for such words and forms."""
        with self._lock:  # several threads may ask at once
            self.capacity.cover(word, form, forms, readings)
            if not self._workspaces or self._made_for != self.capacity:
                self._workspaces = [self._workspace() for _ in range(self.jobs)]
                self._made_for = replace(self.capacity)
            return self._workspaces

    def run(
        self,
        work: Callable[[int, Any], tuple[int, Result]],
        word: int,
        form: int,
        forms: int,
        readings: int = 1,
    ) -> list[Result]:
        """Let every thread work with its number and workspace, and again if that was too small."""

        def attempt() -> tuple[int, list[Result]]:
            workspaces = self.workspaces(word, form, forms, readings)
            done = list(self.map(lambda number: work(number, workspaces[number]), range(self.jobs)))
            return max(shortage for shortage, _ in done), [result for _, result in done]

        return self.capacity.retry(attempt)

    def _workspace(self) -> Any:
        capacity, size = self.capacity, len(self.edits.alphabet)
        n, m = capacity.word + 1, capacity.form + 1
        split = len(self.edits.index)
        local = n, 2 * size + 3
        weights = kernels.pair.EditWeights(self._bigram_weights, np.zeros(local), np.zeros(local))
        edits = kernels.edits.EditWorkspace(
            self.edits.kernel_templates,
            (self._bigram_starts, self._bigram_features),
            (
                np.zeros(n, np.int32),
                np.zeros(capacity.matches, np.int32),
                np.zeros(capacity.matches, np.int32),
            ),
            weights,
            kernels.pair.PairTable(weights, np.zeros((4, m + 1, n + 1)), np.zeros(m + 1, np.int32)),
            (
                np.zeros(local),
                np.zeros(self.bigrams.size),
                np.zeros(self.bigrams.size, np.int32),
            ),
        )
        grammar = self.spans.grammar.binarised
        own = np.zeros((2, m, m + 1, len(self.spans.grammar.labels)))
        chart = grammar.kernel_chart(m, self.rules)
        chart.count_into(np.zeros((m, m + 1, len(grammar.labels))), *own, np.zeros_like(self.rules))
        chart.rank_into(*grammar.lists(m, capacity.readings))
        workspace = kernels.sums.Workspace(
            edits,
            self.spans.kernel_tables,
            self.spans.workspace(
                max(capacity.word, capacity.form), capacity.features, capacity.rows
            ),
            (self.weights[:split], self.weights[split:]),
            (self._rule_starts, self._rule_features),
            chart,
            (np.zeros(m + 1, np.int32), np.zeros(capacity.forms), np.zeros(capacity.forms)),
            (self._opened(), np.zeros(capacity.rows, np.int32)),
        )
        workspace.inverse_temperature = 1.0 / self.temperature
        return workspace

    def _opened(self) -> Any:
        """Return room for the constituents of the forms of one word."""
        start, end = np.zeros((2, self.capacity.forms), np.int32)
        cells = np.zeros((2 * self.capacity.rows, 5), np.int32)
        return kernels.matches.Constituents(start, end, cells, 0, len(cells))

    def match(self, batch: Batch) -> None:
        """Match the span features of a batch for good, as far as there is memory.

        Forms with an offset of -inf must stay out from then on.
        """
        parts = _empty_matches(batch, len(self.spans.index))
        cuts = np.linspace(0, len(batch.examples), len(parts) + 1).astype(int).tolist()

        def work(number: int, workspace: Any) -> tuple[int, None]:
            shortages = [
                kernels.sums.match_words(workspace, batch.packed, *cuts[n : n + 2], parts[n])
                for n in range(number, len(parts), self.jobs)
            ]
            return max(shortages, default=ENOUGH), None

        self.run(work, *batch.sizes)
        batch.packed.matches = parts[0]

    def pair_scores(self, batch: Batch) -> Floats:
        """Log S(u, w) of every form of a batch, by the transducer alone."""
        scores = np.zeros(batch.forms)
        shares = np.array_split(np.arange(len(batch.examples), dtype=np.int32), self.jobs)

        def work(number: int, workspace: Any) -> tuple[int, None]:
            return kernels.forms.pair_scores(
                workspace.edits, batch.packed, shares[number], self.edit_weights, scores
            ), None

        self.run(work, *batch.sizes)
        return scores

    def stacked(self, examples: Sequence[Example], weight: float) -> list[Example]:
        """Return examples with the transducer's log scores of their forms, weighted, as offsets."""
        scores = weight * self.pair_scores(self.packer.pack(examples))
        cuts = starts(len(example.forms) for example in examples).tolist()
        return [
            replace(example, offsets=scores[a:b])
            for example, (a, b) in zip(examples, pairwise(cuts), strict=True)
        ]

    def gradients(
        self, batch: Batch, words: Ints, *, learn: bool = True
    ) -> tuple[list[Any], Floats]:
        """Return the gradients of some words of a batch, in order, and their log probabilities."""
        shares = np.array_split(words, self.jobs)
        log_probs = [np.zeros(len(share)) for share in shares]

        def work(number: int, workspace: Any) -> tuple[int, Any]:
            entries = self.entries(number, log_probs[number])
            return kernels.gradients.gradients(
                workspace, batch.packed, shares[number], entries, learn
            ), entries

        return self.run(work, *batch.sizes), np.concatenate(log_probs)

    def entries(self, number: int, log_probs: Floats) -> Any:
        """Return a thread's buffers for the gradients of some words, kept from call to call."""
        held = self._entries.get(number)
        if held is None or len(held[0]) != self.capacity.entries:
            held = np.empty(self.capacity.entries, np.int32), np.empty(self.capacity.entries)
            self._entries[number] = held
        starts_of = np.zeros(len(log_probs) + 1, np.int32)
        return kernels.gradients.Entries(*held, starts_of, log_probs)
