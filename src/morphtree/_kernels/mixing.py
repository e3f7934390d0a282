"""Stable 64-bit hashing and tables of hashes; mixing.pxd has the same for the compiler."""

from __future__ import annotations

import cython


@cython.cclass
class Table:
    """An open-addressing table: 64-bit keys, the number of each, and a hint for each key."""

    def __init__(self, cells, hints):
        self.cells = cells
        self.hints = hints


if not cython.compiled:

    def mix(h, x):
        """Add one number to a hash."""
        h = ((h ^ x) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        return h ^ (h >> 29)

    def string_hash(h, codes, start, end):
        """Add a string to a hash."""
        for k in range(start, end):
            h = mix(h, int(codes[k]))
        return h

    def may_have(table, key):
        """Whether the hints allow that the key is there."""
        place = (int(key) >> 40) & (8 * len(table.hints) - 1)
        return table.hints[place >> 3] >> (place & 7) & 1

    def fetch_cell(table, key):
        """Have the memory ready that looking up a key needs; here there is nothing to do."""

    fetch_byte = fetch_double = fetch_cell

    def find(table, key):
        """Return the number of a key, or -1."""
        return find_there(table, key) if may_have(table, key) else -1

    def find_there(table, key):
        """Return the number of a key that the hints allow, or -1."""
        place = (int(key) >> 20) & (len(table.cells) - 1)
        while table.cells[place, 1]:
            if table.cells[place, 0] == key:
                return int(table.cells[place, 1]) - 1
            place = (place + 1) & (len(table.cells) - 1)
        return -1
