"""Trees as plain data for the page, and what their nodes are called in the word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from morphtree.errors import TreeError
from morphtree.trees.alignment import align
from morphtree.trees.tree import LINK, MAX_DEPTH, PREFIX, SUFFIX, WORD, Tree

Data = dict[str, Any]
LABELS = (PREFIX, WORD, SUFFIX, LINK)


def to_data(word: str, tree: Tree) -> Data:
    """Describe a tree; a leaf says which letters of the word it covers, half-open."""
    units = [0]  # the page counts in units of UTF-16
    for letter in word:
        units.append(units[-1] + 1 + (letter > "\uffff"))
    spans = iter(places(word, tree))

    def visit(node: Tree) -> Data:
        if node.children:
            return {"label": node.label, "children": [visit(child) for child in node.children]}
        start, end = next(spans)
        return {
            "label": node.label,
            "string": node.string,
            "start": units[start],
            "end": units[end],
        }

    return visit(tree)


def from_data(data: Any, depth: int = 0) -> Tree:
    """Build the tree that a page describes; an error says what is wrong with it."""
    if not isinstance(data, dict) or depth > MAX_DEPTH:
        raise TreeError("a node is an object with a label, and a string or children")
    label, children, string = data.get("label"), data.get("children") or [], data.get("string", "")
    if label not in LABELS or not isinstance(children, list) or not isinstance(string, str):
        raise TreeError(f"a node has a label of {', '.join(LABELS)}, and a string or children")
    if any("\ud800" <= letter <= "\udfff" for letter in string):  # JSON can name them
        raise TreeError("a string has whole letters, no halves of a pair of UTF-16")
    return Tree(label, tuple(from_data(child, depth + 1) for child in children), string)


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


@lru_cache(maxsize=1 << 16)
def written(word: str, tree: Tree) -> tuple[tuple[Tree, str], ...]:
    """Return every WORD node, parents first, with its spelling where it is a word of its own.

    That is as in the word, but for the last morpheme, which is spelt as it is elsewhere: the
    *happi* of *happiness* is *happy*, the *untestabl* of *untestably* *untestable*.
    """
    spans = [*places(word, tree)]
    found: list[tuple[Tree, str]] = []

    def visit(node: Tree, first: int) -> int:
        """Visit a node whose first leaf has this number; return the number after its last."""
        slot = len(found)
        if node.label == WORD:
            found.append((node, ""))
        after = first + 1 if node.is_leaf else first
        for child in node.children:
            after = visit(child, after)
        if node.label == WORD:
            whole = word if node is tree else _spelt(word, node, spans[first:after])
            found[slot] = (node, whole)
        return after

    visit(tree, 0)
    return tuple(found)


def _spelt(word: str, node: Tree, spans: list[tuple[int, int]]) -> str:
    *_, last = node.leaves()
    return word[spans[0][0] : spans[-1][0]] + last.string
