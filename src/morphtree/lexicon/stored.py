"""Stored derivations: the readings of a treebank's words, beside a model that computes others.

As in adaptor and fragment grammars (Johnson et al. 2007, O'Donnell 2015), what is known is stored
and what is new is computed. A stored word has its stored readings. Inside other words its last
step is known, by its canonical form: in a chart, whatever contradicts it weighs less by a log
weight, so an inner word is as the treebank has it unless the evidence against that is stronger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Hashes, Ints
from morphtree._util.hashing import HashTable, code_points, hash_text
from morphtree._util.text import shared_prefix
from morphtree.trees.grammar import PAPER, Grammar
from morphtree.trees.tree import Tree

Bytes = NDArray[np.uint8]
ARITY_AT, LABEL_MASK = kernels.stored.LAYOUT
MOST_LETTERS = 255  # of a form: a length is a byte
MOST_CHILDREN = 7  # of a node: three bits
MOST_RULES = 255  # of a grammar: a rule is a byte
SPELT = -1  # in place of a binary rule: the word is simple


class Step(NamedTuple):
    """The last step of a word: a rule of the grammar, and the letters of its first part."""

    rule: int
    first: int  # 0: the rule spells


@dataclass(frozen=True, eq=False)
class Stored:
    """Readings by word, and last steps by canonical form; words and forms by their hashes.

    W words have R readings of N nodes in all; F forms have S last steps. A form is the word's
    head, letters in between and the word's tail.
    """

    words: Hashes  # (W,)  rising
    readings: Bytes  # (W,)  how many
    probs: NDArray[np.float32]  # (R,)  among the readings of a word
    heads: Bytes  # (R,)  letters
    tails: Bytes  # (R,)
    middles: NDArray[np.uint16]  # (R,)  number of a string
    strings: tuple[str, ...]  # that stand in between
    sizes: Bytes  # (R,)  nodes
    nodes: Bytes  # (N,)  label, and above it the number of children
    lengths: Bytes  # (N,)  letters
    forms: Hashes  # (F,)  rising
    steps: Bytes  # (F,)  how many
    rules: Bytes  # (S,)
    firsts: Bytes  # (S,)  letters of the first part
    letters: Bytes  # of the words in their order, a line each; or nothing: they are not known
    weight: float = 0.0  # log weight of following a stored step

    @staticmethod
    def of(words: Mapping[str, Sequence[Tree]], grammar: Grammar, weight: float = 0.0) -> Stored:
        """Store words with their readings, all equally likely; those of another grammar are not."""
        kept = {
            word: found
            for word, trees in words.items()
            if (
                found := [
                    _Flat.of(word, tree, grammar) for tree in trees if can_store(tree, grammar)
                ]
            )
        }
        order = sorted(kept, key=hash_text)
        flat = [reading for word in order for reading in kept[word]]
        strings = tuple(dict.fromkeys(("", *(reading.middle for reading in flat))))
        number = {string: place for place, string in enumerate(strings)}
        return Stored(
            np.array([hash_text(word) for word in order], np.uint64),
            _bytes(len(kept[word]) for word in order),
            np.array([1 / len(kept[w]) for w in order for _ in kept[w]], np.float32),
            _bytes(reading.head for reading in flat),
            _bytes(reading.tail for reading in flat),
            np.array([number[reading.middle] for reading in flat], np.uint16),
            strings,
            _bytes(len(reading.nodes) for reading in flat),
            _bytes(node for reading in flat for node, _ in reading.nodes),
            _bytes(length for reading in flat for _, length in reading.nodes),
            *_last_steps(kept, grammar),
            np.frombuffer("".join(f"{word}\n" for word in order).encode(), np.uint8),
            weight,
        )

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        place = np.searchsorted(self.words, np.uint64(hash_text(word)))
        return bool(place < len(self) and self.words[place] == hash_text(word))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays, by name."""
        found = {name: getattr(self, name) for name in (item.name for item in fields(self))}
        return {name: array for name, array in found.items() if isinstance(array, np.ndarray)}

    def with_weight(self, weight: float) -> Stored:
        """Return the same derivations with another weight."""
        return replace(self, weight=weight)

    def with_probs(self, probs: Floats) -> Stored:
        """Return the same readings with other probabilities; the likeliest of a word come first."""
        word = np.repeat(np.arange(len(self)), self.readings)
        order = np.lexsort((-probs, word))
        nodes = np.argsort(np.repeat(np.argsort(order), self.sizes), kind="stable")
        return replace(
            self, probs=probs[order].astype(np.float32), heads=self.heads[order],
            tails=self.tails[order], middles=self.middles[order], sizes=self.sizes[order],
            nodes=self.nodes[nodes], lengths=self.lengths[nodes],
        )  # fmt: skip

    @cached_property
    def spelt(self) -> tuple[str, ...]:
        """The words in the order of their hashes; none if the model's file does not name them."""
        lines = self.letters.tobytes().decode(errors="replace")
        return tuple(lines.split("\n")[:-1])

    def last_steps(self, number: int) -> list[Step]:
        """Return the last steps of the form of some number."""
        rows = slice(*self._step_firsts[number : number + 2].tolist())
        return [*map(Step, self.rules[rows].tolist(), self.firsts[rows].tolist())]

    @cached_property
    def _step_firsts(self) -> Ints:
        return _firsts(self.steps)

    # -- for the kernels -----------------------------------------------------------------------

    @property
    def most_steps(self) -> int:
        """How many last steps a form has at most."""
        return int(self.steps.max(initial=0))

    def kernel_steps(self, grammar: Grammar) -> Any:
        """The last steps as the kernels read them: by rules of the binarised grammar."""
        binary = np.full(len(grammar.rules), SPELT, np.int32)
        for place, rule in enumerate(grammar.binarised.binary):
            if rule[3] >= 0:
                binary[rule[3]] = place
        steps = np.stack([binary[self.rules], self.firsts.astype(np.int32)], 1)
        return kernels.stored.StoredSteps(
            HashTable(self.forms).kernel, self._step_firsts, steps, HashTable(self.words).kernel
        )

    def kernel_words(self, alphabet: str) -> Any:
        """The readings as the kernels read them."""
        text, letters = "".join(self.strings), {x: n for n, x in enumerate(alphabet)}
        spelt = [letters.get(x, len(alphabet) + ord(x)) for x in text]
        return kernels.stored.StoredWords(
            HashTable(self.words).kernel,
            _firsts(self.readings),
            tuple(array.astype(np.int32) for array in (self.heads, self.tails, self.middles)),
            (
                np.cumsum([0, *map(len, self.strings)]).astype(np.int32), code_points(text),
                np.array(spelt, np.int32), code_points(alphabet),
            ),
            (_firsts(self.sizes), self.nodes, self.lengths),
            self.probs.astype(np.float64),
        )  # fmt: skip


class _Flat(NamedTuple):
    """A reading without letters that the word has."""

    head: int
    middle: str
    tail: int
    nodes: tuple[tuple[int, int], ...]  # label and arity, length
    steps: tuple[tuple[str, Step], ...]  # of every word inside, by canonical form

    @staticmethod
    def of(word: str, tree: Tree, grammar: Grammar) -> _Flat:
        form = tree.form
        head = shared_prefix(word, form)
        tail = shared_prefix(word[head:][::-1], form[head:][::-1])
        nodes = tuple(
            (label | len(grammar.rules[rule].children) << ARITY_AT, end - start)
            for label, start, end, rule in grammar.anchored(tree)
        )
        steps = tuple((form[i:j], step) for i, j, step in last_steps(tree, grammar))
        return _Flat(head, form[head : len(form) - tail], tail, nodes, steps)


def last_steps(tree: Tree, grammar: Grammar) -> Iterator[tuple[int, int, Step]]:
    """Yield start, end and last step of every word inside a tree, the whole one included."""
    anchored = [*grammar.anchored(tree)]
    for place, (label, start, end, rule) in enumerate(anchored):
        children = grammar.rules[rule].children
        if label in grammar.branching and len(children) != 1:
            yield start, end, Step(rule, anchored[place + 1][2] - start if children else 0)


def can_store(tree: Tree, grammar: Grammar) -> bool:
    """Whether a tree can be stored: its numbers are bytes."""
    nodes = [*tree.nodes()]
    widest = max(len(node.children) for node in nodes)
    small = max(len(tree.form), len(nodes) + 1) <= MOST_LETTERS and widest <= MOST_CHILDREN
    numbered = len(grammar.labels) <= LABEL_MASK + 1 and len(grammar.rules) <= MOST_RULES
    return small and numbered and grammar.derives(tree)


def _last_steps(
    words: Mapping[str, Sequence[_Flat]], grammar: Grammar
) -> tuple[Hashes, Bytes, Bytes, Bytes]:
    """Collect the last steps of all words, and of all words inside, by canonical form."""
    found: dict[str, dict[Step, None]] = defaultdict(dict)
    for readings in words.values():
        for reading in readings:
            for form, step in reading.steps:
                found[form][step] = None
    order = sorted(found, key=hash_text)
    steps = [step for form in order for step in found[form]]
    return (
        np.array([hash_text(form) for form in order], np.uint64),
        _bytes(len(found[form]) for form in order),
        _bytes(step.rule for step in steps),
        _bytes(step.first for step in steps),
    )


def _bytes(values: Iterator[int] | Any) -> Bytes:
    return np.fromiter(values, np.uint8)


def _firsts(counts: Bytes) -> Ints:
    """Return where each starts of things that are so many, and where the last one ends."""
    return np.append(0, np.cumsum(counts, dtype=np.int64)).astype(np.int32)


NOTHING_STORED = Stored.of({}, PAPER)
