"""What the kernels' numbers mean: the attributes of a span, and the packed facts of a word.

The kernels and all above them read it here; nothing else numbers either of them.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

# The attributes by what computes them in attributes.py; the number of an attribute is its place.
COMPUTED = {
    "always": ("string", "length", "edge"),
    "letters": (
        "left1", "left2", "left3", "right1", "right2", "right3", "right4", "head1", "head2",
        "tail1", "tail2", "tail3", "rest", "before",
    ),
    "facts": (
        "attested", "zipf", "kind", "speech", "word_zipf", "word_speech", "gain", "paradigm",
        "derived", "any_kin", "any_told", "complexity", "stem",
    ),
    "spellings": (
        "joined_zipf", "joined_kind", "joined_speech", "suffix_link", "prefix_link", "kin",
        "suffix_kin", "prefix_kin", "told", "suffix_told", "prefix_told", "complexity",
    ),
    "changes": ("change", "distance", "inner"),
    "hyphen": ("hyphen",),
    "other": (
        "other_zipf", "other_kind", "other_speech", "other_kin", "other_told", "other_length",
    ),
}  # fmt: skip
ALIGNED = "spellings", "changes", "hyphen"  # these need the word beside the form
ATTRIBUTES = tuple(dict.fromkeys(name for names in COMPUTED.values() for name in names))
NUMBER = {name: number for number, name in enumerate(ATTRIBUTES)}

# Attributes over letters are hashes; every other one is a small number: how many values it has
LETTERS = frozenset(("string", "change", *COMPUTED["letters"]))
SIZES = {
    "length": 9, "edge": 5, "attested": 2, "zipf": 12, "kind": 9, "speech": 17, "word_zipf": 12,
    "word_speech": 17, "gain": 26, "paradigm": 5, "derived": 5, "any_kin": 8, "any_told": 4,
    "complexity": 8, "stem": 3, "joined_zipf": 12, "joined_kind": 9, "joined_speech": 17,
    "suffix_link": 4, "prefix_link": 4, "kin": 8, "suffix_kin": 8, "prefix_kin": 8, "told": 4,
    "suffix_told": 4, "prefix_told": 4, "distance": 5, "inner": 4, "hyphen": 3, "other_zipf": 12,
    "other_kind": 9, "other_speech": 17, "other_kin": 8, "other_told": 4, "other_length": 9,
}  # fmt: skip

# A context of a span template is one number: a hash of the attributes over letters, then the
# template, counted from 1, then the other attributes, each a digit of a number of mixed base.
VALUE_BITS, TEMPLATE_BITS = 14, 10
KEY_SHIFT = VALUE_BITS + TEMPLATE_BITS
MOST_DIGITS = 4  # of a template


def numbers(names: str) -> tuple[int, ...]:
    """Return the numbers of some attributes, whose names are separated by spaces."""
    return tuple(NUMBER[name] for name in names.split())


def computed_by(*groups: str) -> int:
    """Return the attributes of some groups as bits."""
    return sum({1 << NUMBER[name] for group in groups for name in COMPUTED[group]})


# The facts of a word in one number, the first in the lowest bits: how many bits each has
WIDTH = {
    "zipf": 8,  # in sixteenths
    "kind": 2,  # 0: unknown, 1: ordinary word, 2: name, 3: other
    "speech": 4,  # noun, verb, adjective, adverb
    "by_suffix": 1,  # the lexicon derives it by a suffix
    "by_prefix": 1,
    "compared": 1,  # its meaning was compared with those of others by vectors
    "defined": 1,  # a dictionary explains it
    "any_told": 2,  # how near the nearest of its possible bases is by a dictionary
    "any_kin": 3,  # and by vectors
    "complexity": 3,  # 1 + how likely it is morphologically complex; 0: not classified
    "category": 3,  # 1 + the place in CATEGORIES of what it mostly is; 0: not known
}
CATEGORIES = "NVARQX"  # noun, verb, adjective, adverb, number, other
FIRST_BIT = dict(zip(WIDTH, accumulate(WIDTH.values(), initial=0), strict=False))
BITS = {name: (1 << width) - 1 << FIRST_BIT[name] for name, width in WIDTH.items()}
ONLY_LISTED = 48  # a word of which only the existence is known: zipf 3, unknown otherwise


def pack(**facts: int) -> int:
    """Pack some facts of a word."""
    return sum(value << FIRST_BIT[name] for name, value in facts.items())


def unpack(facts: Any, name: str) -> Any:
    """Return one fact of a word, or of each word of an array."""
    return (facts & BITS[name]) >> FIRST_BIT[name]
