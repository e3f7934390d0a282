"""An inflected word has the tree that its base has by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from morphtree.decoding.decoder import Decoder
from morphtree.model.model import Model
from morphtree.trees.spelling import respell
from morphtree.trees.tree import SUFFIX, Tree
from tests.small_training import COMPOUNDS, TRAIN, model_of, prepared, random_weights

INFLECTIONS = ("s", "ed")
BASES = ["unlock", "replan", "lockable", "reader", "unuse", "unkindly", "darkread", "plank"]


def model(seed: int) -> Model:
    ready = prepared(TRAIN + COMPOUNDS, grammar="compounds")
    return replace(model_of(ready, random_weights(ready, seed=seed)), inflections=INFLECTIONS)


def test_an_inflected_word_follows_its_base() -> None:
    followed = [pair for seed in range(12) for pair in followed_by(seed)]
    assert followed
    assert any(before != after for before, after in followed)  # or there was nothing to do


def followed_by(seed: int) -> Iterator[tuple[Tree, Tree]]:
    """Compare words with their bases; yield trees of inflected words before and after."""
    decoder = Decoder(model(seed), jobs=1)
    alone = {base: found.best for base, found in zip(BASES, decoder.decode(BASES), strict=True)}
    words = [f"{base}s" for base in BASES]
    plain = Decoder(replace(model(seed), inflections=()), jobs=1)
    pairs = zip(BASES, plain.decode(words), decoder.decode(words), strict=True)
    for base, before, after in pairs:
        tree = before.best.structure
        if is_inflected(tree) and respell(tree.children[0]) == base:
            assert after.best.structure.children[0] == alone[base].structure
            assert after.best.form == f"{alone[base].form}s"
            assert after.best.prob == before.best.prob
            yield tree, after.best.structure
        elif not is_inflected(tree):
            assert after.best == before.best


def is_inflected(tree: Tree) -> bool:
    last = tree.children[-1:]
    return len(tree.children) == 2 and last[0].label == SUFFIX and last[0].string in INFLECTIONS


@pytest.mark.parametrize("seed", range(3))
def test_more_readings_begin_with_the_same_and_none_comes_twice(seed: int) -> None:
    decoder = Decoder(model(seed), jobs=1)
    words = [f"{base}s" for base in BASES]
    lists = zip(*(decoder.decode(words, n=n) for n in (1, 2, 6)), strict=True)
    for one, two, several in lists:
        assert several.hypotheses[:2] == two.hypotheses
        assert several.best == one.best
        found = [(item.form, item.structure) for item in several.hypotheses]
        assert len({*map(str, found)}) == len(found)
