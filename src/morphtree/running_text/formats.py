"""What becomes of a text: the text with its morphemes marked, lines of JSON, a table of types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from json import dumps
from typing import NamedTuple
from unicodedata import category

from morphtree._util.text import normalise
from morphtree.analysis import Analysis
from morphtree.errors import DataError
from morphtree.running_text.blocks import blocks
from morphtree.running_text.tokens import find_tokens
from morphtree.running_text.words import Block, answered

Analyse = Callable[[Iterable[str]], Iterable[Analysis]]
MARK = "·"
NO_MARK = "{!r} is no mark; take one character of punctuation or one symbol"


def marked(text: Iterable[str], analyse: Analyse, mark: str = MARK) -> Iterator[str]:
    """Yield a text with a mark between the morphemes of its words; `unmarked` takes it off.

    A mark that the text has is doubled, and a word that has one is not marked.
    """
    if not is_mark(mark):
        raise DataError(NO_MARK.format(mark))

    def ask(words: list[str]) -> Iterator[str]:
        return (_marked(analysis, mark) for analysis in analyse(words))

    for block in answered(text, ask):
        yield "".join(_with_answers(block, mark))


def _with_answers(block: Block[str], mark: str) -> Iterator[str]:
    """Yield what stands between words, with doubled marks, and for each word its answer."""
    at = 0
    for word, shown in zip(block.words, block.answers, strict=True):
        yield block.text[at : word.start - block.start].replace(mark, mark * 2)
        yield shown
        at = word.end - block.start
    yield block.text[at:].replace(mark, mark * 2)


def is_mark(mark: str) -> bool:
    """Whether what is marked by it can be told from the text."""
    return len(mark) == 1 and category(mark)[0] in "PS"


def _marked(analysis: Analysis, mark: str) -> str:
    """Cut a word where a morpheme begins; one that has no letters there has no mark."""
    word = analysis.word
    if mark in word:
        return word.replace(mark, mark * 2)
    found = (reading.morphemes for reading in analysis.readings[:1])
    places = {m.start for morphemes in found for m in morphemes[1:] if m.start < m.end}
    cuts = [0, *sorted(place for place in places if place > 0), len(word)]
    return mark.join(word[a:b] for a, b in pairwise(cuts))


def unmarked(text: str, mark: str = MARK) -> str:
    """Return the text that was marked."""
    return re.sub(f"({re.escape(mark)}){re.escape(mark)}|{re.escape(mark)}", r"\1", text)


class _Shown(NamedTuple):
    """What stays the same in all lines of JSON of a word."""

    told: str
    morphemes: tuple[tuple[str, int, int], ...]


def json_lines(text: Iterable[str], analyse: Analyse) -> Iterator[str]:
    """Yield lines of JSON, one for each word of a text, with places in the whole text."""

    def ask(words: list[str]) -> Iterator[_Shown]:
        return map(_shown, analyse(words))

    for block in answered(text, ask):
        words = zip(block.words, block.answers, strict=True)
        yield "".join(_line(word.start, word.end, shown) for word, shown in words)


def _line(start: int, end: int, shown: _Shown) -> str:
    morphemes = ", ".join(
        f'{what}, "start": {start + a}, "end": {start + b}}}' for what, a, b in shown.morphemes
    )
    return f'{{"start": {start}, "end": {end}, {shown.told}, "morphemes": [{morphemes}]}}\n'


def _shown(analysis: Analysis) -> _Shown:
    best = analysis.readings[0] if analysis.readings else None
    told = {
        "word": analysis.word,
        "status": analysis.status,
        "tree": best.notation if best else "",
        "prob": best.prob if best else 0.0,
        "source": best.source if best else "model",
    }
    morphemes = (
        (dumps({"form": m.form, "role": m.role}, ensure_ascii=False)[:-1], m.start, m.end)
        for m in (best.morphemes if best else ())
    )
    return _Shown(dumps(told, ensure_ascii=False)[1:-1], tuple(morphemes))


def table(text: Iterable[str], analyse: Analyse) -> Iterator[str]:
    """Yield 'type, count, tree, morphemes, probability' with tabs, by falling count.

    Words that differ in capitals that the rules lower are one type.
    """
    counts = Counter(type_of(token.text) for block in blocks(text) for token in find_tokens(block))
    types = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    for (word, count), analysis in zip(types, analyse(w for w, _ in types), strict=True):
        best = analysis.readings[0] if analysis.readings else None
        cells = (
            (best.notation, " ".join(best.segments), f"{best.prob:.4f}") if best else ("", "", "")
        )
        yield "\t".join((word, str(count), *cells)) + "\n"


def type_of(word: str) -> str:
    """Lower a first capital, and capitals alone; those inside a word are of its spelling."""
    return normalise(word) if word.isupper() or word[1:].lower() == word[1:] else word
