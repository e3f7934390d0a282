"""What simpler ways make of a word: look-up in lists, and Morfessor."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any, TypeAlias

from morphtree._util.installed import installed_version
from morphtree._util.text import normalise
from morphtree.evaluation.metrics import Prediction
from morphtree.languages.listed_words import Derived, ListedWords
from morphtree.lexicon.word_facts import Facts
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

System: TypeAlias = Callable[[str], Prediction]
Bases: TypeAlias = Mapping[str, tuple[str, Tree]]  # the base and the affix of words
MORFESSOR = "morfessor"  # the package
DEEPEST = 6  # steps of a derivation
COMMON = 3  # zipf of the rarest word that Morfessor is trained on


def baselines(known: Iterable[Entry], listed: ListedWords, seed: int) -> dict[str, System]:
    """Return the baselines of a language; Morfessor needs its package and a frequency list."""
    systems: dict[str, System] = {
        "look-up": looking_up(
            listed_bases(listed.derived), {entry.word: entry.readings[0] for entry in known}
        )
    }
    if listed.facts and find_spec(MORFESSOR):
        name = f"Morfessor {installed_version(MORFESSOR)}"
        systems[f"{name} (types)"] = morfessor_on(listed.facts, seed, by_count=False)
        systems[f"{name} (log counts)"] = morfessor_on(listed.facts, seed)
    return systems


def looking_up(bases: Bases, known: Mapping[str, Tree]) -> Callable[[str], Tree]:
    """Return what looks a word up: its known tree, or its listed last step and then its base.

    A word that is not listed is left whole.
    """

    def tree(word: str, depth: int = 0) -> Tree:
        if word in known:
            return known[word]
        if word not in bases or depth == DEEPEST:
            return Tree.stem(word)
        base, affix = bases[word]
        inner = tree(base, depth + 1)
        return Tree.word(affix, inner) if affix.label == PREFIX else Tree.word(inner, affix)

    return tree


def listed_bases(derived: Mapping[str, Iterable[Derived]]) -> dict[str, tuple[str, Tree]]:
    """Return the base and the affix of each listed derivation; the first of several counts."""
    found: dict[str, tuple[str, Tree]] = {}
    for word, ways in derived.items():
        for base, affix, by_prefix in ways:
            if string := normalise(affix).strip("-"):
                leaf = Tree(PREFIX if by_prefix else SUFFIX, string=string)
                found.setdefault(normalise(word), (normalise(base), leaf))
    return found


def morfessor_on(
    facts: Mapping[str, Facts], seed: int = 1, *, by_count: bool = True
) -> Callable[[str], tuple[str, ...]]:
    """Train Morfessor on a frequency list; its segments are pieces of the word.

    A word counts by the logarithm of its frequency, or once: of types it learns to cut more.
    """
    morfessor: Any = import_module(MORFESSOR)
    model = morfessor.BaselineModel()
    # Strings, not tuples of letters: what it has learnt must be of the type that it is asked.
    model.load_data([
        (_damped(known) if by_count else 1, word)
        for word, known in facts.items()
        if known.zipf >= COMMON and word.isalpha()
    ])  # fmt: skip
    state = random.getstate()
    random.seed(seed)  # it shuffles the words by the generator that all share
    with redirect_stderr(StringIO()):  # of dots
        model.train_batch()
    random.setstate(state)
    return lambda word: tuple(model.viterbi_segment(word)[0])


def _damped(facts: Facts) -> int:
    """Dampen the frequency of a word by the logarithm, one of the ways that Morfessor knows."""
    return max(1, round(math.log(1 + round(10 ** (facts.zipf - 1)))))
