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
    """Yield the words that are inflected; what is stored is not looked at."""
    grammar = model.structure.grammar
    for number, is_stored in enumerate(found.stored.tolist()):
        slot = int(found.order[number, 0])
        if is_stored or not (start := _before_suffix(found, (number, slot), grammar)):
            continue
        suffix = _text(found.forms[number, slot, start : found.lengths[number, slot]])
        if suffix not in model.inflections:
            continue
        base = words[number].removesuffix(suffix)
        if base != _text(found.forms[number, slot, :start]):  # the spelling of either has changed
            base = _spelling(words[number], suffix, found, (number, slot), model)
        if 0 < len(base) < len(words[number]):  # so that this comes to an end
            yield Inflected(number, slot, base, suffix)


def _before_suffix(found: Analyses, place: tuple[int, int], grammar: Grammar) -> int:
    """Return where a reading ends in a suffix; 0: it does not."""
    top, count = int(grammar.has_silent_start), int(found.counts[place])
    if count <= top + 2 or found.lengths[place] <= 0 or SUFFIX not in grammar.labels:
        return 0
    nodes = found.nodes[place]
    _, _, _, arity = nodes[top].tolist()
    _, _, end, _ = nodes[top + 1].tolist()
    label, start, _, _ = nodes[count - 1].tolist()
    is_suffixed = arity == 2 and start == end and grammar.labels[label : label + 1] == (SUFFIX,)
    return start if is_suffixed else 0


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
