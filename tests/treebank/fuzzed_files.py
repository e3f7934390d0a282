"""Files of every format, bent at random: the same ones for the same seed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

from tests import fuzz

SOUND = {
    "brackets": (
        "untestable\t[un [[test] able]]", "unlockable\t[un [[lock] able]]\t[[un [lock]] able]",
        "malsana\t[[mal [san]] a]\twho=anna when=2026-11-15T20:07:46Z", "# families",
        "kaj\t[]\tnote=x who=y when=2026", "tag\t[[arbeit] [LINK: s] [tag]]", "a\t[\\[\\ ]",
    ),
    "derivation": (
        "test", "testable = test + -able", "untestable = un- + testable", "test = un- + test|*",
        "blackbird = black + bird\tprov=read note=two readings", "black", "bird = test|2 + -s",
        "well-beings = well\\-being + -s", "# families", "untestable = test|* + test|*",
    ),
    "2016": (
        "unanswerable (S (S (un:prefix) (answer:stem)) (able:suffix))", "a (S (a:stem)(s:suffix)",
        "9a (S ( a : stem ) (s:sufix))", "a (S (un:prefix) ((a:stem) (s:suffix)))", "(S (a:stem))",
    ),
    "flat": (
        "technician\ttechniqueian\ttechnique ian", "strides\tstride @@s\t100", "a\ta\ta",
        "cats\tcat @@s\t110",
    ),
}  # fmt: skip
PIECES: tuple[str, ...] = (
    *"abAS ()[]:\\\t|*+=-#@29\r", "\n", "\r\n", "(S ", " = ", " + ", "|*", "|9999", "|1", " @@",
    "note=", " when=", "[]", "[[a] s]", "(a:stem)", "\u0301", "\u0315\u0300", "\ufeff", "\u2028",
    "\0", "\x85", "\u3000", "İ", "ﬁ", "\U0001f600",
)  # fmt: skip
MOST = 3000  # times that a piece is repeated

Change = Callable[[random.Random, str], str]


def _insert(rng: random.Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(PIECES) + text[place:]


def _repeat(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text) + 1)
    piece = text[start : start + rng.randint(1, 12)] or rng.choice(PIECES)
    times = int(math.exp(rng.uniform(0, math.log(MOST))))
    return text[:start] + piece * times + text[start:]


def _delete(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + text[start + rng.randint(1, 8) :]


def _move(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    rng.shuffle(lines)
    return "\n".join(lines)


def _copy(rng: random.Random, text: str) -> str:
    a, b, c = sorted(rng.randrange(len(text) + 1) for _ in range(3))
    return text[:b] + text[a:b] + text[c:]


def _strange(rng: random.Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(fuzz.MAKERS)(rng) + text[place:]


CHANGES: tuple[Change, ...] = (_insert, _insert, _delete, _delete, _copy, _move, _repeat, _strange)


def files(count: int, seed: int = 17) -> Iterator[tuple[str | None, bytes]]:
    """Yield so many files, with the format by which to read them (None: find it out)."""
    rng = random.Random(seed)
    for _ in range(count):
        name = rng.choice([*SOUND])
        text = "\n".join(rng.choices(SOUND[name], k=rng.randint(1, 12)))
        for _ in range(rng.randint(0, 6)):
            text = rng.choice(CHANGES)(rng, text)
        data = text.encode("utf-8", "surrogatepass" if rng.random() < 0.1 else "replace")
        yield rng.choice((name, None, rng.choice([*SOUND]))), data
