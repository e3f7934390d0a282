"""Pictures of trees: SVG, LaTeX and Graphviz, each drawn from one simple layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple, Protocol

from morphtree.trees.spelling import text_of
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

COLOURS = {PREFIX: "#b35806", SUFFIX: "#31688e"}  # told apart by the colour-blind too
STEM = "#1b7837"
LINE, INK = "#888888", "#222222"
LETTER, GAP, STEP, SIZE, SMALL = 10.0, 18.0, 46.0, 16, 11  # widths and heights in pixels
_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Drawable(Protocol):
    """What can be drawn, such as a reading."""

    @property
    def tree(self) -> Tree | tuple[str, ...]:
        """The tree, or the segments of a flat reading."""

    @property
    def word(self) -> str:
        """The word as it was given; it may be empty."""


class _Node(NamedTuple):
    """A node with its place."""

    tree: Tree
    text: str
    category: str
    x: float
    depth: int
    children: tuple[_Node, ...]


def colour(tree: Tree) -> str:
    """Return the colour of a leaf's role."""
    return COLOURS.get(tree.label, STEM)


def _width(tree: Tree, text: str) -> float:
    return max(LETTER * len(text), _width_of_parts(tree))


def _width_of_parts(tree: Tree) -> float:
    widths = [_width(child, text_of(child)) + GAP for child in tree.children]
    return sum(widths) - GAP


def _place(tree: Tree, text: str, left: float, categories: Iterator[str], depth: int = 0) -> _Node:
    """Lay out a tree from the left: a word above the middle of what it is made of."""
    width, half = _width(tree, text), LETTER * len(text) / 2
    at, children = left + (width - _width_of_parts(tree)) / 2, []
    category = next(categories, "") if tree.label == WORD else ""
    for child in tree.children:
        children.append(_place(child, text_of(child), at, categories, depth + 1))
        at += _width(child, text_of(child)) + GAP
    middle = (children[0].x + children[-1].x) / 2 if children else left + half
    middle = min(max(middle, left + half), left + width - half)
    return _Node(tree, text, category, middle, depth, tuple(children))


def to_svg(reading: Drawable, categories: Iterable[str] = ()) -> str:
    """Draw a reading; the picture scales and needs nothing from elsewhere.

    The categories of the words, parents before children, are written beside them.
    """
    tree = as_tree(reading)
    word = reading.word or text_of(tree)
    width, height = _width(tree, word) + 2 * GAP, STEP * (tree.depth + 1)
    body = "".join(_svg(_place(tree, word, GAP, iter(categories))))
    label = escape(f"{word}: {tree}", quote=True)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{label}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{SIZE}" '
        f'text-anchor="middle">{body}</svg>'
    )
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", picture)


def _svg(node: _Node) -> list[str]:
    y = STEP * node.depth + STEP / 2
    out = []
    for child in node.children:
        below = STEP * child.depth + STEP / 2 - SIZE
        out.append(
            f'<line x1="{node.x:.1f}" y1="{y + 6:.1f}" x2="{child.x:.1f}" y2="{below:.1f}" '
            f'stroke="{LINE}"/>'
        )
    fill = INK if node.children else colour(node.tree)
    weight = "" if node.children else ' font-weight="bold"'
    label = f'<tspan font-size="{SMALL}" fill="{LINE}" dy="4">{escape(node.category)}</tspan>'
    text = escape(node.text) + (label if node.category else "")
    out.append(f'<text x="{node.x:.1f}" y="{y:.1f}" fill="{fill}"{weight}>{text}</text>')
    for child in node.children:
        out += _svg(child)
    return out


def to_latex(reading: Drawable, categories: Iterable[str] = ()) -> str:
    """Write a reading for the LaTeX package forest."""
    tree = as_tree(reading)
    letters = iter(categories)

    def node(part: Tree, text: str) -> str:
        letter = next(letters, "") if part.label == WORD else ""
        label = text.translate(_LATEX) + (f"\\textsubscript{{{letter}}}" if letter else "")
        inner = " ".join(node(child, text_of(child)) for child in part.children)
        return f"[{{{label}}}{' ' + inner if inner else ''}]"

    return f"\\begin{{forest}} {node(tree, reading.word or text_of(tree))} \\end{{forest}}"


def to_dot(reading: Drawable, categories: Iterable[str] = ()) -> str:
    """Write a reading for Graphviz."""
    tree = as_tree(reading)
    letters = iter(categories)
    lines: list[str] = []

    def node(part: Tree, text: str) -> int:
        number = len(lines)
        letter = next(letters, "") if part.label == WORD else ""
        label = f"{text} ({letter})" if letter else text
        quoted = label.replace("\\", "\\\\").replace('"', '\\"')
        ink = INK if part.children else colour(part)
        lines.append(f'  n{number} [label="{quoted}", fontcolor="{ink}"];')
        below = [node(child, text_of(child)) for child in part.children]
        lines.extend(f"  n{number} -> n{child};" for child in below)
        return number

    node(tree, reading.word or text_of(tree))
    return (
        "digraph {\n  node [shape=plaintext]; edge [arrowhead=none];\n" + "\n".join(lines) + "\n}"
    )


def as_tree(reading: Drawable) -> Tree:
    """Return the tree; the segments of a flat reading stand side by side."""
    if isinstance(reading.tree, Tree):
        return reading.tree
    leaves = tuple(Tree("SEGMENT", string=string) for string in reading.tree)
    return Tree("WORD", leaves) if len(leaves) > 1 else leaves[0]
