"""Words that nobody would write, made at random: the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

WORDS = (
    "untestably", "naïvely", "window", "unhappiness", "well-being", "don't", "Straßenbahn",
    "İstanbul", "ﬁreﬂies", "ŉdebele", "ǅungla", "coöperation", "ΑΣ", "ΐσως", "x", "été",
)  # fmt: skip
MARKS = "".join(map(chr, (*range(0x300, 0x370), *range(0x591, 0x5C8), *range(0x64B, 0x660))))
RIGHT_TO_LEFT = "".join(map(chr, (*range(0x5D0, 0x5EB), *range(0x620, 0x64B), 0x200F, 0x202E)))
EMOJI = (
    "\U0001f600\U0001f469\U0001f3fd\u200d\U0001f680\U0001f1e9\U0001f1ea\u2764\ufe0f\u200d"
    "\u2764\ufe0f\U0001f3f3\ufe0f\u200d\U0001f308\U0001f9d1\u200d\U0001f91d\u200d\U0001f9d1"
)
BLANKS = "\0\t\n\r\v\f\x1b\x7f\x85 \u00a0\u2028\u2029\u3000\ufeff\u200b\u00ad"
PUNCTUATION = "'\u2019-\u2013\u2014_.,;:!?/\\|[](){}<>&%#@\"`~^$*+=0123456789"
CASES = "\u0131\u0130\u017f\u212a\u212b\ufb00"  # one letter in one case, other or more in another
LONGEST = 10_000
Maker = Callable[[random.Random], str]


def any_plane(rng: random.Random) -> str:
    """Return code points of all planes, unassigned ones, private ones and surrogates included."""
    planes = (rng.randrange(17) for _ in range(rng.randint(1, 70)))
    return "".join(chr(plane << 16 | rng.randrange(1 << 16)) for plane in planes)


def bent(rng: random.Random) -> str:
    """Return words with something strange inside."""
    letters = list("".join(rng.choices(WORDS, k=rng.randint(1, 3))))
    for _ in range(rng.randint(1, 6)):
        strange = rng.choice((MARKS, RIGHT_TO_LEFT, EMOJI, BLANKS, PUNCTUATION, CASES))
        letters.insert(rng.randrange(len(letters) + 1), rng.choice(strange))
    text = "".join(letters)
    return rng.choice((str.upper, str.title, str.swapcase, str))(text)


def of_letters(letters: str, most: int = 70) -> Maker:
    """Return what makes strings of some characters."""
    return lambda rng: "".join(rng.choices(letters, k=rng.randint(0, most)))


def endless(rng: random.Random) -> str:
    """Return a word of thousands of letters, or of thousands of marks on one letter."""
    one, many = rng.choice(("", "a", "é")), rng.choice(("a", "test", "\u0301", "é", "中", "\0"))
    return (one + many * LONGEST)[:LONGEST]


def at_the_limit(rng: random.Random) -> str:
    """Return a word of about as many letters as are analysed."""
    letters = rng.choice(("abcdefghijklmnopqrstuvwxyz", "unrelynss", "ab", "äöüßéèñ", "абвгд"))
    return "".join(rng.choices(letters, k=rng.randint(60, 66)))


def half_a_pair(rng: random.Random) -> str:
    """Return a word with lone surrogates, as undecodable arguments have."""
    word = rng.choice(WORDS)
    place = rng.randrange(len(word) + 1)
    return word[:place] + chr(rng.randrange(0xD800, 0xE000)) + word[place:]


MAKERS: tuple[Maker, ...] = (
    any_plane, bent, bent, of_letters(MARKS + "aeiou"), of_letters(RIGHT_TO_LEFT),
    of_letters(EMOJI), of_letters(BLANKS + "ab", 8), of_letters(PUNCTUATION + "ab"), half_a_pair,
    at_the_limit,
)  # fmt: skip


def texts(count: int, seed: int = 1) -> Iterator[str]:
    """Yield so many texts; one in a hundred has thousands of letters."""
    rng = random.Random(seed)
    for number in range(count):
        yield endless(rng) if number % 100 == 99 else rng.choice(MAKERS)(rng)


def lines(count: int, seed: int = 1) -> Iterator[bytes]:
    """Yield so many lines of a file, a third of them with broken UTF-8."""
    rng = random.Random(seed)
    for text in texts(count, seed):
        line = bytearray(text.encode("utf-8", "surrogatepass").replace(b"\n", b"\r"))
        if rng.random() < 1 / 3:
            place = rng.randrange(len(line) + 1)
            line[place : place + rng.randrange(3)] = rng.randbytes(rng.randint(1, 4))
        yield bytes(line).replace(b"\n", b"")
