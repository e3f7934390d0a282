"""What a page shows of a reading, as plain data: nodes to draw, steps, restored letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from morphtree._util.text import normalise
from morphtree.analysis import Analysis, Reading
from morphtree.trees.drawing import as_file, to_latex
from morphtree.trees.inner_words import shown_texts
from morphtree.trees.nodes import Node, as_tree, node_of, role_of
from morphtree.trees.picture import picture
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
        "steps": [*_steps(tree, reading.plain)],
        "letters": [*_letters(reading)],
        "picture": drawn.data(),
        "svg": as_file(drawn),
        "latex": to_latex(reading, letters),
    }


def _data(node: Node) -> Data:
    return {**node._asdict(), "children": [_data(child) for child in node.children]}


def _steps(tree: Tree, word: str) -> Iterator[Data]:
    """Yield the steps in which the word was built, each with its respelling."""
    texts = iter(shown_texts(tree, word))

    def visit(node: Tree) -> tuple[str, list[Data]]:
        """Return the text of a node, and the steps that lead to it."""
        text = next(texts)
        visited = [visit(child) for child in node.children]
        steps = [step for _, below in visited for step in below]
        if not node.children:
            return text, steps
        spelt = (word or text) if node is tree else text
        parts = [(child, told) for child, (told, _) in zip(node.children, visited, strict=True)]
        joined = "".join(child.string if child.is_affix else told for child, told in parts)
        step = {
            "parts": [{"text": told, "role": role_of(child)} for child, told in parts],
            "word": spelt,
            "pieces": pieces(joined, spelt),
        }
        return text, [*steps, step]

    yield from visit(tree)[1]


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
