"""What the editor proposes for a word: the model's readings, or from counts before there is one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import nlargest
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar

from morphtree._util.text import shared_prefix
from morphtree.analyzer import Analyzer
from morphtree.treebank.affixes import Affix
from morphtree.treebank.entry import Entry
from morphtree.trees.inner_words import places
from morphtree.trees.tree import AFFIXES, LINK, PREFIX, SUFFIX, WORD, Tree, without_hyphens
from morphtree.web.editor.records import Record
from morphtree.web.editor.shape import Data, to_data, written

READINGS = 9  # as many as there are keys for; so many of a string go on
MOST_AFFIXES = 400
MOST_REWRITES = 60
LETTER = -2.8  # log probability of a letter of an unknown stem
UNKNOWN, LISTED, COMPOUND, AFFIX = -2.3, -6.0, -4.0, -0.7  # of an unknown stem, a listed word ...
SHORTEST = 2  # letters of an unknown stem
SHORTEST_PART = 3  # of a part of a compound
LONGEST = 64
Key = TypeVar("Key", bound=Hashable)
Proposed = list[tuple[Tree, float]]  # readings with their shares
Frame = tuple[Tree | None, ...]  # the affixes of a step of three parts; None where a word stands


class Scored(NamedTuple):
    """A reading with the logarithm of its score."""

    score: float
    tree: Tree


class Candidate(NamedTuple):
    """The parts of a reading, and a score that the whole cannot exceed."""

    bound: float
    parts: tuple[Tree, ...]


class Counts:
    """What some entries teach: counts of affixes, stems, rewritten stem ends, and scopes."""

    def __init__(
        self,
        entries: Iterable[Entry],
        words: Collection[str] = (),
        is_word: Callable[[str], bool] | None = None,
    ) -> None:
        self.affixes: dict[str, Counter[str]] = {label: Counter() for label in AFFIXES}
        self.frames: Counter[Frame] = Counter()
        self.stems: Counter[str] = Counter()
        self.rewrites: Counter[tuple[str, str]] = Counter()  # what is written, what it stands for
        self.scopes: Counter[tuple[str, str, str]] = Counter()  # prefix, suffix, the outer one
        self.words = words  # that are to be annotated
        self._is_word = is_word or (lambda _: False)  # by a lexicon, if there is one
        self.total = 1  # stems, and one that is unknown
        self._counted: dict[str, Tree] = {}
        for entry in entries:
            self._count(entry.word, entry.readings)

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Count some words anew."""
        for word in words:
            if word in self._counted:
                self._add(word, self._counted.pop(word), -1)
            if word in records:
                self._count(word, records[word].entry.readings)

    def _count(self, word: str, readings: tuple[Tree, ...]) -> None:
        for tree in readings[:1]:
            self._counted[word] = tree
            self._add(word, tree, 1)

    def _add(self, word: str, tree: Tree, number: int) -> None:
        for leaf in tree.leaves():
            counts = self.affixes.get(leaf.label, self.stems)
            _change(counts, leaf.string, number)
            self.total += number if counts is self.stems else 0
        for node, _ in written(word, tree):
            for scope in _scopes(node):
                _change(self.scopes, scope, number)
            if len(node.children) > 2:
                _change(self.frames, _frame(node), number)
        if tree.form != word:
            for rewrite in _rewrites(word, tree):
                _change(self.rewrites, rewrite, number)

    def is_listed(self, string: str) -> bool:
        """Whether a string is a word that is to be annotated, or in a lexicon."""
        return string in self.words or self._is_word(string)

    def is_stem(self, string: str) -> bool:
        """Whether a string is a stem of some entry, or listed."""
        return string in self.stems or self.is_listed(string)

    def endings(self) -> dict[str, list[tuple[str, float]]]:
        """For each written stem end: what it may stand for, with a log probability."""
        found: dict[str, list[tuple[str, float]]] = {}
        for (before, after), count in self.rewrites.most_common():
            found.setdefault(before, []).append((after, math.log(count / self.total)))
        return found

    def propose(self, word: str, n: int = READINGS) -> Proposed:
        """Return readings of a word with their shares, likeliest first; one is the word alone."""
        found = _Search(self, word).analyses(word) if len(word) <= LONGEST else []
        best = {scored.tree: scored.score for scored in found[:n]}
        alone = Tree.stem(word)
        if alone not in best:
            best = dict([*best.items()][: n - 1])
            best[alone] = min([*best.values(), 0.0]) + UNKNOWN
        peak = max(best.values())
        total = sum(math.exp(score - peak) for score in best.values())
        return [(tree, math.exp(score - peak) / total) for tree, score in best.items()]


class _Search:
    """The readings of the substrings of one word."""

    def __init__(self, counts: Counts, word: str) -> None:
        self.counts = counts
        self.word = word
        self.endings = counts.endings()
        self.prefixes, self.suffixes = (_shares(counts.affixes[x]) for x in (PREFIX, SUFFIX))
        self.frames = _shares(counts.frames)
        self.done: dict[str, list[Scored]] = {}

    def analyses(self, string: str) -> list[Scored]:
        if string not in self.done:
            self.done[string] = []  # what is built from itself is no reading
            ways = (
                self._alone, self._suffixed, self._prefixed, self._compounds, self._hyphenated,
                self._framed,
            )  # fmt: skip
            candidates = chain.from_iterable(way(string) for way in ways)
            best = self._best(sorted(candidates, key=lambda found: -found.bound))
            self.done[string] = _ranked(best)
        return self.done[string]

    def _best(self, candidates: Iterable[Candidate]) -> dict[Tree, float]:
        """Build readings, the most promising first, while they can be among the best."""
        best: dict[Tree, float] = {}
        least = -math.inf  # so much the last of enough readings has
        for bound, parts in candidates:
            if bound < least:
                break
            tree = Tree.word(*parts) if len(parts) > 1 else parts[0]
            score = bound + self._scope(tree)
            best[tree] = max(score, best.get(tree, -math.inf))
            if len(best) >= READINGS and score > least:
                least = nlargest(READINGS, best.values())[-1]
        return best

    def _suffixed(self, string: str) -> Iterator[Candidate]:
        for end in range(len(string)):
            if (suffix := string[end:]) not in self.suffixes:
                continue
            prior, leaf = self.suffixes[suffix], Tree.suffix(suffix)
            for base, cost in self._bases(string[:end]):
                for score, tree in self.analyses(base) if len(base) < len(string) else ():
                    yield Candidate(score + prior + cost, (tree, leaf))

    def _prefixed(self, string: str) -> Iterator[Candidate]:
        for end in range(1, len(string) + 1):
            if (prefix := string[:end]) in self.prefixes:
                prior, leaf = self.prefixes[prefix], Tree.prefix(prefix)
                for score, tree in self.analyses(string[end:]):
                    yield Candidate(score + prior, (leaf, tree))

    def _compounds(self, string: str) -> Iterator[Candidate]:
        for end in range(SHORTEST_PART, len(string) - SHORTEST_PART + 1):
            if not self.counts.is_stem(string[end:]):
                continue
            right = next(self._alone(string[end:]))
            for left in self.analyses(string[:end]):
                if self.counts.is_stem(left.tree.root):
                    bound = left.score + right.bound + COMPOUND
                    yield Candidate(bound, (left.tree, *right.parts))

    def _hyphenated(self, string: str) -> Iterator[Candidate]:
        """Yield compounds with a hyphen; the second half of a reduplication is no news."""
        for place in _places_of("-", string):
            for left in self.analyses(string[:place]):
                for right in self.analyses(string[place + 1 :]):
                    news = 0.0 if left.tree == right.tree else right.score
                    yield Candidate(left.score + news, (left.tree, right.tree))

    def _framed(self, string: str) -> Iterator[Candidate]:
        """Yield readings with a circumfix or a linking element that some entry has."""
        for frame, prior in self.frames.items():
            ways = self._linked if frame.count(None) > 1 else self._around
            yield from ways(string, frame, prior)

    def _around(self, string: str, frame: Frame, prior: float) -> Iterator[Candidate]:
        """Yield readings with one word among affixes."""
        place = frame.index(None)
        before = [affix for affix in frame[:place] if affix]
        after = [affix for affix in frame[place + 1 :] if affix]
        head, tail = ("".join(affix.string for affix in affixes) for affixes in (before, after))
        end = len(string) - len(tail)
        if end <= len(head) or not string.startswith(head) or not string.endswith(tail):
            return
        inner = string[len(head) : end]
        for base, cost in self._bases(inner) if tail else ((inner, 0.0),):
            for score, tree in self.analyses(base) if len(base) < len(string) else ():
                yield Candidate(score + prior + cost, (*before, tree, *after))

    def _linked(self, string: str, frame: Frame, prior: float) -> Iterator[Candidate]:
        """Yield readings of two words with a linking element between them."""
        link = frame[1]
        if link is None:
            return
        for found in _places_of(link.string, string):
            left, right = string[:found], string[found + len(link.string) :]
            if min(len(left), len(right)) < SHORTEST_PART or not self.counts.is_stem(right):
                continue
            last = next(self._alone(right))
            for score, tree in self.analyses(left):
                if self.counts.is_stem(tree.root):
                    bound = score + last.bound + COMPOUND + prior
                    yield Candidate(bound, (tree, link, *last.parts))

    def _alone(self, string: str) -> Iterator[Candidate]:
        if not string:
            return
        count = self.counts.stems[string]
        if count:
            yield Candidate(math.log(count / self.counts.total), (Tree.stem(string),))
        elif string != self.word and self.counts.is_listed(string):
            yield Candidate(LISTED, (Tree.stem(string),))
        elif len(string) >= SHORTEST:
            yield Candidate(UNKNOWN + LETTER * len(string), (Tree.stem(string),))

    def _bases(self, string: str) -> Iterator[tuple[str, float]]:
        yield string, 0.0
        for end in range(len(string) + 1):
            for after, cost in self.endings.get(string[end:], ()):
                yield string[:end] + after, cost

    def _scope(self, tree: Tree) -> float:
        """Return how usual it is that the outer affix stands outside those of the other side."""
        total = 0.0
        for prefix, suffix, outer in _scopes(tree):
            inside = self.counts.scopes[prefix, suffix, outer]
            other = self.counts.scopes[prefix, suffix, SUFFIX if outer == PREFIX else PREFIX]
            total += math.log((inside + 1) / (inside + other + 2))
        return total


def _ranked(scores: Mapping[Tree, float]) -> list[Scored]:
    """Return the best readings, the highest score first; of equal ones, in alphabetical order."""
    found = [Scored(score, tree) for tree, score in scores.items()]
    found.sort(key=lambda scored: -scored.score)
    if any(one.score == other.score for one, other in pairwise(found)):
        found.sort(key=lambda scored: (-scored.score, str(scored.tree)))
    return found[:READINGS]


def _change(counts: Counter[Key], key: Key, number: int) -> None:
    """Add to a count; what is not there any more has none."""
    counts[key] += number
    if not counts[key]:
        del counts[key]


def _frame(node: Tree) -> Frame:
    return tuple(None if child.label == WORD else child for child in node.children)


def _places_of(part: str, string: str) -> Iterator[int]:
    """Yield where a part begins in a string, also where it overlaps itself."""
    found = string.find(part)
    while found >= 0:
        yield found
        found = string.find(part, found + 1)


def _shares(counts: Counter[Key]) -> dict[Key, float]:
    total = sum(counts.values()) + 1
    return {string: AFFIX + math.log(count / total) for string, count in counts.items()}


def _scopes(node: Tree) -> Iterator[tuple[str, str, str]]:
    """Yield each affix of the other side inside the outermost affix of a node."""
    labels = [child.label for child in node.children]
    if labels == [PREFIX, WORD]:
        for leaf in node.children[1].leaves():
            if leaf.label == SUFFIX:
                yield node.children[0].string, leaf.string, PREFIX
    elif labels == [WORD, SUFFIX]:
        for leaf in node.children[0].leaves():
            if leaf.label == PREFIX:
                yield leaf.string, node.children[1].string, SUFFIX


def _rewrites(word: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield how the ends of stems are written in a word, where that is not as they are."""
    pieces = [*zip(tree.leaves(), places(word, tree), strict=True)]
    for (leaf, (start, end)), (after, _) in pairwise(pieces):
        text = word[start:end]
        if leaf.label != WORD or after.label not in (SUFFIX, LINK) or text == leaf.string:
            continue
        same = shared_prefix(text, leaf.string)
        yield text[same:], leaf.string[same:]


# -- for the page ----------------------------------------------------------------------------


def proposed(word: str, analyzer: Analyzer | None, counts: Counts) -> Proposed:
    """Return readings with their shares: the model's, or from affixes before there is one."""
    if analyzer is None:
        return counts.propose(word, READINGS)
    readings = analyzer.parse(word, READINGS).readings
    return [(without_hyphens(r.tree), r.prob) for r in readings if isinstance(r.tree, Tree)]


def offers(word: str, record: Record | None, theirs: Entry | None, found: Proposed) -> list[Data]:
    """Return readings to choose from: the entry's, a second annotator's, then what is proposed."""
    offered: dict[Tree, tuple[float | None, str]] = {}
    if record:
        offered = dict.fromkeys(record.entry.readings, (None, record.fields.who or "saved"))
    if theirs:
        second = (theirs.fields[0].who if theirs.fields else "") or "second"
        for tree in theirs.readings:
            offered[tree] = None, f"{offered[tree][1]} + {second}" if tree in offered else second
    for tree, prob in found:  # the only one that is proposed has no share worth showing
        share = prob if len(found) > 1 else None
        offered[tree] = share, offered[tree][1] if tree in offered else ""
    return [
        {"tree": to_data(word, tree), "notation": str(tree), "prob": prob, "source": source}
        for tree, (prob, source) in [*offered.items()][:READINGS]
    ]


def inventory(counts: Counts, listed: Iterable[Affix], analyzer: Analyzer | None) -> Data:
    """Return affixes and stem ends, the most frequent first."""
    affixes = {label: used.copy() for label, used in counts.affixes.items()}
    rewrites = counts.rewrites.copy()
    for row in listed:
        affixes[row.label][row.string] += 0
    if analyzer is not None:
        for label, strings in analyzer.model.spans.knowledge.closed.items():
            affixes.setdefault(label, Counter()).update(dict.fromkeys(strings, 0))
        for rule, count in analyzer.model.proposals.rules.items():
            if rule.tail and rule.end.endswith(rule.tail) and rule.end != rule.rest + rule.tail:
                rewrites[rule.end.removesuffix(rule.tail), rule.rest] += count
    return {
        "prefixes": [text for text, _ in affixes[PREFIX].most_common(MOST_AFFIXES)],
        "suffixes": [text for text, _ in affixes[SUFFIX].most_common(MOST_AFFIXES)],
        "frames": [
            ["" if part is None else f"{part.label} {part.string}" for part in frame]
            for frame, _ in counts.frames.most_common(MOST_AFFIXES)
        ],
        "rewrites": [pair for pair, _ in rewrites.most_common(MOST_REWRITES)],
    }
