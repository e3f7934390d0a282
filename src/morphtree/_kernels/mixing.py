# cython: language_level=3
"""Stable 64-bit hashing and tables of hashes; mixing.pxd has the same for the compiler."""

from __future__ import annotations

import cython


@cython.cclass
class Table:
    """An open-addressing table: 64-bit keys, the row number of each, and a hint for each key."""

    def __init__(self, keys, rows, hints):
        self.keys = keys
        self.rows = rows
        self.hints = hints


if not cython.compiled:

    def mix(h, x):
        """Add one number to a hash."""
        h = ((h ^ x) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        return h ^ (h >> 29)

    def find(table, key):
        """Return the row of a key, or -1."""
        key = int(key)
        place = (key >> 40) & (8 * len(table.hints) - 1)
        if not table.hints[place >> 3] >> (place & 7) & 1:
            return -1
        mask = len(table.keys) - 1
        place = (key >> 20) & mask
        while table.rows[place] >= 0:
            if table.keys[place] == key:
                return int(table.rows[place])
            place = (place + 1) & mask
        return -1
