"""What a notebook shows of a word: all its readings, each with its tree, probability and source."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import Protocol

from morphtree.trees.drawing import as_file
from morphtree.trees.nodes import CATEGORIES, Drawable, Node, describe, node_of, visible
from morphtree.trees.picture import picture

SCALE = 0.75  # of a picture: the text of notebooks is small
BAR = 120  # the width of a whole probability
# A picture is an image, so that it keeps its style to itself, and a page that forbids styles
# still shows it. It follows the theme of the notebook, where that tells it, or else the system's.
THEMES = (
    ".morphtree-readings img{color-scheme:light dark}"
    "[data-jp-theme-light=true] .morphtree-readings img,.vscode-light .morphtree-readings img"
    "{color-scheme:light}"
    "[data-jp-theme-light=false] .morphtree-readings img,.vscode-dark .morphtree-readings img"
    "{color-scheme:dark}"
)


class Listed(Drawable, Protocol):
    """A reading with what is said of it."""

    @property
    def prob(self) -> float:
        """Its probability."""

    @property
    def source(self) -> str:
        """Who says so."""

    @property
    def notation(self) -> str:
        """Its tree in brackets."""

    @property
    def categories(self) -> Sequence[str]:
        """The category of each WORD span."""


def readings_html(word: str, told: str, readings: Sequence[Listed]) -> str:
    """Show readings side by side; what is told of the word stands above them."""
    roots = [node_of(reading, reading.categories) for reading in readings]
    figures = "".join(map(_figure, readings, roots))
    return (
        f"<div class='morphtree-readings'><style>{THEMES}</style>"
        f"<div><strong>{_isolated(word) or repr('')}</strong> {escape(told)}</div>"
        f"<div style='display:flex;flex-wrap:wrap;gap:12px 32px;align-items:flex-end'>{figures}"
        f"</div>{_legend(roots)}</div>"
    )


def readings_text(word: str, told: str, readings: Sequence[Listed]) -> str:
    """Show readings where there is only text, one a line."""
    head = f"{visible(word) or repr('')} {told}".strip()
    lines = (
        f"{percent(reading.prob):>6}  {visible(reading.notation)}  {reading.source}"
        for reading in readings
    )
    return "\n".join((head, *lines))


def percent(share: float) -> str:
    """Write a share as people do; only what is all or nothing is 100 or 0 %."""
    if 0 < share < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def _figure(reading: Listed, root: Node) -> str:
    drawn = picture(root)
    data = b64encode(as_file(drawn).encode()).decode()
    width = SCALE * float(drawn.attributes["width"])
    return (
        f"<figure style='margin:8px 0;max-width:100%'>"
        f"<img src='data:image/svg+xml;base64,{data}' alt='{escape(describe(root))}' "
        f"width='{width:.0f}' style='max-width:100%;height:auto;background:none'/>"
        f"<figcaption style='text-align:left'>{_bar(reading.prob)} "
        f"<strong>{escape(percent(reading.prob))}</strong> "
        f"<span style='opacity:.75'>{escape(reading.source)}</span><br/>"
        f"<code style='background:none'>{_isolated(reading.notation)}</code></figcaption></figure>"
    )


def _bar(share: float) -> str:
    shape = "height:6px;border-radius:3px;vertical-align:middle"
    return (
        f"<span style='display:inline-block;width:{BAR}px;{shape};background:rgba(128,128,128,.3)'>"
        f"<span style='display:block;width:{max(1, BAR * share):.0f}px;{shape};background:#5b6fd0'>"
        "</span></span>"
    )


def _legend(roots: Sequence[Node]) -> str:
    found = sorted({node.category for root in roots for node in root.all() if node.category})
    names = ", ".join(f"{letter} {CATEGORIES.get(letter, letter)}" for letter in found)
    return f"<div style='opacity:.75;font-size:.85em'>{escape(names)}</div>" if names else ""


def _isolated(text: str) -> str:
    """Write a text that cannot turn the text around it."""
    return text and f"<bdi>{escape(visible(text))}</bdi>"
