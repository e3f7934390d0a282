"""Lexicon: which strings are attested words."""

from __future__ import annotations

from collections.abc import Iterable

from morphtree.features import HashTable, hash_text


class Lexicon:
    """A frozen set of words, looked up by 64-bit hash inside the kernels."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        hashes = sorted({hash_text(word) for word in words})
        self.table = HashTable(hashes)
        self.size = len(hashes)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, word: str) -> bool:
        return self.table.find(hash_text(word)) >= 0
