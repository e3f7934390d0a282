"""What a request costs, in ordinary words: about a third of a millisecond each."""

from __future__ import annotations

from collections.abc import Iterable

from morphtree.written.text import LONGEST_WORD

ORDINARY = 12  # letters; longer words take time by the square of their length
READINGS = 20  # so many more readings double the cost
EXPLAIN = 100  # an explanation looks at every feature of a word, and for precedents, in Python
VIEW = 2  # each reading is drawn
REQUEST = 3  # to be read and answered
FREE = 1 << 14  # bytes of a body: so much have 1,000 words
BYTES = 256  # of a larger body; while it is read as JSON, nothing else is


def word_cost(word: str, n: int = 1) -> float:
    """Return the cost of the n best readings of a word, at most what the slowest words take."""
    letters = min(len(word), LONGEST_WORD)
    return max(1.0, (letters / ORDINARY) ** 2) * (1 + (n - 1) / READINGS)


def words_cost(words: Iterable[str], n: int = 1) -> float:
    """Return the cost of the n best readings of words."""
    return sum(word_cost(word, n) for word in words)


def explain_cost(word: str) -> float:
    """Return the cost of an explanation."""
    return EXPLAIN * word_cost(word)


def view_cost(word: str, n: int) -> float:
    """Return the cost of all that a page shows of a word."""
    return word_cost(word, n) + VIEW * n


def request_cost(body: int) -> float:
    """Return the cost of reading a request whose body is to have so many bytes."""
    return REQUEST + max(0, body - FREE) // BYTES
