"""Stable 64-bit hashes of strings, and tables of them; the same in Python and in the kernels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Hashes, Ints

mix = kernels.hashing.mix


def hash_text(text: str, start: int = 0) -> int:
    """Hash a string by its code points, as the kernels do."""
    h = start
    for letter in text:
        h = mix(h, ord(letter))
    return int(h)


def code_points(text: str) -> NDArray[np.int64]:
    """Return the code points of a string as the kernels read them."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)


FILL = 0.8  # share of a table's places that hold a key


class HashTable:
    """A frozen map from distinct 64-bit keys to numbers, for the kernels.

    Without ``numbers`` it is the place of a key among the keys.
    """

    def __init__(self, keys: Iterable[int] | Hashes, numbers: Ints | None = None) -> None:
        keys = keys if isinstance(keys, np.ndarray) else np.array([*keys], np.uint64)
        if numbers is None:
            numbers = np.arange(len(keys), dtype=np.int32)
        numbers = numbers.astype(np.int32, copy=False)
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys)
            keys, numbers = keys[order], numbers[order]
        homes = max(1, round(len(keys) / FILL))
        size = max(kernels.hashing.last_place(keys, homes) + 1, homes) + 1
        places, place_numbers = np.empty(size, np.uint64), np.empty(size, np.int32)
        hints = np.zeros(max(8, (1 << (4 * len(keys)).bit_length()) // 8), np.uint8)
        kernels.hashing.spread(keys, numbers, homes, places, place_numbers, hints)
        self.numbers = place_numbers  # by place
        self.kernel = kernels.mixing.Table(places, place_numbers, hints, homes)

    def find(self, key: int) -> int:
        """Return the number of a key, or -1."""
        return int(kernels.hashing.look_up(self.kernel, key))

    def find_strings(self, codes: NDArray[np.int64], starts: Ints) -> Ints:
        """Return the number of the hash of each string, of code points end to end, or -1."""
        numbers = np.empty(len(starts) - 1, np.int32)
        kernels.hashing.look_up_strings(self.kernel, codes, starts, numbers)
        return numbers
