"""Inflected words follow their bases: *crofters* has the tree of *crofter*, and a suffix.

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

    from morphtree._util.arrays import Ints
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
    """Yield the words that are inflected."""
    grammar = model.structure.grammar
    every = np.arange(len(found.order))
    start = _before_suffix(found, grammar, every)
    for suffix in model.inflections:
        ends = _goes_on(found, every, start, code_points(suffix))
        for number in np.flatnonzero((start > 0) & ends).tolist():
            slot = int(found.order[number, 0])
            form = _text(found.forms[number, slot, : start[number]])
            base = words[number].removesuffix(suffix)
            if base != form:  # the spelling of either has changed
                base = _spelling(words[number], suffix, found, (number, slot), model)
            if 0 < len(base) < len(words[number]):  # so that this comes to an end
                yield Inflected(number, slot, base, suffix)


def _before_suffix(found: Analyses, grammar: Grammar, every: NDArray[np.int64]) -> Ints:
    """Return where the best reading of each word ends in a suffix; 0: it does not, or is stored."""
    start = np.zeros(len(every), np.int32)
    if SUFFIX not in grammar.labels:
        return start
    top, slot = int(grammar.has_silent_start), found.order[:, 0]
    count, length = found.counts[every, slot], found.lengths[every, slot]
    whole, first = found.nodes[every, slot, top], found.nodes[every, slot, top + 1]
    last = found.nodes[every, slot, np.maximum(count - 1, 0)]
    is_suffixed = (count > top + 2) & (length > 0) & (found.stored == 0) & (whole[:, 3] == 2)
    is_suffixed &= (last[:, 0] == grammar.labels.index(SUFFIX)) & (last[:, 1] == first[:, 2])
    return np.where(is_suffixed, last[:, 1], 0)


def _goes_on(
    found: Analyses, every: NDArray[np.int64], start: Ints, codes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether the best form of each word goes on from a place with some letters, and ends."""
    slot = found.order[:, 0]
    same: NDArray[np.bool_] = found.lengths[every, slot] == start + len(codes)
    for place, code in enumerate(codes.tolist()):
        at = np.minimum(start + place, found.forms.shape[2] - 1)
        same &= found.forms[every, slot, at] == code
    return same


def _spelling(word: str, suffix: str, found: Analyses, place: tuple[int, int], model: Model) -> str:
    """Return how the base of a word is written, that makes the word with a suffix."""
    grammar = model.structure.grammar
    top, size = int(grammar.has_silent_start), found.lengths[place]
    nodes = found.nodes[(*place, slice(top + 1, found.counts[place] - 1))].tolist()
    [tree] = read_nodes(iter(nodes), _text(found.forms[place][:size]), grammar.labels)
    for base in spellings(tree):
        if word in attach(base, suffix, "suffix"):
            return base
    left = word.removesuffix(suffix)  # the reading has another base, if it is a word
    return left if word in attach(left, suffix, "suffix") and left not in model.stored else ""


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
