"""What a page shows of a reading, as plain data: nodes to draw, steps, restored letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from morphtree._util.text import normalise
from morphtree.analysis import Analysis, Reading
from morphtree.trees.drawing import as_file, to_latex
from morphtree.trees.nodes import Node, as_tree, node_of, role_of
from morphtree.trees.picture import picture
from morphtree.trees.spelling import respell, text_of
from morphtree.trees.tree import Tree

Data = dict[str, Any]


def view_analysis(analysis: Analysis, categories: bool = False) -> Data:
    """Return an analysis with a view of each of its readings."""
    return {
        "analysis": analysis.to_dict(),
        "views": [view(reading, categories) for reading in analysis.readings],
    }


def view(reading: Reading, categories: bool = False) -> Data:
    """Return all that a page shows of a reading, in pictures with the categories of its words."""
    tree = as_tree(reading)
    letters = reading.categories if categories else ()
    root = node_of(reading, letters)
    drawn = picture(root)
    return {
        "tree": _data(root),
        "steps": [*_steps(tree, normalise(reading.word) or respell(tree))],
        "letters": [*_letters(reading)],
        "picture": drawn.data(),
        "svg": as_file(drawn),
        "latex": to_latex(reading, letters),
    }


def _data(node: Node) -> Data:
    return {**node._asdict(), "children": [_data(child) for child in node.children]}


def _steps(tree: Tree, word: str) -> Iterator[Data]:
    """Yield the steps in which the word was built, each with its respelling."""
    for node in tree.derivation():
        if not node.children:
            continue
        spelt = word if node is tree else respell(node)
        parts = (child.string if child.is_affix else respell(child) for child in node.children)
        yield {
            "parts": [{"text": text_of(c), "role": role_of(c)} for c in node.children],
            "word": spelt,
            "pieces": pieces("".join(parts), spelt),
        }


def _letters(reading: Reading) -> Iterator[Data]:
    """Yield each morpheme's letters, in the word and in the canonical form."""
    for morpheme in reading.morphemes:
        written = normalise(reading.word[morpheme.start : morpheme.end])
        yield {"role": morpheme.role, "pieces": pieces(written, morpheme.form)}


def pieces(before: str, after: str) -> list[Data]:
    """Cut two spellings into pieces that are equal and pieces that differ."""
    return [
        {
            "before": before[code.src_start : code.src_end],
            "after": after[code.dest_start : code.dest_end],
        }
        for code in Levenshtein.opcodes(before, after)
    ]
