"""Engine: the joint model on many words at once, straight from features to gradients.

`joint.py` says what is meant; this is the same in few calls of the kernels, for training and for
parsing many words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.features.edit_features import EditFeatures
from morphtree.features.span_features import SpanFeatures
from morphtree.features.templates import Ints, code_points
from morphtree.structures.edits import Floats

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


def starts(lengths: Iterable[int]) -> Ints:
    """Return where each of several rows starts when they are laid end to end."""
    return np.cumsum([0, *lengths]).astype(np.int32)


class Packer:
    """Turns examples into flat arrays, with the letters of one alphabet."""

    def __init__(self, alphabet: str) -> None:
        self.alphabet = code_points(alphabet)
        self.size = len(alphabet)
        self.numbers = np.full(0x110000, -1, np.int32)
        self.numbers[self.alphabet] = np.arange(self.size)

    def text(self, strings: Sequence[str]) -> tuple[NDArray[np.int64], Ints, Ints]:
        """Return code points, letters and starts; an unknown letter is A plus its code point."""
        codes = code_points("".join(strings))
        letters = self.numbers[codes]
        unknown = letters < 0
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
        offsets = [np.zeros(len(e.forms)) if e.offsets is None else e.offsets for e in examples]
        golds = [gold for example in examples for gold in example.golds]
        gold_form = [
            first + example.forms.index(gold.form)
            for first, example in zip(first_form.tolist(), examples, strict=False)
            for gold in example.golds
        ]
        nodes = [node for gold in golds for node in gold.nodes]
        packed = kernels.sums.Batch(
            words,
            (*self.text(forms), first_form, np.concatenate([np.zeros(0), *offsets])),
            (
                starts(len(example.golds) for example in examples),
                np.array(gold_form, np.int32),
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
        )


@dataclass
class Room:
    """How much scratch space a thread has; it grows when it is too small."""

    word: int = 32
    form: int = 40
    forms: int = 64
    rows: int = 1 << 12
    features: int = 1 << 16
    matches: int = 1 << 14
    pairs: int = 1 << 18


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
        self._room = Room()
        self._bigram_starts, self._bigram_features = edits.bigram_matches.by_cell()
        self._rule_starts, self._rule_features = spans.rule_matches.by_cell()
        self.bigrams = np.zeros(edits.bigram_matches.shape)
        self.rules = np.zeros(spans.rule_matches.shape)
        self._pool = ThreadPoolExecutor(self.jobs)
        self._scratch: list[Any] = []
        self._lock = Lock()
        self._pair_buffers: dict[int, tuple[Ints, Floats]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take note of changed weights."""
        split = len(self.edits.index)
        self.bigrams[...] = self.edits.bigram_matches.scores(self.weights[:split])
        self.rules[...] = self.spans.rule_matches.scores(self.weights[split:])

    def cool(self, temperature: float) -> None:
        """Divide the log scores of forms by a temperature from now on; take note of weights."""
        self.temperature = temperature
        for sums in self._scratch:
            sums.cool = 1.0 / temperature
        self.refresh()

    @property
    def edit_weights(self) -> Floats:
        """The weights of the transducer."""
        return self.weights[: len(self.edits.index)]

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterable[Result]:
        """Let the threads work."""
        return map(work, items) if self.jobs == 1 else self._pool.map(work, items)

    def scratch(self, batch: Batch) -> list[Any]:
        """Return one `Sums` for each thread, large enough for a batch."""
        return self.scratch_for(batch.longest_word, batch.longest_form, batch.most_forms)

    def scratch_for(self, word: int, form: int, forms: int) -> list[Any]:
        """Return one `Sums` for each thread, large enough for such words and forms."""
        with self._lock:  # several threads may ask at once
            return self._scratch_for(word, form, forms)

    def _scratch_for(self, word: int, form: int, forms: int) -> list[Any]:
        room = self._room
        if not self._scratch or word > room.word or form > room.form or forms > room.forms:
            room.word = max(room.word, word)
            room.form = max(room.form, form)
            room.forms = max(room.forms, forms)
            self._scratch = [self._sums() for _ in range(self.jobs)]
        return self._scratch

    def grow(self, trouble: int) -> None:
        """Make more room where there was too little."""
        if trouble == 1:
            self._room.rows *= 2
            self._room.features *= 2
        elif trouble == 2:
            self._room.matches *= 2
        else:
            self._room.pairs *= 2
        self._scratch = []

    def _sums(self) -> Any:
        room, size = self._room, len(self.edits.alphabet)
        n, m = room.word + 1, room.form + 1
        split = len(self.edits.index)
        edits = kernels.pairs.Edits(
            self.edits.kernel_templates,
            (self.bigrams, self._bigram_starts, self._bigram_features),
            (
                np.zeros(n, np.int32),
                np.zeros(room.matches, np.int32),
                np.zeros(room.matches, np.int32),
            ),
            (
                np.zeros((n, 2 * size + 3)),
                np.zeros((n, 2 * size + 3)),
                np.zeros_like(self.bigrams),
                np.zeros((self.bigrams.size, 3), np.int32),
            ),
            (np.zeros((m, n)), np.zeros((m, n)), np.zeros(m, np.int32)),
        )
        labels = len(self.spans.grammar.binarised.labels)
        sums = kernels.sums.Sums(
            edits,
            self.spans.kernel_tables,
            self.spans.scratch(max(room.word, room.form), room.features, room.rows),
            (self.weights[:split], self.weights[split:]),
            (self.rules, self._rule_starts, self._rule_features, np.zeros_like(self.rules)),
            (np.zeros((m, m + 1, labels)), np.zeros((m, m + 1, labels))),
            (np.zeros((2, labels)), np.zeros(m + 1, np.int32), np.zeros(room.forms)),
        )
        sums.cool = 1.0 / self.temperature
        return sums

    def pair_scores(self, batch: Batch) -> Floats:
        """Log S(u, w) of every form of a batch, by the transducer alone."""
        scores = np.zeros(batch.forms)
        shares = np.array_split(np.arange(len(batch.examples), dtype=np.int32), self.jobs)
        while True:
            sums = self.scratch(batch)

            def work(number: int, sums: list[Any] = sums) -> int:
                state: int = kernels.forms.pair_scores(
                    sums[number].edits, batch.packed, shares[number], self.edit_weights, scores
                )
                return state

            trouble = max(self.map(work, range(self.jobs)))
            if not trouble:
                return scores
            self.grow(trouble)

    def stacked(self, examples: Sequence[Example], weight: float) -> list[Example]:
        """Return examples with the transducer's log scores of their forms, weighted, as offsets."""
        scores = weight * self.pair_scores(self.packer.pack(examples))
        cuts = starts(len(example.forms) for example in examples).tolist()
        return [
            replace(example, offsets=scores[a:b])
            for example, (a, b) in zip(examples, pairwise(cuts), strict=True)
        ]

    def entries(self, words: int, pairs: int) -> Any:
        """Return room for the gradients of some words."""
        return kernels.gradients.Entries(
            np.empty(pairs, np.int32), np.empty(pairs), np.zeros(words + 1, np.int32),
            np.zeros(words),
        )  # fmt: skip

    def gradients(
        self, batch: Batch, words: Ints, *, learn: bool = True
    ) -> tuple[list[Any], Floats]:
        """Return the gradients of some words of a batch, in order, and their log probabilities."""
        shares = np.array_split(words, self.jobs)

        def work(number: int) -> Any:
            starts_of = np.zeros(len(shares[number]) + 1, np.int32)
            entries = kernels.gradients.Entries(
                *self._pairs_of(number), starts_of, log_probs[number]
            )
            return kernels.gradients.gradients(
                scratch[number], batch.packed, shares[number], entries, learn
            ), entries

        while True:
            scratch = self.scratch(batch)
            log_probs = [np.zeros(len(share)) for share in shares]
            results = list(self.map(work, range(self.jobs)))
            trouble = max(state for state, _ in results)
            if not trouble:
                return [entries for _, entries in results], np.concatenate(log_probs)
            self.grow(trouble)
            self._pair_buffers = {}

    def _pairs_of(self, number: int) -> tuple[Ints, Floats]:
        if number not in self._pair_buffers:
            pairs = self._room.pairs
            self._pair_buffers[number] = np.empty(pairs, np.int32), np.empty(pairs)
        return self._pair_buffers[number]
