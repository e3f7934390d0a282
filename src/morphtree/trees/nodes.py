"""A tree as people see it: at every node a text, a role and, where it is known, a category."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from morphtree.trees.inner_words import shown_texts
from morphtree.trees.tree import ROLES, WORD, Tree

CATEGORIES = {
    "N": "noun",
    "V": "verb",
    "A": "adjective",
    "R": "adverb",
    "Q": "number",
    "X": "other",
}
NAMED = {"prefix": "prefix", "suffix": "suffix", "link": "linking element"}
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Drawable(Protocol):
    """What can be drawn, such as a reading."""

    @property
    def tree(self) -> Tree | tuple[str, ...]:
        """The tree, or the segments of a flat reading."""

    @property
    def title(self) -> str:
        """The word as it was given, without punctuation at its ends; it may be empty."""

    @property
    def plain(self) -> str:
        """The same in small letters, without punctuation at its ends."""

    @property
    def attested(self) -> Sequence[bool]:
        """Whether the lexicon knows each WORD span, from the whole word down."""


class Node(NamedTuple):
    """A node to draw; ``known`` is None where the lexicon has no say."""

    text: str
    role: str  # prefix, stem, suffix, link or segment; what has parts is a word
    known: bool | None = None
    category: str = ""
    children: tuple[Node, ...] = ()

    def all(self) -> Iterator[Node]:
        """Yield this node and those below it, parents before children."""
        yield self
        for child in self.children:
            yield from child.all()


def node_of(drawn: Drawable | Tree, categories: Iterable[str] = ()) -> Node:
    """Return what is to be drawn; categories are those of the words, parents before children."""
    if isinstance(drawn, Tree):
        return _node(drawn, iter(shown_texts(drawn)), iter(()), iter(categories))
    tree = as_tree(drawn)
    texts = iter(shown_texts(tree, drawn.plain))
    root = _node(tree, texts, iter(drawn.attested), iter(categories))
    return root._replace(text=drawn.title) if drawn.title else root


def _node(
    tree: Tree, texts: Iterator[str], known: Iterator[bool], categories: Iterator[str]
) -> Node:
    is_word = tree.label == WORD
    return Node(
        next(texts),
        role_of(tree),
        next(known, None) if is_word else None,
        next(categories, "") if is_word else "",
        tuple(_node(child, texts, known, categories) for child in tree.children),
    )


def as_tree(drawn: Drawable | Tree) -> Tree:
    """Return the tree; the segments of a flat reading stand side by side."""
    if isinstance(drawn, Tree):
        return drawn
    if isinstance(drawn.tree, Tree):
        return drawn.tree
    leaves = tuple(Tree("SEGMENT", string=string) for string in drawn.tree)
    return Tree(WORD, leaves) if len(leaves) > 1 else leaves[0]


def role_of(tree: Tree) -> str:
    """Return the role of a node: of a leaf, that of its morpheme; any other is a word."""
    return "word" if tree.children else ROLES.get(tree.label, tree.label.lower())


def describe(node: Node) -> str:
    """Say a tree in words, for those who do not see it."""
    if not node.children:
        return f"{_named(node)} is one piece."
    *others, last = map(_named, node.children)
    parts = " and ".join(filter(None, (", ".join(others), last)))
    inner = (describe(child) for child in node.children if child.children)
    return " ".join((f"{_named(node)} is made of {parts}.", *inner))


def _named(node: Node) -> str:
    kind = f"the {NAMED[node.role]} " if node.role in NAMED else ""
    category = f" ({CATEGORIES.get(node.category, node.category)})" if node.category else ""
    return visible(f"{kind}{node.text}{category}")


def visible(text: str) -> str:
    """Make marks of direction visible and harmless, and replace what XML cannot have."""
    told = _DIRECTION.sub(lambda mark: f"\u27e8U+{ord(mark[0]):04X}\u27e9", text)
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", told)
