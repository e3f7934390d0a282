"""The derivation notation: one step a line, ``untestable = un- + testable``.

A bare line is a simple word. ``-s-`` is a linking element; a prefix, a base and a suffix in one
step are a circumfix: ``gekauft = ge- + kaufen + -t``. ``base|2`` takes the second reading of a base
and ``base|*`` all of them; without either it is the first. A backslash makes the next character
literal.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from morphtree._util.text import content_lines, normalise
from morphtree.treebank.entry import (
    Fields,
    Note,
    Problem,
    check_letters,
    check_line,
    normalisation_notes,
    parse_fields,
)
from morphtree.treebank.formats.lines import read_lines
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, WORD, hyphenated, unescape

ALL_READINGS = 0
SHAPES = (
    (), (PREFIX, WORD), (WORD, SUFFIX), (WORD, WORD),
    (PREFIX, WORD, SUFFIX), (WORD, LINK, WORD), (WORD, LINK, SUFFIX), (PREFIX, LINK, WORD),
)  # fmt: skip

_TOKEN = re.compile(r"(?:\\.|[^ \t\\])+|(?P<lone>\\)", re.DOTALL)
_PIECE = re.compile(r"\\.|[^\\]", re.DOTALL)
_SPECIAL = re.compile(r"[\\|+=#\s]")


class Operand(NamedTuple):
    """A base with the number of its reading (from 1, or ALL_READINGS), or an affix."""

    string: str
    label: str
    reading: int = 1


class Step(NamedTuple):
    """One line: how a word is made of two or three operands; a simple word has none."""

    line: int
    word: str
    operands: tuple[Operand, ...] = ()
    fields: Fields = Fields()

    def bases(self) -> tuple[Operand, ...]:
        """Return the operands that are words themselves."""
        return tuple(operand for operand in self.operands if operand.label == WORD)

    def affixes(self) -> tuple[Operand, ...]:
        """Return the operands that are not."""
        return tuple(operand for operand in self.operands if operand.label != WORD)

    @property
    def is_single(self) -> bool:
        """Whether the step makes one reading, whatever its bases have."""
        return all(base.reading != ALL_READINGS for base in self.bases())

    def bare(self) -> str:
        """Write the step without its fields."""
        text = _escape(self.word)  # its hyphens cannot be mistaken for those of an affix
        if self.operands:
            text += " = " + " + ".join(map(_operand_text, self.operands))
        return text

    def __str__(self) -> str:
        text = self.bare()
        values = str(self.fields)
        return f"{text}\t{values}" if values else text


def read_steps(text: str) -> tuple[tuple[Step, ...], tuple[Note, ...], tuple[Problem, ...]]:
    """Read the steps of a file, without following them."""
    return read_lines(content_lines(text), _normalised)


def _normalised(number: int, line: str) -> tuple[Step, list[Note]]:
    step = parse_step(number, line)
    for string in (step.word, *(operand.string for operand in step.operands)):
        check_letters((string,))
    notes = normalisation_notes(number, (step.word, *(o.string for o in step.operands)))
    operands = tuple(o._replace(string=normalise(o.string)) for o in step.operands)
    return step._replace(word=normalise(step.word), operands=operands), notes


def parse_step(number: int, line: str) -> Step:
    """Read one line; a ValueError says what is wrong with it."""
    notation, _, fields = check_line(line).partition("\t")
    tokens = _tokens(notation)
    word = unescape(tokens[0])
    if tokens[0] in ("=", "+") or tokens[1:2] not in ([], ["="]) or len(tokens) == 2:
        raise ValueError("expected 'word', or 'word = base + -suffix'")
    if tokens[3::2] != ["+"] * (len(tokens) // 2 - 1):
        raise ValueError("write ' + ' between the operands")
    operands = tuple(map(_operand, tokens[2::2]))
    if tuple(operand.label for operand in operands) not in SHAPES:
        raise ValueError(
            "a step is 'prefix- + base', 'base + -suffix' or 'left + right'; of three operands "
            "'prefix- + base + -suffix', or with '-link-' in the middle"
        )
    return Step(number, word, operands, parse_fields(number, fields))


def _tokens(text: str) -> list[str]:
    matches = [*_TOKEN.finditer(text)]
    if any(match["lone"] for match in matches):
        raise ValueError("a backslash at the end escapes nothing")
    if not matches:
        raise ValueError("the word is missing")
    return [match.group() for match in matches]


def _operand(token: str) -> Operand:
    if token in ("=", "+"):
        raise ValueError(f"an operand is missing beside {token!r}")
    pieces = _PIECE.findall(token)  # single and escaped characters
    reading = 1
    label = WORD
    if "|" in pieces:
        place = pieces.index("|")
        reading = _reading_number("".join(pieces[place + 1 :]))
        pieces = pieces[:place]
    elif len(pieces) > 2 and pieces[0] == pieces[-1] == "-":
        label, pieces = LINK, pieces[1:-1]
    elif pieces[0] == "-":
        label, pieces = SUFFIX, pieces[1:]
    elif pieces[-1] == "-":
        label, pieces = PREFIX, pieces[:-1]
    if "-" in pieces:
        raise ValueError(f"write \\- for the hyphen inside {token!r}")
    if not pieces:
        raise ValueError(f"{token!r} is no operand")
    return Operand(unescape("".join(pieces)), label, reading)


def _reading_number(text: str) -> int:
    if text == "*":
        return ALL_READINGS
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise ValueError(f"after '|' comes the number of a reading or '*', not {text!r}")
    return int(text)


def _escape(string: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", string)


def _operand_text(operand: Operand) -> str:
    text = _escape(operand.string).replace("-", r"\-")
    if operand.label != WORD:
        return hyphenated(operand.label, text)
    reading = "*" if operand.reading == ALL_READINGS else str(operand.reading)
    return text if operand.reading == 1 else f"{text}|{reading}"
