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
}
FIRST_BIT = dict(zip(WIDTH, accumulate(WIDTH.values(), initial=0), strict=False))
BITS = {name: (1 << width) - 1 << FIRST_BIT[name] for name, width in WIDTH.items()}
ONLY_LISTED = 48  # a word of which only the existence is known: zipf 3, unknown otherwise


def pack(**facts: int) -> int:
    """Pack some facts of a word."""
    return sum(value << FIRST_BIT[name] for name, value in facts.items())


def unpack(facts: Any, name: str) -> Any:
    """Return one fact of a word, or of each word of an array."""
    return (facts & BITS[name]) >> FIRST_BIT[name]
