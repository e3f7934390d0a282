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


class HashTable:
    """A frozen map from distinct 64-bit keys to numbers, open-addressed, at most half full.

    Without ``numbers`` it is the place of a key among the keys.
    """

    def __init__(self, keys: Iterable[int] | Hashes, numbers: Ints | None = None) -> None:
        keys = keys if isinstance(keys, np.ndarray) else np.array([*keys], np.uint64)
        keys = np.require(keys, requirements=["C", "W"])  # the kernels take no read-only arrays
        if numbers is None:
            numbers = np.arange(len(keys), dtype=np.int32)
        capacity = 1 << max(3, (2 * len(keys)).bit_length())
        cells = np.zeros((capacity, 2), np.uint64)
        hints = np.zeros(max(8, capacity // 4), np.uint8)  # 4 to 8 bits a key
        kernels.hashing.insert_all(cells, hints, keys, numbers)
        self.kernel = kernels.mixing.Table(cells, hints)

    def find(self, key: int) -> int:
        """Return the number of a key, or -1."""
        return int(kernels.hashing.look_up(self.kernel, key))
