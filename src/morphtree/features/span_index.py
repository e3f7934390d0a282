"""The index of span features as the kernels search it, and weights in the same layout.

A context of a span template (see `_kernels/_layout.py`) is a key, a template and a number. Keys
are looked up in a hash table; the contexts of a key and template are cells of a sparse row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._kernels._layout import (
    ATTRIBUTES,
    COMPUTED,
    KEY_SHIFT,
    MOST_DIGITS,
    NUMBER,
    SIZES,
    TEMPLATE_BITS,
    VALUE_BITS,
)
from morphtree._util.arrays import Floats, Hashes, Ints
from morphtree._util.hashing import HashTable
from morphtree.errors import ModelError
from morphtree.features.templates import FeatureIndex, SpanTemplate

SPARSEST = 8  # places of the table of cells for each cell, unless there are few
MOST_ENTRIES = 1 << 26  # of the tables of templates without letters
LARGEST_TABLE = 3000  # entries that templates may have together, unless one alone has more
AT_START = frozenset(name for name in COMPUTED["letters"] if name[:4] in ("left", "head", "befo"))
AT_END = frozenset(COMPUTED["letters"]) - AT_START | {"change"}


class Group(NamedTuple):
    """Templates that look at the same labels and tell the same outcomes apart."""

    numbers: tuple[int, ...]  # of its templates
    scope: int  # labels as bits


def place_of(letters: Iterable[str]) -> int:
    """Return where letters are: 0 around the start of a span, 1 around its end, 2 otherwise."""
    if AT_START.issuperset(letters):
        return 0
    return 1 if AT_END.issuperset(letters) else 2


def strides(names: Sequence[str]) -> tuple[int, ...]:
    """Return what each digit of a number of mixed base is worth."""
    sizes = [SIZES[name] for name in names]
    return tuple(prod(sizes[k + 1 :]) for k in range(len(sizes)))


def laid_out(rows: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return where each of several rows starts, and the rows laid end to end."""
    starts = [*accumulate(map(len, rows), initial=0)]
    return np.array(starts, np.int32), np.array([x for row in rows for x in row], np.int32)


def terms(numbers: Iterable[Sequence[str]]) -> tuple[Ints, Ints]:
    """Return the attributes and strides of some numbers, filled up to four with zeros."""
    names = [[NUMBER[name] for name in digits] for digits in numbers]
    worth = [strides(digits) for digits in numbers]
    filled = [[[*row, *[0] * (MOST_DIGITS - len(row))] for row in rows] for rows in (names, worth)]
    attributes, strides_ = np.array(filled, np.int32).reshape(2, -1)
    return attributes, strides_


def padded(rows: Sequence[Sequence[int]], filler: int = -1) -> Ints:
    """Return rows of different lengths as one array."""
    width = max(map(len, rows), default=0) + 1
    filled = [[*row, *[filler] * (width - len(row))] for row in rows]
    return np.array(filled, np.int32).reshape(-1, width)


class SpanIndex:
    """The index of a model's span features."""

    def __init__(
        self,
        templates: Sequence[SpanTemplate],
        groups: Sequence[Group],
        index: FeatureIndex,
        slots: Ints,
    ) -> None:
        self.templates = templates
        self.groups = groups
        contexts = index.contexts
        number = (contexts >> np.uint64(VALUE_BITS)).astype(np.int32) & (1 << TEMPLATE_BITS) - 1
        features = np.flatnonzero(number > 0)  # the others are of rules
        contexts, number = contexts[features], number[features] - 1
        _require(number.max(initial=-1) < len(templates), "a feature is of no template")
        first = _changes(contexts)
        context_of = np.cumsum(first, dtype=np.int32) - 1
        contexts, number = contexts[first], number[first]
        values = (contexts & np.uint64((1 << VALUE_BITS) - 1)).astype(np.int32)
        new_row = _changes(contexts >> np.uint64(VALUE_BITS))
        row_starts = np.append(np.flatnonzero(new_row), len(contexts)).astype(np.int32)
        self._template = number[new_row]
        self._keys = contexts[new_row] >> np.uint64(KEY_SHIFT) << np.uint64(KEY_SHIFT)
        row_of = np.cumsum(new_row, dtype=np.int32) - 1
        if index.bases is None:
            index.bases = _place_rows(row_starts, values)
        else:
            _check_bases(index.bases, row_of, values)
        self.bases = index.bases
        self._cells = self.bases[row_of] + values
        self._size = int(self._cells.max(initial=0)) + (1 << VALUE_BITS)
        self._owners = self.bases[row_of]
        self._features = features.astype(np.int32)
        self._slots = self._used_slots(number[context_of], slots[features])
        most = max(map(len, self._slots), default=0)
        self.lanes = most + most % 2  # the kernels add up two lanes at a time
        _require(self._size * (1 + self.lanes) < 1 << 31, "there are too many features")
        roots = self._template[self._keys == 0].tolist()
        entries = sum(prod(SIZES[name] for name in templates[n].digits) for n in roots)
        _require(entries * self.lanes < MOST_ENTRIES, "its templates tell too many cases apart")
        self._where = self._cells[context_of], self._lanes(number[context_of], slots[features])

    def _used_slots(self, template: Ints, slots: Ints) -> list[list[int]]:
        """Return the slots that features of each group have; a lane is a place in such a list."""
        width = int(slots.max(initial=0)) + 1
        used = np.bincount(self._group_of[template] * width + slots, minlength=1)
        pairs = [divmod(pair, width) for pair in np.flatnonzero(used).tolist()]
        return [[slot for g, slot in pairs if g == group] for group in range(len(self.groups))]

    def _lanes(self, template: Ints, slots: Ints) -> NDArray[np.int8]:
        """Return the lane of each feature, given its template and the slot of its outcome."""
        lane = np.zeros((len(self.groups), int(slots.max(initial=0)) + 1), np.int8)
        for group, used in enumerate(self._slots):
            lane[group, used] = range(len(used))
        return lane[self._group_of[template], slots]

    @cached_property
    def _group_of(self) -> Ints:
        """The group of each template."""
        groups = np.zeros(len(self.templates), np.int32)
        for number, group in enumerate(self.groups):
            groups[list(group.numbers)] = number
        return groups

    @cached_property
    def _numbers(self) -> list[list[tuple[str, ...]]]:
        """The attributes of the numbers that are made of several, twice for each group.

        First those of templates with letters, then the others.
        """
        found = []
        for group in self.groups:
            mine = [self.templates[number] for number in group.numbers]
            keyed = dict.fromkeys(t.digits for t in mine if t.letters and len(t.digits) > 1)
            others = dict.fromkeys(t.digits for t in mine if len(t.digits) > 1)
            found += [[*keyed], [*(names for names in others if names not in keyed)]]
        return found

    @cached_property
    def _blocks(self) -> Ints:
        """Where the rows of each key start, and where the last ones end."""
        return np.append(np.flatnonzero(_changes(self._keys)), len(self._keys)).astype(np.int32)

    @cached_property
    def most_rows(self) -> int:
        """How many rows of the index a span can match at most, whatever rows a key has."""
        rows = int(np.diff(self._blocks)[self._keys[self._blocks[:-1]] > 0].max(initial=0))
        keys = [{self.templates[n].letters for n in group.numbers} for group in self.groups]
        return max(map(len, keys), default=0) * rows + len(self.templates) + 1

    @cached_property
    def kernel(self) -> Any:
        """The index for the kernels."""
        cells = self._owned()
        cells[:, 1:][self._where] = self._features
        digits = [*chain.from_iterable(self._numbers)]
        rows, root_start = self._roots()
        block = self._blocks
        keys = HashTable(self._keys[block[:-1]])
        rows_of = block[:-1].astype(np.uint64) | np.diff(block).astype(np.uint64) << np.uint64(32)
        table = np.stack([self.bases, self._number_of[self._template]], 1).astype(np.int32)
        return kernels.span_tables.SpanIndex(
            (
                np.array([group.scope for group in self.groups], np.int32),
                padded([*self._slots, [0] * self.lanes])[:-1],
            ),
            self._key_arrays(),
            (keys.kernel, np.append(rows_of, np.uint64(0))[keys.numbers]),
            (np.concatenate([table, table[rows]]), root_start),
            (
                np.array([*accumulate(map(len, self._numbers), initial=0)], np.int32),
                *terms(digits),
            ),
            (1 + self.lanes, cells.ravel()),
        )

    @property
    def _number_of(self) -> Ints:
        """Which number chooses the cell of a template's rows: an attribute, or one of several.

        0 is an attribute over letters, which is no number; it stands for none.
        """
        found = np.zeros(len(self.templates), np.int32)
        first = len(ATTRIBUTES)
        for g, group in enumerate(self.groups):
            sums = [*self._numbers[2 * g], *self._numbers[2 * g + 1]]
            for number in group.numbers:
                digits = self.templates[number].digits
                if len(digits) == 1:
                    found[number] = NUMBER[digits[0]]
                elif digits:
                    found[number] = first + sums.index(digits)
            first += len(sums)
        return found

    def _roots(self) -> tuple[Ints, Ints]:
        """Return the rows of templates without letters by group, and where each group starts.

        They are repeated behind the other rows.
        """
        rows = np.flatnonzero(self._keys == 0).astype(np.int32)
        groups = self._group_of[self._template[rows]]
        counts = np.bincount(groups, minlength=len(self.groups)).tolist()
        starts = [*accumulate(counts, initial=len(self.bases))]
        return rows[np.argsort(groups, kind="stable")], np.array(starts, np.int32)

    def _key_arrays(self) -> tuple[Ints, Hashes, Ints, Ints]:
        """Return the keys of each group by place: where they start, seeds, attributes."""
        starts: list[int] = []
        seeds: list[int] = []
        attributes: list[list[int]] = []
        for group in self.groups:
            by_letters = {self.templates[n].letters: self.templates[n] for n in group.numbers}
            for place in (0, 1, 2):
                starts.append(len(seeds))
                for letters, template in by_letters.items():
                    if letters and place_of(letters) == place:
                        seeds.append(template.key_seed)
                        attributes.append([NUMBER[name] for name in letters])
            starts.append(len(seeds))
        return np.array(starts, np.int32), np.array(seeds, np.uint64), *laid_out(attributes)

    def weights(self, weights: Floats) -> Any:
        """Return weights of the features in the layout for decoding."""
        owned = self._owned()
        cells = owned.view(np.float32)[:, 1:]
        cells[...] = 0.0
        cells[self._where] = weights[self._features]
        starts, names, entries = [0], [], [np.zeros((0, self.lanes))]
        row_of = {int(self._template[row]): row for row in np.flatnonzero(self._keys == 0).tolist()}
        for group in self.groups:
            mine = [self.templates[n] for n in group.numbers if n in row_of]
            for table in _merged(mine):
                names.append(table)
                entries.append(np.zeros((prod(SIZES[name] for name in table), self.lanes)))
            for number in group.numbers:
                if number in row_of:
                    digits = self.templates[number].digits
                    place = next(
                        k for k in range(starts[-1], len(names)) if {*digits} <= {*names[k]}
                    )
                    found = self._row(row_of[number], owned[:, 0], cells, digits)
                    _add(entries[1 + place], names[place], found, digits)
            starts.append(len(names))
        firsts = [0, *accumulate(map(len, entries[1:]))]
        return kernels.span_tables.SpanWeights(
            (owned.ravel(), owned.ravel().view(np.float32)),
            (
                np.array(starts, np.int32),
                *terms(names),
            ),
            (np.array(firsts, np.int32), np.concatenate(entries).ravel()),
        )

    def _owned(self) -> Ints:
        """Return a table of cells, each with the base of its row and without features."""
        cells = np.full((self._size, 1 + self.lanes), -1, np.int32)
        cells[self._cells, 0] = self._owners
        return cells

    def _row(
        self, row: int, owners: Ints, cells: NDArray[np.float32], digits: Sequence[str]
    ) -> Floats:
        """Return all cells of a row, absent ones as zeros."""
        base = int(self.bases[row])
        span = slice(base, base + prod(SIZES[name] for name in digits))
        return np.where((owners[span] == base)[:, None], cells[span], 0.0).astype(np.float64)


def _place_rows(starts: Ints, values: Ints) -> Ints:
    """Return a base for each row, given where its cells start among all, and their numbers."""
    order = np.argsort(-np.diff(starts), kind="stable").astype(np.int32)
    bases = np.zeros(len(order), np.int32)
    size, widest = 2 * len(values) + (2 << VALUE_BITS), 1 << VALUE_BITS
    while not kernels.matching.place_rows(
        order, starts, values, bases, *np.zeros((2, size), np.uint8), widest
    ):
        size *= 2
    return bases


def _check_bases(bases: Ints, row_of: Ints, values: Ints) -> None:
    """Refuse bases, of a file, that do not give each cell and each row a place of its own."""
    rows = int(row_of[-1]) + 1 if len(row_of) else 0
    _require(len(bases) == rows, "there is not one base for each row of features")
    most = SPARSEST * (len(values) + (1 << VALUE_BITS))
    _require(bases.min(initial=0) >= 0, "a base is negative")
    _require(bases.max(initial=0) <= most, "its rows of features are too far apart")
    for places in (bases, bases[row_of] + values):
        taken = np.zeros(int(places.max(initial=0)) + 1, bool)
        taken[places] = True
        _require(np.count_nonzero(taken) == len(places), "two rows of features share a place")


def _require(condition: Any, otherwise: str) -> None:
    if not condition:
        raise ModelError(otherwise)


def _changes(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return where a value differs from the one before."""
    changes = np.ones(len(array), bool)
    changes[1:] = array[1:] != array[:-1]
    return changes


def _merged(templates: Iterable[SpanTemplate]) -> list[tuple[str, ...]]:
    """Choose few tables, as sets of attributes, such that each template is part of one."""
    tables: list[frozenset[str]] = []
    sets = dict.fromkeys(frozenset(template.digits) for template in templates)
    for names in sorted(sets, key=_entries, reverse=True):
        wider = [
            (_entries(table | names) - _entries(table), k)
            for k, table in enumerate(tables)
            if _entries(table | names) <= max(LARGEST_TABLE, _entries(table))
            and len(table | names) <= MOST_DIGITS
        ]
        if wider:
            tables[min(wider)[1]] |= names
        else:
            tables.append(names)
    return [tuple(sorted(table, key=NUMBER.__getitem__)) for table in tables]


@cache
def _entries(names: frozenset[str]) -> int:
    """Return how many entries a table of some attributes has."""
    return prod(SIZES[name] for name in names)


def _add(table: Floats, names: Sequence[str], found: Floats, digits: Sequence[str]) -> None:
    """Add the weights of a template to a table of more attributes."""
    lanes = table.shape[1]
    order = sorted(range(len(digits)), key=lambda k: names.index(digits[k]))
    shape = [SIZES[name] for name in digits]
    ordered = found.reshape(*shape, lanes).transpose(*order, len(digits))
    view = [SIZES[name] if name in digits else 1 for name in names]
    table += np.broadcast_to(
        ordered.reshape(*view, lanes), (*(SIZES[name] for name in names), lanes)
    ).reshape(-1, lanes)
