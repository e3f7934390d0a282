from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from morphtree.chain import FLAT
from morphtree.edit_features import Edit, EditFeatures, named_features
from morphtree.errors import ModelError
from morphtree.features import PAPER, EditTemplate, Feature, FeatureIndex, hash_text, seed
from morphtree.grammar import COMPOUNDS
from morphtree.grammar import PAPER as PAPER_GRAMMAR
from morphtree.lexicon import Lexicon
from morphtree.part_features import named_span_features
from tests.models import edit_index, edits_of, joint_model

STABLE = """
from morphtree.features import PAPER, hash_text, seed
from morphtree.edit_features import Edit, named_features
print(hash_text("untestably"), hash_text("\\U0001f600"))
print([seed(t) for t in PAPER.edits + PAPER.spans])
print([f for f, _ in named_features(PAPER.edits, "happily", Edit(4, True, "y", "p"))])
import numpy as np
from tests.models import joint_model
from morphtree.grammar import PAPER as GRAMMAR
model = joint_model(GRAMMAR, ["happily"], ["happyly"], "ahilpy", ["happy"])
match = model.edits.match("happily")
print(match.edits.cells.tolist(), match.edits.features.tolist())
match = model.parts.match("happyly")
print(match.cells.tolist(), match.features.tolist())
"""


@pytest.mark.parametrize("pure", ["", "1"])
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_hashes_do_not_depend_on_the_run(pure: str, hash_seed: str) -> None:
    def run(**environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", STABLE],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert run(MORPHTREE_PURE=pure, PYTHONHASHSEED=hash_seed) == run(PYTHONHASHSEED="0")


def test_hashes_never_change() -> None:
    assert hash_text("untestably") == 17610498049403271954
    assert seed(EditTemplate(left=2)) == 18038025128965584128


def test_every_template_has_its_own_seed() -> None:
    seeds = [*map(seed, PAPER.edits), *map(seed, PAPER.spans), *map(seed, PAPER.rules)]
    assert len(set(seeds)) == len(seeds)


def test_matching_finds_what_named_mode_names() -> None:
    """The kernel and named mode agree on every edit of a word."""
    alphabet, word = "ably-", "ably"
    index = edit_index(PAPER, [word, "abba", "lab"], alphabet)
    features = EditFeatures(PAPER.edits, alphabet, index)
    match = features.match(word)
    by_cell: dict[int, Counter[int]] = {}
    for cell, feature in zip(match.edits.cells, match.edits.features, strict=True):
        by_cell.setdefault(int(cell), Counter())[int(feature)] += 1
    width = 2 * len(alphabet) + 1
    bigram_cells: dict[int, Counter[int]] = {}
    for cell, feature in zip(
        features._bigram_matches.cells, features._bigram_matches.features, strict=True
    ):
        bigram_cells.setdefault(int(cell), Counter())[int(feature)] += 1
    for edit in edits_of(word, alphabet):
        offset = alphabet.index(edit.writes) if edit.writes else 2 * len(alphabet)
        if edit.writes and not edit.reads:
            offset += len(alphabet)
        side = len(alphabet) + 1
        read = alphabet.index(word[edit.place]) if edit.reads else len(alphabet)
        last = alphabet.index(edit.previous) if edit.previous else len(alphabet)
        written = alphabet.index(edit.writes) if edit.writes else len(alphabet)
        named = Counter(index.numbers[f] for f, _ in named_features(PAPER.edits, word, edit))
        matched = by_cell[edit.place * width + offset] + bigram_cells.get(
            (side * read + last) * side + written, Counter()
        )
        assert matched == named


def test_span_matching_finds_what_named_mode_names() -> None:
    model = joint_model(COMPOUNDS, ["ab"], ["abab", "bba"], "ab", ["ab", "ba"])
    labels = model.parts.labels
    form = "babab"
    match = model.parts.match(form)
    fired: dict[int, Counter[int]] = {}
    for cell, feature in zip(match.cells, match.features, strict=True):
        fired.setdefault(int(cell), Counter())[int(feature)] += 1
    numbers = model.parts.index.numbers
    for i in range(len(form)):
        for j in range(i + 1, len(form) + 1):
            for a, label in enumerate(labels):
                named = Counter(
                    numbers[f]
                    for f, _ in named_span_features(
                        PAPER.spans, model.parts.lexicon, form, i, j, label
                    )
                    if f in numbers
                )
                cell = (i * (len(form) + 1) + j) * len(labels) + a
                assert fired.get(cell, Counter()) == named


def test_names_speak() -> None:
    names = [name for _, name in named_features(PAPER.edits, "ably", Edit(3, True, "e", "l"))]
    assert "y > e" in names
    assert "change" in names
    assert "y > e after '^abl'" in names
    assert "y > e before '$'" in names
    assert "y > e having written 'l'" in names
    spans = named_span_features(PAPER.spans, Lexicon(["able"]), "ably able", 5, 9, "WORD")
    assert [name for _, name in spans] == ["'able'", "'able' as WORD", "is attested"]


def test_unknown_letters_can_only_be_copied() -> None:
    model = joint_model(PAPER_GRAMMAR, ["ab"], ["ab"], "ab", scale=1.0)
    lattice = model.lattice("aéßb")
    for item in lattice.top_k(50):
        assert [letter for letter in item.structure if letter not in "ab"] == ["é", "ß"]
    assert lattice.score("éß") > -np.inf
    assert lattice.score("ßé") == -np.inf
    assert lattice.score("é") == -np.inf
    assert lattice.log_count() > np.log(10)


def test_an_index_numbers_features_in_a_fixed_order() -> None:
    features = [Feature(9, 2), Feature(3, 1), Feature(9, 1), Feature(3, 1)]
    index = FeatureIndex(features)
    assert index.features == (Feature(3, 1), Feature(9, 1), Feature(9, 2))
    assert list(index.with_context(9)) == [1, 2]
    assert list(index.with_context(4)) == []


def test_bad_features_are_refused() -> None:
    with pytest.raises(ModelError, match="distinct letters"):
        EditFeatures(PAPER.edits, "aa", FeatureIndex([]))
    with pytest.raises(ModelError, match="unknown outcome"):
        EditFeatures(PAPER.edits, "a", FeatureIndex([Feature(1, 99)]))
    for wrong in ({"left": 1}, {"right": 1}, {"edit": False}):
        with pytest.raises(ModelError, match="nothing else"):
            EditTemplate(previous=True, **wrong)


def test_a_lexicon_knows_its_words() -> None:
    lexicon = Lexicon(["able", "test", "able"])
    assert len(lexicon) == 2
    assert "able" in lexicon
    assert "abl" not in lexicon
    assert len(Lexicon()) == 0
    assert "" not in Lexicon(["a"])


def test_a_chain_model_scores_label_bigrams() -> None:
    model = joint_model(FLAT, ["ab"], ["abab"], "ab")
    names = {f.context for f in model.parts.index.features}
    assert len(names) > 16
    assert model.parts._rule_matches.scores(model.weights.parts).shape == (4, 4)
