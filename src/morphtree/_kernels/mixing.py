"""Stable 64-bit hashing and tables of hashes; mixing.pxd has the same for the compiler."""

from __future__ import annotations

import cython


@cython.cclass
class Table:
    """A map from 64-bit keys to numbers: the keys in order, spread over places by their high bits.

    A search starts at the key's home, which is proportional to the key, and ends at the first key
    that is not smaller. Most keys stand at home or a few places after it.
    """

    def __init__(self, keys, numbers, hints, homes):
        self.keys = keys
        self.numbers = numbers
        self.hints = hints
        self.homes = homes
        self.hint_mask = 8 * len(hints) - 1


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
        place = (int(key) >> 26) & table.hint_mask
        return table.hints[place >> 3] >> (place & 7) & 1

    def lowest_bit(bits):
        """Return the place of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def home(key, homes):
        """Return the place where the search for a key starts."""
        return (int(key) >> 32) * int(homes) >> 32

    def fetch_key(table, key):
        """Have the memory ready that looking up a key needs; here there is nothing to do."""

    fetch_row = fetch_long = fetch_double = fetch_key

    def find(table, key):
        """Return the number of a key, or -1."""
        return find_there(table, key) if may_have(table, key) else -1

    def place_of(table, key):
        """Return the place of a key that the hints allow, or -1."""
        place = home(key, table.homes)
        while table.keys[place] < key:
            place += 1
        return place if table.keys[place] == key else -1

    def find_there(table, key):
        """Return the number of a key that the hints allow, or -1."""
        place = place_of(table, key)
        return int(table.numbers[place]) if place >= 0 else -1
