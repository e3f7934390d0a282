"""Which constituents a form can have, against every tree of it."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from itertools import pairwise

import numpy as np
import pytest

from morphtree._kernels._layout import ONLY_LISTED
from morphtree._util.hashing import hash_text
from morphtree.features.sets import PAPER
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.lexicon.word_facts import NOUN, ORDINARY, Facts, pack
from morphtree.structures.structure import parser
from tests import oracle
from tests.models import (
    KNOWN,
    STRUCTURES,
    span_features,
)
from tests.span_oracle import positions


def is_known_word(knowledge: Knowledge, word: str) -> bool:
    facts = knowledge.lexicon.get(word)
    if len(word) < 3 and facts & 255 < 88:
        return False
    ordinary = facts >> 8 & 3 == 1 or facts >> 10 & 15
    frequent = (facts & 255) / 16 >= max(2.0, 5.5 - len(word) / 2)
    known = facts == ONLY_LISTED or (ordinary and frequent)
    return bool(known) or hash_text(word) in knowledge.stems.tolist()


def may_be_word(
    knowledge: Knowledge, form: str, i: int, j: int, cuts: Collection[int] = ()
) -> bool:
    """Whether a span is a known word, or all the rest is affixes, or affixes and one neighbour.

    The rest reaches to an end of the form, or to a cut: a hyphen of the word.
    """
    affixes = set().union(*knowledge.closed.values())

    def are_affixes(text: str) -> bool:
        cuts = (n for n in range(1, len(text) + 1) if text[:n] in affixes)
        return not text or any(are_affixes(text[n:]) for n in cuts)

    def known(a: int, b: int) -> bool:
        return is_known_word(knowledge, form[a:b])

    def affixes_before(k: int) -> bool:
        return any(are_affixes(form[cut:k]) for cut in (0, *cuts) if cut <= k)

    def affixes_after(k: int) -> bool:
        return any(are_affixes(form[k:cut]) for cut in (*cuts, len(form)) if cut >= k)

    before, after = affixes_before(i), affixes_after(j)
    right = any(known(j, k) and affixes_after(k) for k in range(j + 1, len(form) + 1))
    left = any(known(k, i) and affixes_before(k) for k in range(i))
    return known(i, j) or (before and (after or right)) or (after and left)


def hyphen_cuts(word: str, form: str) -> list[int]:
    """Where a boundary of the form is beside a hyphen of the word."""
    places = positions(word, form)
    return [n for n in range(1, len(form)) if "-" in word[max(places[n] - 1, 0) : places[n] + 1]]


def is_apart(word: str, form: str, i: int, j: int) -> bool:
    """Whether a hyphen is in a span of the form, or inside what is written for it."""
    places = positions(word, form)
    return "-" in form[i:j] or "-" in word[places[i] : places[j]].strip("-")


WORDS = ["unsly", "asin", "s", "able", "ly", "uns", "\u00efs", ""]
HYPHENATED = [
    ("un-sly", "unsly"), ("a-sin", "asin"), ("u-n-s", "uns"), ("as-in", "assin"), ("a--b", "ab"),
    ("zq-xw", "zqxw"), ("zqs-x", "zqsx"), ("un-s", "un-s"), ("-s", "s"), ("x-able", "xable"),
]  # fmt: skip


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("knowledge", [KNOWN, Knowledge(Lexicon())])
@pytest.mark.parametrize(("word", "form"), [*zip(WORDS, WORDS, strict=True), *HYPHENATED])
def test_what_is_allowed_is_part_of_a_parse(
    kind: str, knowledge: Knowledge, word: str, form: str
) -> None:
    spans = span_features(STRUCTURES[kind], PAPER, knowledge, ())
    grammar = spans.grammar
    possible, count = set(), 0
    for tree in oracle.trees(grammar, form):
        leaves = [(leaf.label, leaf.string) for leaf in tree.leaves()]
        closed = all(string in knowledge.closed.get(label, (string,)) for label, string in leaves)
        ends = [*itertools.accumulate(len(string) for _, string in leaves)]
        words = [
            (end - len(string), end)
            for (label, string), end in zip(leaves, ends, strict=True)
            if label == "WORD"
        ]
        if spans.sparse:
            cuts = hyphen_cuts(word, form)
            closed &= all(may_be_word(knowledge, form, *span, cuts) for span in words)
            closed &= not any(is_apart(word, form, a, b) for a, b in pairwise((0, *ends)))
        if closed:
            possible |= {(span.start, span.end, span.label) for span in tree.spans()}
            possible.add((0, len(form), grammar.start))
            count += 1
    match = spans.match(word, form)
    assert {(i, j, grammar.labels[a]) for i, j, a in np.argwhere(match.allowed)} == possible
    distribution = parser(spans, form, match, np.zeros(len(spans.index)))
    assert np.exp(distribution.log_count()) == pytest.approx(count, rel=1e-9)


@pytest.mark.parametrize(
    ("zipfs", "split"),
    [((4.0, 4.0), True), ((3.9, 4.0), True), ((4.0, 3.9), True), ((3.9, 3.9), False)],
)
def test_of_two_short_parts_one_must_be_frequent(zipfs: tuple[float, float], split: bool) -> None:
    facts = [pack(Facts(zipf, ORDINARY, NOUN)) for zipf in zipfs]
    words = dict(zip(("mid", "day"), facts, strict=True))
    knowledge = Knowledge(Lexicon(words), KNOWN.closed)
    match = span_features(STRUCTURES["tree"], PAPER, knowledge, ()).match("midday", "midday")
    assert match.allowed[0, 3].any() == match.allowed[3, 6].any() == split
