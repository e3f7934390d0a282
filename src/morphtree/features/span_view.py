"""One span of a form of a word, with what is known of its string and of how it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from morphtree.features.templates import hash_text
from morphtree.lexicon.family import Contribution, align
from morphtree.lexicon.lexicon import Knowledge


@dataclass(frozen=True)
class View:
    """One span of a form of a word, and what is known of strings."""

    knowledge: Knowledge
    word: str
    form: str
    start: int
    end: int
    own: Collection[Contribution] = ()  # what the word itself brought to the family

    @property
    def string(self) -> str:
        """The string of the span."""
        return self.form[self.start : self.end]

    @cached_property
    def positions(self) -> list[int]:
        """Where the boundaries of the form are in the word."""
        return align(self.word, self.form)

    def is_closed(self, start: int, end: int) -> bool:
        """Whether a part of the form is a string of the closed class."""
        string = self.form[start:end]
        return any(string in strings for strings in self.knowledge.closed.values())

    @cached_property
    def starts(self) -> list[int]:
        """Where the span starts, with what may be its first part or without."""
        inner = range(self.start + 1, self.end)
        return [self.start, *(p for p in inner if self.is_closed(self.start, p))]

    def cuts(self, start: int, end: int) -> list[int]:
        """Where the last part of a span may start."""
        return [k for k in range(start + 1, end) if self.is_closed(k, end)]

    def written(self, start: int, end: int) -> str:
        """A part of the form as it is written in the word."""
        return self.word[self.positions[start] : self.positions[end]]

    def spellings(self, start: int, end: int) -> list[str]:
        """How a span may be written: as in the word but for its last part, or wholly so."""
        cuts = *self.cuts(start, end), end
        return [self.written(start, k) + self.form[k:end] for k in cuts]

    @cached_property
    def joined(self) -> list[str]:
        """How the span may be written as a word of its own."""
        return [spelling for p in self.starts for spelling in self.spellings(p, self.end)]

    @cached_property
    def wholes(self) -> set[str]:
        """The whole word, and what is left of it without each of the frequent endings."""
        endings = ("", *(ending for ending in self.knowledge.endings if ending != self.word))
        return {self.word.removesuffix(end) for end in endings if self.word.endswith(end)}

    def suffixed(self) -> Iterator[tuple[str, list[str]]]:
        """What the span may be without its first part, and from which bases by a suffix."""
        for p in self.starts:
            for k in self.cuts(p, self.end):
                bases = [self.form[p:k], *self.spellings(p, k)[:-1]]
                yield self.written(p, k) + self.form[k : self.end], bases

    def prefixed(self) -> Iterator[tuple[str, list[str]]]:
        """What the span may be, and from which bases by a prefix."""
        for k in (*self.cuts(self.start, self.end), self.end):
            tail = self.form[k : self.end]
            bases = [self.written(p, k) + tail for p in self.starts[1:] if p < k]
            yield self.written(self.start, k) + tail, bases

    @property
    def other(self) -> str:
        """What stands before the span or else, at the start, all that stands after it."""
        return self.form[: self.start] or self.form[self.end :]

    def facts(self, whose: str) -> int:
        """The packed facts of the span, the word, the span's best known spelling, or the rest."""
        strings = [{"word": self.word, "other": self.other}.get(whose, self.string)]
        strings = self.spellings(self.start, self.end) if whose == "joined" else strings
        found = filter(None, map(self.knowledge.lexicon.get, strings))
        return max(found, key=lambda facts: facts & 255, default=0)

    def seen(self, string: str, kind: int) -> int:
        """In how many other words of the treebank a string plays a part."""
        return self.knowledge.family.get(string)[kind] - ((hash_text(string), kind) in self.own)
