"""Building trees from the round brackets of the 2016 treebank, and mending broken ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.tree import MAX_DEPTH, WORD, Tree

MAX_TOKENS = 100  # mending tries every place; no word has so many brackets


class Token(NamedTuple):
    """A bracket of an inner node, or a whole leaf."""

    kind: Literal["(", ")", "leaf"]
    labelled: bool = True
    leaf: Tree | None = None


OPEN, CLOSE = Token("("), Token(")")


def strict_tree(tokens: Sequence[Token]) -> Tree | None:
    """Return the tree if the brackets match and every node has its label."""
    return _assemble(tokens) if all(token.labelled for token in tokens) else None


def repaired_tree(tokens: Sequence[Token]) -> Tree | None:
    """Return the one tree that is plausibly meant, or None if there is none or a choice.

    A node without label is an S, and a node around a single node says nothing. If the brackets
    do not match, one is added or left out, if only one grammatical tree can come of it.
    """
    if len(tokens) > MAX_TOKENS:
        return None
    tree = _assemble(tokens, collapse=True)
    if tree is not None:
        return tree
    mended = {_assemble(changed, collapse=True) for changed in _one_bracket_changed(tokens)}
    fitting = [tree for tree in mended if tree is not None and COMPOUNDS.derives(tree)]
    return fitting[0] if len(fitting) == 1 else None


def _one_bracket_changed(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    for place in range(len(tokens) + 1):
        before, after = tokens[:place], tokens[place:]
        yield [*before, OPEN, *after]
        yield [*before, CLOSE, *after]
        if after and after[0].kind != "leaf":
            yield [*before, *after[1:]]


def _assemble(tokens: Sequence[Token], collapse: bool = False) -> Tree | None:
    """Build a tree, or return None if the brackets do not match."""
    stack: list[list[Tree]] = [[]]  # the children so far of each open node, outermost first
    for token in tokens:
        if token.kind == "(":
            stack.append([])
        elif token.leaf is not None:
            stack[-1].append(token.leaf)
        else:
            children = stack.pop()
            if not stack or not children:
                return None
            single = collapse and len(children) == 1
            stack[-1].append(children[0] if single else Tree(WORD, tuple(children)))
        if len(stack) > MAX_DEPTH:
            return None
    return stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None
