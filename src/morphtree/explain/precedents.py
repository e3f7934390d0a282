"""Precedents: stored words that are built as a word is, the nearest and best known ones.

Stored words that are written alike are found first, then their readings decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from morphtree._kernels._layout import unpack
from morphtree._util.text import shared_prefix
from morphtree.analysis import Analysis, Known, Reading
from morphtree.explain.comparison import is_compound, is_unusual
from morphtree.lexicon.stored import Stored
from morphtree.lexicon.word_facts import NAME
from morphtree.treebank.categories import Classified
from morphtree.trees.spelling import respell, spellings
from morphtree.trees.tree import PREFIX, WORD, Tree, without_hyphens

SHOWN = 2
MOST_READINGS = 10  # of a stored word
ENOUGH = 40  # stored words with the same step, to choose from
LOOKED_AT = 2000  # stored words that are written alike
CHUNK = 100  # of these at a time
ALIKE = 3  # letters beyond an affix by which a word is nearer than another
WELL_KNOWN = 3.5  # zipf: three times in a million words
LEAST_LETTERS = 4  # of a simple word
NOT_FOR_CLASS = re.compile(
    "fuck|shit|cunt|piss|bitch|whore|slut|nigg|fagg|cock|dick|wank|rape|rapist"
)


class Answering(Protocol):
    """What knows the readings of stored words."""

    def analyse(self, words: Sequence[str], *, n: int = 1) -> list[Analysis]:
        """Return the n best readings of each word."""


class Precedents(NamedTuple):
    """Stored words, and whether they share all steps with a word, not only the last one."""

    readings: list[Reading]
    share_all: bool = False

    @property
    def words(self) -> list[str]:
        """How they are written."""
        return [reading.word for reading in self.readings]


class Finder:
    """Finds precedents among stored words."""

    def __init__(self, stored: Stored, known: Known, answering: Answering) -> None:
        self.stored, self.known, self.answering = stored, known, answering

    def stored_trees(self, word: str) -> list[Tree]:
        """Return the trees that the treebank gives a word."""
        if word not in self.stored:
            return []
        [analysis] = self.answering.analyse([word], n=MOST_READINGS)
        stored = (reading for reading in analysis.readings if reading.source == "treebank")
        return [without_hyphens(_tree(reading)) for reading in stored]

    def has_base(self, word: str, base: str) -> bool:
        """Whether the treebank makes a word from a base."""
        inner = (node for tree in self.stored_trees(word) for node in [*tree.nodes()][1:])
        return any(base in spellings(node) for node in inner if node.label == WORD)

    def of_step(self, made: Classified, word: str) -> Precedents:
        """Return stored words with the last step of a word; those that share all steps, if any."""
        affix, first = _affix(made), next(made.tree.leaves())
        if affix.label == PREFIX:
            return self._of_step(made, word, affix.string, "")
        ending = word[len(word) - shared_end(word, affix.string) :]
        if not ending:
            return Precedents([])
        found = Precedents([])
        if first.label == PREFIX:  # what shares all steps begins with it
            found = self._of_step(made, word, first.string, ending)
        return found if found.share_all else self._of_step(made, word, "", ending)

    def _of_step(self, made: Classified, word: str, begins: str, ends: str) -> Precedents:
        chain, change = _chain(made), _change(made.tree, word)

        def fits(text: str) -> bool:
            return text.startswith(begins) and text.endswith(ends)

        def nearness(text: str) -> int:
            return min(shared_end(text, word), len(ends) + ALIKE)

        alike = (
            reading
            for reading in self._written_alike(word, fits, nearness)
            if is_same_step(reading.classified, made) and _tree(reading).root != made.tree.root
            and self._is_usual(reading.classified)
            and self._forms(_tree(reading)) == self._forms(made.tree)
        )  # fmt: skip
        found = [*islice(alike, ENOUGH)]
        all_steps = [reading for reading in found if chain == _chain(reading.classified)]
        found = all_steps or found
        written = [r for r in found if _change(_tree(r), r.word) == change]
        return Precedents(_shown(written or found), bool(all_steps))

    def _is_usual(self, made: Classified) -> bool:
        """Whether no word inside is mostly something else, as *drunk* in *drunken* is."""
        inner = (word for word in made.words() if word is not made)
        return not any(is_unusual(self.known, respell(word.tree), word.category) for word in inner)

    def of_compound(self, tree: Tree, word: str) -> tuple[Precedents, int]:
        """Return stored compounds with the same part, and which part that is: 1 is the second."""
        second = self._with_part(tree, 1, word)
        first = self._with_part(tree, 0, word)
        return (first, 0) if len(first.readings) > len(second.readings) else (second, 1)

    def _with_part(self, tree: Tree, place: int, word: str) -> Precedents:
        part = tree.children[place]
        form = part.form

        def fits(text: str) -> bool:
            letters = text.replace("-", "")
            return letters.endswith(form) if place else letters.startswith(form)

        alike = (
            reading
            for reading in self._written_alike(word, fits, _alike)
            if is_compound(_tree(reading)) and _tree(reading).children[place] == part
        )
        return Precedents(_shown(islice(alike, ENOUGH)))

    def of_simple(self, edge: str, at_end: bool, word: str) -> Precedents:
        """Return simple stored words that begin or end in the letters that one might cut off.

        Irregular forms are beside forms of the same kind: participles beside participles. Words of
        the same category come first, and *with* or *into* are not worth telling.
        """
        form, usual = self._form(word), self.known.most_usual(word)

        def nearness(text: str) -> int:
            shared = shared_end(text, word) if at_end else shared_prefix(text, word)
            return min(shared, len(edge) + ALIKE)

        least = max(LEAST_LETTERS, len(edge) + 2)
        alike = self._written_alike(word, _has(edge, at_end=at_end), nearness)
        found = (
            reading for reading in alike
            if _tree(reading).is_leaf and len(reading.word) >= least
            and self._form(reading.word) == form and self.known.most_usual(reading.word) != "X"
        )  # fmt: skip
        return Precedents(
            _shown(
                sorted(islice(found, ENOUGH), key=lambda r: self.known.most_usual(r.word) != usual)
            )
        )

    def _form(self, word: str) -> str:
        """Return which irregular form a simple word is, nothing if it is none."""
        lemma = self.known.lemma(word)
        return lemma.feature if lemma else ""

    def _forms(self, tree: Tree) -> list[str]:
        return [self._form(leaf.string) for leaf in tree.leaves() if leaf.label == WORD]

    def _written_alike(
        self, word: str, fits: Callable[[str], bool], nearness: Callable[[str], int]
    ) -> Iterator[Reading]:
        """Yield the readings of stored words: of well-known ones first, of near ones first."""
        spelt, lexicon = self.stored.spelt, self.known.lexicon
        numbers = np.array([n for n, text in enumerate(spelt) if fits(text)], np.int64)
        rows = np.searchsorted(lexicon.hashes, self.stored.words[numbers])
        rows = np.minimum(rows, len(lexicon) - 1)
        facts = np.where(lexicon.hashes[rows] == self.stored.words[numbers], lexicon.facts[rows], 0)
        zipfs, kinds = unpack(facts, "zipf") / 16, unpack(facts, "kind")
        ranked = sorted(
            (zipf < WELL_KNOWN, -nearness(spelt[n]), -zipf, spelt[n])
            for n, zipf, kind in zip(numbers.tolist(), zipfs.tolist(), kinds, strict=True)
            if kind != NAME and spelt[n] != word and not NOT_FOR_CLASS.search(spelt[n])
        )
        words = [text for *_, text in ranked[:LOOKED_AT]]
        for start in range(0, len(words), CHUNK):
            for analysis in self.answering.analyse(words[start : start + CHUNK]):
                for reading in analysis.readings:
                    if reading.source == "treebank" and isinstance(reading.tree, Tree):
                        yield replace(reading, tree=without_hyphens(reading.tree))


def _shown(readings: Iterable[Reading]) -> list[Reading]:
    """Return the first ones, of a word with and without a hyphen only one."""
    distinct: dict[str, Reading] = {}
    for reading in readings:
        distinct.setdefault(reading.word.replace("-", ""), reading)
    return [*distinct.values()][:SHOWN]


def _alike(_: str) -> int:
    return 0


def shared_end(left: str, right: str) -> int:
    """Return how many letters two strings share at their end."""
    return shared_prefix(left[::-1], right[::-1])


def is_same_step(found: Classified, made: Classified) -> bool:
    """Whether two words are made by the same affix, from and into the same category."""
    if [child.tree.label for child in found.children] != [c.tree.label for c in made.children]:
        return False
    categories = [
        [word.category for word in (step, *step.children) if word.tree.label == WORD]
        for step in (found, made)
    ]
    return _affix(found).string == _affix(made).string and categories[0] == categories[1]


def _has(part: str, *, at_end: bool) -> Callable[[str], bool]:
    return lambda text: text.endswith(part) if at_end else text.startswith(part)


def _tree(reading: Reading) -> Tree:
    assert isinstance(reading.tree, Tree)
    return reading.tree


def _affix(made: Classified) -> Tree:
    return next(child.tree for child in made.children if child.tree.is_affix)


def _chain(made: Classified) -> list[tuple[str, str]]:
    """Return the affixes of a word from the last step inwards; of other parts the category."""
    own = [
        (child.tree.label, child.tree.string if child.tree.is_affix else child.category)
        for child in made.children
    ]
    return [*own, *(part for child in made.children for part in _chain(child))]


def _change(tree: Tree, word: str) -> tuple[str, str]:
    """Return the letters in which a word differs from its parts side by side."""
    parts = "".join(child.string if child.is_affix else respell(child) for child in tree.children)
    start = shared_prefix(parts, word)
    end = min(shared_end(parts, word), len(parts) - start, len(word) - start)
    return parts[start : len(parts) - end], word[start : len(word) - end]
