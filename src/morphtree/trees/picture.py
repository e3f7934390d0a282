"""The picture of a tree: where everything stands, as elements that a file or a page is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from morphtree.trees.nodes import CATEGORIES, Node, describe, visible
from morphtree.trees.text_width import text_width

FONT, ROOT_FONT, SMALL = 20, 24, 12
LEVEL = 94  # from one row to the next
HEIGHT = 42  # of a node's frame
PADDING = 16  # between the frame and its text
GAP = 22  # between neighbours
MARGIN = 14
BELOW = 18  # for the role of a leaf
TAG = 18  # the side of a category's tag
BASELINE = 0.33  # of the font's size, from the middle of a line down
COLOURED = ("prefix", "stem", "suffix", "link")


class Element(NamedTuple):
    """An element of SVG."""

    name: str
    attributes: dict[str, str]
    children: tuple[Element | str, ...] = ()

    def data(self) -> list[Any]:
        """Return the element as plain data: its name, its attributes, then its children."""
        inner = (child if isinstance(child, str) else child.data() for child in self.children)
        return [self.name, self.attributes, *inner]

    def xml(self) -> str:
        """Write the element as XML."""
        told = "".join(f' {name}="{escape(text)}"' for name, text in self.attributes.items())
        if not self.children:
            return f"<{self.name}{told}/>"
        inner = (
            escape(child, quote=False) if isinstance(child, str) else child.xml()
            for child in self.children
        )  # fmt: skip
        return f"<{self.name}{told}>{''.join(inner)}</{self.name}>"


def picture(root: Node) -> Element:
    """Draw a tree; each node is a group that has its number, parents before children."""
    box = _placed(root, MARGIN, 0)
    boxes = [*box.all()]
    width = box.right + MARGIN
    height = max(b.depth for b in boxes) * LEVEL + HEIGHT + 2 * MARGIN + BELOW
    branches = (_branch(above, below) for above in boxes for below in above.children)
    frames = (_frame(each, number) for number, each in enumerate(boxes))
    return Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg", "class": "morphtree",
            "viewBox": f"0 0 {width:.0f} {height:.0f}",
            "width": f"{width:.0f}", "height": f"{height:.0f}",
            "text-anchor": "middle", "role": "img", "aria-label": describe(root),
        },
        (*branches, *frames),  # frames lie over branches
    )  # fmt: skip


# -- layout ---------------------------------------------------------------------------------


@dataclass
class _Box:
    """A node with its place: the middle and the width of its frame, the right end of all below."""

    node: Node
    depth: int
    x: float
    width: float
    right: float
    children: list[_Box] = field(default_factory=list)

    @property
    def top(self) -> float:
        return MARGIN + self.depth * LEVEL

    @property
    def size(self) -> int:
        return FONT if self.depth else ROOT_FONT

    def all(self) -> Iterator[_Box]:
        yield self
        for child in self.children:
            yield from child.all()

    def move(self, shift: float) -> None:
        for box in self.all():
            box.x += shift
            box.right += shift


def _placed(node: Node, left: float, depth: int) -> _Box:
    """Lay out a tree from the left: a word above the middle of what it is made of."""
    box = _Box(node, depth, left, 0, left)
    text = text_width(visible(node.text), box.size)
    box.width = max(HEIGHT, text + 2 * PADDING)
    if not node.children:
        box.width = max(box.width, text_width(visible(node.role), SMALL))
        box.x, box.right = left + box.width / 2, left + box.width
        return box
    edge = left
    for child in node.children:
        box.children.append(_placed(child, edge, depth + 1))
        edge = box.children[-1].right + GAP
    edge -= GAP
    if box.width > edge - left:  # the word is wider than what it is made of
        for below in box.children:
            below.move((box.width - (edge - left)) / 2)
        edge = left + box.width
    middle = (box.children[0].x + box.children[-1].x) / 2
    box.x = min(max(middle, left + box.width / 2), edge - box.width / 2)
    box.right = edge
    return box


# -- elements -------------------------------------------------------------------------------


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _role_class(node: Node) -> str:
    """Return the class of a node's colours; a role that has none looks like a stem."""
    if node.children:
        return "mt-word"
    return f"mt-{node.role}" if node.role in COLOURED else "mt-stem"


def _branch(above: _Box, below: _Box) -> Element:
    start, end = above.top + HEIGHT, below.top
    x1, y1, bend, x2, y2 = map(_number, (above.x, start, (start + end) / 2, below.x, end))
    return Element(
        "path",
        {
            "class": f"mt-branch {_role_class(below.node)}",
            "d": f"M{x1} {y1}C{x1} {bend} {x2} {bend} {x2} {y2}",
            "fill": "none", "stroke-width": "1.75", "opacity": "0.75",
        },
    )  # fmt: skip


def _frame(box: _Box, number: int) -> Element:
    node, is_leaf = box.node, not box.children
    unknown = node.known is False and box.depth > 0
    kinds = ("mt-node", _role_class(node), *(["mt-root"] if not box.depth else []))
    line = {"stroke-width": "1.5", "stroke-dasharray": "4 4"} if unknown else {}
    parts = [
        Element("rect", {
            "class": "mt-frame", "x": _number(box.x - box.width / 2), "y": _number(box.top),
            "width": _number(box.width), "height": str(HEIGHT),
            "rx": str(HEIGHT // 2 if is_leaf else 10), **line,
        }),
        _text("mt-text", visible(node.text), box.x, box.top + HEIGHT / 2, box.size,
              600 if is_leaf or not box.depth else 400),
    ]  # fmt: skip
    if is_leaf:
        parts.append(_text("mt-role", visible(node.role), box.x, box.top + HEIGHT + 14, SMALL, 500))
    if node.category:
        parts.append(_tag(node.category, box.x + box.width / 2 - 8, box.top + 2))
    kind = " ".join((*kinds, *(["mt-unknown"] if unknown else [])))
    return Element("g", {"class": kind, "data-node": str(number)}, tuple(parts))


def _text(kind: str, text: str, x: float, middle: float, size: int, weight: int) -> Element:
    return Element(
        "text",
        {
            "class": kind, "x": _number(x), "y": _number(middle + BASELINE * size),
            "font-size": str(size), "font-weight": str(weight),
        },
        (text,),
    )  # fmt: skip


def _tag(category: str, x: float, y: float) -> Element:
    """Draw the letter of a category, with its name for those who point at it."""
    name = CATEGORIES.get(category, category)
    frame = {
        "x": _number(x - TAG / 2), "y": _number(y - TAG / 2),
        "width": str(TAG), "height": str(TAG), "rx": "5",
    }  # fmt: skip
    return Element(
        "g",
        {"class": "mt-category"},
        (
            Element("title", {}, (visible(name),)),
            Element("rect", frame),
            _text("mt-letter", visible(category), x, y, SMALL, 700),
        ),
    )
