"""EditLattice: one word's distribution over canonical forms (Eq. 1, alignments summed out)."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._kernels._constants import FINE, LOST, ZEROS
from morphtree._util.arrays import Floats
from morphtree.errors import ModelError
from morphtree.features.edit_features import EditFeatures, WordMatches
from morphtree.features.potentials import (
    Bigrams,
    EditMarginals,
    EditPotentials,
    PairMarginals,
    padded_size,
)
from morphtree.structures.distribution import LOST_WEIGHTS, Distribution, Ranking, Scored, require

Result = TypeVar("Result")
Ints = NDArray[np.int32]
MAX_SUBSETS = 100_000  # states of the automaton that counts forms


class EditLattice(Distribution[str]):
    """All forms of at most ``longest`` letters; alignments are summed out.

    ``logs`` forces log space (true) or scaled numbers (false); by default scaled numbers are
    tried first and log space is the fallback.
    """

    what = "form"

    def __init__(
        self,
        potentials: EditPotentials,
        alphabet: Sequence[str],
        longest: int,
        *,
        logs: bool | None = None,
    ) -> None:
        self.potentials = potentials
        self.alphabet = tuple(alphabet)
        self.longest = longest
        self._ids = _numbering(self.alphabet)
        self._arithmetics = (False, True) if logs is None else (logs,)
        self._cache: dict[tuple[str, bool], Any] = {}
        if len(self._ids) != self.potentials.bigrams.insert.shape[1] or longest < 0:
            raise ModelError("a lattice needs one letter for each column of its weights")

    @staticmethod
    def of(
        features: EditFeatures, match: WordMatches, weights: Floats, bigrams: Bigrams, longer: int
    ) -> EditLattice:
        """Return the distribution over the forms of a word, at most so many letters longer."""
        potentials = features.potentials(match, weights, bigrams)
        return EditLattice(potentials, match.alphabet, len(match.word) + longer)

    # -- the verbs -----------------------------------------------------------------------------

    def score(self, form: str) -> float:
        """Log weight of a form, all its alignments summed: the pair table."""
        return self._pair(form, False)[0]

    def log_partition(self) -> float:
        """Log Z_eta(w): all forms, all alignments."""
        return self._first_sound(self._log_total)

    def marginals(self) -> EditMarginals:
        """Probability of every edit."""
        self._require_mass()
        return self._first_sound(self._expect)

    def counts(self, form: str) -> EditMarginals:
        """Probability of every edit, given the form."""
        pair = self.pair_marginals(form)
        n, size = self.potentials.substitute.shape
        counts = EditMarginals(
            np.zeros((n, size + 1, size)),
            np.zeros((n + 1, size + 1, size)),
            np.zeros((n, size + 1)),
        )
        written = np.array(self._encode(form), int)
        last = np.append(size, written)
        rows = np.arange(n + 1)[:, None]
        np.add.at(counts.substitute, (rows[:-1], last[:-1], written), pair.substitute)
        np.add.at(counts.insert, (rows, last[:-1], written), pair.insert)
        np.add.at(counts.delete, (rows[:-1], last), pair.delete)
        return counts

    def sample(self, size: int, *, rng: np.random.Generator) -> list[str]:
        """Draw forms."""
        require(size, 0, "samples")
        self._require_mass()
        return self._first_sound(lambda logs: self._sample(logs, size, rng))

    def top_k(self, k: int, *, cap: int = 20_000) -> Ranking[str]:
        """Return the k best distinct forms; at most ``cap`` prefixes are expanded."""
        require(k, 1, "best forms")
        require(cap, 1, "steps of the search")
        return self._first_sound(lambda logs: self._search(logs, k, cap))

    def log_count(self) -> float:
        """Log of the number of possible forms."""
        if self.potentials.finite:
            size = len(self.alphabet)
            return math.log(sum(size**length for length in range(self.longest + 1)))
        count = count_forms(self.potentials, self.longest)
        return math.log(count) if count else -math.inf

    # -- more of the lattice -------------------------------------------------------------------

    def pair_marginals(self, form: str) -> PairMarginals:
        """Probability of every edit, given the form: the gradient of `score`."""
        total, edits = self._pair(form, True)
        if total == -math.inf:
            raise ModelError(f"the form {form!r} is impossible here and has no alignment")
        inner = slice(1, -1)  # edits stand where they arrive, row by row of the form
        return PairMarginals(
            edits[0, inner, inner].T, edits[1, inner, :-1].T, edits[2, :-1, inner].T
        )

    # -- private -------------------------------------------------------------------------------

    def _first_sound(self, attempt: Callable[[bool], Result | None]) -> Result:
        """Return the first answer that is not lost to underflow."""
        for logs in self._arithmetics:
            answer = attempt(logs)
            if answer is not None:
                return answer
        raise ModelError(LOST_WEIGHTS)

    def _encode(self, form: str) -> array[int] | None:
        """Number the letters of a form; None if no path can write it."""
        if len(form) > self.longest:
            return None
        try:
            return array("i", map(self._ids.__getitem__, form))
        except KeyError:
            return None

    def _decode(self, ids: Sequence[int] | NDArray[np.int32]) -> str:
        return "".join(self.alphabet[number] for number in ids)

    def _arcs(self, logs: bool) -> Any:
        """The kernel's view of the weights, for one call; None if they do not fit."""
        arcs = self._shared_arcs(logs)
        return None if arcs is None else with_workspace(arcs)

    def _shared_arcs(self, logs: bool) -> Any:
        """The same without workspace, for kernels that need none."""
        if ("arcs", logs) not in self._cache:
            self._cache["arcs", logs] = make_arcs(self.potentials, logs)
        return self._cache["arcs", logs]

    def _table(self, direction: str, logs: bool) -> tuple[Floats, Ints] | None:
        """The filled forward or backward table; None if scaled numbers cannot hold it."""
        if (direction, logs) not in self._cache:
            self._cache[direction, logs] = self._fill(direction, logs)
        table: tuple[Floats, Ints] | None = self._cache[direction, logs]
        return table

    def _fill(self, direction: str, logs: bool) -> tuple[Floats, Ints] | None:
        arcs = self._arcs(logs)
        if arcs is None:
            return None
        cells, exponents, state = fill(arcs, self.longest, direction)
        if state == FINE or (state == ZEROS and self._zeros_are_true(direction, cells)):
            return cells, exponents
        return None

    def _zeros_are_true(self, direction: str, cells: Floats) -> bool:
        """Whether no path leads to the states of weight zero: count the paths to see."""
        if self.potentials.finite:
            return False
        arcs = with_workspace(make_arcs(self.potentials.indicator, False))
        counts, _, state = fill(arcs, self.longest, direction)
        return state != LOST and not bool(((cells == 0.0) & (counts > 0.0)).any())

    def _log_total(self, logs: bool) -> float | None:
        table = self._table("forward", logs)
        return None if table is None else float(kernels.lattice.total(*table, logs))

    def _expect(self, logs: bool) -> EditMarginals | None:
        forward, backward = self._table("forward", logs), self._table("backward", logs)
        if forward is None or backward is None:
            return None
        n, size = self.potentials.substitute.shape
        out = EditMarginals(
            np.empty((n, size + 1, size)),
            np.empty((n + 1, size + 1, size)),
            np.empty((n, size + 1)),
        )
        total, factors = self._log_total(logs), np.empty(self.longest + 1)
        sound = kernels.queries.expect(self._arcs(logs), *forward, *backward, total, factors, *out)
        return out if sound else None

    def _sample(self, logs: bool, size: int, rng: np.random.Generator) -> list[str] | None:
        table = self._table("backward", logs)
        if table is None:
            return None
        steps = len(self.potentials.delete) + self.longest + 1
        forms = np.zeros((size, self.longest), np.int32)
        lengths = np.zeros(size, np.int32)
        choices = np.empty(2 * len(self.alphabet) + 1)
        uniforms = rng.random((size, steps))
        kernels.queries.sample(self._arcs(logs), *table, uniforms, choices, forms, lengths)
        return [self._decode(form[:length]) for form, length in zip(forms, lengths, strict=True)]

    def _search(self, logs: bool, k: int, cap: int) -> Ranking[str] | None:
        table, total = self._table("backward", logs), self._log_total(logs)
        if table is None or total is None:
            return None
        nodes = tuple(np.empty(cap, np.int32) for _ in range(3))
        best = np.empty(k), np.empty(k, np.int32), np.empty(k, np.int32)
        numbers, *opened = (np.empty(cap * len(self.alphabet), np.int32) for _ in range(3))
        heap = kernels.heap.Heap(np.empty(len(numbers)), numbers)
        vectors = np.empty((cap, len(self.potentials.delete) + 1))
        search = kernels.search.Search((heap, *opened), vectors, np.empty(cap), nodes, best)
        kernels.search.best_forms(self._arcs(logs), search, *table)
        found, still_open, log_seen, lost = search.result()
        if lost:
            return None
        parents, letters, _ = nodes
        items = tuple(
            Scored(self._spell(parents, letters, best[1][n], best[2][n]), float(best[0][n]))
            for n in range(found)
        )
        return Ranking(items, not still_open, _log_minus(total, log_seen))

    def _spell(self, parents: Ints, letters: Ints, node: int, letter: int) -> str:
        """Follow a search node back to the start."""
        ids = [letter] if letter >= 0 else []
        while parents[node] >= 0:
            ids.append(letters[node])
            node = parents[node]
        return self._decode(ids[::-1])

    def _pair(self, form: str, expect: bool) -> tuple[float, Floats]:
        """The pair table of one form: its log weight, and the posteriors of its edits."""
        ids = self._encode(form)
        if ids is None:
            return -math.inf, np.empty((4, 0, 0))
        weights, rows, columns = self._edit_weights(), len(ids) + 2, len(self.potentials.delete) + 2
        tables, exponents = np.empty((4, rows, columns)), np.empty(rows, np.int32)
        for logs in self._arithmetics:
            total = kernels.pair.pair_table(weights, ids, tables, exponents, logs, expect)
            if total == total:  # not NaN, so nothing was lost
                return total, tables[1:]
        raise ModelError(LOST_WEIGHTS)

    def _edit_weights(self) -> Any:
        """The pair table's view of the weights."""
        if ("pair", False) not in self._cache:
            self._cache["pair", False] = make_edit_weights(self.potentials)
        return self._cache["pair", False]


def make_edit_weights(potentials: EditPotentials) -> Any:
    """Return the weights as the pair table wants them: an array (n+1, 2A+3), and bigrams."""
    n, size = potentials.substitute.shape
    local = np.zeros((n + 1, 2 * size + 3))
    local[:n, :size] = potentials.substitute
    local[:, size + 1 : -2] = potentials.insert
    local[:n, -1] = potentials.delete
    weights = kernels.pair.EditWeights(potentials.bigrams.joined, local, np.empty_like(local))
    weights.start(potentials.classes, potentials.classes)
    return weights


def make_arcs(potentials: EditPotentials, logs: bool) -> Any:
    """Return the kernel's view of the weights; None if scaled numbers cannot hold them."""
    weights = potentials.substitute, potentials.insert, potentials.delete
    bigrams, classes = potentials.bigrams, potentials.classes
    if logs:
        return kernels.arcs.Arcs(bigrams.as_logs, weights, classes, True, False)
    numbers = np.empty_like(weights[0]), np.empty_like(weights[1]), np.empty_like(weights[2])
    state = kernels.arcs.leave_log_space(*weights, *numbers)
    if state == LOST or not bigrams.fits:
        return None
    finite = state == FINE and bigrams.finite
    return kernels.arcs.Arcs(bigrams.as_numbers, numbers, classes, False, finite)


def with_workspace(arcs: Any) -> Any:
    """Return arcs with workspace of their own, so that threads can share a lattice."""
    zero = -np.inf if arcs.logs else 0.0
    return arcs.with_workspace(np.full((2, padded_size(arcs.size + 1)), zero))


@lru_cache(maxsize=256)
def _numbering(alphabet: tuple[str, ...]) -> dict[str, int]:
    return {letter: number for number, letter in enumerate(alphabet)}


def fill(arcs: Any, longest: int, direction: str) -> tuple[Floats, Ints, int]:
    """Fill a forward or backward table: cells, their exponents, and how well it went."""
    shape = arcs.n + 1, longest + 1, arcs.size + 1
    cells, exponents = np.empty(shape), np.zeros(shape[:2], np.int32)
    state: int = getattr(kernels.lattice, direction)(arcs, cells, exponents)
    return cells, exponents, state


def count_forms(potentials: EditPotentials, longest: int) -> int:
    """Count the forms that some path writes: the lattice, made deterministic.

    A state is the last letter written and the set of places in the word where paths that wrote
    the same prefix can be, as bits.
    """
    n, size = potentials.substitute.shape
    can_delete = (
        potentials.delete[:, None] + potentials.bigrams.delete[potentials.classes]
    ) > -np.inf
    can_insert = (potentials.insert[:, None, :] + potentials.bigrams.insert) > -np.inf
    can_substitute = (
        potentials.substitute[:, None, :] + potentials.bigrams.substitute[potentials.classes]
    ) > -np.inf

    def deleting(places: int, last: int) -> int:
        for i in range(n):
            if places >> i & 1 and can_delete[i, last]:
                places |= 1 << (i + 1)
        return places

    def writing(places: int, last: int, letter: int) -> int:
        reached = 0
        for i in range(n + 1):
            if places >> i & 1:
                reached |= int(can_insert[i, last, letter]) << i
                if i < n:
                    reached |= int(can_substitute[i, last, letter]) << (i + 1)
        return deleting(reached, letter)

    states = {(size, deleting(1, size)): 1}
    total = 0
    for length in range(longest + 1):
        total += sum(count for (_, places), count in states.items() if places >> n & 1)
        longer: defaultdict[tuple[int, int], int] = defaultdict(int)
        for (last, places), count in states.items() if length < longest else ():
            for letter in range(size):
                reached = writing(places, last, letter)
                if reached:
                    longer[letter, reached] += count
        if len(longer) > MAX_SUBSETS:
            raise ModelError("too many forms to count exactly with so many impossible edits")
        states = dict(longer)
    return total


def _log_minus(a: float, b: float) -> float:
    """Log of exp(a) - exp(b), -inf where rounding leaves nothing."""
    share = math.exp(min(b - a, 0.0)) if b > -math.inf else 0.0
    return a + math.log1p(-share) if share < 1.0 else -math.inf
