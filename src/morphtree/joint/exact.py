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

import sys
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from morphtree.errors import ModelError
from morphtree.features.span_features import TreeFeatures
from morphtree.joint.exact_paths import Level, grow
from morphtree.joint.exact_strings import StringTable, StringValues
from morphtree.joint.exact_sum import ExactSum
from morphtree.joint.joint_model import JointModel, Weights


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
