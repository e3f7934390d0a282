"""What a model knows of strings, by 64-bit hash: the lexicon, the treebank's stems, affixes.

A model file carries these tables, and the kernels look strings up in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._kernels._layout import BITS, CATEGORIES, ONLY_LISTED, pack, unpack
from morphtree._util.arrays import Hashes, Ints
from morphtree._util.hashing import HashTable, code_points, hash_text
from morphtree.lexicon.similarity import Meaning, Nearness, Related
from morphtree.lexicon.stored import NOTHING_STORED, Stored

OF_CATEGORIES = BITS["category"] | BITS["speech"]
link_hash = kernels.bases.link_hash


class Derivation(NamedTuple):
    """A word, the base it is listed to be derived from, and at which end."""

    word: str
    base: str
    by_prefix: bool


@cache
def _categories(facts: int) -> tuple[str, str]:
    """Read what packed facts say of categories: what a word mostly is, and all it can be."""
    most, speech = unpack(facts, "category"), unpack(facts, "speech")
    listed = (letter for place, letter in enumerate(CATEGORIES[:4]) if speech >> place & 1)
    return CATEGORIES[most - 1 : most] if most else "", "".join(listed)


class Kin(NamedTuple):
    """The pairs of a word and a base that are near in meaning, by hash: near + 8 x told."""

    hashes: Hashes
    levels: NDArray[np.uint8]


class Lexicon:
    """A frozen map from words to packed facts, a set of derivations, and words near in meaning.

    Facts are packed as `_kernels/_layout.py` says.
    """

    def __init__(
        self,
        words: Mapping[str, int] | Iterable[str] = (),
        derivations: Iterable[Derivation] = (),
        related: Related | None = None,
    ) -> None:
        facts = dict(words) if isinstance(words, Mapping) else dict.fromkeys(words, ONLY_LISTED)
        derivations = [d for d in derivations if d.word in facts]
        for word, _, by_prefix in derivations:
            facts[word] |= BITS["by_prefix" if by_prefix else "by_suffix"]
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
        kept = BITS["category"]  # nothing that is said anew has one
        packed = (facts | self.get(word) & kept for word, facts in words.items())
        facts = np.fromiter(packed, np.int32, len(words))
        return Lexicon.of_hashes(
            np.append(hashes, self.hashes),
            np.append(facts, self.facts),
            self.links,
            self.kin,
        )

    def with_fact(self, name: str, values: Mapping[str, int]) -> Lexicon:
        """Return a lexicon that says something of those of the words that it has."""
        facts = self.facts & ~BITS[name]
        hashes = np.array([hash_text(word) for word in values], np.uint64)
        rows = np.searchsorted(self.hashes, hashes)
        for row, h, value in zip(rows.tolist(), hashes, values.values(), strict=True):
            if row < len(self) and self.hashes[row] == h:
                facts[row] |= pack(**{name: value})
        return Lexicon.of_hashes(self.hashes, facts, self.links, self.kin)

    def _link(self, links: Hashes, kin: Kin) -> None:
        self.links, self.kin = links, kin
        self._link_table = HashTable(links)
        self._kin_table = HashTable(kin.hashes, kin.levels.astype(np.int32))

    def _set(self, hashes: Hashes, facts: Ints) -> None:
        if not (hashes[1:] > hashes[:-1]).all():  # those of a model's file are sorted
            hashes, first = np.unique(hashes, return_index=True)
            facts = facts[first]
        self.hashes = hashes
        self.facts = facts
        self.table = HashTable(hashes, facts)

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, word: str) -> bool:
        return self.table.find(hash_text(word)) >= 0

    def get(self, word: str) -> int:
        """Return the packed facts of a word, 0 if it is not listed."""
        return max(self.table.find(hash_text(word)), 0)

    def categories(self, word: str) -> tuple[str, str]:
        """Return what a word mostly is, a letter of CATEGORIES or nothing, and all it can be."""
        return _categories(self.get(word) & OF_CATEGORIES)

    def all_categories(self, codes: NDArray[np.int64], starts: Ints) -> list[tuple[str, str]]:
        """Return the same of many words, whose code points stand end to end."""
        facts = np.maximum(self.table.find_strings(codes, starts), 0) & OF_CATEGORIES
        return [*map(_categories, facts.tolist())]

    def derives(self, word: str, base: str) -> bool:
        """Whether the listed derivations have a word from a base."""
        return self._link_table.find(link_hash(hash_text(word), hash_text(base))) >= 0

    def nearness(self, word: str, base: str) -> Nearness | None:
        """Return how near a word and a possible base are in meaning, None if they are not listed.

        Pairs that nobody compared are not listed, and neither are those that are not near at all.
        """
        level = self._kin_table.find(link_hash(hash_text(word), hash_text(base)))
        return Nearness(level & 7, level >> 3) if level >= 0 else None

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """The words, the derivations and the words near in meaning, for the kernels."""
        return self.table.kernel, self._link_table.kernel, self._kin_table.kernel


def _packed(meaning: Meaning) -> int:
    """Pack what is known of a word's meaning into its facts."""
    near = max((found.near for found in meaning.bases.values()), default=0)
    told = max((found.told for found in meaning.bases.values()), default=0)
    by_vector = pack(compared=1, any_kin=1 + near) if meaning.by_vector else 0
    return by_vector | (pack(defined=1, any_told=1 + told) if meaning.by_dictionary else 0)


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
class Knowledge:
    """All that a model of spans knows of strings beside its features."""

    lexicon: Lexicon
    closed: Mapping[str, frozenset[str]] = None  # type: ignore[assignment]  # label -> its strings
    endings: tuple[str, ...] = ()  # frequent endings, to see whether a stem has a paradigm
    stems: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))  # of the treebank
    stored: Stored = NOTHING_STORED

    def __post_init__(self) -> None:
        object.__setattr__(self, "closed", self.closed or {})

    def ending_arrays(self) -> tuple[NDArray[np.int64], Ints]:
        """The endings one after the other, and where each starts."""
        starts = np.cumsum([0, *map(len, self.endings)]).astype(np.int32)
        return code_points("".join(self.endings)), starts
