"""Candidates of one word at a time: both transducers' scores against the lattice, and ties."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats
from morphtree.decoding.candidates import CandidateModel
from morphtree.features.edit_features import EditFeatures, named_features
from morphtree.features.sets import PAPER
from morphtree.features.templates import EditTemplate, FeatureIndex
from morphtree.joint.engine import Packer
from morphtree.lexicon.candidate_rules import NO_CANDIDATE_RULES
from morphtree.lexicon.stored import NOTHING_STORED
from morphtree.structures.edit_lattice import EditLattice
from tests.models import edits_of

MANY = "".join(map(chr, range(0x3B1, 0x3B1 + 70)))  # more letters than a machine word has bits
MIXED = (
    EditTemplate(edit=False),
    EditTemplate(edit=False, left=1),
    EditTemplate(edit=False, left=1, right=2),
    EditTemplate(left=2, right=1),
    EditTemplate(right=3),
)
WORDS = {"abc": ["abc", "cab", "a", "bbbb", "\u00fcab", "a\u00fc\u00fcb", "\u00fc"],
         MANY: [MANY[:5], MANY[60:68], MANY[69] * 3, "x" + MANY[3]]}  # fmt: skip


@cache
def features(templates: tuple[EditTemplate, ...], alphabet: str) -> EditFeatures:
    """Features that fire on some edits of the words: of many letters only one in a hundred."""
    edits = [(word, edit) for word in WORDS[alphabet] for edit in edits_of(word, alphabet)]
    if len(alphabet) > 3:
        edits = edits[::101]
    found = (named_features(templates, *pair) for pair in edits)
    index = FeatureIndex.of(feature for row in found for feature, _ in row)
    return EditFeatures(templates, alphabet, index)


def workspace(edits: EditFeatures, weights: Floats, joint: Floats, k: int) -> Any:
    rules = NO_CANDIDATE_RULES.kernel(edits.alphabet)
    model = CandidateModel.of(edits, weights, joint, rules=rules, stored=NOTHING_STORED, longer=3)
    return model.workspace(8, k=k)


def find(space: Any, packer: Packer, word: str) -> list[str]:
    """Find and score the candidates of a word; return their strings."""
    codes, letters, _ = packer.text([word])
    kernels.candidates.find_candidates(space, codes, letters)
    kernels.candidates.edit_scores(space, True)
    rows = np.asarray(space.letters)[: space.found]
    sizes = np.asarray(space.lengths)[: space.found].tolist()
    points = [packer.code_points(row[:size]) for row, size in zip(rows, sizes, strict=True)]
    return ["".join(map(chr, row)) for row in points]


@pytest.mark.parametrize("alphabet", WORDS, ids=["3 letters", "70 letters"])
@pytest.mark.parametrize("templates", [PAPER.edits, MIXED, ()], ids=["paper", "mixed", "none"])
@pytest.mark.parametrize("scale", [0.5, 80.0])  # beyond 100, scaled numbers are not trusted
def test_scores_are_those_of_both_lattices(
    alphabet: str, templates: tuple[EditTemplate, ...], scale: float
) -> None:
    edits = features(templates, alphabet)
    rng = np.random.default_rng(7)
    both = [rng.normal(scale=scale, size=len(edits.index)) for _ in range(2)]
    space, packer = workspace(edits, both[0], both[1], 6), Packer(alphabet)
    for word in WORDS[alphabet]:
        forms = find(space, packer, word)
        assert 1 <= len(set(forms)) == len(forms) <= 6
        found = np.asarray(space.log_proposal), np.asarray(space.log_joint)
        for weights, scores in zip(both, found, strict=True):
            lattice = EditLattice.of(edits, edits.match(word), weights, edits.bigrams(weights), 3)
            expected = [lattice.score(form) for form in forms]
            assert scores[: len(forms)] == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("k", [1, 2, 5, 9])
def test_forms_of_equal_weight_are_in_the_order_of_their_letters(k: int) -> None:
    """Every letter may be written for the first one; the others are copied, nothing else."""
    edits = features((EditTemplate(), EditTemplate(left=1)), "abc")
    weights = np.zeros(len(edits.index))
    for number, feature in enumerate(edits.index.features):
        weights[number] = 0.0 if feature.outcome >> 21 == 1 else -20.0  # only writing is likely
    space = workspace(edits, weights, weights, k)
    forms = find(space, Packer("abc"), "bb")
    assert forms == ["".join(pair) for pair in itertools.product("abc", repeat=2)][:k]


def test_a_workspace_forgets_the_word_before() -> None:
    edits = features(PAPER.edits, "abc")
    weights = np.random.default_rng(3).normal(size=len(edits.index))
    packer = Packer("abc")
    fresh = [find(workspace(edits, weights, weights, 4), packer, w) for w in WORDS["abc"]]
    space = workspace(edits, weights, weights, 4)
    for _ in range(2):
        assert [find(space, packer, word) for word in WORDS["abc"]] == fresh
