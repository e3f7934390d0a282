"""How wide a text is where nothing can measure it: in a file that any font may draw."""

from __future__ import annotations

import unicodedata

# Thousandths of the font's size: Palatino Bold, wider than Times, Georgia and most sans serifs.
_WIDTHS = {
    letter: width
    for width, letters in {
        278: "',.:;!|", 333: "-ijlt()[]", 389: "frIJ", 444: "cs", 500: "aexz0123456789*?",
        556: "ghopkuvyF", 611: "bdnqELPS", 667: "BTXYZ", 722: "CR", 778: "AKUV", 833: "wDGHNOQ",
        889: "m", 1000: "MW@%",
    }.items()
    for letter in letters
}  # fmt: skip
_OTHER, _CAPITAL, _WIDE = 620, 780, 1000


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is, rather too wide than too narrow."""
    return sum(map(_width, unicodedata.normalize("NFD", text))) * size / 1000


def _width(letter: str) -> int:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0  # it stands on the letter before, or is not seen
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    return _CAPITAL if letter.isupper() else _OTHER
