"""Metrics by hand and by law, intervals and tests against plain loops, reports, the command."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morphtree.errors import TreebankError
from morphtree.evaluation.evaluation import Evaluation, evaluate
from morphtree.evaluation.metrics import (
    COLUMNS,
    METRICS,
    NAMES,
    Counts,
    Metric,
    Prediction,
    count_words,
    gold_analyses,
    measure,
    scores,
)
from morphtree.evaluation.report import to_dict
from morphtree.evaluation.significance import bootstrap, compare
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import Tree
from tests.scoring import (
    CASES,
    CONTRACT,
    ENTRIES,
    GOLD,
    GUESSES,
    ON_TREES,
    TREE_CASES,
    UNLOCKABLE,
    Case,
    entry,
    flat,
    halves,
)

# -- by hand ----------------------------------------------------------------------------------


def test_every_metric_of_four_words_by_hand() -> None:
    assert measure(GOLD, GUESSES) == {
        "accuracy": 2 / 4,
        # un lock able, cat s: 5 of 7 predicted (3 + 2 + 2 + 0) and of 8 gold (3 + 2 + 1 + 2)
        "morpheme_f1": pytest.approx(10 / 15),
        "morpheme_precision": pytest.approx(5 / 7),
        "morpheme_recall": pytest.approx(5 / 8),
        "morpheme_f1_macro": (1 + 1 + 0 + 0) / 4,
        "edit_distance": (0 + 0 + 1 + len("happy|ly")) / 4,
        # unlockable: 5 nodes each, 4 shared; cats: 3 of 3; window: WORD 0-6 of 3 against 1
        "constituent_f1": pytest.approx(2 * 8 / (11 + 12)),
        "constituent_precision": pytest.approx(8 / 11),
        "constituent_recall": pytest.approx(8 / 12),
        # unlockable: the whole of 2 each; cats: 1 of 1; window: 0 of 1 against 0; happily: 1
        "constituent_f1_inner": pytest.approx(2 * 2 / (4 + 4)),
        "constituent_precision_inner": pytest.approx(2 / 4),
        "constituent_recall_inner": pytest.approx(2 / 4),
        "constituent_f1_free": pytest.approx(2 * 8 / (11 + 12)),
        "constituent_precision_free": pytest.approx(8 / 11),
        "constituent_recall_free": pytest.approx(8 / 12),
        "exact_tree": 1 / 4,
    }


def score(gold: Entry, guess: Prediction, name: str) -> float | None:
    return measure([gold], [guess])[name]


def tree_score(gold: str, guess: str, name: str) -> float | None:
    return score(entry("w", gold), Tree.parse(guess), name)


def test_edits_count_letters_and_boundaries() -> None:
    assert tree_score("[[happy] ness]", "[[happi] ness]", "edit_distance") == 1
    assert tree_score("[[happy] ness]", "[happyness]", "edit_distance") == 1
    assert tree_score("[un [[test] able]]", "[[untest] ible]", "edit_distance") == 2


def test_morphemes_and_constituents_are_multisets() -> None:
    assert tree_score("[[a] [a]]", "[[[a] [a]] [a]]", "morpheme_precision") == pytest.approx(2 / 3)
    assert tree_score("[[a] [a]]", "[[a] b]", "morpheme_recall") == 1 / 2
    free = tree_score("[[a] [a]]", "[[[a] [a]] [a]]", "constituent_recall_free")
    assert free == 1  # aa, a, a


def test_morphemes_have_no_places_and_constituents_have() -> None:
    assert tree_score("[[a] [b]]", "[[b] [a]]", "morpheme_f1") == 1
    assert tree_score("[[a] [b]]", "[[b] [a]]", "accuracy") == 0
    assert tree_score("[[ab] [c]]", "[[c] [ab]]", "constituent_f1") == 0
    assert tree_score("[[ab] [c]]", "[[c] [ab]]", "constituent_f1_free") == pytest.approx(2 / 3)


def test_offsets_are_those_of_each_form() -> None:
    # the stem is too long by a letter, so that -ly is right but stands elsewhere
    assert tree_score("[[happy] ly]", "[[happys] ly]", "constituent_f1") == 0
    assert tree_score("[[happy] ly]", "[[happys] ly]", "constituent_f1_free") == pytest.approx(
        1 / 3
    )


def test_labels_count_for_constituents_and_not_for_segments() -> None:
    assert tree_score("[un [do]]", "[[un] [do]]", "accuracy") == 1
    assert tree_score("[un [do]]", "[[un] [do]]", "constituent_f1") == pytest.approx(2 / 3)
    assert tree_score("[un [do]]", "[[un] [do]]", "exact_tree") == 0


def test_inner_constituents_have_two_leaves() -> None:
    assert tree_score("[un [[lock] able]]", "[[un [lock]] able]", "constituent_f1_inner") == 1 / 2
    assert tree_score("[window]", "[[window]]", "constituent_precision_inner") == 1  # no such node


def test_other_labels_are_constituents_and_a_written_root_is_not() -> None:
    noun = "[N: [V: act] [AFFIX: or]]"
    assert count_words([entry("actor", noun)], [None])[0, COLUMNS.index("constituent_gold")] == 3
    assert tree_score(f"[ROOT: {noun}]", noun, "exact_tree") == 1
    assert tree_score(noun, f"[ROOT: {noun}]", "constituent_precision") == 1
    assert tree_score(noun, "[N: [N: act] [AFFIX: or]]", "constituent_f1") == pytest.approx(2 / 3)


def test_f1_is_micro_and_its_macro_is_another() -> None:
    gold = [flat("abcd", "a b c d"), flat("e", "e")]
    found = measure(gold, [("a", "b", "c", "d"), ("f",)])
    assert found["morpheme_f1"] == pytest.approx(8 / 10)
    assert found["morpheme_f1_macro"] == 1 / 2


def test_a_system_that_refuses_everything_scores_nothing() -> None:
    found = measure(GOLD, [None] * 4)
    assert found["edit_distance"] == sum(len("|".join(e.segments)) for e in GOLD) / 4
    assert {found[name] for name in NAMES if "f1" in name or "recall" in name} == {0}
    assert (found["accuracy"], found["exact_tree"]) == (0, 0)


# -- several readings -------------------------------------------------------------------------


def test_any_reading_counts_for_accuracy_and_exact_tree() -> None:
    both = entry("unlockable", "[un [[lock] able]]", "[[un [lock]] able]")
    for reading in both.readings:
        assert score(both, reading, "exact_tree") == 1
    assert score(UNLOCKABLE, both.readings[1], "exact_tree") == 0
    number = entry("number", "[number]", "[[numb] er]")
    assert score(number, ("numb", "er"), "accuracy") == 1


def test_f1_and_edits_take_the_best_reading_each() -> None:
    gold = entry("w", "[[abc] [d]]", "[[x] [yz]]")
    guess = Tree.parse("[[x] [abc]]")
    assert score(gold, guess, "morpheme_f1") == 1 / 2
    assert score(gold, guess, "constituent_f1") == pytest.approx(1 / 3)  # x, of the second
    assert score(gold, guess, "edit_distance") == 3


def test_a_word_without_any_match_misses_the_shortest_reading() -> None:
    gold = entry("w", "[[a] [b]]", "[ab]", "[[a] [b]]")
    assert measure([gold, GOLD[1]], [None, GUESSES[1]])["morpheme_recall"] == pytest.approx(2 / 3)


# -- flat data --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "guesses"),
    [
        ([flat("cats", "cat s")], [Tree.parse("[[cat] s]")]),
        (GOLD[1:2], [("cat", "s")]),
        ([flat("cats", "cat s")], [("cat", "s")]),
        (GOLD[1:3], [Tree.parse("[[cat] s]"), ("window",)]),
    ],
)
def test_without_trees_there_are_no_figures_on_trees(
    gold: list[Entry], guesses: list[Prediction]
) -> None:
    found = measure(gold, guesses)
    assert {name for name in NAMES if found[name] is None} == ON_TREES
    assert (found["accuracy"], found["morpheme_f1"], found["edit_distance"]) == (1, 1, 0)
    result = to_dict(evaluate(gold, guesses, baseline=guesses, train=[]))
    for part in (result, result["compare"], result["unseen"], result["unseen"]["compare"]):
        assert {name for name in NAMES if part[name] is None} == ON_TREES


def test_nothing_to_score_is_an_error() -> None:
    for function in (measure, evaluate):
        with pytest.raises(TreebankError, match="no words"):
            function([], [])
    with pytest.raises(TreebankError, match="'nothing' has neither"):
        measure([Entry("nothing")], [None])
    with pytest.raises(ValueError, match="exactly one"):
        evaluate(GOLD, GUESSES[1:])
    with pytest.raises(ValueError, match="exactly one"):
        evaluate(GOLD, GUESSES, baseline=[])
    with pytest.raises(ValueError, match="zip"):
        measure(GOLD, GUESSES[1:])


# -- laws -------------------------------------------------------------------------------------


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@given(st.lists(ENTRIES, min_size=1, max_size=6), st.data())
def test_gold_is_perfect(entries: list[Entry], data: st.DataObject) -> None:
    guesses = [data.draw(st.sampled_from(gold_analyses(e))) for e in entries]
    for name, figure in evaluate(entries, guesses, resamples=5).all.scores.items():
        perfect = 0.0 if name == "edit_distance" else 1.0
        if figure is None:
            assert name in ON_TREES
        else:
            assert figure == pytest.approx((perfect, perfect, perfect))


@given(CASES)
def test_figures_are_in_range_and_agree_with_each_other(cases: list[Case]) -> None:
    found = measure(*halves(cases))
    for name, value in found.items():
        if value is not None and name != "edit_distance":
            assert 0 <= value <= 1
    accuracy, exact = found["accuracy"], found["exact_tree"]
    assert accuracy is not None
    assert exact is None or exact <= accuracy
    assert (accuracy == 1) == (found["edit_distance"] == 0)
    for f1 in (name for name in NAMES if "_f1" in name and "macro" not in name):
        value, p, r = (found[f1.replace("f1", what)] for what in ("f1", "precision", "recall"))
        if value is not None and p is not None and r is not None:
            assert value == pytest.approx(2 * p * r / (p + r) if p + r else 0)


@given(TREE_CASES)
def test_an_exact_tree_has_every_constituent(cases: list[Case]) -> None:
    for gold, guess in cases:
        found = measure([gold], [guess])
        assert (found["exact_tree"] == 1) == (found["constituent_f1"] == 1)
        if found["exact_tree"] == 1:
            assert found["constituent_f1_inner"] == found["constituent_f1_free"] == 1


@given(TREE_CASES)
def test_more_readings_never_hurt_a_word(cases: list[Case]) -> None:
    for gold, guess in cases:
        first = replace(gold, readings=gold.readings[:1])
        one, several = measure([first], [guess]), measure([gold], [guess])
        for name in ("accuracy", "morpheme_f1", "constituent_f1", "exact_tree"):
            assert (several[name] or 0) >= (one[name] or 0)
        assert (several["edit_distance"] or 0) <= (one["edit_distance"] or 0)


@given(CASES, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_order_of_words_and_readings_does_not_matter(cases: list[Case], random: object) -> None:
    before = report(cases)
    shuffled = [(replace(gold, readings=gold.readings[::-1]), guess) for gold, guess in cases[::-1]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    after = report(shuffled)
    assert after.signature == before.signature
    assert set(after.all.scores) == set(before.all.scores)
    for name, figure in before.all.scores.items():
        assert after.all.scores[name] == (figure and pytest.approx(figure))
    assert [e.count for e in after.all.errors.values()] == [
        e.count for e in before.all.errors.values()
    ]


def report(cases: Sequence[Case]) -> Evaluation:
    return evaluate(*halves(cases), resamples=50)


# -- intervals and tests ----------------------------------------------------------------------


@given(CASES)
@settings(max_examples=40)
def test_an_interval_holds_its_value(cases: list[Case]) -> None:
    for figure in bootstrap(count_words(*halves(cases)), rng=rng()).values():
        if figure is not None:
            assert figure.low - 1e-9 <= figure.value <= figure.high + 1e-9


def sample(words: int = 60) -> tuple[list[Entry], list[Prediction], list[Prediction]]:
    """Words of many lengths, a better system and a worse one."""
    dice = np.random.default_rng(7)
    gold: list[Entry] = []
    good: list[Prediction] = []
    bad: list[Prediction] = []
    for _ in range(words):
        tree = stem = Tree.stem("abcdefgh"[: dice.integers(1, 9)])
        for _ in range(dice.integers(0, 5)):
            tree = Tree.word(tree, Tree.suffix("xyz"[: dice.integers(1, 4)]))
        wrong = Tree.word(Tree.stem(tree.form), Tree.suffix("q"))
        gold.append(Entry(stem.form, (tree,)))
        good.append(tree if dice.random() < 0.8 else wrong)
        bad.append(tree if dice.random() < 0.5 else wrong)
    return gold, good, bad


def test_intervals_agree_with_plain_resampling_of_words() -> None:
    gold, guesses, _ = sample()
    counts = count_words(gold, guesses)
    figures = bootstrap(counts, rng=rng(), resamples=4000)
    chosen = np.random.default_rng(2).integers(len(gold), size=(4000, len(gold)))
    drawn = np.array([scores(counts[words].sum(axis=0)) for words in chosen])
    for name, low, high in zip(NAMES, *np.percentile(drawn, (2.5, 97.5), axis=0), strict=True):
        figure = figures[name]
        assert figure is not None
        assert figure.value == pytest.approx(measure(gold, guesses)[name])
        assert figure.low == pytest.approx(low, abs=(high - low) / 20)
        assert figure.high == pytest.approx(high, abs=(high - low) / 20)
        assert figure.low < figure.value < figure.high


def test_intervals_follow_the_seed_and_shrink_with_the_data() -> None:
    gold, guesses, _ = sample(300)
    counts = count_words(gold, guesses)
    assert bootstrap(counts, rng=rng()) == bootstrap(counts, rng=rng())
    wide = bootstrap(counts[:30], rng=rng())["accuracy"]
    narrow = bootstrap(counts, rng=rng())["accuracy"]
    assert wide is not None
    assert narrow is not None
    assert narrow.high - narrow.low < (wide.high - wide.low) / 2


@given(CASES)
@settings(max_examples=30)
def test_a_system_does_not_differ_from_itself(cases: list[Case]) -> None:
    counts = count_words(*halves(cases))
    for figure in compare(counts, counts, rng=rng(), resamples=50).values():
        assert figure is None or figure == (0, 0, 0, 1)


def test_the_paired_test_agrees_with_all_exchanges() -> None:
    gold, good, bad = sample(10)
    ours, theirs = count_words(gold, good), count_words(gold, bad)
    figures = compare(ours, theirs, rng=rng(), resamples=4000)
    for metric in METRICS:
        figure = figures[metric.name]
        assert figure is not None
        deltas = np.array(list(exchanged(metric, ours, theirs)))
        p = np.mean(np.abs(deltas) >= abs(deltas[0]) - 1e-9)
        assert figure.delta == pytest.approx(deltas[0])
        assert figure.p == pytest.approx(p, abs=0.03)


def exchanged(metric: Metric, ours: Counts, theirs: Counts) -> Iterator[float]:
    """Yield the difference for every choice of words to be exchanged; the first has none."""
    for choice in itertools.product([False, True], repeat=len(ours)):
        swap = np.array(choice)[:, None]
        a, b = np.where(swap, theirs, ours), np.where(swap, ours, theirs)
        yield float(metric.ratio(a.sum(axis=0)) - metric.ratio(b.sum(axis=0)))


def test_a_better_system_is_ahead_in_both_directions() -> None:
    gold, good, bad = sample(200)
    ours, theirs = count_words(gold, good), count_words(gold, bad)
    ahead, behind = compare(ours, theirs, rng=rng()), compare(theirs, ours, rng=rng())
    for name in CONTRACT:
        better, worse = ahead[name], behind[name]
        assert better is not None
        assert worse is not None
        assert better.delta == pytest.approx(-worse.delta)
        assert better.low <= better.delta <= better.high
        assert max(better.p, worse.p) < 0.01
        assert better.delta * (-1 if name == "edit_distance" else 1) > 0
