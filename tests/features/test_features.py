from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morphtree._kernels._layout import ATTRIBUTES, VALUE_BITS
from morphtree._util.hashing import hash_text
from morphtree.errors import ModelError
from morphtree.features.edit_features import Edit, EditFeatures, named_features
from morphtree.features.sets import FULL, PAPER, SETS
from morphtree.features.span_attributes import GROUPS, TABLE
from morphtree.features.span_features import (
    Constituent,
    SpanFeatures,
    TreeFeatures,
    named_rule_features,
    named_span_features,
)
from morphtree.features.templates import (
    EditTemplate,
    Feature,
    FeatureIndex,
    Matches,
    SpanTemplate,
    Templates,
    seed,
)
from morphtree.lexicon.lexicon import Derivation, Knowledge, Lexicon
from morphtree.lexicon.similarity import Meaning, Nearness
from morphtree.structures.structure import parser
from morphtree.trees.alignment import align
from morphtree.trees.chain import FLAT, Segmentation
from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.grammar import PAPER as PAPER_GRAMMAR
from morphtree.trees.tree import Tree
from tests import span_oracle
from tests.models import (
    KNOWN,
    PAIRS,
    STRUCTURES,
    contexts_of,
    edit_index,
    edits_of,
    joint_model,
    span_features,
    spans_of,
)

STABLE = """
from morphtree.trees.chain import FLAT
from morphtree.features.edit_features import Edit, named_features
from morphtree.features.sets import FULL, PAPER
from morphtree._util.hashing import hash_text
from morphtree.features.templates import seed
from morphtree.trees.grammar import COMPOUNDS, PAPER as GRAMMAR
from tests.models import KNOWN, PAIRS, contexts_of, joint_model, span_features
print(hash_text("untestably"), hash_text("\\U0001f600"))
print([seed(t) for t in PAPER.edits + PAPER.spans + FULL.spans])
print([f for f, _ in named_features(PAPER.edits, "happily", Edit(4, True, "y", "p"))])
model = joint_model(GRAMMAR, ["happily"], ["happyly"], "ahilpy", ["happy"])
match = model.edits.match("happily")
print(match.edits.cells.tolist(), match.edits.features.tolist())
for structure, templates in ((COMPOUNDS, PAPER), (COMPOUNDS, FULL), (FLAT, FULL)):
    spans = span_features(structure, templates, KNOWN, PAIRS[1:2])
    for pair in PAIRS[:3] + PAIRS[4:]:
        leaf, span, allowed, *_ = spans.match(*pair)
        print(leaf.cells.tolist(), leaf.features.tolist())
        print(span.cells.tolist(), span.features.tolist())
        print(allowed.tolist(), contexts_of(spans, *pair).tolist())
"""


@pytest.mark.parametrize("pure", ["", "1"])
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_hashes_do_not_depend_on_the_run(pure: str, hash_seed: str) -> None:
    def run(**environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", STABLE],
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
    assert seed(SpanTemplate("zipf+kind", "shape", "open")) == 11825933048165532169


def test_every_template_has_its_own_seed() -> None:
    for templates in SETS.values():
        seeds = [seed(t) for kind in vars(templates).values() for t in kind]
        assert len(set(seeds)) == len(seeds)


def test_matching_finds_what_named_mode_names() -> None:
    """The kernel and the oracle agree on every edit of a word."""
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
        features.bigram_matches.cells, features.bigram_matches.features, strict=True
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


def cells_of(match: Matches) -> dict[int, Counter[int]]:
    fired: dict[int, Counter[int]] = {}
    for cell, feature in zip(match.cells.tolist(), match.features.tolist(), strict=True):
        fired.setdefault(cell, Counter())[feature] += 1
    return fired


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("features", ["paper", "full"])
def test_span_matching_finds_what_the_oracle_does(features: str, kind: str) -> None:
    """The kernel and the oracle agree on every constituent that a parse can have."""
    templates, structure = SETS[features, kind], STRUCTURES[kind]
    spans = span_features(structure, templates, KNOWN, PAIRS[1:])
    numbers = spans.index.numbers
    labels = spans.grammar.labels
    seen: Counter[bool] = Counter()
    for word, form in PAIRS:
        leaf, span, allowed, *_ = spans.match(word, form)
        assert leaf.shape == span.shape == allowed.shape == (len(form), len(form) + 1, len(labels))
        for branching, fired in enumerate(map(cells_of, (leaf, span))):
            for (i, j), label in itertools.product(spans_of(form), spans.labels):
                where = i, j, labels.index(label)
                if not allowed[where]:
                    continue
                named = Counter(
                    numbers[f]
                    for f in span_oracle.features(
                        templates.spans, KNOWN, (word, form), (i, j), label, bool(branching)
                    )
                    if f in numbers
                )
                cell = int(np.ravel_multi_index(where, allowed.shape))
                assert fired.get(cell, Counter()) == named
                seen[bool(branching)] += bool(named)
    assert min(seen.values()) > 30


@pytest.mark.parametrize("pair", PAIRS)
def test_contexts_are_those_of_the_oracle(pair: tuple[str, str]) -> None:
    contexts = contexts_of(span_features(COMPOUNDS, FULL, KNOWN, ()), *pair)
    for span, row in zip(spans_of(pair[1]), contexts, strict=True):
        for number, (template, context) in enumerate(zip(FULL.spans, row.tolist(), strict=True)):
            label = "SUFFIX" if template.of == "closed" else "WORD"
            fired = span_oracle.features([template], KNOWN, pair, span, label, False, number)
            assert [feature.context for feature in fired] == [context] * (context != 0)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_alone_has_the_value_that_it_has_among_others(name: str) -> None:
    """Each asks for all that it needs, such as the alignment of word and form."""
    every, alone = (
        span_features(COMPOUNDS, Templates((), tuple(map(SpanTemplate, names)), ()), KNOWN, ())
        for names in (ATTRIBUTES, [name])
    )
    for word, form in PAIRS:
        places = np.array([*spans_of(form)], np.int32).reshape(-1, 2)
        whole, part = (spans.attributes(word, form, places) for spans in (every, alone))
        assert [row[name] for row in part] == [row[name] for row in whole]
        column = contexts_of(every, word, form)[:, [ATTRIBUTES.index(name)]]
        own = np.uint64(ATTRIBUTES.index(name) << VALUE_BITS)  # its number among the templates
        assert (contexts_of(alone, word, form) == column - own * (column != 0)).all()


strings = st.text("ab\u00e9", min_size=1, max_size=3)
facts = st.integers(1, 128) | st.integers(0, 15).map(lambda bits: bits << 10 | 1 << 8 | 40)
nearness = st.builds(Nearness, st.integers(0, 4), st.integers(0, 2))
meanings = st.builds(Meaning, st.booleans(), st.booleans(), st.dictionaries(strings, nearness))


@settings(max_examples=60)
@given(
    word=st.text("ab\u00e9", max_size=6),
    form=st.text("ab\u00e9", min_size=1, max_size=6),
    lexicon=st.dictionaries(st.text("ab\u00e9", min_size=1, max_size=4), facts, max_size=30),
    derivations=st.lists(st.tuples(strings, strings, st.booleans()), max_size=9),
    related=st.dictionaries(strings, meanings, max_size=9),
    levels=st.dictionaries(strings, st.integers(0, 6), max_size=20),
    closed=st.frozensets(strings, max_size=4),
    endings=st.lists(strings, max_size=4),
)
def test_every_attribute_is_that_of_the_oracle(
    word: str,
    form: str,
    lexicon: dict[str, int],
    derivations: list[tuple[str, str, bool]],
    related: dict[str, Meaning],
    levels: dict[str, int],
    closed: frozenset[str],
    endings: list[str],
) -> None:
    knowledge = Knowledge(
        Lexicon(lexicon, itertools.starmap(Derivation, derivations), related).with_fact(
            "complexity", {word: 1 + level for word, level in levels.items()}
        ),
        {"PREFIX": closed},
        tuple(endings),
    )
    templates = Templates((), tuple(map(SpanTemplate, ATTRIBUTES)), ())
    spans = TreeFeatures(templates, COMPOUNDS, knowledge, FeatureIndex.of(()))
    places = [*spans_of(form)]
    computed = spans.attributes(word, form, np.array(places, np.int32))
    for place, found in zip(places, computed, strict=True):
        view = span_oracle.View(knowledge, word, form, *place)
        assert found == {name: value(view) for name, value in span_oracle.VALUE.items()}
    contexts = contexts_of(spans, word, form)
    assert contexts.tolist() == [
        [t.context(row, number) for number, t in enumerate(templates.spans)] for row in computed
    ]


def test_every_attribute_has_words() -> None:
    assert set(TABLE) == set(span_oracle.VALUE) == set(ATTRIBUTES)


@given(word=st.text("ab", max_size=7), form=st.text("ab", min_size=1, max_size=7))
def test_alignment_is_that_of_the_oracle(word: str, form: str) -> None:
    assert align(word, form) == span_oracle.positions(word, form)


def fired_on(spans: SpanFeatures, word: str, structure: Tree | Segmentation) -> Iterator[Feature]:
    """Every feature of an analysis, as the oracle has it."""
    templates, known = spans.templates, spans.knowledge
    if isinstance(structure, Tree):
        form = structure.form
        for rule in ((spans.grammar.start, (structure.label,)), *structure.productions()):
            yield from (f for f, _ in named_rule_features(templates.rules, *rule))
        for (_, below), (label, i, j, _) in zip(
            structure.productions(), structure.spans(), strict=True
        ):
            yield from span_oracle.features(
                templates.spans, known, (word, form), (i, j), label, bool(below)
            )
        return
    form, i, labels = "".join(s.string for s in structure), 0, ["BOUNDARY"]
    for label, string in structure:
        j = i + len(string)
        yield from span_oracle.features(templates.spans, known, (word, form), (i, j), label, False)
        i = j
        labels.append(label)
    for last, after in itertools.pairwise([*labels, "BOUNDARY"]):
        yield from (f for f, _ in named_rule_features(templates.rules, last, (after,)))


@pytest.mark.parametrize("kind", STRUCTURES)
@pytest.mark.parametrize("features", ["paper", "full"])
def test_a_score_is_the_sum_of_the_weights_of_its_features(features: str, kind: str) -> None:
    spans = span_features(STRUCTURES[kind], SETS[features, kind], KNOWN, PAIRS[1:])
    weights = np.random.default_rng(0).normal(size=len(spans.index))
    numbers = spans.index.numbers
    for word, form in PAIRS:
        match = spans.match(word, form)
        distribution = parser(spans, form, match, weights)
        if distribution.log_partition() == -np.inf:
            continue
        for structure in distribution.sample(5, rng=np.random.default_rng(1)):
            fired = [numbers[f] for f in fired_on(spans, word, structure) if f in numbers]
            assert distribution.score(structure) == pytest.approx(weights[fired].sum(), abs=1e-9)
            counts = np.zeros(len(weights))
            spans.add_expected(match, distribution.counts(structure), counts, 1.0)
            np.testing.assert_allclose(counts, np.bincount(fired, minlength=len(counts)), atol=1e-9)


def test_matching_takes_the_room_it_needs() -> None:
    """More features fire on a long form than the first workspace space holds."""
    word = "ab" * 25
    chosen = "", "string", "length", "edge", *GROUPS["letters"] - {"edge", "hyphen", "rest"}
    templates = Templates((), tuple(SpanTemplate(name, "shape") for name in chosen), ())
    knowledge = replace(KNOWN, lexicon=Lexicon())
    spans = span_features(COMPOUNDS, templates, knowledge, [(word, word)])
    match = spans.match(word, word)
    assert len(match.leaf.cells) > 1 << 15
    last = match.leaf.features[
        match.leaf.cells == np.ravel_multi_index((48, 50, 1), match[2].shape)
    ]
    fired = span_oracle.features(templates.spans, knowledge, (word, word), (48, 50), "WORD", False)
    assert sorted(last) == sorted(spans.index.numbers[f] for f in fired)


def names_of(
    templates: Templates, knowledge: Knowledge, pair: tuple[str, str], found: Constituent
) -> list[str]:
    """The names of the features of a constituent; the features are those of the oracle."""
    spans = TreeFeatures(templates, COMPOUNDS, knowledge, FeatureIndex.of(()))
    [named] = named_span_features(spans, *pair, [found])
    assert [found.feature for found in named] == [
        *span_oracle.features(templates.spans, knowledge, pair, found[:2], *found[2:])
    ]
    return [found.name for found in named]


def test_names_speak() -> None:
    names = [name for _, name in named_features(PAPER.edits, "ably", Edit(3, True, "e", "l"))]
    assert "y > e" in names
    assert "change" in names
    assert "y > e after '^abl'" in names
    assert "y > e before '$'" in names
    assert "y > e having written 'l'" in names
    listed = Knowledge(Lexicon(["able"]))
    assert names_of(PAPER, listed, ("", "ably able"), Constituent(5, 9, "WORD", False)) == [
        "'able'",
        "'able' as WORD",
        "is attested",
    ]
    where = FULL, KNOWN, ("happiness", "happyness")
    names = names_of(*where, Constituent(0, 5, "WORD", False))
    assert len(set(names)) == len(names)
    assert "as spelt WORD" in names
    assert "kind ordinary word with part of speech, before 'ne' as spelt WORD" in names
    assert "'y' written 'i' as spelt WORD" in names
    assert "zipf 0 to 1 above the word's as spelt WORD" in names
    names = names_of(*where, Constituent(0, 5, "WORD", True))
    assert "speech adjective as branching WORD" in names
    names = names_of(*where, Constituent(5, 9, "SUFFIX", False))
    assert names[:3] == [
        "'ness' as SUFFIX",
        "'ness', after 'y' as SUFFIX",
        "'ness', after 'py' as SUFFIX",
    ]
    assert "'ness', before '$' as SUFFIX" in names


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
    index = FeatureIndex.of(features)
    assert index.features == (Feature(3, 1), Feature(9, 1), Feature(9, 2))
    assert list(index.with_context(9)) == [1, 2]
    assert list(index.with_context(4)) == []
    contexts, outcomes = np.array(features, np.int64).T
    assert FeatureIndex(contexts.astype(np.uint64), outcomes).features == index.features
    assert len(FeatureIndex.of(())) == 0


def test_bad_features_are_refused() -> None:
    with pytest.raises(ModelError, match="distinct letters"):
        EditFeatures(PAPER.edits, "aa", FeatureIndex.of([]))
    with pytest.raises(ModelError, match="unknown outcome"):
        EditFeatures(PAPER.edits, "a", FeatureIndex.of([Feature(1, 99)]))
    for wrong in ({"left": 1}, {"right": 1}, {"edit": False}):
        with pytest.raises(ModelError, match="nothing else"):
            EditTemplate(previous=True, **wrong)
    with pytest.raises(ModelError, match="not at colour"):
        SpanTemplate("string+colour")


def test_a_chain_model_scores_label_bigrams() -> None:
    model = joint_model(FLAT, ["ab"], ["abab"], "ab")
    names = {f.context for f in model.spans.index.features}
    assert len(names) > 16
    chain: Any = model.parser("ab", "abab")
    assert chain.potentials.bigrams.shape == (4, 4)
    assert len(set(chain.potentials.bigrams.flat)) == 16
    rules = model.spans.rule_matches.scores(model.weights.spans)
    assert rules == pytest.approx(chain._tree_potentials().rules, abs=1e-12)
