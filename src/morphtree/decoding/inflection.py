"""Inflected words follow their bases: *deplatforming* has the tree of *deplatform*, and a suffix.

The inflected word decides that it is one, and its base, analysed by itself, how it is made.
Otherwise the two could disagree, for they are looked up as two words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from morphtree._util.hashing import code_points
from morphtree.structures.tree_chart import read_nodes
from morphtree.trees.spelling import attach, spellings
from morphtree.trees.tree import SUFFIX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from morphtree.decoding.analyses import Analyses
    from morphtree.model.model import Model
    from morphtree.trees.grammar import Grammar


class Inflected(NamedTuple):
    """A word whose best reading is a base with an inflection."""

    word: int  # its number
    slot: int  # that of its best reading
    base: str
    suffix: str


def follow_bases(
    model: Model,
    words: Sequence[str],
    found: Analyses,
    analyse: Callable[[list[str]], Analyses],
) -> None:
    """Give inflected words the trees of their bases, which are analysed by themselves."""
    inflected = [*_inflected(model, words, found)]
    if not inflected:
        return
    bases = analyse([item.base for item in inflected])
    for number, item in enumerate(inflected):
        slot = bases.order[number, 0]
        length = bases.lengths[number, slot]
        if length > 0:
            nodes = bases.nodes[number, slot, : bases.counts[number, slot]]
            form = bases.forms[number, slot, :length]
            _replace(found, item, nodes, form, model.structure.grammar)


def _inflected(model: Model, words: Sequence[str], found: Analyses) -> Iterator[Inflected]:
    """Yield the words that are inflected and whose base is not stored: what is, is followed."""
    grammar = model.structure.grammar
    top = int(grammar.has_silent_start)
    for number in _with_last_suffix(found, grammar).tolist():
        slot = int(found.order[number, 0])
        nodes = found.nodes[number, slot, top : found.counts[number, slot]].tolist()
        form = _text(found.forms[number, slot, : found.lengths[number, slot]])
        suffix = form[nodes[-1][1] :]
        if suffix in model.inflections:
            [tree] = read_nodes(iter(nodes[1:-1]), form, grammar.labels)
            base = _base(words[number], (*spellings(tree), words[number]), suffix)
            if base and base not in model.stored:
                yield Inflected(number, slot, base, suffix)


def _with_last_suffix(found: Analyses, grammar: Grammar) -> NDArray[np.int64]:
    """Return the numbers of the words whose best reading is a word with a suffix; none stored."""
    if SUFFIX not in grammar.labels:
        return np.zeros(0, np.int64)
    top, every = int(grammar.has_silent_start), np.arange(len(found.order))
    slot = found.order[:, 0]
    count, length = found.counts[every, slot], found.lengths[every, slot]
    whole, first = found.nodes[every, slot, top], found.nodes[every, slot, top + 1]
    last = found.nodes[every, slot, np.maximum(count - 1, 0)]
    is_suffixed = (count > top + 2) & (length > 0) & (found.stored == 0) & (whole[:, 3] == 2)
    is_suffixed &= (last[:, 0] == grammar.labels.index(SUFFIX)) & (last[:, 1] == first[:, 2])
    return np.flatnonzero(is_suffixed)


def _base(word: str, spelt: Sequence[str], suffix: str) -> str:
    """Return the spelling of a base that makes the word with a suffix; of the word, without it."""
    for base in (*spelt[:-1], spelt[-1].removesuffix(suffix)):
        if word in attach(base, suffix, "suffix"):
            return base
    return ""


def _replace(
    found: Analyses,
    item: Inflected,
    base: NDArray[np.int32],
    form: NDArray[np.int64],
    grammar: Grammar,
) -> None:
    """Put a base with a suffix in the place of a word's best reading."""
    top, start, size = int(grammar.has_silent_start), len(form), len(form) + len(item.suffix)
    count = len(base) + 2
    if size > found.forms.shape[2] or count > found.nodes.shape[2]:
        return
    nodes = found.nodes[item.word, item.slot]
    whole, suffix = nodes[: top + 1].copy(), grammar.labels.index(SUFFIX)
    whole[:, 2] = size
    nodes[: top + 1] = whole
    nodes[top + 1 : count - 1] = base[top:]
    nodes[count - 1] = suffix, start, size, 0
    found.counts[item.word, item.slot] = count
    found.lengths[item.word, item.slot] = size
    found.forms[item.word, item.slot, :size] = np.append(form, code_points(item.suffix))
    _drop_same(found, item)


def _drop_same(found: Analyses, item: Inflected) -> None:
    """Take back another reading of a word that is now the same as its best one."""
    best = _reading(found, item.word, item.slot)
    for place in range(1, found.order.shape[1]):
        slot = int(found.order[item.word, place])
        if found.lengths[item.word, slot] >= 0 and _reading(found, item.word, slot) == best:
            found.order[item.word, place:-1] = found.order[item.word, place + 1 :]
            found.order[item.word, -1] = slot
            found.lengths[item.word, slot] = -1
            return


def _reading(found: Analyses, word: int, slot: int) -> tuple[Any, ...]:
    size, count = found.lengths[word, slot], found.counts[word, slot]
    return found.forms[word, slot, :size].tolist(), found.nodes[word, slot, :count].tolist()


def _text(codes: NDArray[np.int64]) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
