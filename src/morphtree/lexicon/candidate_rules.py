"""Rules for candidate forms: what the treebank shows of stems before endings.

A rule says what stands at the end of a word, what completes the stem there, and what follows the
stem: *-ability* is *e* + *ableity* in *achievability*. A form is a candidate if its stem is a known
word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple, TypeVar

import numpy as np

from morphtree import _kernels as kernels
from morphtree._util.arrays import Hashes, Ints
from morphtree._util.hashing import HashTable, code_points, hash_text, mix
from morphtree._util.text import shared_prefix
from morphtree.trees.spelling import attach
from morphtree.trees.spelling_rules import RULES, VOWEL

Key = TypeVar("Key")
LONGEST_END, LONGEST_REST = 12, 4
SECOND = ("ly", "ness", "ity")  # suffixes that often follow another


class CandidateRule(NamedTuple):
    """The end of a word, the rest of its stem, and all that follows the stem."""

    end: str
    rest: str
    tail: str


def rule_of(word: str, segments: Iterable[str], stems: Iterable[bool]) -> CandidateRule | None:
    """Return the rule that a gold analysis shows; None if its stem changes too much."""
    pieces, is_stem = [*segments], [*stems]
    last = max((k for k, flag in enumerate(is_stem) if flag), default=0)
    stem, tail = "".join(pieces[: last + 1]), "".join(pieces[last + 1 :])
    same = shared_prefix(word, stem)
    if len(word) - same > LONGEST_END or len(stem) - same > LONGEST_REST:
        return None
    return CandidateRule(word[same:], stem[same:], tail)


def english_rules() -> list[CandidateRule]:
    """Return the rules that the examples of the English spelling table show, sorted.

    Those with a one-letter end are in any treebank.
    """
    steps: set[tuple[str, tuple[str, ...], str]] = {
        (base, (suffix,), word)
        for rule in RULES
        for base, example, _ in rule.steps()
        for suffix in (example, *rule.suffixes.replace(VOWEL, "").split())
        for word in attach(base, suffix, "suffix")
    }
    steps |= {
        (base, (*suffixes, second), longer)
        for base, suffixes, word in steps
        for second in SECOND
        for longer in attach(word, second, "suffix")
    }
    found = {rule_of(w, (b, *s), (True, *[False] * len(s))) for b, s, w in steps}
    return sorted(rule for rule in found if rule is not None and len(rule.end) > 1)


@dataclass(frozen=True)
class CandidateRules:
    """Counted rules, the words that can be stems, and what may stand before a stem."""

    rules: Mapping[CandidateRule, int]  # sorted
    stems: Hashes  # of words, sorted
    zipf: Ints  # of the same words, times 16
    prefixes: tuple[str, ...] = ()

    @staticmethod
    def learn(
        rules: Iterable[CandidateRule | None], stems: Hashes, zipf: Ints, prefixes: Iterable[str]
    ) -> CandidateRules:
        """Count the rules that distinct words show."""
        counts = Counter(rule for rule in rules if rule is not None)
        return CandidateRules(dict(sorted(counts.items())), stems, zipf, tuple(sorted(prefixes)))

    @cached_property
    def numbers(self) -> dict[CandidateRule, int]:
        """The number of each rule."""
        return {rule: number for number, rule in enumerate(self.rules)}

    @cached_property
    def tails(self) -> dict[tuple[str, str], tuple[int, int]]:
        """For each end and tail: the number of the pair, and how many words show it."""
        counts: Counter[tuple[str, str]] = Counter()
        for rule, count in self.rules.items():
            if rule.tail:
                counts[rule.end, rule.tail] += count
        return {pair: (number, counts[pair]) for number, pair in enumerate(sorted(counts))}

    @cached_property
    def rests(self) -> dict[str, tuple[int, int]]:
        """For each rest that two words show: its number, and how many do."""
        counts: Counter[str] = Counter()
        for rule, count in self.rules.items():
            counts[rule.rest] += count
        often = sorted(rest for rest, count in counts.items() if count > 1)
        return {rest: (number, counts[rest]) for number, rest in enumerate(often)}

    def own(self, rules: Iterable[CandidateRule]) -> tuple[list[int], list[int], list[int]]:
        """Return the numbers of the rules, tails and rests that some rules brought."""
        known = sorted(rule for rule in rules if rule in self.numbers)
        return (
            [self.numbers[rule] for rule in known],
            [self.tails[rule.end, rule.tail][0] for rule in known if rule.tail],
            [self.rests[rule.rest][0] for rule in known if rule.rest in self.rests],
        )

    def kernel(self, alphabet: str) -> Any:
        """The rules as the kernels read them."""
        ends = list(dict.fromkeys(rule.end for rule in self.rules))  # sorted, so grouped
        groups = Counter((rule.end, rule.rest) for rule in self.rules)  # in the same order
        strings = dict.fromkeys(
            (*(r.rest + r.tail for r in self.rules), *(t for _, t in self.tails), *self.rests)
        )
        text, places = "", {}
        for string in strings:
            places[string] = len(text)
            text += string
        number = {letter: number for number, letter in enumerate(alphabet)}
        table = [
            (at, at + len(rule.rest), at + len(rule.rest) + len(rule.tail), count)
            for rule, count in self.rules.items()
            for at in (places[rule.rest + rule.tail],)
        ]
        tails = [
            (places[tail], places[tail] + len(tail), count)
            for (_, tail), (_, count) in self.tails.items()
        ]
        rests = [(places[r], places[r] + len(r), count) for r, (_, count) in self.rests.items()]
        rest_hashes = [reduce(mix, (1 + number[x] for x in rest), 0) for rest in self.rests]
        return kernels.candidate_tables.CandidateRuleTables(
            (
                HashTable([hash_text(end) for end in ends]).kernel,
                _starts(Counter(end for end, _ in groups), ends),
                max(map(len, ends), default=0),
            ),
            (np.array([number[letter] for letter in text], np.int32), code_points(text)),
            (_rows(table, 4), _starts(groups, groups)),
            (
                _rows(tails, 3),
                _starts(Counter(end for end, _ in self.tails), ends),
                _rows(rests, 3),
                HashTable(rest_hashes).kernel,
            ),
            (HashTable(self.stems).kernel, np.append(self.zipf, 0).astype(np.int32)),
            (
                HashTable({hash_text(prefix) for prefix in self.prefixes}).kernel,
                max(map(len, self.prefixes), default=0),
            ),
        )


def _starts(counts: Mapping[Key, int], keys: Iterable[Key]) -> Ints:
    return np.cumsum([0, *(counts.get(key, 0) for key in keys)]).astype(np.int32)


def _rows(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, np.int32).reshape(-1, width)


NO_CANDIDATE_RULES = CandidateRules({}, np.zeros(0, np.uint64), np.zeros(0, np.int32))
