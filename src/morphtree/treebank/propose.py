"""Proposing steps of word formation: strip an affix, undo its spelling, keep pairs of words.

The rules only propose; whoever annotates reads each line, throws out what is false and adds what
no rule finds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from morphtree.lexicon.word_facts import NAME, ORDINARY, Facts
from morphtree.treebank.affixes import Affix, Inventory, pos_bits
from morphtree.treebank.formats.steps import Operand, Step
from morphtree.trees.spelling import attach, join
from morphtree.trees.tree import PREFIX, SUFFIX, WORD

DROPPED = 3  # letters of a base that a suffix may cover: decide, decis-ion
SHORTEST = 2  # letters of a base
SHORTEST_PART = 3  # letters of a part of a compound
COMMON_PART = 3.0  # zipf of such a part; a long one may be rarer
LONG_PART, COMMON_LONG_PART = 5, 2.0
COMMON_BASE = 5.0  # a base more frequent than this is not likelier still


class Proposal(NamedTuple):
    """A step and how likely it looks; only the order of the scores means anything."""

    score: float
    step: Step


class StepProposer:
    """Proposes the last steps of words, given an inventory and what is known about words."""

    def __init__(
        self, affixes: Iterable[Affix], words: Mapping[str, Facts], least: float = 1.5
    ) -> None:
        self.words = {w: f for w, f in _known(words).items() if f.zipf >= least}
        self.rows = Inventory(affixes).rows
        self.prefixes = sorted(s for label, s in self.rows if label == PREFIX)
        self.suffixes = defaultdict(list)
        for label, string in sorted(self.rows):
            if label == SUFFIX:
                self.suffixes[string[-1]].append(string)
        self.openings: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            for dropped in range(min(DROPPED, len(word) - SHORTEST) + 1):
                self.openings[word[: len(word) - dropped]].append(word)

    def propose(self, word: str) -> list[Step]:
        """Return the possible last steps of a word, the likeliest first; the word alone if none."""
        found = [*self._suffixed(word), *self._prefixed(word), *self._compounds(word)]
        found.sort(key=lambda proposal: -proposal.score)
        return list(dict.fromkeys(p.step for p in found)) or [Step(0, word)]

    def _suffixed(self, word: str) -> Iterator[Proposal]:
        bases = {
            base
            for end in range(SHORTEST, len(word))
            for base in self.openings.get(word[:end], ())
            if base != word
        }
        for base in sorted(bases):
            for suffix in self.suffixes[word[-1]]:
                if word in (spelt := attach(base, suffix, "suffix")):
                    operands = Operand(base, WORD), Operand(suffix, SUFFIX)
                    score = self._score(word, base, SUFFIX, suffix) - spelt.index(word) / 2
                    yield Proposal(score, Step(0, word, operands))

    def _prefixed(self, word: str) -> Iterator[Proposal]:
        for prefix in self.prefixes:
            base = word.removeprefix(prefix).removeprefix("-")
            if base != word and len(base) > SHORTEST and base in self.words:
                operands = Operand(prefix, PREFIX), Operand(base, WORD)
                score = self._score(word, base, PREFIX, prefix)
                yield Proposal(score, Step(0, word, operands))

    def _score(self, word: str, base: str, label: str, string: str) -> float:
        """Return how well a base and an affix go together: categories, frequency, length."""
        whole, part = self.words.get(word), self.words[base]
        fits = max(_fit(row, part, whole) for row in self.rows[label, string])
        return min(part.zipf, COMMON_BASE) + len(string) / 2 + 2 * fits

    def _compounds(self, word: str) -> Iterator[Proposal]:
        for end in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            left, right = word[:end], word[end:].removeprefix("-")
            parts = self.words.get(left), self.words.get(right)
            if None in parts or word not in join(left, right):
                continue
            if all(_is_part(w, f) for w, f in zip((left, right), parts, strict=True) if f):
                operands = Operand(left, WORD), Operand(right, WORD)
                least = min(facts.zipf for facts in parts if facts)
                yield Proposal(least + min(len(left), len(right)) / 2, Step(0, word, operands))


def _known(words: Mapping[str, Facts]) -> Mapping[str, Facts]:
    """Return the words that are known to be words, names aside; all words without a dictionary."""
    if not any(facts.dictionary == ORDINARY for facts in words.values()):
        return words
    return {
        word: facts
        for word, facts in words.items()
        if facts.dictionary == ORDINARY or (facts.pos and facts.dictionary != NAME)
    }


def _is_part(word: str, facts: Facts) -> bool:
    return facts.zipf >= (COMMON_LONG_PART if len(word) >= LONG_PART else COMMON_PART)


def _fit(row: Affix, base: Facts, whole: Facts | None) -> int:
    """Count how many of base and whole have a category that the row allows; unknown ones fit."""
    ends = (row.attaches, base), (row.makes, whole)
    return sum(
        not letters or not (f and f.pos) or bool(pos_bits(letters) & f.pos) for letters, f in ends
    )


def with_bases(proposer: StepProposer, words: Iterable[str]) -> Iterator[tuple[str, list[Step]]]:
    """Yield words with their proposed steps; the bases of each first step come before it."""
    done: set[str] = set()

    def visit(word: str) -> Iterator[tuple[str, list[Step]]]:
        if word in done:
            return
        done.add(word)
        steps = proposer.propose(word)
        for base in steps[0].bases():
            yield from visit(base.string)
        yield word, steps

    for word in words:
        yield from visit(word)
