"""Tree: an immutable parse of a canonical form, and its bracket notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from morphtree.errors import TreeError

if TYPE_CHECKING:
    from morphtree.trees.grammar import Grammar

WORD, PREFIX, SUFFIX, LINK = "WORD", "PREFIX", "SUFFIX", "LINK"
AFFIXES = (PREFIX, SUFFIX, LINK)
ROLES = {PREFIX: "prefix", SUFFIX: "suffix", LINK: "link", WORD: "stem"}  # of leaves


class Span(NamedTuple):
    """One constituent: its label, its half-open span of the canonical form, and its string."""

    label: str
    start: int
    end: int
    string: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A labelled node: a leaf holds a ``string``, any other node holds ``children``."""

    label: str
    children: tuple[Tree, ...] = ()
    string: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            raise TreeError("a node needs a label")
        if bool(self.children) == bool(self.string):
            raise TreeError(f"a {self.label} node needs either children or a non-empty string")

    @staticmethod
    def stem(string: str) -> Tree:
        """Return a WORD leaf."""
        return Tree(WORD, string=string)

    @staticmethod
    def prefix(string: str) -> Tree:
        """Return a PREFIX leaf."""
        return Tree(PREFIX, string=string)

    @staticmethod
    def suffix(string: str) -> Tree:
        """Return a SUFFIX leaf."""
        return Tree(SUFFIX, string=string)

    @staticmethod
    def word(*children: Tree) -> Tree:
        """Return a WORD node over the given children."""
        return Tree(WORD, children)

    @staticmethod
    def parse(text: str) -> Tree:
        """Read one tree in bracket notation, such as ``[[un [[test] able]] ly]``."""
        return _BracketReader(text).tree()

    def __str__(self) -> str:
        return _write(self)

    def __repr__(self) -> str:
        return f"Tree.parse({_write(self)!r})"

    @property
    def is_leaf(self) -> bool:
        """Whether this node holds a string itself."""
        return not self.children

    @property
    def is_affix(self) -> bool:
        """Whether this node is a prefix, a suffix or a linking element."""
        return self.label in AFFIXES

    @property
    def form(self) -> str:
        """The canonical form: the morphemes, concatenated."""
        return "".join(self.morphemes)

    @property
    def morphemes(self) -> tuple[str, ...]:
        """The strings of the leaves, from left to right."""
        return tuple(leaf.string for leaf in self.leaves())

    @property
    def root(self) -> str:
        """The innermost stem; of a compound, that of its head, the right-hand word."""
        node = self
        while node.children:
            words = [child for child in node.children if not child.is_affix]
            node = words[-1] if words else node.children[-1]
        return node.string

    @property
    def depth(self) -> int:
        """The number of steps from the deepest leaf to the whole word."""
        return 1 + max(child.depth for child in self.children) if self.children else 0

    def leaves(self) -> Iterator[Tree]:
        """Yield the leaves from left to right."""
        return (node for node in self.nodes() if node.is_leaf)

    def nodes(self) -> Iterator[Tree]:
        """Yield every node, parents before children, left before right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def spans(self) -> Iterator[Span]:
        """Yield every constituent with its place in the canonical form, parents first."""
        start = 0
        for node in self.nodes():
            form = node.form
            yield Span(node.label, start, start + len(form), form)
            start += len(node.string)

    def productions(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield (parent label, child labels) of every node; a leaf has no child labels."""
        return ((node.label, tuple(c.label for c in node.children)) for node in self.nodes())

    def derivation(self) -> Iterator[Tree]:
        """Yield the WORD nodes in the order in which the word was built, this node last."""
        for child in self.children:
            yield from child.derivation()
        if not self.is_affix:
            yield self

    def steps(self) -> tuple[str, ...]:
        """Return the words of the derivation as they are spelt: *test, testable, untestable*."""
        from morphtree.trees.spelling import respell

        return tuple(respell(node) for node in self.derivation())

    def in_grammar(self, grammar: Grammar) -> bool:
        """Whether the grammar derives this tree."""
        return grammar.derives(self)

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        printer.text(str(self))

    def to_svg(self) -> str:
        """Draw the tree: the text of an SVG file that suits light and dark ground."""
        from morphtree.trees.drawing import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def hyphenated(label: str, string: str) -> str:
    """Write an affix with its hyphens, *un-*, *-able* or *-s-*; what is none stays as it is."""
    first = f"{string.removesuffix('-')}-"
    return {PREFIX: first, SUFFIX: f"-{string}", LINK: f"-{first}"}.get(label, string)


def without_hyphens(tree: Tree) -> Tree:
    """Return a tree without the hyphens of the written word, as a treebank has it."""
    if tree.is_leaf:
        return replace(tree, string=bare(tree.string)) if "-" in tree.string else tree
    children = tuple(map(without_hyphens, tree.children))
    return tree if children == tree.children else replace(tree, children=children)


def bare(string: str) -> str:
    """Return the string of a leaf without the hyphens of the written word."""
    return string.replace("-", "") or string


# -- bracket notation -----------------------------------------------------------------------

_SPECIAL = re.compile(r"[\[\] \t\\#]")
_TOKEN = re.compile(r"\[|\]|(?:\\.|[^\[\] \t\\])+|(?P<lone>\\)", re.DOTALL)
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)
MAX_DEPTH = 200  # far beyond any word; recursion over trees stays safe


def escape(string: str) -> str:
    """Write a string so that brackets, blanks, backslash and # cannot be misread."""
    return _SPECIAL.sub(r"\\\g<0>", string)


def unescape(text: str) -> str:
    """Undo `escape`."""
    return _UNESCAPE.sub(r"\1", text)


def _write(tree: Tree) -> str:
    head = "" if tree.label == WORD else f"{escape(tree.label)}: "
    if tree.is_leaf:
        return f"[{head}{_first_word(escape(tree.string))}]"
    parts: list[str] = []
    implied = PREFIX  # the label of a bare string: PREFIX before the first node, SUFFIX after
    for number, child in enumerate(tree.children, 1):
        bare = child.is_leaf and child.label == implied
        if bare and (implied == SUFFIX or number < len(tree.children)):  # one child in brackets
            text = escape(child.string)
            parts.append(text if parts else _first_word(text))
        else:
            parts.append(_write(child))
            implied = SUFFIX
    return f"[{head}{' '.join(parts)}]"


def _first_word(text: str) -> str:
    """Keep a string at the start of a node from looking like a label."""
    return f"{text[:-1]}\\:" if text.endswith(":") else text


class _BracketReader:
    """A recursive-descent reader that says where it stumbled."""

    def __init__(self, text: str) -> None:
        self.text = text
        matches = [*_TOKEN.finditer(text)]
        if any(match["lone"] for match in matches):
            raise TreeError(f"a backslash at the end of {text!r} escapes nothing")
        self.tokens = [(match.group(), match.start()) for match in matches]
        self.next = 0

    def fail(self, what: str) -> TreeError:
        at = self.tokens[self.next][1] if self.next < len(self.tokens) else len(self.text)
        return TreeError(f"{what} at character {at + 1} of {self.text!r}")

    def peek(self) -> str:
        return self.tokens[self.next][0] if self.next < len(self.tokens) else ""

    def tree(self) -> Tree:
        if self.peek() != "[":
            raise self.fail("a tree must start with '['")
        tree = self.node(1)
        if self.peek():
            raise self.fail("unexpected text after the tree")
        return tree

    def node(self, depth: int) -> Tree:
        """Read a node, from its opening to its closing bracket."""
        self.next += 1
        if depth > MAX_DEPTH:
            raise self.fail(f"brackets nested deeper than {MAX_DEPTH}")
        label = self.label()
        parts: list[Tree | str] = []
        while (token := self.peek()) != "]":
            if not token:
                raise self.fail("']' is missing")
            if token == "[":
                parts.append(self.node(depth + 1))
            else:
                parts.append(unescape(token))
                self.next += 1
        tree = self.build(label, parts)
        self.next += 1
        return tree

    def label(self) -> str:
        token = self.peek()
        if token.endswith(":") and not _ends_escaped(token) and len(token) > 1:
            self.next += 1
            return unescape(token[:-1])
        return WORD

    def build(self, label: str, parts: list[Tree | str]) -> Tree:
        if len(parts) == 1 and isinstance(parts[0], str):
            return Tree(label, string=parts[0])
        children: list[Tree] = []
        implied = PREFIX
        for part in parts:
            if isinstance(part, Tree):
                implied = SUFFIX
                children.append(part)
            else:
                children.append(Tree(implied, string=part))
        if not children:
            raise self.fail("an empty node '[]'")
        if all(isinstance(part, str) for part in parts):
            raise self.fail("a node of several parts needs a stem in brackets: [un [test]]")
        return Tree(label, tuple(children))


def _ends_escaped(token: str) -> bool:
    before = token[:-1]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
