"""The sentences of an explanation: the strongest kinds of evidence, precedents, what is against it.

Evidence goes by what the features of its kind weigh; what affixes make and how a word is written
is told as well where that decides nothing, if there is room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from morphtree.explain import evidence
from morphtree.explain.causes import AFFIXES, TRANSDUCTION
from morphtree.explain.comparison import Comparison, is_compound
from morphtree.explain.precedents import Finder, Precedents
from morphtree.explain.sentence import (
    AGAINST,
    Fact,
    Sentence,
    affix_named,
    article,
    capital,
    listed,
    mentioned,
)
from morphtree.trees.nodes import CATEGORIES
from morphtree.trees.spelling import respell
from morphtree.trees.tree import PREFIX, WORD, Tree

MOST = 5  # sentences
LEAST_EDGE = 2  # letters: more words than are worth telling begin with *a*
LEAST_PART = 3  # letters of a part of a compound: any two are the end of some word
STRONG = 0.7  # log odds: what is against a reading and halves its odds is told


class Evidence(NamedTuple):
    """What makes a sentence, the kinds of features that weigh it, and whether it also explains."""

    make: Callable[[Comparison], Sentence | None]
    kinds: tuple[str, ...]
    explains: bool = False

    def strength(self, strengths: Mapping[str, float]) -> float:
        """Return how much it speaks for the tree."""
        return sum(strengths.get(kind, 0.0) for kind in self.kinds)


def _evidence(finder: Finder) -> list[Evidence]:
    return [
        Evidence(lambda case: _inner_words(case, finder), ("treebank",)),
        Evidence(evidence.words, ("words",)),
        Evidence(
            lambda case: evidence.relations(case, finder.has_base), ("meaning", "derivations")
        ),
        Evidence(evidence.selection, ("categories", AFFIXES)),
        Evidence(evidence.categories, ("categories", AFFIXES), explains=True),
        Evidence(lambda case: _complexity(case, finder), ("complexity",)),
        Evidence(evidence.misspelt, (TRANSDUCTION,)),
        Evidence(evidence.spelling, ("spelling",), explains=True),
    ]


def choose(
    case: Comparison, strengths: Mapping[str, float], finder: Finder, first: list[Sentence]
) -> list[Sentence]:
    """Return at most five sentences, the first ones given."""
    last = [_precedents(case, finder), _against(case, strengths, finder)]
    told = [*filter(None, [evidence.lemma(case), *_supporting(case, strengths, finder)])]
    kept = [*filter(None, last)]
    return [*first, *told[: MOST - len(first) - len(kept)], *kept]


def _supporting(
    case: Comparison, strengths: Mapping[str, float], finder: Finder
) -> Iterator[Sentence | None]:
    """Yield what speaks for a tree, the strongest first, and what only explains it."""
    for found in sorted(_evidence(finder), key=lambda found: -found.strength(strengths)):
        if found.explains or case.other is None or found.strength(strengths) > 0:
            yield found.make(case)


def _against(case: Comparison, strengths: Mapping[str, float], finder: Finder) -> Sentence | None:
    """Say what is strongest against a tree, if it is strong."""
    turned = case.reversed
    if turned is None or not (case.is_regular and turned.is_regular):
        return None
    strong = [
        found for found in _evidence(finder)
        if not found.explains and found.strength(strengths) < -STRONG
    ]  # fmt: skip
    strong.sort(key=lambda found: found.strength(strengths))
    sentence = next(filter(None, (found.make(turned) for found in strong)), None)
    return sentence and sentence._replace(text=f"{AGAINST}{sentence.text}")


def _complexity(case: Comparison, finder: Finder) -> Sentence | None:
    """Say what the classifier says; of stored words it says what the treebank does."""
    return None if case.word in finder.stored else evidence.complexity(case)


def finished(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Write clauses as sentences."""
    return tuple(s._replace(text=f"{capital(s.text)}.") for s in sentences)


# -- the treebank ------------------------------------------------------------------------------


def _inner_words(case: Comparison, finder: Finder) -> Sentence | None:
    """Say how the treebank has a word inside that the other tree lacks or makes otherwise."""
    others = {*case.other.nodes()} if case.other else set()
    nodes = [n for n in case.tree.nodes() if n.label == WORD and n is not case.tree]
    for node in sorted(nodes, key=lambda node: -len(node.form)):
        if node in others or (case.other is None and node.is_leaf):
            continue
        text = case.written(node)
        if node in finder.stored_trees(text):
            parts = " + ".join(map(_part, node.children))
            claim = f"in the treebank {mentioned(text)} is {parts or 'a simple word'}"
            return Sentence("treebank", claim, (Fact("stored", text, str(node)),))
    return None


def _part(tree: Tree) -> str:
    return affix_named(tree) if tree.is_affix else mentioned(respell(tree))


# -- precedents --------------------------------------------------------------------------------


def _precedents(case: Comparison, finder: Finder) -> Sentence | None:
    if case.tree.is_leaf:
        return _simple_precedents(case, finder)
    if is_compound(case.tree):
        return _compound_precedents(case, finder)
    affixes = [child for child in case.tree.children if child.is_affix]
    if len(affixes) != 1 or len(case.tree.children) != 2:
        return None
    last = case.last_step
    if last is None or case.is_unusual(last.base) or case.is_unknown_form(last.base):
        return None
    found = finder.of_step(case.classified, case.word)
    if not found.readings:
        return None
    are = "are" if len(found.readings) > 1 else "is"
    if found.share_all:
        text = f"{_named(found)} {are} built in the same way in the treebank"
        return _sentence(text, found, "same steps")
    base = next(child for child in case.classified.children if child.tree.label == WORD)
    if not case.is_classified(base):
        return None  # the step may be another one with the same affix
    taken = {letter for row in case.rows(affixes[0]) for letter in row.attaches}
    kind = CATEGORIES[base.category] if base.category in taken else "word"
    parts = f"{article(kind)} {kind}", affix_named(affixes[0])
    step = " + ".join(parts if affixes[0].label != PREFIX else parts[::-1])
    have = "have" if len(found.readings) > 1 else "has"
    text = f"{_named(found)} {have} the same last step in the treebank, {step}"
    return _sentence(text, found, "same last step")


def _compound_precedents(case: Comparison, finder: Finder) -> Sentence | None:
    found, place = finder.of_compound(case.tree, case.word)
    if not found.readings:
        return None
    are = "are compounds" if len(found.readings) > 1 else "is a compound"
    which, part = ("first", "second")[place], mentioned(case.written(case.tree.children[place]))
    text = f"{_named(found)} {are} with the same {which} part in the treebank, {part}"
    return _sentence(text, found, f"same {which} part")


def _simple_precedents(case: Comparison, finder: Finder) -> Sentence | None:
    """Name simple words that begin or end as this one does, where the other tree cuts it."""
    for edge, at_end in _cut_off(case):
        if not (case.word.endswith(edge) if at_end else case.word.startswith(edge)):
            continue
        found = finder.of_simple(edge, at_end, case.word)
        if not found.readings:
            continue
        verb = ("ends in" if at_end else "begins with"), ("end in" if at_end else "begin with")
        several = len(found.readings) > 1
        are = "are simple words" if several else "is a simple word"
        text = f"{_named(found)} {verb[several]} {mentioned(edge)}, too, and {are} in the treebank"
        return _sentence(text, found, "simple")
    return None


def _cut_off(case: Comparison) -> Iterator[tuple[str, bool]]:
    """Yield what the other tree cuts off, and whether at the end: an affix, words of a compound."""
    parts = case.other.children if case.other else ()
    affixes = [part for part in parts if part.is_affix]
    if affixes and len(affixes[-1].string) >= LEAST_EDGE:
        yield affixes[-1].string, affixes[-1].label != PREFIX
    if case.other and is_compound(case.other):
        for part, at_end in zip(reversed(parts), (True, False), strict=True):
            if len(part.string) >= LEAST_PART and case.is_documented(part.string):
                yield part.string, at_end


def _named(found: Precedents) -> str:
    return listed(map(mentioned, found.words))


def _sentence(text: str, found: Precedents, how: str) -> Sentence:
    facts = (Fact("precedent", r.word, {"tree": r.notation, "shares": how}) for r in found.readings)
    return Sentence("precedents", text, tuple(facts))
