"""What a page shows of a reading, as plain data: nodes to draw, steps, restored letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from morphtree._util.text import normalise
from morphtree.analysis import ROLES, Analysis, Reading
from morphtree.trees.drawing import as_tree, to_latex, to_svg
from morphtree.trees.spelling import respell, text_of
from morphtree.trees.tree import WORD, Tree

Data = dict[str, Any]


def view_analysis(analysis: Analysis) -> Data:
    """Return an analysis with a view of each of its readings."""
    return {
        "analysis": analysis.to_dict(),
        "views": [view(reading) for reading in analysis.readings],
    }


def view(reading: Reading) -> Data:
    """Return all that a page shows of a reading."""
    tree = as_tree(reading)
    known = iter(reading.attested)
    return {
        "tree": {**_node(tree, known), "text": reading.word or text_of(tree)},
        "steps": [*_steps(tree, normalise(reading.word) or respell(tree))],
        "letters": [*_letters(reading)],
        "svg": to_svg(reading),
        "latex": to_latex(reading),
    }


def role_of(tree: Tree) -> str:
    """Return the role of a node: of a leaf, that of its morpheme; any other is a word."""
    return "word" if tree.children else ROLES.get(tree.label, tree.label.lower())


def _node(tree: Tree, known: Iterator[bool]) -> Data:
    """Describe a node; `known` goes through the WORD nodes, parents first, as in a Reading."""
    return {
        "text": text_of(tree),
        "role": role_of(tree),
        "known": next(known, None) if tree.label == WORD else None,
        "children": [_node(child, known) for child in tree.children],
    }


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
