"""Edit paths between the states of a word's lattice: of all strings, and of given ones.

A state is a place in the word and the letter written last. Paths are graded by how many letters
they write. A deletion belongs to the letter on its left, and those before the first letter to
the start, so that a path through several spans is the product of its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from morphtree._util.arrays import Floats
from morphtree.features.potentials import EditMarginals, EditPotentials

Ints = NDArray[np.int64]


class Steps:
    """One letter written: a matrix over the states of a word.

    Rows are the states (place, last letter) and then the start; columns are the states.
    """

    def __init__(self, potentials: EditPotentials) -> None:
        p = potentials
        self.n, self.letters = map(int, p.substitute.shape)
        shift = np.maximum(p.substitute.max(1, initial=-np.inf), p.delete)  # every path reads all
        shift = np.where(np.isfinite(shift), shift, 0.0)
        self.log_scale = float(shift.sum())
        rows = p.classes
        self.substitute = np.exp(
            (p.substitute - shift[:, None])[:, None, :] + p.bigrams.substitute[rows]
        )  # (n, A+1, A)
        self.insert = np.exp(p.insert[:, None, :] + p.bigrams.insert)  # (n+1, A+1, A)
        self.delete = np.exp((p.delete - shift)[:, None] + p.bigrams.delete[rows])  # (n, A+1)

    @property
    def states(self) -> int:
        """The number of places and letters written last."""
        return (self.n + 1) * self.letters

    @cached_property
    def deletions(self) -> Floats:
        """The weight of deleting from one place to another, (A+1, n+1, n+1)."""
        out = np.zeros((self.letters + 1, self.n + 1, self.n + 1))
        for i in range(self.n + 1):
            out[:, i, i] = 1.0
            for j in range(i, self.n):
                out[:, i, j + 1] = out[:, i, j] * self.delete[j]
        return out

    @cached_property
    def full(self) -> Floats:
        """The weight of one letter and the deletions after it, (n+1, A+1, n+1, A)."""
        after = self.deletions[:-1]  # (A, n+1, n+1)
        out: Floats = np.einsum("icd,dij->icjd", self.insert, after)
        out[:-1] += np.einsum("icd,dij->icjd", self.substitute, after[:, 1:])
        return out

    @cached_property
    def matrix(self) -> Floats:
        """All of it as a matrix, (states + 1, states)."""
        inner = self.full[:, :-1].reshape(self.states, self.states)
        first = np.einsum("i,ijd->jd", self.deletions[-1, 0], self.full[:, -1])
        return np.vstack([inner, first.reshape(1, -1)])

    @cached_property
    def by_letters(self) -> Floats:
        """The same by letters: from the last one to the next, (A, A, n+1, n+1)."""
        return np.ascontiguousarray(self.full[:, :-1].transpose(1, 3, 0, 2))

    def marginals(self, matrix: Floats) -> EditMarginals:
        """Return the expected edits, given the derivative by `matrix`."""
        n, size = self.n, self.letters
        out = np.zeros((n + 1, size + 1, n + 1, size))
        out[:, :-1] = matrix[:-1].reshape(n + 1, size, n + 1, size)
        first = matrix[-1].reshape(n + 1, size)
        out[:, -1] = self.deletions[-1, 0][:, None, None] * first
        after = self.deletions[:-1]
        insert = self.insert * np.einsum("icjd,dij->icd", out, after)
        substitute = self.substitute * np.einsum("icjd,dij->icd", out[:-1], after[:, 1:])
        deletions = np.zeros_like(self.deletions)
        deletions[:-1] = np.einsum("icjd,icd->dij", out, self.insert)
        deletions[:-1, 1:] += np.einsum("icjd,icd->dij", out[:-1], self.substitute)
        deletions[-1, 0] += np.einsum("ijd,jd->i", self.full[:, -1], first)
        deletions *= self.deletions
        delete = np.array([deletions[:, : t + 1, t + 1 :].sum((1, 2)) for t in range(n)])
        return EditMarginals(substitute, insert, delete.reshape(n, size + 1))


@dataclass(frozen=True)
class Level:
    """The prefixes of one length that strings with one first letter have."""

    parents: Ints  # their places in the level before
    last: Ints
    letter: Ints
    ends: Ints  # nodes where a string ends
    strings: Ints  # the numbers of those strings


def grow(letters: Ints, lengths: Ints, numbers: Ints) -> list[Level]:
    """Make the trie of strings in alphabetical order; ``letters`` is padded with -1."""
    differs = np.ones(letters.shape, bool)
    differs[1:] = letters[1:] != letters[:-1]
    differs = np.logical_or.accumulate(differs, axis=1)
    levels: list[Level] = []
    node = np.zeros(len(letters), np.int64)
    for depth in range(int(lengths.max(initial=0))):
        there = lengths > depth
        new = np.flatnonzero(there & differs[:, depth])
        parents = node[new]
        node = np.cumsum(there & differs[:, depth]) - 1
        ends = np.flatnonzero(lengths == depth + 1)
        last = letters[new, depth - 1] if depth else letters[new, 0]
        levels.append(Level(parents, last, letters[new, depth], node[ends], numbers[ends]))
    return levels


def sum_by(keys: Ints, values: Floats, size: int) -> Floats:
    """Add up the values, (N, ...), that have the same key, (N,), into (size, ...)."""
    out = np.zeros((size, *values.shape[1:]))
    if len(keys):
        order = np.argsort(keys, kind="stable")
        found, starts = np.unique(keys[order], return_index=True)
        out[found] = np.add.reduceat(values[order], starts)
    return out


class StringPaths:
    """The paths of given strings that share a first letter, from where that letter is written."""

    def __init__(self, steps: Steps, levels: list[Level]) -> None:
        self.steps = steps
        self.levels = levels
        self.first = int(levels[0].letter[0])
        self.tables = [np.eye(steps.n + 1)[None]]  # (prefixes, n+1, n+1) of each length
        for level in levels[1:]:
            step = steps.by_letters[level.last, level.letter]
            self.tables.append(self.tables[-1][level.parents] @ step)

    def add(self, weights: Floats, out: Floats) -> None:
        """Add the weighted paths of all strings to out, (lengths, n+1, A, n+1, A)."""
        for length, (level, table) in enumerate(zip(self.levels, self.tables, strict=True), 1):
            chosen = np.flatnonzero(weights[level.strings])
            ends = level.ends[chosen]
            paths = table[ends] * weights[level.strings[chosen], None, None]
            sums = sum_by(level.letter[ends], paths, self.steps.letters)
            out[length][:, self.first] += sums.transpose(1, 2, 0)

    def derivatives(self, flows: Floats, trees: Floats, out: Floats) -> None:
        """Set the derivatives by the weights of strings that have trees.

        ``flows`` are the derivatives by what `add` adds to.
        """
        for length, (level, table) in enumerate(zip(self.levels, self.tables, strict=True), 1):
            chosen = np.flatnonzero(trees[level.strings])
            ends = level.ends[chosen]
            flow = flows[length][:, self.first].transpose(2, 0, 1)[level.letter[ends]]
            out[level.strings[chosen]] = np.einsum("sij,sij->s", table[ends], flow)

    def backward(self, weights: Floats, flows: Floats, out: Floats) -> None:
        """Add the derivatives by the steps, (A * A, n+1, n+1); (labels, ...) in both arguments."""
        above = np.zeros(0)
        for length in range(len(self.levels), 0, -1):
            level, table = self.levels[length - 1], self.tables[length - 1]
            own = np.zeros_like(table)
            for row, flow in zip(weights, flows, strict=True):
                chosen = np.flatnonzero(row[level.strings])
                ends = level.ends[chosen]
                by_letter = flow[length][:, self.first].transpose(2, 0, 1)[level.letter[ends]]
                own[ends] += row[level.strings[chosen], None, None] * by_letter
            if length < len(self.levels):
                own += sum_by(self.levels[length].parents, above, len(own))
            if length > 1:
                before = self.tables[length - 2][level.parents]
                pairs = level.last * self.steps.letters + level.letter
                out += sum_by(pairs, before.transpose(0, 2, 1) @ own, len(out))
                step = self.steps.by_letters[level.last, level.letter]
                above = own @ step.transpose(0, 2, 1)
