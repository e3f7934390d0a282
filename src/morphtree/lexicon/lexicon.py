"""What a model knows of strings, by 64-bit hash: the lexicon, the treebank's own words, affixes.

A model file carries these tables, and the kernels look strings up in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree.features.templates import Hashes, HashTable, Ints, code_points, hash_text
from morphtree.lexicon.similarity import Meaning, Related

link_hash = kernels.bases.link_hash
LISTED = 48  # facts of a word of which only the existence is known: zipf 3, unknown otherwise
BY_SUFFIX, BY_PREFIX = 1 << 14, 1 << 15
MEANT = 16  # first bit of what is known of the meaning
COMPARED, DEFINED = 1 << MEANT, 2 << MEANT
ANY_TOLD, ANY_NEAR, JUDGEMENT = 18, 20, 23  # first bits
STEM, SPELLING, FORM = range(3)  # what a string of the treebank can be


class Derivation(NamedTuple):
    """A word, the base it is listed to be derived from, and at which end."""

    word: str
    base: str
    by_prefix: bool


class Kin(NamedTuple):
    """The pairs of a word and a base that are near in meaning, by hash: near + 8 x told."""

    hashes: Hashes
    levels: NDArray[np.uint8]


NO_KIN = Kin(np.zeros(0, np.uint64), np.zeros(0, np.uint8))


class Lexicon:
    """A frozen map from words to packed facts, a set of derivations, and words near in meaning.

    Facts: zipf x 16 (8 bits), kind (2), part of speech (4), derived by suffix, by prefix (2),
    whether its meaning was compared with others' by vectors, by a dictionary (2), and how near the
    nearest of all its possible bases is by a dictionary (2), by vectors (3); then, how likely it is
    made of parts, as a judge says (3; 0 if there is no judgement).
    """

    def __init__(
        self,
        words: Mapping[str, int] | Iterable[str] = (),
        derivations: Iterable[Derivation] = (),
        related: Related | None = None,
    ) -> None:
        facts = dict(words) if isinstance(words, Mapping) else dict.fromkeys(words, LISTED)
        derivations = [d for d in derivations if d.word in facts]
        for word, _, by_prefix in derivations:
            facts[word] |= BY_PREFIX if by_prefix else BY_SUFFIX
        meanings = {word: found for word, found in (related or {}).items() if word in facts}
        for word, meaning in meanings.items():
            facts[word] |= _packed(meaning)
        links = {link_hash(hash_text(d.word), hash_text(d.base)) for d in derivations}
        self._link(np.array(sorted(links), np.uint64), _kin(meanings))
        self._set(
            np.fromiter((hash_text(word) for word in facts), np.uint64, len(facts)),
            np.fromiter(facts.values(), np.int32, len(facts)),
        )

    @staticmethod
    def of_hashes(hashes: Hashes, facts: Ints, links: Hashes, kin: Kin) -> Lexicon:
        """Make a lexicon whose words are known by their hashes only."""
        lexicon = Lexicon()
        lexicon._set(hashes, facts.astype(np.int32))
        lexicon._link(links, kin)
        return lexicon

    def extended(self, words: Mapping[str, int]) -> Lexicon:
        """Return a lexicon with more words; what is said of a word anew counts."""
        hashes = np.fromiter((hash_text(word) for word in words), np.uint64, len(words))
        facts = np.fromiter(words.values(), np.int32, len(words))
        return Lexicon.of_hashes(
            np.append(hashes, self.hashes),
            np.append(facts, self.facts[: len(self)]),
            self.links,
            self.kin,
        )

    def judged(self, levels: Mapping[str, int]) -> Lexicon:
        """Return a lexicon that also says how likely its words are made of parts."""
        facts = self.facts.copy()
        for word, level in levels.items():
            if (row := self.table.find(hash_text(word))) >= 0:
                facts[row] |= 1 + level << JUDGEMENT
        return Lexicon.of_hashes(self.hashes, facts[: len(self)], self.links, self.kin)

    def _link(self, links: Hashes, kin: Kin) -> None:
        self.links, self.kin = links, kin
        self._link_table = HashTable(links)
        self._kin_table = HashTable(kin.hashes, kin.levels.astype(np.int32))

    def derives(self, word: str, base: str) -> bool:
        """Whether a word is listed as derived from a base."""
        return self._link_table.find(link_hash(hash_text(word), hash_text(base))) >= 0

    def kinship(self, word: str, base: str) -> tuple[int, int]:
        """How near two words are in meaning: by vectors, by a dictionary.

        Each is 0 if they were not compared, 1 if they are not near, and more if they are.
        """
        whole, part = self.get(word), self.get(base)
        level = max(0, self._kin_table.find(link_hash(hash_text(word), hash_text(base))))
        near = 1 + (level & 7) if whole & part & COMPARED else 0
        return near, 1 + (level >> 3) if part and whole & DEFINED else 0

    def _set(self, hashes: Hashes, facts: Ints) -> None:
        if not (hashes[1:] > hashes[:-1]).all():  # those of a model's file are sorted
            hashes, first = np.unique(hashes, return_index=True)
            facts = facts[first]
        self.hashes = hashes
        self.facts = np.ascontiguousarray(facts) if len(facts) else np.zeros(1, np.int32)
        self.table = HashTable(self.hashes)

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, word: str) -> bool:
        return self.table.find(hash_text(word)) >= 0

    def get(self, word: str) -> int:
        """Return the packed facts of a word, 0 if it is not listed."""
        row = self.table.find(hash_text(word))
        return int(self.facts[row]) if row >= 0 else 0

    @property
    def arrays(self) -> tuple[Any, Ints, Any, Any]:
        """The table, its facts, the derivations and the words near in meaning, for the kernels."""
        return self.table.kernel, self.facts, self._link_table.kernel, self._kin_table.kernel


def _packed(meaning: Meaning) -> int:
    """Pack what is known of a word's meaning into its facts."""
    near = max((found.near for found in meaning.bases.values()), default=0)
    told = max((found.told for found in meaning.bases.values()), default=0)
    by_vector = COMPARED | (1 + near) << ANY_NEAR if meaning.by_vector else 0
    return by_vector | (DEFINED | (1 + told) << ANY_TOLD if meaning.by_dictionary else 0)


def _kin(related: Related) -> Kin:
    """Hash every pair of words that are near in meaning."""
    levels = {
        link_hash(hash_text(word), hash_text(base)): near | told << 3
        for word, meaning in related.items()
        for base, (near, told) in meaning.bases.items()
    }
    hashes = np.array(sorted(levels), np.uint64)
    return Kin(hashes, np.array([levels[h] for h in hashes.tolist()], np.uint8))


@dataclass(frozen=True)
class Family:
    """In how many words a string is a stem, or spelling or form of what is built on a stem."""

    hashes: Hashes
    counts: NDArray[np.int32]  # (strings, 3)

    @staticmethod
    def of(contributions: Iterable[Iterable[tuple[int, int]]]) -> Family:
        """Count (hash, kind) pairs, those of each word once."""
        counter = Counter(pair for word in contributions for pair in set(word))
        hashes = np.array(sorted({h for h, _ in counter}), np.uint64)
        counts = np.zeros((max(1, len(hashes)), 3), np.int32)
        for (h, kind), count in counter.items():
            counts[np.searchsorted(hashes, np.uint64(h)), kind] = count
        return Family(hashes, counts)

    def get(self, string: str) -> tuple[int, ...]:
        """Return the three counts of a string."""
        place = int(np.searchsorted(self.hashes, np.uint64(hash_text(string))))
        found = place < len(self.hashes) and int(self.hashes[place]) == hash_text(string)
        return tuple(self.counts[place].tolist()) if found else (0, 0, 0)

    @property
    def arrays(self) -> tuple[Any, NDArray[np.int32]]:
        """The table and its counts, for the kernels."""
        return HashTable(self.hashes).kernel, self.counts


NO_FAMILY = Family.of(())


@dataclass(frozen=True)
class Knowledge:
    """All that a model of parts knows of strings beside its features."""

    lexicon: Lexicon
    family: Family = NO_FAMILY
    closed: Mapping[str, frozenset[str]] = None  # type: ignore[assignment]  # label -> its strings
    endings: tuple[str, ...] = ()  # frequent endings, to see whether a stem has a paradigm

    def __post_init__(self) -> None:
        object.__setattr__(self, "closed", self.closed or {})

    def ending_arrays(self) -> tuple[NDArray[np.int64], Ints]:
        """The endings one after the other, and where each starts."""
        starts = np.cumsum([0, *map(len, self.endings)]).astype(np.int32)
        return code_points("".join(self.endings)), starts
