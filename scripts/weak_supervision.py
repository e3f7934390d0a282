"""Weak supervision: derivations of MorphyNet (silver words) beside the words of a treebank.

A listed derivation is used only if an affix of the inventory, respelled, leads from the base to
the word, and if the base is a word of the treebank or silver itself: a word without a listed base
is often derived all the same. Nothing of a held-out family is used. The listed order of prefixes
and suffixes is not that of meaning (*happiness*, *unhappiness*), so of words with both only the
segments are kept, and the tree is summed out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from morphtree.lexicon.lexicon import Derivation
from morphtree.lexicon.word_facts import Facts
from morphtree.treebank.affixes import Affix
from morphtree.treebank.entry import Entry
from morphtree.treebank.formats.steps import Step
from morphtree.treebank.propose import StepProposer
from morphtree.trees.tree import PREFIX, WORD, Tree

MIN_ZIPF = 1.5  # rarer words are often errors


class Silver(NamedTuple):
    """Words to train on, and how many listed steps were left out because of held-out families."""

    entries: tuple[Entry, ...]
    held_out: int


def silver_words(
    listed: Iterable[Derivation],
    train: Sequence[Entry],
    held_out: Sequence[Entry],
    affixes: Iterable[Affix],
    facts: Mapping[str, Facts],
) -> Silver:
    """Return the silver words that build on the words of a training treebank."""
    proposer = StepProposer(affixes, facts)
    steps = defaultdict(list)
    for derivation in listed:
        if derivation.word in facts and facts[derivation.word].zipf >= MIN_ZIPF:
            steps[derivation.word].append(derivation)
    families = _words_of(held_out)
    kept = {word: found for word, found in steps.items() if not _touches(found, families, steps)}
    trees = {entry.word: entry.readings[0] for entry in train if entry.readings}
    known = {entry.word for entry in train}
    made: dict[str, Tree] = {}

    def build(word: str, above: frozenset[str] = frozenset()) -> Tree | None:
        if word in trees or word in made or word in above:
            return trees.get(word) or made.get(word)
        for derivation in kept.get(word, ()):
            base = build(derivation.base, above | {word})
            step = _step(proposer, derivation) if base else None
            if base and step:
                made[word] = _tree(step, base)
                return made[word]
        return None

    for word in sorted(kept):
        build(word)
    entries = (_entry(word, tree) for word, tree in sorted(made.items()) if word not in known)
    left_out = sum(len(found) for found in steps.values()) - sum(map(len, kept.values()))
    return Silver(tuple(entries), left_out)


def _words_of(entries: Sequence[Entry]) -> set[str]:
    """Return the words of some entries, and every stem in them."""
    leaves = (leaf for entry in entries for tree in entry.readings for leaf in tree.leaves())
    return {entry.word for entry in entries} | {
        leaf.string for leaf in leaves if leaf.label == WORD
    }


def _touches(
    found: Sequence[Derivation], families: set[str], steps: Mapping[str, Sequence[Derivation]]
) -> bool:
    """Whether a word or anything it is listed to come from belongs to a held-out family."""
    seen: set[str] = set()
    todo = [found[0].word]
    while todo:
        word = todo.pop()
        if word in families:
            return True
        if word not in seen:
            seen.add(word)
            todo += [derivation.base for derivation in steps.get(word, ())]
    return False


def _step(proposer: StepProposer, derivation: Derivation) -> Step | None:
    """Return the step of the inventory that a derivation is, if it is one."""
    for step in proposer.propose(derivation.word):
        bases = [base.string for base in step.bases()]
        by_prefix = [o.label for o in step.operands][:1] == [PREFIX]
        if bases == [derivation.base] and by_prefix == derivation.by_prefix:
            return step
    return None


def _tree(step: Step, base: Tree) -> Tree:
    return Tree.word(
        *(base if o.label == WORD else Tree(o.label, string=o.string) for o in step.operands)
    )


def _entry(word: str, tree: Tree) -> Entry:
    """Return an entry, of segments alone if the order of affixes matters."""
    labels = [leaf.label for leaf in tree.leaves()]
    if PREFIX in labels and len(labels) > 2:
        return Entry(word, segments=tree.morphemes)
    return Entry(word, (tree,))
