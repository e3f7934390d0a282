"""The category of every word in a tree, and what each step of its formation means.

What a list says that a word mostly is goes before all else. Then, an affix attaches to words of
some categories and makes words of others, as the inventory says, and a compound is what its head
is; what the list says that the word can be chooses among these. Of two rows of an affix the upper
one goes before the lower one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from morphtree.treebank.affixes import Affix, Inventory
from morphtree.trees.nodes import CATEGORIES
from morphtree.trees.spelling import attach, respell, spellings
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

Listed: TypeAlias = Callable[[str], tuple[str, str]]  # what a word mostly is, and all it can be
REMEMBERED = 1 << 14  # inner words, of which it is known what they can be
NONE: Mapping[str, str] = MappingProxyType({})
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


class Made(NamedTuple):
    """What the parts of a word make it: mostly, and at all, the likeliest first."""

    mostly: str
    possible: str


class Classifier:
    """Finds the categories of trees by an inventory of affixes and a list of words."""

    def __init__(self, inventory: Inventory, listed: Listed) -> None:
        self.inventory = inventory
        self.listed = listed
        self._inner = lru_cache(REMEMBERED)(self._possible)  # bases come back in many words
        self._makes = lru_cache(REMEMBERED)(self._made_by)

    def classify(self, tree: Tree, word: str = "", category: str = "") -> Classified:
        """Return a tree with its categories; ``word`` is how the whole is written.

        ``category`` is what the whole is, if somebody knows that from elsewhere.
        """
        return self._chosen(tree, category or self._possible(tree, word), ())

    def category(self, tree: Tree, word: str) -> str:
        """Return the category of a whole word alone: `classify` without what is inside."""
        if tree.label == WORD:
            return self._possible(tree, word)[:1]
        return next((inner.category for inner in self.classify(tree, word).words()), "")

    def by_parts(self, tree: Tree) -> Made:
        """Say what a word can be by its parts; a simple one is what the list says.

        What the list says of a whole is not asked: it is true of all its readings together.
        """
        if tree.is_leaf:
            most, listed = self._listed(tree, "")
            return Made(most or listed[:1], _letters((most, listed)))
        return self._by_rows(tree, self._rows(tree))

    def is_inflected_verb(self, tree: Tree) -> bool:
        """Whether the last step can be the inflection of a verb."""
        return not tree.is_leaf and any(map(_is_inflection, self._rows(tree) or ()))

    def _by_rows(self, tree: Tree, rows: Sequence[Affix] | None) -> Made:
        """Say what these rows make of what the base can be; a compound is what its head is."""
        bases = [child for child in tree.children if child.label == WORD]
        if tree.label != WORD or not bases:
            return Made("", "")
        base = self._base(bases[-1], is_prefixed=tree.children[0].label == PREFIX)
        if rows is None:
            return base
        mostly = [row.makes for row in rows if set(row.attaches) & set(base.mostly)]
        possible = [row.makes for row in rows if set(row.attaches) & set(base.possible)]
        return Made("".join(mostly[:1]), _letters((*mostly, *possible)))

    def _base(self, tree: Tree, *, is_prefixed: bool) -> Made:
        """Say what a base can be: a prefix takes *locked* for an adjective, not for a past."""
        if is_prefixed and self.is_inflected_verb(tree):
            rows = self._rows(tree) or ()
            return self._by_rows(tree, [row for row in rows if not _is_inflection(row)])
        made = self.by_parts(tree)
        most, listed = self._listed(tree, "")
        return Made(most or made.mostly, _letters((most, listed, made.possible)))

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
        if word and (any(found := self.listed(word)) or not tree.is_leaf):
            return found  # of a word that is in no list, its parts tell more than one like it
        others = (spelling for spelling in spellings(tree) if spelling != word)
        return next(filter(any, map(self.listed, others)), ("", ""))

    def _made(self, tree: Tree) -> str:
        """Return what the last part makes of what the base can be."""
        base = [child for child in tree.children if child.label == WORD][-1:]
        of_base = self._inner(base[0]) if base else ""
        affix = self._affix(tree)
        return self._makes(affix, of_base) if affix else of_base

    def _made_by(self, affix: tuple[str, str], of_base: str) -> str:
        """Return what an affix makes of what a base can be."""
        rows = self.inventory.rows.get(affix, [])
        fitting = [row for row in rows if set(row.attaches) & set(of_base)]
        return _letters(row.makes for row in fitting or rows)

    def _rows(self, tree: Tree) -> list[Affix] | None:
        """Return the rows of the affix of a step; none of a compound."""
        affix = self._affix(tree)
        return self.inventory.rows.get(affix, []) if affix else None

    @staticmethod
    def _affix(tree: Tree) -> tuple[str, str] | None:
        """Return the label and string of the affix of a step, of a circumfix those of its suffix.

        A compound has none.
        """
        affixes = [child for child in tree.children if child.label in (PREFIX, SUFFIX)]
        words = [child for child in tree.children if not child.is_affix]
        if not affixes or len(words) != 1 or len(tree.children) > 3:
            return None
        return affixes[-1].label, affixes[-1].string


def _is_inflection(row: Affix) -> bool:
    """Whether a row leaves a verb a verb, and is of a suffix: *-s, -ed, -ing*."""
    return row.label == SUFFIX and row.attaches == row.makes == "V"


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
        kind = f" ({_name(classified)})" if classified.category else ""
        yield f"{spelt}: {left} + {right}{kind}"
    elif len(base) == 1 and len(affixes) == 1:
        inner = respell(base[0].tree)
        rows = inventory.rows.get((affixes[0].label, affixes[0].string), [])
        glosses = [row.gloss for row in [*fitting(rows, base[0], classified), *rows] if row.gloss]
        meaning = filled(glosses[0], inner) if glosses else f"from {inner}"
        is_known = classified.category or base[0].category
        kind = f" ({_name(classified)} from {_name(base[0])})" if is_known else ""
        yield f"{spelt}: {meaning}{kind}"


def fitting(rows: Iterable[Affix], base: Classified, made: Classified) -> list[Affix]:
    """Return the rows of an affix that make what it makes here of what it attaches to here."""
    return [row for row in rows if made.category in row.makes and base.category in row.attaches]


def filled(gloss: str, base: str, irregular: Mapping[str, str] = NONE) -> str:
    """Put a base into the place of a gloss: *that can be ...ed*, *in a ... way*.

    ``irregular`` has the forms of the base that a suffix does not make, by this suffix.
    """
    if base[0] in "aeiou":
        gloss = re.sub(r"\ba \.\.\.", "an ...", gloss)

    def form(place: re.Match[str]) -> str:
        ending = place[1]
        if not ending:
            return base
        return irregular.get(ending) or attach(base, ending, "suffix")[0]

    return _PLACE.sub(form, gloss)


def _name(classified: Classified) -> str:
    return CATEGORIES.get(classified.category, "word")
