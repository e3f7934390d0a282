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
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys)
            keys, numbers = keys[order], numbers[order]
        homes = max(1, round(len(keys) / FILL))
        self.kernel = kernels.mixing.Table(*_spread(keys, numbers, homes), _hints(keys), homes)

    def find(self, key: int) -> int:
        """Return the number of a key, or -1."""
        return int(kernels.hashing.look_up(self.kernel, key))


def _spread(keys: Hashes, numbers: Ints, homes: int) -> tuple[Hashes, Ints]:
    """Lay sorted keys out from their homes on; gaps repeat what stands before them."""
    half, order = np.uint64(32), np.arange(len(keys))
    home = ((keys >> half) * np.uint64(homes) >> half).astype(np.int64)
    place = np.maximum.accumulate(home - order) + order if len(keys) else order
    size = int(place[-1]) + 1 if len(keys) else 0
    taken = np.zeros(max(size, homes) + 1, np.int32)
    taken[place] = 1
    before = np.cumsum(taken, dtype=np.int32)  # keys up to each place
    keys = np.append(keys, ~np.uint64(0))  # ends every search
    spread = np.concatenate((np.zeros(1, np.uint64), keys))[before]
    numbers = np.append(np.int32(-1), numbers).astype(np.int32)[before]
    spread[-1], numbers[-1] = keys[-1], -1
    return spread, numbers


def _hints(keys: Hashes) -> NDArray[np.uint8]:
    """Set a bit for each key, 4 to 8 bits a key."""
    bits = np.zeros(max(64, 1 << (4 * len(keys)).bit_length()), np.uint8)
    bits[(keys >> np.uint64(26)) & np.uint64(len(bits) - 1)] = 1
    return np.packbits(bits, bitorder="little")
