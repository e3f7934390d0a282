"""Analyzer: what users hold; a word in, its readings out."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

import numpy as np

from morphtree.estimators import Estimator, NBest
from morphtree.features import hash_text
from morphtree.joint import JointModel
from morphtree.tree import Tree
from morphtree.treebank_entry import normalise

LONGEST_WORD = 64  # code points
Status = Literal["ok", "whole", "refused"]


@dataclass(frozen=True)
class Reading:
    """One analysis of a word: its tree, its canonical form, its probability in the list."""

    tree: Tree
    form: str
    prob: float


@dataclass(frozen=True)
class Analysis:
    """A word and its readings, best first.

    ``whole``: the word was not analysed and is left in one piece; ``refused``: there was no word.
    ``list_mass`` says how much of the transducer's probability the candidate forms hold.
    """

    word: str
    status: Status
    readings: tuple[Reading, ...]
    list_mass: float = 1.0
    reason: str = ""


class Analyzer:
    """A joint model that takes words as people write them."""

    def __init__(self, model: JointModel[Tree], name: str) -> None:
        self.model = model
        self.name = name

    def parse(
        self,
        word: str,
        n: int = 1,
        *,
        decode: Estimator | None = None,
        seed: int = 1,
    ) -> Analysis:
        """Return the n best readings of a word; ``seed`` is for decoding by sampling."""
        if not word:
            return Analysis(word, "refused", (), reason="the word is empty")
        if any(letter.isspace() or unicodedata.category(letter) == "Cc" for letter in word):
            return Analysis(
                word, "refused", (), reason="a word has no blanks or control characters"
            )
        text = normalise(word)
        if len(text) > LONGEST_WORD:
            return _whole(word, text, f"it has more than {LONGEST_WORD} letters")
        if not any(letter.isalpha() for letter in text):
            return _whole(word, text, "it has no letter")
        rng = np.random.default_rng((seed, hash_text(text)))  # the same in any company
        joint = self.model.sum(text, decode or NBest(), rng=rng)
        if joint.log_partition() == -np.inf:
            return _whole(word, text, "no candidate form has a tree")
        readings = (Reading(r.structure, r.form, r.prob) for r in joint.top_k(n))
        return Analysis(word, "ok", tuple(readings), joint.estimate().list_mass)


def _whole(word: str, text: str, reason: str) -> Analysis:
    return Analysis(word, "whole", (Reading(Tree.stem(text), text, 1.0),), reason=reason)
