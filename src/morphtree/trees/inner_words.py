"""The words inside a word, as they are spelt: by the rules of English, or as they stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from morphtree.trees.alignment import align
from morphtree.trees.spelling import reaches, respell, text_of
from morphtree.trees.tree import Tree


def places(word: str, tree: Tree) -> Iterator[tuple[int, int]]:
    """Yield where each leaf stands in the word."""
    form = tree.form
    if tree.is_leaf or form == word:
        boundaries = [*range(len(form)), len(word)]
    else:
        boundaries = align(word, form)
    at = 0
    for leaf in tree.leaves():
        end = at + len(leaf.string)
        yield boundaries[at], max(boundaries[at], boundaries[end])
        at = end


def spelt_within(word: str, tree: Tree) -> list[tuple[Tree, str]]:
    """Return every node, parents first, with its spelling where it is a word of its own.

    That is as in the word, but for the last morpheme, which is spelt as it is elsewhere: the
    *happi* of *happiness* is *happy*, the *untestabl* of *untestably* *untestable*.
    """
    spans = [*places(word, tree)]
    found: list[tuple[Tree, str]] = []

    def visit(node: Tree, first: int) -> int:
        """Visit a node whose first leaf has this number; return the number after its last."""
        slot = len(found)
        found.append((node, word))
        after = first + 1 if node.is_leaf else first
        for child in node.children:
            after = visit(child, after)
        if node is not tree:
            *_, last = node.leaves()
            found[slot] = node, word[spans[first][0] : spans[after - 1][0]] + last.string
        return after

    visit(tree, 0)
    return found


def shown_texts(tree: Tree, word: str = "") -> list[str]:
    """Return what stands at each node, parents first: affixes with hyphens, words as spelt.

    The rules of English spell the inner words if they lead to the word; those of other languages
    are as they stand in it.
    """
    if not word or reaches(tree, word):
        return [text_of(node) for node in tree.nodes()]
    found = spelt_within(word, tree)
    return [text_of(n) if n.is_affix or n.is_leaf else text for n, text in found]


def spelt_otherwise(tree: Tree, word: str) -> Iterator[tuple[Tree, str]]:
    """Yield the inner words that the rules of English do not spell as they stand in the word."""
    if not reaches(tree, word):
        for node, text in spelt_within(word, tree)[1:]:
            if node.children and text != respell(node):
                yield node, text
