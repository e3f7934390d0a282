"""Pictures of trees."""

from __future__ import annotations

from xml.etree import ElementTree

import morphtree
from morphtree.analysis import Analysis, Reading
from morphtree.trees.drawing import to_dot, to_latex, to_svg
from morphtree.trees.tree import Tree


def test_pictures_are_well_formed_and_safe() -> None:
    evil = Tree.word(Tree("WORD", string='<script>&"%#{'), Tree("SUFFIX", string="s"))
    bad = Reading(evil, evil.form, 0.5, '<script>&"%#{s')
    svg = to_svg(bad)
    ElementTree.fromstring(svg)
    assert "<script" not in svg
    assert r"\%\#\{" in to_latex(bad)
    assert r"\"" in to_dot(bad)


def test_a_picture_shows_every_step() -> None:
    tree = Tree.parse("[[un [[test] able]] ly]")
    item = Reading(tree, tree.form, 0.5, "untestably")
    texts = [
        t.text
        for t in ElementTree.fromstring(to_svg(item)).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert texts == ["untestably", "untestable", "un-", "testable", "test", "-able", "-ly"]
    assert morphtree.load().parse("untestably")._repr_svg_() is not None
    assert Analysis("", "refused", ())._repr_svg_() is None
