"""The category of every word in a tree, and what each step of its formation means.

What a list says that a word mostly is goes before all else. Then, an affix attaches to words of
some categories and makes words of others, as the inventory says, and a compound is what its head
is; what the list says that the word can be chooses among these. Of two rows of an affix the upper
one goes before the lower one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from morphtree.treebank.affixes import Affix, Inventory
from morphtree.trees.spelling import attach, respell, spellings
from morphtree.trees.tree import WORD, Tree

CATEGORIES = {
    "N": "noun",
    "V": "verb",
    "A": "adjective",
    "R": "adverb",
    "Q": "number",
    "X": "other",
}
Listed: TypeAlias = Callable[[str], tuple[str, str]]  # what a word mostly is, and all it can be
_PLACE = re.compile(r"\.\.\.(ed|ing|s|)\b|\.\.\.")


class Classified(NamedTuple):
    """A node of a tree with its category, empty if nothing is known, and its children's."""

    tree: Tree
    category: str
    children: tuple[Classified, ...] = ()

    def words(self) -> Iterator[Classified]:
        """Yield the WORD nodes, parents before children, left before right."""
        if self.tree.label == WORD:
            yield self
        for child in self.children:
            yield from child.words()

    def __str__(self) -> str:
        """Write the tree with its categories: ``[A: un [A: [V: test] able]]``."""
        return str(self.labelled())

    def labelled(self) -> Tree:
        """Return the tree with categories for labels."""
        label = self.category or self.tree.label
        if self.tree.is_leaf:
            return Tree(label, string=self.tree.string)
        return Tree(label, tuple(child.labelled() for child in self.children))


def with_categories(tree: Tree, categories: Iterator[str]) -> Classified:
    """Return a tree with given categories of its words, parents before children."""
    category = next(categories, "") if tree.label == WORD else ""
    return Classified(
        tree, category, tuple(with_categories(child, categories) for child in tree.children)
    )


class Classifier:
    """Finds the categories of trees by an inventory of affixes and a list of words."""

    def __init__(self, inventory: Inventory, listed: Listed) -> None:
        self.inventory = inventory
        self.listed = listed

    def classify(self, tree: Tree, word: str = "") -> Classified:
        """Return a tree with its categories; ``word`` is how the whole is written."""
        return self._chosen(tree, self._possible(tree, word), ())

    def _chosen(self, tree: Tree, possible: str, wanted: Sequence[str]) -> Classified:
        """Choose what is possible and wanted; if that is nothing, what is either.

        ``wanted`` are groups of categories, the best first; the order in a group has no meaning.
        """
        if tree.label != WORD:
            return Classified(tree, "", tuple(map(self.classify, tree.children)))
        both = (letter for group in wanted for letter in possible if letter in group)
        category = next(both, (possible or "".join(wanted))[:1])
        if tree.is_leaf:
            return Classified(tree, category)
        rows = self._rows(tree) or ()
        taken = [row.attaches for row in rows if category and category in row.makes]
        children = (self._chosen(child, self._possible(child), taken) for child in tree.children)
        return Classified(tree, category, tuple(children))

    def _possible(self, tree: Tree, word: str = "") -> str:
        """Return what a word can be, the likeliest first; nothing if nothing is known."""
        if tree.label != WORD:
            return ""
        most, listed = self._listed(tree, word)
        made = "" if tree.is_leaf else self._made(tree)
        both = "".join(letter for letter in listed if letter in made)
        return _letters((most, both or listed or made))

    def _listed(self, tree: Tree, word: str) -> tuple[str, str]:
        written = (word, *spellings(tree)) if word else spellings(tree)
        return next(filter(any, map(self.listed, written)), ("", ""))

    def _made(self, tree: Tree) -> str:
        """Return what the last part makes of what the base can be."""
        base = [child for child in tree.children if child.label == WORD][-1:]
        of_base = self._possible(base[0]) if base else ""
        rows = self._rows(tree)
        if rows is None:
            return of_base
        fitting = [row for row in rows if set(row.attaches) & set(of_base)]
        return _letters(row.makes for row in fitting or rows)

    def _rows(self, tree: Tree) -> list[Affix] | None:
        """Return the rows of the affix of a step, none if it is no step by one affix."""
        affixes = [child for child in tree.children if child.is_affix]
        if len(affixes) != 1 or len(tree.children) != 2:
            return None
        return self.inventory.rows.get((affixes[0].label, affixes[0].string), [])


def _letters(parts: Iterable[str]) -> str:
    """Put letters together, each once."""
    return "".join(dict.fromkeys("".join(parts)))


def meanings(classified: Classified, inventory: Inventory, word: str = "") -> Iterator[str]:
    """Say each step in words, the innermost first: *untestable: not testable (adjective ...)*."""
    for child in classified.children:
        yield from meanings(child, inventory)
    base = [child for child in classified.children if child.tree.label == WORD]
    affixes = [child.tree for child in classified.children if child.tree.is_affix]
    spelt = word or respell(classified.tree)
    if len(base) == 2 and not affixes:
        left, right = (respell(part.tree) for part in base)
        yield f"{spelt}: {left} + {right} ({_name(classified)})"
    elif len(base) == 1 and len(affixes) == 1:
        rows = inventory.rows.get((affixes[0].label, affixes[0].string), ())
        fitting = [
            row for row in rows
            if classified.category in row.makes and base[0].category in row.attaches
        ]  # fmt: skip
        inner = respell(base[0].tree)
        glosses = [row.gloss for row in [*fitting, *rows] if row.gloss]
        meaning = _filled(glosses[0], inner) if glosses else f"from {inner}"
        yield f"{spelt}: {meaning} ({_name(classified)} from {_name(base[0])})"


def _filled(gloss: str, base: str) -> str:
    """Put a base into the place of a gloss: *that can be ...ed*, *in a ... way*."""
    if base[0] in "aeiou":
        gloss = re.sub(r"\ba \.\.\.", "an ...", gloss)
    return _PLACE.sub(
        lambda place: attach(base, place[1], "suffix")[0] if place[1] else base, gloss
    )


def _name(classified: Classified) -> str:
    return CATEGORIES.get(classified.category, "word")
