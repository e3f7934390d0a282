"""From treebanks to training items: which words can be learned from; others are skipped."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from morphtree._util.arrays import Hashes
from morphtree._util.hashing import hash_text
from morphtree._util.text import short_hash
from morphtree.errors import TreebankError
from morphtree.joint.engine import Example, Gold, flat_gold
from morphtree.lexicon.candidate_rules import CandidateRule, rule_of
from morphtree.structures.structure import Structure
from morphtree.training.flat_labels import guess_trees
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree

MAX_LETTERS = 64  # of a word


@dataclass(frozen=True)
class Item:
    """A word to learn from: its gold readings, and trees (guessed, if the data are flat)."""

    word: str
    golds: tuple[Gold, ...]
    trees: tuple[Tree, ...]

    def example(self, forms: Iterable[str] = (), **others: Any) -> Example:
        """Return an example with these candidates and, in any case, the gold forms."""
        candidates = tuple(dict.fromkeys((*forms, *gold_forms(self.golds))))
        return Example(self.word, candidates, self.golds, **others)


def gold_forms(golds: Iterable[Gold]) -> dict[str, None]:
    """Return the distinct gold forms, in order."""
    return dict.fromkeys(gold.form for gold in golds)


@dataclass
class TrainingData:
    """The usable part of a treebank, and a count of the rest."""

    items: list[Item]
    structure: Structure
    skipped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)  # file:line: why, one for each skip

    @cached_property
    def alphabet(self) -> str:
        """All letters of words and forms."""
        letters = {c for item in self.items for c in item.word}
        letters |= {c for item in self.items for gold in item.golds for c in gold.form}
        return "".join(sorted(letters))

    def trees(self) -> Iterator[Tree]:
        """Yield the trees of all items."""
        return (tree for item in self.items for tree in item.trees)

    def stems(self, words: int = 1) -> Hashes:
        """The stems that so many distinct words have, by hash."""
        found = {
            (leaf.string, item.word)
            for item in self.items
            for tree in item.trees
            for leaf in tree.leaves()
            if not leaf.is_affix
        }
        counts = Counter(stem for stem, _ in found)
        kept = (hash_text(stem) for stem, count in counts.items() if count >= words)
        return np.array(sorted(kept), np.uint64)

    @cached_property
    def rules(self) -> dict[str, frozenset[CandidateRule]]:
        """The proposal rules that each distinct word shows."""
        closed = self.structure.closed_labels
        found: dict[str, set[CandidateRule]] = defaultdict(set)
        for item in self.items:
            for tree in item.trees:
                stems = [leaf.label not in closed for leaf in tree.leaves()]
                rule = rule_of(item.word, tree.morphemes, stems)
                if rule is not None:
                    found[item.word].add(rule)
        return {word: frozenset(rules) for word, rules in found.items()}

    def closed_strings(self) -> dict[str, frozenset[str]]:
        """The strings of each label of the closed class; a label that no tree has spells none."""
        strings: dict[str, set[str]] = {label: set() for label in self.structure.closed_labels}
        for tree in self.trees():
            for leaf in tree.leaves():
                if leaf.label in strings:
                    strings[leaf.label].add(leaf.string)
        return {label: frozenset(found) for label, found in strings.items()}

    def endings(self, count: int) -> tuple[str, ...]:
        """The most frequent last parts of words."""
        last = Counter(
            leaf.string
            for tree in self.trees()
            for leaf in list(tree.leaves())[-1:]
            if leaf.label in self.structure.closed_labels
        )
        ranked = sorted(last.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple(string for string, _ in ranked[:count])


def gather_items(
    entries: Iterable[Entry], structure: Structure, *, max_extra_letters: int, name: str
) -> TrainingData:
    """Turn entries into items; what is skipped is counted and noted by line."""
    data = TrainingData([], structure)
    entries = list(entries)
    flat = [entry.segments for entry in entries if entry.segments and not entry.readings]
    guesses = iter(guess_trees(flat, compounds=structure.compounds))
    for entry in entries:
        trees = entry.readings or ((next(guesses),) if entry.segments else ())
        reason, item = _make(entry, trees, structure, max_extra_letters)
        if item is None:
            data.skipped[reason] += 1
            data.notes.append(f"{name}:{entry.line}: {entry.word}: {reason}")
        else:
            data.items.append(item)
            if reason:
                data.skipped[f"one reading: {reason}"] += 1
                data.notes.append(f"{name}:{entry.line}: {entry.word}: of one reading {reason}")
    if not data.items:
        reasons = ", ".join(f"{n} x {reason}" for reason, n in data.skipped.items())
        raise TreebankError(
            f"{name} has no word to learn from ({reasons or 'it is empty'}); "
            "see 'morphtree treebank check'"
        )
    return data


def _make(
    entry: Entry, trees: Sequence[Tree], structure: Structure, max_extra_letters: int
) -> tuple[str, Item | None]:
    if not entry.word or len(entry.word) > MAX_LETTERS:
        return f"the word does not have 1 to {MAX_LETTERS} letters", None
    if not trees:
        return "there is no analysis", None
    golds, kept = [], []
    reason = ""
    for tree in trees:
        if len(tree.form) > len(entry.word) + max_extra_letters:
            reason = f"the form is more than {max_extra_letters} letters longer than the word"
            continue
        if entry.readings:
            nodes = structure.nodes(tree)
            if nodes is None:
                reason = "the grammar does not derive the tree"
                continue
            golds.append(Gold(tree.form, 1.0, nodes))
        else:
            golds.append(flat_gold(entry.segments, 1.0))
        kept.append(tree)
    if not golds:
        return reason, None
    weighted = tuple(gold._replace(weight=1.0 / len(golds)) for gold in golds)
    return reason, Item(entry.word, weighted, tuple(kept))


def signature(entries: Sequence[Entry]) -> str:
    """Return a short hash of words and analyses."""
    lines = (
        "\t".join((entry.word, *map(str, entry.readings), " ".join(entry.segments))) + "\n"
        for entry in entries
    )
    return short_hash("".join(lines).encode())
