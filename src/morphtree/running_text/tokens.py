"""The words of a text: Unicode's word boundaries (UAX #29), and what this tool adds to them.

The boundaries are rules 4 to 13b; the classes of characters are those of the library `regex`,
whose own boundaries differ from the standard beside flags and lone emoji modifiers. A colon is no
part of a word, as in CLDR. Added: a hyphen joins words, an abbreviation keeps its last full stop,
and addresses of the web and of mail have no words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from morphtree._util.text import normalise
from morphtree.written.text import ABBREVIATION, PLAINLY

NAMED = {  # what the patterns below are made of
    "extend": r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+",
    "letter": r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]",
    "hebrew": r"\p{WB=Hebrew_Letter}",
    "digit": r"\p{WB=Numeric}",
    "katakana": r"\p{WB=Katakana}",
    "joining": r"\p{WB=ExtendNumLet}",  # the underscore and its like
    "between_letters": r"(?![:\uFE55\uFF1A])[\p{WB=MidLetter}\p{WB=MidNumLet}\p{WB=Single_Quote}]",
    "between_digits": r"[\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}]",
    "other_letter": r"\p{L}",  # an ideograph, Hiragana, Thai: a word by itself
    "hyphen": "[-\u2010\u2011]",  # a dash, an en dash too, separates words
}
RUN = r"""
    (?: (?: {hebrew}{extend} (?: {between_letters}{extend} (?={letter})
                               | \"{extend} (?={hebrew}) )?+
          | {letter}{extend} (?: {between_letters}{extend} (?={letter}) )?+
          | {digit}{extend} (?: {between_digits}{extend} (?={digit}) )?+ )++
      | (?: {katakana}{extend} )++ )
"""
WORD = rf"""
    (?: (?: {{joining}}{{extend}} )++ (?: {RUN} )?+ | {RUN} )
    (?: (?: {{joining}}{{extend}} )++ (?: {RUN} )?+ )*+
    (?: (?<={{hebrew}}{{extend}}) '{{extend}} )?+
"""
JOINED = rf"(?: {WORD} (?: {{hyphen}} {WORD} )*+ | {{other_letter}}{{extend}} )"
ADDRESS = r"""
    (?: \b[A-Za-z][A-Za-z0-9+.-]{{1,15}}:// | \bwww\. ) [^\s<>"]*+
  | (?<![\w.+-]) [\w.+-]{{1,64}}+ @ [\w-]{{1,63}}+ (?: \. [\w-]{{1,63}}+ )++
"""
# Most words: letters that nothing above could make longer. It saves most of the time.
PLAIN = r"[A-Za-z]++ (?=[\s,;!?)\"])"


class Token(NamedTuple):
    """A word of a text, and its place there in code points, half-open."""

    text: str
    start: int
    end: int


@cache
def _pattern() -> Any:
    """Return what finds addresses, and words as a group; compiled when a text is there."""
    import regex

    source = rf"(?P<plain> {PLAIN} ) | {ADDRESS} | (?P<word> {JOINED} )".format_map(NAMED)
    return regex.compile(source, regex.VERBOSE)


def find_tokens(text: str, offset: int = 0) -> Iterator[Token]:
    """Yield the words of a text that have a letter, in order; `offset` is where the text starts."""
    for match in _pattern().finditer(text):
        kind = match.lastgroup
        if kind is None:  # an address
            continue
        start, end = match.span()
        word = match[0]
        if kind == "word":
            if "." in word and text[end : end + 1] == "." and _is_abbreviation(word):
                word, end = word + ".", end + 1
            if not any(map(str.isalpha, word)):
                continue
        yield Token(word, offset + start, offset + end)


def _is_abbreviation(word: str) -> bool:
    return ABBREVIATION.fullmatch(normalise(word).translate(PLAINLY)) is not None
