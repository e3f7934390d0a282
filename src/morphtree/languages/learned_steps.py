"""Silver steps by the words that were read: their changes of spelling, on words that lists relate.

*cantamos = cantar + -amos* was read, and the lists have *hablamos* as a form of *hablar*, so
*hablamos* is *hablar + -amos*. A language needs no rules of its own for that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rapidfuzz.distance import Prefix

from morphtree.languages.listed_words import ListedWords
from morphtree.treebank.formats.steps import Operand, Step
from morphtree.trees.tree import LINK, SUFFIX, WORD

Parts = tuple[Operand, ...]
MOST_CONTEXT = 3  # letters before a change that count as well
DOUBT = 2  # words on which a change failed, before any was seen
LEAST_CERTAIN = 0.6  # share of the words read on which a change was right
LONGEST_CHANGE = 8
SHORTEST_PART, COMMON_PART = 4, 2.5  # letters and zipf of the parts of a compound
SHORTEST_STEM = 3
LEAST_LINKS = 2  # compounds with a link that is a usual one

Change = tuple[str, str]  # the ends of a word and of its base, from where they differ or before


class LearnedSteps:
    """Proposes last steps: suffixes where lists relate two words, and compounds."""

    def __init__(self, read: Mapping[str, Step], listed: ListedWords) -> None:
        self.listed = listed
        self.suffixes: dict[Change, Counter[str]] = defaultdict(Counter)
        self.bases: dict[str, set[str]] = defaultdict(set)  # what a changed end may go back to
        self.tried: Counter[Change] = Counter()  # on words that were read
        self.links = _links(read.values())
        made = {word: found for word, step in read.items() if (found := _suffixed(step))}
        for word, (base, suffix) in made.items():
            end, before = next(_changes(word, base))
            self.bases[end].add(before)
            for change in _changes(word, base):
                self.suffixes[change][suffix] += 1
        for word in read:
            for base in {*self._related(word), *made.get(word, ())[:1]} - {word}:
                self.tried.update(_changes(word, base))

    def chain(self, words: Iterable[str], read: Mapping[str, Step]) -> dict[str, Step]:
        """Return the steps of words and of all words inside them; no word contains itself."""
        steps = dict(read)

        def visit(word: str, above: tuple[str, ...]) -> None:
            if word in steps:
                return
            parts = self.parts(word)
            inside = [part.string for part in parts if part.label == WORD]
            if {*inside} & {*above, word}:
                parts, inside = (), []
            for base in inside:
                visit(base, (*above, word))
            steps[word] = Step(0, word, parts)

        for word in words:
            visit(word, ())
        return steps

    def trusted(self, steps: Mapping[str, Step], read: Mapping[str, Step]) -> set[str]:
        """Return the words that are made of words read by hand."""
        found = set(read)
        for word, step in steps.items():  # bases come first
            bases = {base.string for base in step.bases()}
            if bases and bases <= found:
                found.add(word)
        return found - read.keys()

    def parts(self, word: str) -> Parts:
        """Return the likeliest last step of a word; nothing if there is none."""
        ranked = [found for base in self._related(word) for found in self._suffix(word, base)]
        certainty, base, suffix = max(ranked, default=(0.0, "", ""))
        if certainty >= LEAST_CERTAIN:
            return Operand(base, WORD), Operand(suffix, SUFFIX)
        lemmas = self._lemmas(word)
        return self._compound(word) if not lemmas or word in lemmas else ()

    def _lemmas(self, word: str) -> set[str]:
        return {lemma.word for lemma in self.listed.lemmas.get(word, ())}

    def _related(self, word: str) -> set[str]:
        """Return what a word may be made of: its lemmas, their other forms, listed bases."""
        lemmas = self._lemmas(word)
        bases = {how.base for how in self.listed.derived.get(word, ())}
        forms = {base for base in self._unchanged(word) if self._lemmas(base) & lemmas}
        return (bases | lemmas | forms) - {word}

    def _unchanged(self, word: str) -> Iterator[str]:
        """Yield the word with any change undone that was read."""
        for size in range(min(len(word) - SHORTEST_STEM, LONGEST_CHANGE) + 1):
            start, end = word[: len(word) - size], word[len(word) - size :]
            for before in self.bases.get(end, ()):
                yield start + before

    def _suffix(self, word: str, base: str) -> Iterator[tuple[float, str, str]]:
        """Yield the suffix between two words and how certain it is, if the words read show one."""
        for change in _changes(word, base):
            if seen := self.suffixes.get(change):
                suffix, count = seen.most_common(1)[0]
                yield count / (self.tried[change] + DOUBT), base, suffix

    def _compound(self, word: str) -> Parts:
        ranked = [
            (self.listed.zipf(first) + self.listed.zipf(word[end:]), first, link, word[end:])
            for end in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
            if self._is_part(word[end:])
            for link in self.links
            if word[:end].endswith(link) and self._is_part(first := word[:end].removesuffix(link))
        ]
        if not ranked:
            return ()
        _, first, link, last = max(ranked)
        middle = (Operand(link, LINK),) if link else ()
        return Operand(first, WORD), *middle, Operand(last, WORD)

    def _is_part(self, part: str) -> bool:
        return (
            len(part) >= SHORTEST_PART
            and self.listed.zipf(part) >= COMMON_PART
            and any(lemma.word == part for lemma in self.listed.lemmas.get(part, ()))
        )


def _suffixed(step: Step) -> tuple[str, str] | tuple[()]:
    """Return the base and the suffix of a step that has just these."""
    if [operand.label for operand in step.operands] != [WORD, SUFFIX]:
        return ()
    base, suffix = step.operands
    return base.string, suffix.string


def _links(steps: Iterable[Step]) -> list[str]:
    """Return what usually stands between the parts of compounds, the empty string as well."""
    counts = Counter(
        "".join(operand.string for operand in step.operands if operand.label == LINK)
        for step in steps
        if len(step.bases()) == 2
    )
    return [link for link, count in counts.items() if count >= LEAST_LINKS]


def _changes(word: str, base: str) -> Iterator[tuple[str, str]]:
    """Yield the ends in which a word and its base differ, with 0, 1, 2 ... letters before."""
    same = Prefix.similarity(word, base)
    for start in range(same, max(same - MOST_CONTEXT, 0) - 1, -1):
        yield word[start:], base[start:]
