"""What the model is asked of a word, and its answer as the word is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from morphtree.trees.alignment import align
from morphtree.trees.tree import Tree, bare, without_hyphens

Structure: TypeAlias = Tree | tuple[str, ...]  # a tree, or the segments of a flat model
Morphemes: TypeAlias = tuple[str, ...]
Problem: TypeAlias = tuple[Literal["whole", "refused"], str]


NONE: Mapping[Any, Any] = MappingProxyType({})


class Question(NamedTuple):
    """What the model is asked of a word, and what its answer lacks.

    ``asked`` is empty if the rules have the answer: the word is whole, but for suffixes.
    """

    text: str  # the word, clean
    asked: str
    hyphens: frozenset[int] = frozenset()  # those of ``asked`` that the word has
    accented: Mapping[int, str] = NONE  # letters of ``asked`` as written
    # what stand-ins in ``asked`` stand for: a string and its suffixes
    wholes: Mapping[tuple[int, int], Morphemes] = NONE
    suffixes: Morphemes = ()  # that follow the answer
    problem: Problem | None = None  # why there is nothing to ask

    @property
    def is_complete(self) -> bool:
        """Whether the model's answer lacks nothing."""
        return not (self.hyphens or self.accented or self.wholes or self.suffixes)

    @property
    def by_rule(self) -> Tree | None:
        """The answer, if the model need not be asked."""
        if self.asked or self.problem:
            return None
        base, *suffixes = self.wholes[0, 0]
        return _with_suffixes(Tree.stem(base), (*suffixes, *self.suffixes))

    @property
    def compound(self) -> Tree:
        """What stands between hyphens, put together from the left: if no answer is usable."""
        parts = [Tree.stem(part) for part in re.findall("[^-]+-*", self.text)]
        tree = parts[0]
        for part in parts[1:]:
            tree = Tree.word(tree, part)
        return tree

    def restored(self, structure: Structure, form: str) -> Structure | None:
        """Return a structure over the word as it is written; None if it cuts what is whole.

        A model that has never seen a hyphen copies it: it is left out before it is written again.
        """
        if self.hyphens and "-" in form:
            structure = _bare(structure)
            form = "".join(structure) if isinstance(structure, tuple) else structure.form
        if isinstance(structure, tuple):
            leaves = [Tree.stem(string) for string in structure]
        else:
            leaves = [*structure.leaves()]
        new = self._restored(leaves, align(self.asked, form))
        if new is None:
            return None
        if isinstance(structure, tuple):
            return (*(string for strings in new for string in strings), *self.suffixes)
        return _with_suffixes(_with_leaves(structure, iter(new)), self.suffixes)

    def hyphenated(self, tree: Tree) -> Tree:
        """Write the hyphens of the word into a tree that somebody gave."""
        bare = without_hyphens(tree)
        hyphens = frozenset(n for n, letter in enumerate(self.text) if letter == "-")
        found = Question(self.text, self.text, hyphens).restored(bare, bare.form)
        return found if isinstance(found, Tree) else tree

    def _restored(self, leaves: list[Tree], places: Sequence[int]) -> list[Morphemes] | None:
        """Return what stands in place of leaves; None if what is whole is cut."""
        wholes = dict(self.wholes)
        new, ends = [], [0]
        for leaf in leaves:
            start, end = places[ends[-1]], places[ends[-1] + len(leaf.string)]
            while end > start and self.asked[end - 1] == "-":
                end -= 1
            string = "".join(self._accented(leaf, places[ends[-1] :]))
            new.append(wholes.pop((start, end), (string,)))
            ends.append(ends[-1] + len(leaf.string))
        if wholes:
            return None
        for hyphen in sorted(self.hyphens, reverse=True):
            _insert(new, ends, places, hyphen)
        return new

    def _accented(self, leaf: Tree, places: Sequence[int]) -> Iterator[str]:
        """Yield the letters of a leaf, those that a stem has copied as they are written."""
        for letter, start, end in zip(leaf.string, places, places[1:], strict=False):
            is_copied = start < end and self.asked[start] == letter and not leaf.is_affix
            yield self.accented.get(start, letter) if is_copied else letter


def _bare(structure: Structure) -> Structure:
    if isinstance(structure, tuple):
        return tuple(map(bare, structure))
    return without_hyphens(structure)


def _with_suffixes(tree: Tree, suffixes: Iterable[str]) -> Tree:
    for suffix in suffixes:
        tree = Tree(tree.label, (tree, Tree.suffix(suffix)))
    return tree


def _with_leaves(tree: Tree, leaves: Iterator[Morphemes]) -> Tree:
    """Return a tree with other leaves, or with stems and suffixes in their place."""
    if tree.is_leaf:
        string, *suffixes = next(leaves)
        return _with_suffixes(replace(tree, string=string), suffixes)
    return replace(tree, children=tuple(_with_leaves(c, leaves) for c in tree.children))


def _insert(new: list[Morphemes], ends: Sequence[int], places: Sequence[int], hyphen: int) -> None:
    """Write a hyphen of the word behind the letter that it follows, if possible behind a leaf.

    Hyphens are written from the last to the first, so that the places of the others stay.
    Of leaves that end at one place the last one has it: *laissez-* is *laisser* + *ez-*.
    """
    at = next((n for n, place in enumerate(places) if place > hyphen), len(places) - 1)
    at = max((end for end in ends[1:] if places[end] in (hyphen, hyphen + 1)), default=at)
    leaf = next(n for n, end in enumerate(ends[1:]) if at <= end)
    *others, last = new[leaf]
    if at == ends[leaf + 1]:
        new[leaf] = (*others, last + "-")
    else:
        cut = at - ends[leaf]
        new[leaf] = (*others, f"{last[:cut]}-{last[cut:]}")
