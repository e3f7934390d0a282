"""The exact estimator: Z(w) over all forms and all trees of each, and its gradient (Eq. 4, 6).

The paper says that this can be done, by the Bar-Hillel construction, and samples instead. Here it
is for the paper's features. A constituent A from one state of the word's lattice to another,
writing m letters, weighs

    In(A) = leaf_A paths + sum over rules of rule In(B) In(C)
            + sum over strings s of (exp(omega(A, s)) - 1) path(s) T0_A(s),

where the sum is over the strings that have a weight of their own, and T0_A(s) is the tree sum of
s without it. States are places in the word with the letter written last; since no weight depends
on how many letters were written before, the length is a grade of the matrices and no state.

Time grows as (m^2 R (n A)^3) for the matrices and |K| n^3 for the strings, m = n + k: letters a
form may have, R rules of two children, n letters of the word, A of the alphabet, K strings.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from morphtree._util.arrays import Floats
from morphtree.errors import ModelError
from morphtree.features.span_features import TreeFeatures
from morphtree.joint.exact_paths import Level, Steps, StringPaths, grow
from morphtree.joint.exact_strings import StringTable, StringValues
from morphtree.joint.joint_model import JointModel, Weights

ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of one sum of products, relative to its terms
TOLERANCE = 1e-7  # of log Z; beyond it the answer is withheld


class Exact:
    """The exact sum of a model of trees with the paper's features.

    ``strings`` must hold every string that a feature of the model names, and every attested word
    that counts: a model knows them by their hashes only. Words have ``longest`` letters at most.
    """

    def __init__(self, model: JointModel[Any], strings: Iterable[str], longest: int) -> None:
        if not isinstance(model.spans, TreeFeatures) or model.temperature != 1.0:
            raise ModelError("the exact sum is for trees, at temperature 1")
        self.model = model
        self.longest = longest
        self.table = StringTable(model.spans, strings, longest + model.longer)
        chosen = np.flatnonzero(self.table.own)
        order = sorted(chosen.tolist(), key=self.table.strings.__getitem__)
        self._order = np.array(order, np.int64)
        width = int(self.table.lengths.max(initial=0))
        padded = "".join(self.table.strings[number].ljust(width, "\0") for number in order)
        codes = np.frombuffer(padded.encode("utf-32-le"), np.uint32)
        self._codes = codes.reshape(len(order), width)
        self._tries: tuple[Any, list[list[Level]]] = (None, [])

    def with_weights(self, weights: Weights) -> Exact:
        """Return the exact sum of the same model with other weights."""
        other = object.__new__(Exact)
        vars(other).update({k: v for k, v in vars(self).items() if k != "values"})
        other.model = self.model.with_weights(weights)
        return other

    @cached_property
    def values(self) -> StringValues:
        """The tree sums of all strings."""
        return StringValues(self.table, self.model.weights.spans)

    def sum(self, word: str) -> ExactSum:
        """Return the sum over all forms of a word."""
        if len(word) > self.longest:
            raise ModelError(f"the strings are for words of {self.longest} letters, not {word!r}")
        return ExactSum(self, word)

    def tries(self, alphabet: tuple[str, ...], longest: int) -> list[list[Level]]:
        """Return the strings that a lattice can write, as one trie for each first letter."""
        if self._tries[0] != (alphabet, longest):
            self._tries = (alphabet, longest), self._grow(alphabet, longest)
        return self._tries[1]

    def _grow(self, alphabet: tuple[str, ...], longest: int) -> list[list[Level]]:
        number = np.full(sys.maxunicode + 1, -1, np.int16)
        number[[ord(letter) for letter in alphabet]] = np.arange(len(alphabet))
        letters, lengths = number[self._codes], self.table.lengths[self._order]
        possible = ((letters < 0) == (self._codes == 0)).all(1) & (lengths <= longest)
        rows = np.flatnonzero(possible)
        borders = np.flatnonzero(np.diff(letters[rows, 0])) + 1
        return [
            grow(letters[part].astype(np.int64), lengths[part].astype(np.int64), self._order[part])
            for part in np.split(rows, borders)
            if len(part)
        ]


class ExactSum:
    """Z(w), and its gradient by all weights."""

    def __init__(self, exact: Exact, word: str) -> None:
        self.exact = exact
        self.model = exact.model
        self.match = exact.model.edits.match(word)
        self.lattice = exact.model.lattice(word)
        self.longest = self.lattice.longest
        self.steps = Steps(self.lattice.potentials)
        self.grammar = exact.table.rules.grammar
        self.rule = exact.values.rule

    def log_partition(self) -> float:
        """Log Z(w)."""
        if self._total <= 0.0 or self.rounding > TOLERANCE:
            raise ModelError(
                "string weights are so negative that the exact sum of"
                f" {self.match.word!r} loses its digits"
            )
        return math.log(self._total) + self.steps.log_scale

    @property
    def rounding(self) -> float:
        """A first-order bound of the error of log Z: terms cancel where strings weigh less."""
        terms = np.abs(self._inside) + 2 * self._removed
        return ROUNDING * float((np.abs(self._outside[0]) * terms).sum())

    def gradient(self) -> Weights:
        """Gradient of log Z(w), by hand: the outside pass, then strings and paths."""
        self.log_partition()
        values, steps = self.exact.values, self.steps
        rules = self._outside[1].copy()
        matrix, flows = self._string_flows()
        by_letters = np.zeros((steps.letters**2, steps.n + 1, steps.n + 1))
        extra = np.zeros_like(values.extra)
        labels = sorted(flows)
        weights = np.stack([values.extra[:, label] for label in labels])
        stacked = np.stack([flows[label] for label in labels])
        for paths in self._string_paths():
            for label in labels:
                paths.derivatives(flows[label], values.bare[:, label], extra[:, label])
            paths.backward(weights, stacked, by_letters)
        matrix += self._path_flows()
        pairs = by_letters.reshape(2 * (steps.letters,) + 2 * (steps.n + 1,))
        matrix[:-1] += pairs.transpose(2, 0, 3, 1).reshape(steps.states, steps.states)
        out = Weights(*(np.zeros_like(vector) for vector in self.model.weights))
        expected = values.backward(extra, rules)
        self.exact.table.matches.add_expected(expected, out.spans, 1.0)
        self.model.spans.rule_matches.add_expected(rules[:-1], out.spans, 1.0)
        self.model.edits.add_expected(self.match, steps.marginals(matrix), out.edits, 1.0)
        return out

    # -- inside --------------------------------------------------------------------------------

    def _string_paths(self) -> Iterator[StringPaths]:
        """Yield the paths of the strings, a first letter at a time: they take much memory."""
        for levels in self.exact.tries(self.lattice.alphabet, self.longest):
            yield StringPaths(self.steps, levels)

    @cached_property
    def _strings(self) -> tuple[dict[int, Floats], dict[int, Floats]]:
        """What strings add by label, from where the first letter is written; and its losses."""
        extra = self.exact.values.extra
        shape = self._string_shape
        labels = [label for label in range(extra.shape[1]) if extra[:, label].any()]
        gains = {label: np.zeros(shape) for label in labels}
        losses = {label: np.zeros(shape) for label in labels}
        for paths in self._string_paths():
            for label in labels:
                paths.add(np.maximum(extra[:, label], 0.0), gains[label])
                paths.add(np.maximum(-extra[:, label], 0.0), losses[label])
        states = self.steps.states
        flat = self.longest + 1, states, states
        return (
            {label: array.reshape(flat) for label, array in gains.items()},
            {label: array.reshape(flat) for label, array in losses.items()},
        )

    @property
    def _string_shape(self) -> tuple[int, ...]:
        places, size = self.steps.n + 1, self.steps.letters
        return self.longest + 1, places, size, places, size

    @property
    def _open_leaves(self) -> list[tuple[int, int]]:
        """The labels that spell any string, and their rules."""
        closed = self.exact.table.rules.closed
        return [(label, number) for label, number in self.grammar.leaves if label not in closed]

    @cached_property
    def _paths(self) -> Floats:
        """The paths of all strings, by length."""
        matrix = self.steps.matrix
        paths = np.zeros((self.longest + 1, *matrix.shape))
        for length in range(1, self.longest + 1):
            paths[length] = paths[length - 1] @ matrix[:-1] if length > 1 else matrix
        return paths

    @cached_property
    def _removed(self) -> Floats:
        """What strings that weigh less than any string take away, (labels, lengths, ...)."""
        removed = np.zeros((len(self.grammar.labels), *self._paths.shape))
        for label, losses in self._strings[1].items():
            removed[label] = self.steps.matrix @ losses
        return removed

    @cached_property
    def _inside(self) -> Floats:
        """In(A) by length, (labels, lengths, states + 1, states)."""
        inside = np.zeros((len(self.grammar.labels), *self._paths.shape))
        for label, gains in self._strings[0].items():
            inside[label] += self.steps.matrix @ gains
        inside -= self._removed
        for label, number in self._open_leaves:
            inside[label] += self.rule[number] * self._paths
        for length in range(1, self.longest + 1):
            for rule in self.grammar.binary:
                parent, left, right, number = rule
                for k in self._splits(inside, rule, length):
                    product = inside[left, k] @ inside[right, length - k, :-1]
                    inside[parent, length] += self.rule[number] * product
            for parent, child, number in self.grammar.unary:
                inside[parent, length] += self.rule[number] * inside[child, length]
        return inside

    def _splits(self, inside: Floats, rule: tuple[int, ...], length: int) -> list[int]:
        """The lengths that a left part can have; most are impossible for affixes."""
        _, left, right, _ = rule
        return [
            k for k in range(1, length) if inside[left, k].any() and inside[right, length - k].any()
        ]

    @cached_property
    def _total(self) -> float:
        whole = self._inside[self.grammar.start, :, -1].reshape(
            self.longest + 1, self.steps.n + 1, -1
        )
        return float(whole[:, -1].sum())

    # -- outside -------------------------------------------------------------------------------

    @cached_property
    def _outside(self) -> tuple[Floats, Floats]:
        """The derivatives of log Z by In(A), as `_inside`, and by the log weights of the rules.

        The latter lack what the strings add.
        """
        inside, rules = self._inside, np.zeros(len(self.rule))
        outside = np.zeros_like(inside)
        places = outside[self.grammar.start, :, -1].reshape(self.longest + 1, self.steps.n + 1, -1)
        places[:, -1] = 1.0 / self._total
        for length in range(self.longest, 0, -1):
            for parent, child, number in reversed(self.grammar.unary):
                flow = self.rule[number] * outside[parent, length]
                outside[child, length] += flow
                rules[number] += float((flow * inside[child, length]).sum())
            for rule in self.grammar.binary:
                parent, left, right, number = rule
                flow = self.rule[number] * outside[parent, length]
                for k in self._splits(inside, rule, length):
                    back = flow @ inside[right, length - k, :-1].T
                    outside[left, k] += back
                    outside[right, length - k, :-1] += inside[left, k].T @ flow
                    rules[number] += float((back * inside[left, k]).sum())
        for label, number in self._open_leaves:
            rules[number] += self.rule[number] * float((outside[label] * self._paths).sum())
        return outside, rules

    def _string_flows(self) -> tuple[Floats, dict[int, Floats]]:
        """The derivatives by the steps of strings' first letters, and by strings' paths."""
        matrix = self.steps.matrix
        by_matrix, flows = np.zeros_like(matrix), {}
        gains, losses = self._strings
        for label in gains:
            outside = self._outside[0][label]
            for length in range(1, self.longest + 1):
                by_matrix += outside[length] @ (gains[label][length] - losses[label][length]).T
            flows[label] = (matrix.T @ outside).reshape(self._string_shape)
        return by_matrix, flows

    def _path_flows(self) -> Floats:
        """The derivatives by the steps of the paths of all strings."""
        matrix, by_matrix = self.steps.matrix, np.zeros_like(self.steps.matrix)
        flow = np.zeros_like(matrix)
        for length in range(self.longest, 0, -1):
            for label, number in self._open_leaves:
                flow += self.rule[number] * self._outside[0][label, length]
            if length == 1:
                by_matrix += flow
            else:
                by_matrix[:-1] += self._paths[length - 1].T @ flow
                flow = flow @ matrix[:-1].T
        return by_matrix
