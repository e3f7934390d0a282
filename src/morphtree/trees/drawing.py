"""Pictures of trees as files: SVG, LaTeX and Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from morphtree.trees.nodes import Drawable, Node, node_of
from morphtree.trees.picture import COLOURED, Element, picture
from morphtree.trees.tree import Tree

_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_VARIABLE = re.compile(r"--([\w-]+):\s*([^;]+);")
_SHADES = re.compile(r"light-dark\((.+), (.+)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]+)\}")
_USE = re.compile(r"var\(--([\w-]+)\)")


def to_svg(drawn: Drawable | Tree, categories: Iterable[str] = ()) -> str:
    """Draw a reading or a tree; the picture needs nothing else, and suits light and dark ground.

    The categories of the words, parents before children, are written beside them.
    """
    return as_file(picture(node_of(drawn, categories)))


def as_file(drawn: Element) -> str:
    """Write a picture as an SVG file, with its colours inside."""
    children = (Element("style", {}, (_style(),)), *drawn.children)
    return drawn._replace(children=children).xml()


def to_latex(drawn: Drawable | Tree, categories: Iterable[str] = ()) -> str:
    """Write a reading for the LaTeX package forest."""

    def write(node: Node) -> str:
        letter = f"\\textsubscript{{{node.category}}}" if node.category else ""
        inner = " ".join(map(write, node.children))
        return f"[{{{node.text.translate(_LATEX)}{letter}}}{' ' + inner if inner else ''}]"

    return f"\\begin{{forest}} {write(node_of(drawn, categories))} \\end{{forest}}"


def to_dot(drawn: Drawable | Tree, categories: Iterable[str] = ()) -> str:
    """Write a reading for Graphviz."""
    lines: list[str] = []

    def write(node: Node) -> int:
        number = len(lines)
        label = f"{node.text} ({node.category})" if node.category else node.text
        quoted = label.replace("\\", "\\\\").replace('"', '\\"')
        leaf = node.role if node.role in COLOURED else "stem"
        ink = _colours()["ink" if node.children else leaf].light
        lines.append(f'  n{number} [label="{quoted}", fontcolor="{ink}"];')
        below = [write(child) for child in node.children]
        lines.extend(f"  n{number} -> n{child};" for child in below)
        return number

    write(node_of(drawn, categories))
    return (
        "digraph {\n  node [shape=plaintext]; edge [arrowhead=none];\n" + "\n".join(lines) + "\n}"
    )


# -- colours --------------------------------------------------------------------------------


class _Shades(NamedTuple):
    """The value of a variable on light and on dark ground."""

    light: str
    dark: str


@cache
def _sheet() -> str:
    """The style sheet that the pages load, too."""
    text = files("morphtree.trees").joinpath("tree.css").read_text(encoding="utf-8")
    return " ".join(_COMMENT.sub("", text).split())


@cache
def _colours() -> dict[str, _Shades]:
    found = {}
    for name, value in _VARIABLE.findall(_sheet().partition("}")[0]):
        both = _SHADES.fullmatch(value)
        found[name] = _Shades(*both.groups()) if both else _Shades(value, value)
    return found


@cache
def _style() -> str:
    """Return the rules with values in the place of variables, which few programs but browsers know.

    Those for dark ground come last; a program that does not know what they are about skips them.
    """
    light, dark = [], []
    for selector, inner in _RULE.findall(_sheet().partition("}")[2]):
        declared = [line.strip() for line in inner.split(";") if line.strip()]
        shades = [(_filled(line, 0), _filled(line, 1)) for line in declared]
        light.append(f"{selector.strip()}{{{';'.join(one for one, _ in shades)}}}")
        if changed := [two for one, two in shades if one != two]:
            dark.append(f"{selector.strip()}{{{';'.join(changed)}}}")
    return f"{''.join(light)}@media (prefers-color-scheme:dark){{{''.join(dark)}}}"


def _filled(text: str, shade: int) -> str:
    return _USE.sub(lambda use: _colours()[use[1]][shade], text)
