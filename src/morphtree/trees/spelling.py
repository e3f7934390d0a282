"""Respelling: from the morphemes of a word, or its whole tree, to the word as it is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from morphtree.trees.spelling_rules import RULES, VOWEL, SpellingRule
from morphtree.trees.tree import SUFFIX, WORD, Tree, hyphenated

MAX_SPELLINGS = 64  # of one tree; a longer list drops its least likely end
VOWEL_LETTERS = frozenset("aeiouy")
# Another cut of the same suffixes: *consume + tion* is spelt as *consume + ion*.
LONG_VARIANTS = {
    **dict.fromkeys(("tion", "sion", "ssion"), "ion"),
    **dict.fromkeys(("tive", "sive", "ssive"), "ive"),
    **{"tic": "ic", "cal": "ical", "tical": "ical"},
}
_HYPHENS = re.compile("[-\N{SOFT HYPHEN}\N{HYPHEN}\N{NON-BREAKING HYPHEN}]")


def attach(base: str, affix: str, side: Literal["prefix", "suffix"]) -> tuple[str, ...]:
    """Return the spellings of a base with an affix, the likeliest first.

    >>> attach("judge", "ment", "suffix")
    ('judgement', 'judgment')
    """
    return _with_prefix(base, affix) if side == "prefix" else _with_suffix(base, affix)


def join(left: str, right: str) -> tuple[str, ...]:
    """Return the spellings of a compound: in one, then with a hyphen, unless it has one."""
    return (left + right,) if left.endswith("-") else (left + right, f"{left}-{right}")


def spellings(tree: Tree) -> tuple[str, ...]:
    """Return the spellings of a tree, likeliest first, at most 64.

    A node is spelt from the inside: its word parts and suffixes rightwards, then its prefixes.
    """
    if tree.is_leaf:
        return (tree.string,)
    first = _first_word(tree.children)
    spelt = spellings(tree.children[first])
    for child in tree.children[first + 1 :]:
        if _is_suffix(child):
            spelt = _combine(spelt, (child.form,), _with_suffix)
        else:
            spelt = _combine(spelt, spellings(child), join)
    for child in reversed(tree.children[:first]):
        spelt = _combine(spelt, (child.form,), _with_prefix)
    return spelt


def respell(tree: Tree) -> str:
    """Return the likeliest spelling of a tree, without the hyphen that would follow it."""
    spelt = spellings(tree)[0]
    return spelt.rstrip("-") or spelt


def text_of(tree: Tree) -> str:
    """Return what stands at a node: the affix with its hyphen, or the word as it is written."""
    return hyphenated(tree.label, tree.string) if tree.is_affix else respell(tree)


def reaches(tree: Tree, word: str) -> bool:
    """Whether the word is a spelling of the tree, hyphens and letter case aside."""
    wanted = _fold(word)
    return any(_fold(spelling) == wanted for spelling in spellings(tree))


def _fold(word: str) -> str:
    return _HYPHENS.sub("", word).lower()


# -- one step -------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A rule made ready for one suffix."""

    pattern: re.Pattern[str]  # matches what stays of the base
    endings: tuple[str, ...]  # what follows it, the suffix included
    has_group: bool


@cache
def _pattern(ending: str) -> re.Pattern[str]:
    stays, replaced = ending.split("/")
    return re.compile(f".*{stays}(?={replaced}\\Z)", re.DOTALL)


# A letter or a class of letters that ends a pattern, not in a group with others.
_LAST_LETTERS = re.compile(r"(?:[a-z]|\[[a-z]+\]|\(\[[a-z]+\]\))\Z")
_Step = Callable[[str, str], tuple[str, ...]]
_SUFFIXES = frozenset(suffix for rule in RULES for suffix in rule.suffixes.split())


def _ready(rule: SpellingRule, suffix: str) -> _Row:
    spelt = (end[:-1] if end.endswith("!") else end + suffix for end in rule.becomes.split("|"))
    return _Row(_pattern(rule.ending), tuple(spelt), "\\" in rule.becomes)


def _may_end(ending: str, letter: str) -> bool:
    """Whether a base with this last letter can match: no, if the pattern ends in another one."""
    last = _LAST_LETTERS.search(ending.replace("/", ""))
    return last is None or letter in last.group()


@lru_cache(maxsize=1 << 14)
def _rows(suffix: str, letter: str) -> tuple[_Row, ...]:
    """Return the rows for a suffix after a last letter, in the order of the table."""
    wanted = {suffix, VOWEL} if suffix[:1] in VOWEL_LETTERS else {suffix}
    rules = (rule for rule in RULES if wanted & set(rule.suffixes.split()))
    return tuple(_ready(rule, suffix) for rule in rules if _may_end(rule.ending, letter))


@lru_cache(maxsize=1 << 16)
def _with_suffix(base: str, suffix: str) -> tuple[str, ...]:
    if suffix in LONG_VARIANTS:
        short = _with_suffix(base, LONG_VARIANTS[suffix])
        return tuple(word for word in short if word.endswith(suffix)) or (base + suffix,)
    for row in _rows(suffix, base[-1:]):
        if match := row.pattern.match(base):
            endings = map(match.expand, row.endings) if row.has_group else row.endings
            return tuple(match.group() + ending for ending in endings)
    return (base + suffix,)


def _with_prefix(base: str, prefix: str) -> tuple[str, ...]:
    """English prefixes do not change; two equal vowels may be kept apart: *re-enter*."""
    clash = prefix[-1:] == base[:1] and base[:1] in VOWEL_LETTERS
    return (prefix + base, f"{prefix}-{base}") if clash else (prefix + base,)


# -- whole trees ----------------------------------------------------------------------------


def _first_word(children: tuple[Tree, ...]) -> int:
    """Return the place of the first word part; without one, of what best stands for it."""
    places = range(len(children))
    sure = (i for i in places if _is_word(children[i]))
    unknown = (i for i in places if not children[i].is_affix)
    suffix = (i for i in places if children[i].label == SUFFIX)
    return next(chain(sure, unknown, suffix), len(children) - 1)


def _is_word(part: Tree) -> bool:
    """Whether a part is a word for certain: a leaf with an unknown label is not."""
    return part.label == WORD or not (part.is_affix or part.is_leaf)


def _is_suffix(part: Tree) -> bool:
    """Whether a part right of a word is a suffix; by its string, if its label is unknown."""
    if part.is_affix or _is_word(part):
        return part.label == SUFFIX
    return part.string in _SUFFIXES


def _combine(lefts: tuple[str, ...], rights: tuple[str, ...], step: _Step) -> tuple[str, ...]:
    """Take a step from pairs of spellings; those with the smallest ranks come first.

    Pairs are taken by rank, since two long lists have thousands and all but the first are dropped.
    """
    if len(lefts) == len(rights) == 1:
        return tuple(dict.fromkeys(step(lefts[0], rights[0])))[:MAX_SPELLINGS]
    ranked: list[tuple[int, int, int, str]] = []  # by rank, then by place on the left
    for rank in range(len(lefts) + len(rights) - 1):
        for i in range(max(0, rank - len(rights) + 1), min(rank + 1, len(lefts))):
            spelt = step(lefts[i], rights[rank - i])
            ranked += ((rank + k, i, -k, word) for k, word in enumerate(spelt))
        if len(ranked) < MAX_SPELLINGS:
            continue
        if len({word for total, *_, word in ranked if total <= rank}) >= MAX_SPELLINGS:
            break  # no later pair comes before these
    ranked.sort(key=lambda found: found[:3])
    return tuple(dict.fromkeys(word for *_, word in ranked))[:MAX_SPELLINGS]
