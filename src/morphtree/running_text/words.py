"""The words of a text with what is known of each; each distinct word is asked for once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from morphtree.analysis import Analysis, Morpheme
from morphtree.errors import NotAWordError
from morphtree.running_text.blocks import blocks
from morphtree.running_text.tokens import Token, find_tokens

Answer = TypeVar("Answer")
REMEMBERED = 1 << 15  # distinct words, at least, if the text has so many


@dataclass(frozen=True, slots=True)
class TextWord:
    """A word of a text, its place there in code points, half-open, and its analysis."""

    text: str
    start: int
    end: int
    analysis: Analysis

    @property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The morphemes of the best reading, with their places in the text."""
        return tuple(
            morpheme._replace(start=self.start + morpheme.start, end=self.start + morpheme.end)
            for reading in self.analysis.readings[:1] for morpheme in reading.morphemes
        )  # fmt: skip


class Block(NamedTuple, Generic[Answer]):
    """A part of a text: where it starts, its words, and the answer for each of them."""

    text: str
    start: int
    words: Sequence[Token]
    answers: Sequence[Answer]


class Recent(Generic[Answer]):
    """The answers for words that were asked for last.

    They are kept in two generations: what the younger lacks comes from the older, which is
    dropped when the younger is full, so that frequent words stay.
    """

    def __init__(self, ask: Callable[[list[str]], Iterable[Answer]]) -> None:
        self._ask = ask
        self._young: dict[str, Answer] = {}
        self._old: dict[str, Answer] = {}

    def answers(self, words: Sequence[str]) -> list[Answer]:
        """Return an answer for each word; those that are not remembered are asked together."""
        if len(self._young) >= REMEMBERED:
            self._old, self._young = self._young, {}
        young, old = self._young, self._old
        missing = [word for word in dict.fromkeys(words) if word not in young]
        young.update((word, old[word]) for word in missing if word in old)
        new = [word for word in missing if word not in old]
        young.update(zip(new, self._ask(new), strict=True))
        return [young[word] for word in words]


def _pieces(text: object) -> Iterator[str]:
    """Yield the pieces of a text, and complain of what is none."""
    has_pieces = isinstance(text, Iterable) and not isinstance(text, str | bytes)
    for piece in text if has_pieces else (text,):  # type: ignore[attr-defined]
        if not isinstance(piece, str):
            kind = type(piece).__name__
            raise NotAWordError(
                f"{piece!r:.60} is of the type {kind}, and a text is a string, or strings that"
                " follow one another"
            )
        yield piece


def answered(
    text: str | Iterable[str], ask: Callable[[list[str]], Iterable[Answer]]
) -> Iterator[Block[Answer]]:
    """Yield a text, or one that comes in pieces, in blocks with an answer for each word."""
    recent = Recent(ask)
    start = 0
    for block in blocks(_pieces(text)):
        words = [*find_tokens(block, start)]
        yield Block(block, start, words, recent.answers([word.text for word in words]))
        start += len(block)


def analysed(
    text: str | Iterable[str], analyse: Callable[[list[str]], Iterable[Analysis]]
) -> Iterator[TextWord]:
    """Yield the words of a text with their analyses."""
    for block in answered(text, analyse):
        for word, analysis in zip(block.words, block.answers, strict=True):
            yield TextWord(*word, analysis)
