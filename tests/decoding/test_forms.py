"""Candidate forms: lists against the lattice they abbreviate, proposals and draws against sums."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from morphtree._util.arrays import Floats
from morphtree._util.capacity import Capacity
from morphtree._util.hashing import hash_text
from morphtree.decoding import candidates
from morphtree.decoding.candidates import CandidateForms, CandidateGenerator
from morphtree.decoding.decoder import Decoder
from morphtree.errors import ModelError
from morphtree.lexicon.candidate_rules import (
    LONGEST_END,
    LONGEST_REST,
    CandidateRule,
    CandidateRules,
    rule_of,
)
from morphtree.training.cross_fitting import FOLDS, fold_numbers, list_items
from morphtree.training.prepare import Prepared
from morphtree.training.settings import Settings
from morphtree.training.transducer import fit_transducer
from tests import oracle
from tests.small_training import (
    TINY,
    TRAIN,
    engine_for,
    generator_of,
    model_of,
    prepared,
    random_weights,
)

WORDS = [line.split(" ")[0] for line in dict.fromkeys(TRAIN.splitlines())]
NEW = ["relock", "kinder", "planless", "undarkness", "tester", "makeable", "usefulness"]
STRANGE = ["n\u00e4ver", "\u00e4", "\u00fcn-t\u00e9st", "\U0001f600ly", "q", "zzzzz"]


@cache
def well_trained() -> Floats:
    """The weights of a transducer that has seen the words often enough to be sure."""
    ready = prepared()
    engine = engine_for(ready, np.zeros(len(random_weights(ready))), jobs=2)
    batch = engine.packer.pack(ready.examples)
    words = np.arange(len(ready.examples), dtype=np.int32)
    fit_transducer(engine, batch, words, l2=0.1, epochs=40, seed=1, max_extra_letters=5)
    return engine.weights


def proposer(jobs: int = 1) -> CandidateGenerator:
    return generator_of(prepared(), well_trained(), jobs)


def forms_of(
    generator: CandidateGenerator, words: Sequence[str], k: int = 20, most: int = 0
) -> list[list[str]]:
    return generator.strings(generator.best(words, k=k, most=most))


# -- the best forms of the transducer ----------------------------------------------------------


def test_the_best_form_is_that_of_the_lattice() -> None:
    generator = proposer()
    found = []
    for word, listed in zip(WORDS + NEW, forms_of(generator, WORDS + NEW), strict=True):
        ranking = [item.structure for item in generator.lattice(word).top_k(5)]
        assert listed[0] == ranking[0], word
        assert len(set(listed)) == len(listed) == 20
        found.append(len(set(ranking) & set(listed)))
    assert np.mean(found) > 4.2  # alignments are summed there, and searched one by one here


def test_masses_are_log_probabilities_of_the_lattice_up_to_pruning() -> None:
    generator = proposer()
    listed = generator.best(WORDS, k=20, most=0)
    rows = iter(listed.mass.tolist())
    for word, forms in zip(WORDS, generator.strings(listed), strict=True):
        lattice = generator.lattice(word)
        too_much = [next(rows) - lattice.log_prob(form) for form in forms]
        assert abs(too_much[0]) < 0.3
        assert max(too_much) < 0.3  # what is pruned leaves more for the rest,
        assert min(too_much) > -1.5  # and not all alignments of a form are found
    mass = listed.coverage()
    assert ((mass > 0.4) & (mass <= 1.0)).all()
    more = generator.best(WORDS, k=60, most=0).coverage()
    assert ((more >= mass) & (more <= 1.0)).all()


@pytest.mark.parametrize("word", ["a", "ab", "bab", "\u00fcb"])
@pytest.mark.parametrize("scale", [0.3, 3.0])
def test_without_pruning_a_list_is_the_whole_lattice(
    word: str, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one insertion in a row and no beam, the search finds every path there is."""
    monkeypatch.setattr(candidates, "BEAM", 1e6)
    monkeypatch.setattr(candidates, "RUNS", 2)
    ready = prepared(TINY, features="paper", language="none")
    weights = np.random.default_rng(1).normal(scale=scale, size=len(random_weights(ready)))
    generator = generator_of(ready, weights, longer=9)
    lattice = generator.lattice(word)
    scores: dict[str, float] = {}
    for path, form, score in oracle.scored_paths(lattice.potentials, 2 * len(word) + 1):
        kinds = [kind for kind, *_ in path]
        if form and not any(pair == ("insert", "insert") for pair in itertools.pairwise(kinds)):
            text = "".join(lattice.alphabet[letter] for letter in form)
            scores[text] = float(np.logaddexp(scores.get(text, -np.inf), score))
    listed = generator.best([word], k=5000, most=0)
    [forms] = generator.strings(listed)
    assert sorted(forms) == sorted(scores)
    gone = sum(  # all deleted: there is no such form, but it is in the sum
        score for path, form, score in oracle.scored_paths(lattice.potentials, 0)
    )
    every = [*scores.values(), *([gone] if word.isascii() else [])]
    total = np.logaddexp.reduce(every)
    masses = dict(zip(forms, listed.mass.tolist(), strict=True))
    assert masses == pytest.approx({form: s - total for form, s in scores.items()}, abs=1e-9)


def test_forms_are_not_too_long_and_unknown_letters_are_only_copied() -> None:
    generator = proposer()
    alphabet = set(generator.engine.edits.alphabet)
    words = STRANGE + WORDS
    for word, forms in zip(words, forms_of(generator, words), strict=True):
        unknown = [letter for letter in word if letter not in alphabet]
        assert forms, word
        for form in forms:
            assert 0 < len(form) <= len(word) + 5
            assert [letter for letter in form if letter not in alphabet] == unknown
            assert generator.lattice(word).score(form) > -math.inf


@pytest.mark.parametrize("within", [0.0, 1.0, 2.0])
def test_unlikely_forms_are_left_out_but_proposals_stay(within: float) -> None:
    generator = proposer()
    every = generator.best(WORDS, k=20, most=20)
    kept = generator.best(WORDS, k=20, most=20, within=within)
    proposed = generator.best(WORDS, k=1, most=20)
    rows = iter(every.mass.tolist())
    left_out = 0
    for forms, some, few in zip(*map(generator.strings, (every, kept, proposed)), strict=True):
        masses = {form: next(rows) for form in forms}
        least = np.nanmax([*masses.values()]) - within
        near = [form for form in forms if not masses[form] < least]
        assert set(some) == {*near, *(set(few) & set(forms))}
        left_out += len(forms) - len(some)
    assert left_out > 0


def test_k_forms_begin_a_longer_list() -> None:
    generator = proposer()
    for few, many in zip(
        forms_of(generator, WORDS, 5), forms_of(generator, WORDS, 25), strict=True
    ):
        assert few == many[:5]


@pytest.mark.parametrize("jobs", [2, 5])
def test_lists_do_not_depend_on_threads_or_neighbours(jobs: int) -> None:
    words = WORDS + STRANGE
    together = forms_of(proposer(), words, most=20)
    assert forms_of(proposer(jobs=jobs), words, most=20) == together
    generator = proposer()
    assert [forms_of(generator, [word], most=20)[0] for word in words] == together
    assert forms_of(generator, []) == []


def test_a_poor_transducer_lists_forms_too() -> None:
    """Where insertions are cheap, all best paths are too long; the lattice has none of those."""
    ready = prepared()
    generator = generator_of(ready, np.zeros(len(random_weights(ready))))
    forms = forms_of(generator, WORDS)
    assert all(forms)


@pytest.mark.parametrize("size", [33, 64])
def test_a_word_longer_than_all_others_is_listed(size: int) -> None:
    generator = proposer(jobs=2)
    word = ("unhappiness" * 6)[:size]
    short, long = forms_of(generator, ["tests", word])
    assert short == forms_of(generator, ["tests"])[0]
    assert long[0] == generator.lattice(word).top_k(1).items[0].structure


def test_a_word_with_more_features_than_foreseen_is_listed() -> None:
    """A long word in a script of many letters: each of them is a change and an insertion."""
    generator, other = proposer(), proposer()
    other.engine.capacity.matches = 8
    assert forms_of(other, WORDS) == forms_of(generator, WORDS)


def test_a_transducer_with_more_features_than_foreseen_is_trained() -> None:
    """Fifty words of fifty letters are enough with --jobs 1."""
    ready = prepared()
    results = []
    for capacity in (Capacity(), Capacity(matches=8, entries=64)):
        engine = engine_for(ready, np.zeros(len(random_weights(ready))))
        engine.capacity = capacity
        batch = engine.packer.pack(ready.examples)
        words = np.arange(len(ready.examples), dtype=np.int32)
        fit_transducer(engine, batch, words, l2=0.1, epochs=1, seed=1, max_extra_letters=5)
        results.append(engine.weights.tobytes())
    assert results[0] == results[1]
    assert capacity.matches > 8
    assert capacity.entries > 64


# -- proposals ---------------------------------------------------------------------------------


def brute_force(
    proposals: CandidateRules,
    stems: set[str],
    word: str,
    longer: int,
    own: Sequence[CandidateRule] = (),
) -> Counter[str]:
    """Every form that some rule proposes, with the count of its most frequent rule."""
    brought, found = Counter(own), Counter[str]()
    for rule, times in proposals.rules.items():
        cut = len(word) - len(rule.end)
        if cut < 2 or word[cut:] != rule.end or times - brought[rule] <= 0:
            continue
        begin = word[:cut]
        form = begin + rule.rest + rule.tail
        bases = [begin[len(p) :] for p in ("", *proposals.prefixes) if begin.startswith(p)]
        known = any(base and base + rule.rest in stems for base in bases)
        if known and len(form) <= len(word) + longer:
            found[form] = max(found[form], times - brought[rule])
        if word not in stems and not rule.rest and 3 < cut < len(word) and begin[-1] == begin[-2]:
            form = begin[:-1] + rule.tail  # a new stem may be doubled
            found[form] = max(found[form], times - brought[rule])
    return found


STEMS = {"run", "plan", "make", "use", "happy", "lock", "test", "dark", "kind", "deny", "read",
         "capable", "win", "take", "bake", "rely", "lucky", "luck", "happ"}  # fmt: skip


ZIPF = {"happ": 10, "luck": 60, "capable": 30}  # times 16; the others are more frequent


def proposing() -> tuple[Prepared, CandidateGenerator]:
    ready = prepared()
    hashes = np.array(sorted(map(hash_text, STEMS)), np.uint64)
    rules = (rule for rules in ready.data.rules.values() for rule in rules)
    zipf = np.array([ZIPF.get(stem, 80) for stem in sorted(STEMS, key=hash_text)], np.int32)
    proposals = CandidateRules.learn(rules, hashes, zipf, {"un", "re"})
    return ready, CandidateGenerator(engine_for(ready, well_trained()), proposals)


def test_proposals_are_those_of_all_rules_with_a_known_stem() -> None:
    _, generator = proposing()
    total = 0
    for word in [
        *WORDS,
        *NEW,
        "winner",
        "trabber",
        "rezzing",
        "luckily",
        "unluckily",
        "reliable",
        "\u00fcnable",
    ]:
        listed = generator.best([word], k=1, most=200)
        [[best, *forms]] = generator.strings(listed)
        found = brute_force(generator.proposals, STEMS, word, 5)
        assert set(forms) == set(found) - {best}, word
        assert [found[form] for form in forms] == sorted((found[f] for f in forms), reverse=True)
        assert not np.isnan(listed.mass[0])
        assert np.isnan(listed.mass[1:]).all()
        total += len(found)
    assert total > 50
    assert "unluckyly" in forms_of(generator, ["unluckily"], 1, 20)[0]


def test_the_most_frequent_rules_are_kept() -> None:
    _, generator = proposing()
    for word in ("luckily", "unreliable", "retaker", "useless"):
        [everything] = forms_of(generator, [word], 1, 200)
        for most in range(len(everything)):
            assert forms_of(generator, [word], 1, most) == [everything[: 1 + most]]


def test_very_many_proposals_are_cut_like_others() -> None:
    ready, _ = proposing()
    letters = ready.edits.alphabet[:18]
    rules = [CandidateRule("", "", a + b) for a in letters for b in letters]
    stem = np.array([hash_text("test")], np.uint64)
    proposals = CandidateRules.learn(rules, stem, np.array([80], np.int32), ())
    generator = CandidateGenerator(engine_for(ready, random_weights(ready, scale=0.0)), proposals)
    assert len(forms_of(generator, ["test"], 1, 20)[0]) <= 21


def test_a_words_own_rules_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ready, generator = proposing()
    fewer = 0
    for word, brought in ready.data.rules.items():
        [[best, *forms]] = generator.strings(generator.best([word], k=1, most=200, own=[brought]))
        found = brute_force(generator.proposals, STEMS, word, 5, sorted(brought))
        assert set(forms) == set(found) - {best}, word
        fewer += len(found) < len(brute_force(generator.proposals, STEMS, word, 5))
    assert fewer > 3
    chosen = list(range(len(ready.data.items)))
    monkeypatch.setattr(Settings, "rule_proposals", 200)
    settings = replace(ready.settings, estimator="nbest:1", neighbour_proposals=0)
    for item, listed in zip(ready.data.items, list_items(generator, ready.data, chosen, settings),
                            strict=True):  # fmt: skip
        own_rules = sorted(ready.data.rules.get(item.word, ()))
        found = brute_force(generator.proposals, STEMS, item.word, 5, own_rules)
        assert set(listed[1:]) == set(found) - {listed[0]}


def near_by(
    proposals: CandidateRules, word: str, longer: int, own: Sequence[CandidateRule] = ()
) -> Counter[str]:
    """Every form of a stem that begins like the word, with the weight that ranks it."""
    rests, tails = Counter[str](), Counter[tuple[str, str]]()
    for rule, times in proposals.rules.items():
        rests[rule.rest] += times - own.count(rule)
        tails[rule.end, rule.tail] += times - own.count(rule)
    found = Counter[str]()
    cuts = [i for i in range(4, len(word)) if any(rule.end == word[i:] for rule in proposals.rules)]
    for i, prefix in itertools.product(cuts, ("", *proposals.prefixes)):
        base = word[len(prefix) : i]
        if not word.startswith(prefix) or len(base) < 4:
            continue
        for rest, (end, tail) in itertools.product(rests, tails):
            form, stem = word[:i] + rest + tail, base + rest
            zipf = ZIPF.get(stem, 80) if stem in STEMS else 0
            enough = rests[rest] > 1 and tails[end, tail] > 1 and zipf >= 24
            if end == word[i:] and tail and enough and len(form) <= len(word) + longer:
                weight = tails[end, tail] * (1 + i) * zipf >> len(rest)
                found[form] = max(found[form], weight)
    return found


def test_stems_that_begin_alike_are_proposed_too() -> None:
    ready, generator = proposing()
    total = 0
    for word in [*WORDS, *NEW, "luckily", "unluckily", "capably", "happable", "recapableness"]:
        own = sorted(ready.data.rules.get(word, ()))
        listed = generator.best([word], k=1, most=0, near=50, own=[own])
        [[best, *forms]] = generator.strings(listed)
        found = near_by(generator.proposals, word, 5, own)
        assert set(forms) == set(found) - {best}, word
        assert [found[form] for form in forms] == sorted((found[f] for f in forms), reverse=True)
        total += len(found)
    assert total > 10


def test_a_rule_says_how_the_end_of_a_word_is_made() -> None:
    stems = [False, True, False, False]
    assert rule_of("unachievability", ("un", "achieve", "able", "ity"), stems) == CandidateRule(
        "ability", "e", "ableity"
    )
    assert rule_of("dark", ("dark",), [True]) == CandidateRule("", "", "")
    assert rule_of("blackbirds", ("black", "bird", "s"), [True, True, False]) == CandidateRule(
        "s", "", "s"
    )
    assert rule_of("x" + "y" * (LONGEST_END + 1), ("x", "z"), [True, False]) is None
    assert rule_of("x", ("x" + "y" * (LONGEST_REST + 1), "z"), [True, False]) is None


# -- cross-fitting and samples ----------------------------------------------------------------


def test_all_lines_of_a_word_are_in_one_fold() -> None:
    ready = prepared()
    folds = fold_numbers(ready.data.items, ready.settings.seed)
    assert (folds == ready.lists.folds).all()
    assert set(folds.tolist()) == set(range(FOLDS))
    fold_of: dict[str, int] = {}
    for item, fold in zip(ready.data.items, folds.tolist(), strict=True):
        assert fold_of.setdefault(item.word, fold) == fold


@pytest.mark.parametrize("word", ["untestably", "unhappily", "readability", "sunny", "running"])
def test_a_words_list_is_the_same_as_if_the_word_were_not_in_the_treebank(word: str) -> None:
    ready = prepared()
    number = [item.word for item in ready.data.items].index(word)
    lines = TRAIN.splitlines(keepends=True)
    without = prepared("".join(line for line in lines if not line.startswith(f"{word} =")))
    assert len(without.data.items) == len(ready.data.items) - 1
    fold = int(ready.lists.folds[number])
    none = np.zeros(len(without.spans.index))
    generator = generator_of(without, np.concatenate([without.lists.fold_weights[fold], none]))
    listed = generator.best([word], k=20, most=20, near=4)
    assert tuple(generator.strings(listed)[0]) == ready.lists.forms[number]
    both = {g.form for g in ready.data.items[number].golds} | {*ready.lists.forms[number]}
    assert both == {*ready.examples[number].forms}


def test_samples_of_a_word_do_not_depend_on_its_neighbours_or_on_threads() -> None:
    words = [*WORDS[:12], *STRANGE]
    generator = proposer()
    together = generator.strings(generator.sample(words, 30, seed=3))
    assert [generator.strings(generator.sample([w], 30, seed=3))[0] for w in words] == together
    threads = proposer(jobs=3)
    assert threads.strings(threads.sample(words[::-1], 30, seed=3)) == together[::-1]
    assert generator.strings(generator.sample(words, 30, seed=4)) != together
    listed: CandidateForms = generator.sample(words, 30, seed=3)
    for word, forms in zip(words, together, strict=True):
        assert len(set(forms)) == len(forms) <= 30
        assert all(generator.lattice(word).score(form) > -math.inf for form in forms)
    assert (listed.coverage() <= 1.0).all()


def test_more_readings_than_there_are_and_too_many() -> None:
    """A large number leaves nothing behind: what comes after it is answered as before."""
    ready = prepared()
    decoder = Decoder(model_of(ready, random_weights(ready)), jobs=1)
    before = [*decoder.decode(WORDS)]
    [many] = decoder.decode(["ly"], n=1000)
    assert 1 < len(many.hypotheses) < 1000
    assert sum(one.prob for one in many.hypotheses) == pytest.approx(1.0)
    with pytest.raises(ModelError, match="1000 readings at most"):
        next(decoder.decode(["ly"], n=1001))
    assert [*decoder.decode(WORDS)] == before
    assert all(size.readings == 1 for size, kept in decoder._free.items() if kept)
