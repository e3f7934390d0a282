"""A sentence of an explanation, the facts that it states, and how lists and numbers are said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from morphtree.trees.tree import Tree, hyphenated

AGAINST = "against it: "
OFTEN = 1.5  # times in a million words: from here on they are counted


class Fact(NamedTuple):
    """What a sentence claims of a word or an affix; by these, each claim can be checked."""

    claim: str
    of: str
    value: Any = None


class Sentence(NamedTuple):
    """A sentence, words in it between asterisks; the kind of its evidence; what it claims."""

    kind: str
    text: str
    facts: tuple[Fact, ...] = ()

    @property
    def is_against(self) -> bool:
        """Whether it speaks against the reading."""
        return self.text.lower().startswith(AGAINST)

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as plain data."""
        facts = [fact._asdict() for fact in self.facts]
        return {"kind": self.kind, "text": self.text, "facts": facts}


def mentioned(text: str) -> str:
    """Write a word that is spoken of."""
    return f"*{text}*"


def quoted(meaning: str) -> str:
    """Write a meaning in single quotation marks."""
    return f"\N{LEFT SINGLE QUOTATION MARK}{meaning}\N{RIGHT SINGLE QUOTATION MARK}"


def article(noun: str) -> str:
    """Return the indefinite article of a noun, or of a letter by its name."""
    starts = "aefhilmnorsx" if len(noun) == 1 else "aeiou"
    return "an" if noun[0] in starts else "a"


def affix_named(affix: Tree) -> str:
    """Write an affix that is spoken of, with its hyphen."""
    return mentioned(hyphenated(affix.label, affix.string))


def listed(items: Iterable[str], last: str = "and") -> str:
    """Write things one after the other: *a, b and c*."""
    *others, end = items
    return f"{', '.join(others)} {last} {end}" if others else end


def capital(text: str) -> str:
    """Begin a text with a capital."""
    return text[:1].upper() + text[1:]


def frequencies(zipfs: Sequence[float]) -> str:
    """Say how often some words occur; the lexicon knows it to a sixteenth of a power of ten."""
    rates = [10 ** (zipf - 3) for zipf in zipfs]  # in a million words
    if len(rates) > 1 and min(rates) >= OFTEN:
        return f"about {listed(f'{_rounded(rate):,}' for rate in rates)} times in a million words"
    return listed(map(_often, rates))


def _often(rate: float) -> str:
    if rate >= OFTEN:
        times = "twice" if _rounded(rate) == 2 else f"{_rounded(rate):,} times"
        return f"about {times} in a million words"
    millions = _rounded(1 / rate)
    return f"about once in {'a' if millions == 1 else f'{millions:,}'} million words"


def _rounded(number: float) -> int:
    """Round to a whole number, a large one to two digits."""
    return round(number) if number < 100 else int(float(f"{number:.1e}"))
