"""Trees as plain data for the page, and what their nodes are called in the word."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from morphtree.errors import TreeError
from morphtree.trees.inner_words import places, spelt_within
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


@lru_cache(maxsize=1 << 16)
def written(word: str, tree: Tree) -> tuple[tuple[Tree, str], ...]:
    """Return every WORD node, parents first, with its spelling where it is a word of its own."""
    return tuple(found for found in spelt_within(word, tree) if found[0].label == WORD)
