"""The engine against the definition: the same probabilities, gradients and best analyses."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from morphtree._util.arrays import Floats
from morphtree._util.capacity import Capacity
from morphtree.decoding.candidates import CandidateForms
from morphtree.decoding.decoder import Decoder
from morphtree.joint.engine import Engine, Example, Gold, flat_gold
from morphtree.joint.estimators import Candidates, NBest
from morphtree.joint.joint_model import JointModel, Parse
from morphtree.structures.edit_lattice import EditLattice
from morphtree.training.adagrad import AdaGrad
from morphtree.training.prepare import Prepared
from morphtree.trees.chain import Segment
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import Tree
from tests.small_training import (
    COMPOUNDS,
    FLAT,
    NOUN_TREES,
    NOUNS,
    TRAIN,
    engine_for,
    joint_model,
    model_of,
    plain,
    prepared,
    random_weights,
)

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "full": (TRAIN, {}),
    "paper": (TRAIN, {"features": "paper"}),
    "compounds": (COMPOUNDS, {}),
    "compounds, paper": (COMPOUNDS, {"features": "paper"}),
    "chain": (TRAIN, {"structure": "chain"}),
    "chain, paper": (TRAIN, {"structure": "chain", "features": "paper"}),
    "nouns": (NOUN_TREES, {"grammar": NOUNS}),
    "nouns, paper": (NOUN_TREES, {"grammar": NOUNS, "features": "paper"}),
    "flat": (FLAT, {}),
    "flat chain": (FLAT, {"structure": "chain"}),
}
CLOSE = 1e-9


@pytest.fixture(params=CASES)
def ready(request: pytest.FixtureRequest) -> Prepared:
    text, settings = CASES[request.param]
    return prepared(text, **settings)


def derivations(grammar: Grammar, leaves: Sequence[str]) -> list[Tree]:
    """Every tree over given leaf strings, straight from the rules."""

    def build(label: str, part: Sequence[str]) -> Iterator[Tree]:
        for rule in grammar.rules:
            if rule.parent == label and not rule.children and len(part) == 1:
                yield Tree(label, string=part[0])
            if rule.parent != label or not rule.children:
                continue
            for cuts in itertools.combinations(range(1, len(part)), len(rule.children) - 1):
                ends = itertools.pairwise((0, *cuts, len(part)))
                below = [
                    [*build(c, part[a:b])] for c, (a, b) in zip(rule.children, ends, strict=True)
                ]
                for children in itertools.product(*below):
                    yield Tree(label, children)

    trees = list(build(grammar.start, leaves))
    return [tree.children[0] for tree in trees] if grammar.has_silent_start else trees


def structures(ready: Prepared, gold: Gold) -> list[Any]:
    """What a gold reading stands for: one structure, or all with its leaves."""
    leaves = [gold.form[i:j] for _, i, j, _ in gold.nodes]
    grammar = ready.structure.grammar
    if gold.flat:
        trees = derivations(grammar, leaves)
    else:
        spans = {(label, i, j) for label, i, j, _ in gold.nodes}
        pieces = [
            gold.form[i:j] for a, i, j, rule in gold.nodes if not grammar.rules[rule].children
        ]
        trees = [tree for tree in derivations(grammar, pieces) if ready.structure.nodes(tree)
                 and {n[:3] for n in ready.structure.nodes(tree) or ()} == spans]  # fmt: skip
    if ready.structure.chain:
        return [tuple(Segment(leaf.label, leaf.string) for leaf in t.leaves()) for t in trees]
    return list(trees)


def expected(ready: Prepared, model: JointModel[Any], example: Example) -> tuple[float, Floats]:
    """Log probability and gradient of one example by the definition in joint/joint_model.py."""
    offsets = np.zeros(len(example.forms)) if example.offsets is None else example.offsets
    offsets = offsets / model.temperature  # the engine divides them, too
    joint = model.distribution(example.word, Candidates(example.forms, offsets))
    log_prob, gradient = 0.0, -np.concatenate(joint.marginals())
    for gold in example.golds:
        prior = float(offsets[example.forms.index(gold.form)])
        parses = [Parse(gold.form, structure) for structure in structures(ready, gold)]
        found = [(prior + joint.log_prob(parse), parse) for parse in parses]
        possible = [(score, parse) for score, parse in found if score > -np.inf]
        total = float(np.logaddexp.reduce([score for score, _ in possible]))
        log_prob += gold.weight * total
        for score, parse in possible:
            gradient += gold.weight * np.exp(score - total) * np.concatenate(joint.counts(parse))
    return log_prob, gradient


def dense(size: int, entries: list[Any]) -> Floats:
    """The summed gradient: the first step of AdaGrad shows its squares and its signs."""
    weights = np.zeros(size)
    adagrad = AdaGrad(weights, learning_rate=1.0, l2=0.0, words=1, batch_size=1)
    adagrad.step(entries, 1)
    return np.sign(weights) * np.sqrt(adagrad.accumulator)


def check(ready: Prepared, examples: list[Example], weights: Floats) -> None:
    """Compare the engine with joint/joint_model.py on each example and on all together."""
    engine, model = engine_for(ready, weights), joint_model(ready, weights)
    batch = engine.packer.pack(examples)
    total = np.zeros_like(weights)
    for number, example in enumerate(examples):
        log_prob, gradient = expected(ready, model, example)
        entries, log_probs = engine.gradients(batch, np.array([number], np.int32))
        assert log_probs == pytest.approx([log_prob], abs=CLOSE)
        np.testing.assert_allclose(dense(len(weights), entries), gradient, rtol=0, atol=CLOSE)
        _, silent = engine.gradients(batch, np.array([number], np.int32), learn=False)
        assert silent == pytest.approx([log_prob], abs=CLOSE)
        total += gradient
    entries, _ = engine.gradients(batch, np.arange(len(examples), dtype=np.int32))
    np.testing.assert_allclose(dense(len(weights), entries), total, rtol=0, atol=CLOSE)


WARM = 1.5625


@pytest.mark.parametrize("case", ["full", "compounds, paper", "flat", "chain"])
def test_at_a_temperature_the_gradient_is_that_of_the_log_probability(case: str) -> None:
    """Log p of a gold is (offset + log S(u, w)) / T + log weight of its trees - log Z."""
    text, settings = CASES[case]
    ready = prepared(text, **settings)
    weights, rng = random_weights(ready), np.random.default_rng(5)
    some = [ready.examples[number] for number in ready.usable[1::9]]
    examples = [plain(e, offsets=rng.normal(size=len(e.forms))) for e in some]
    engine = Engine(ready.edits, ready.spans, weights.copy(), temperature=WARM)
    model = replace(joint_model(ready, weights), temperature=WARM)
    batch, words = engine.packer.pack(examples), np.arange(len(examples), dtype=np.int32)
    entries, log_probs = engine.gradients(batch, words)
    assert log_probs == pytest.approx([expected(ready, model, e)[0] for e in examples], abs=CLOSE)
    gradient = dense(len(weights), entries)

    def moved(step: Floats) -> float:
        engine.weights[:] = weights + step
        engine.refresh()
        return float(engine.gradients(batch, words, learn=False)[1].sum())

    split = len(ready.edits.index)
    for part in (slice(0, split), slice(split, len(weights))):
        step = np.zeros_like(weights)
        step[part] = 1e-6 * np.sign(gradient[part])
        slope = (moved(step) - moved(-step)) / 2e-6
        assert slope == pytest.approx(np.abs(gradient[part]).sum(), rel=1e-5)


@pytest.mark.parametrize("seed", [1, 2])
def test_log_probabilities_and_gradients_are_those_of_the_joint_sum(
    ready: Prepared, seed: int
) -> None:
    examples = [plain(ready.examples[number]) for number in ready.usable[seed::4]]
    check(ready, examples, random_weights(ready, seed=seed))


@pytest.mark.parametrize("scale", [5.0, 60.0, 1000.0])
def test_weights_that_scaled_numbers_cannot_hold_are_left_to_log_space(scale: float) -> None:
    ready = prepared()
    weights = random_weights(ready)
    weights[: len(ready.edits.index)] *= scale
    long = "un" * 20 + "lock"
    pairs = {long: (long, long[:-1], "lock", long + "ing"), "lock": ("lock", "locks", long)}
    engine, model = engine_for(ready, weights), joint_model(ready, weights)
    batch = engine.packer.pack([Example(word, forms) for word, forms in pairs.items()])
    expected = []
    for word, forms in pairs.items():
        lattice = model.lattice(word)
        logs = EditLattice(lattice.potentials, lattice.alphabet, 60, logs=True)
        expected += [logs.score(form) for form in forms]
    assert engine.pair_scores(batch) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_several_gold_readings_count_once_together() -> None:
    ready = prepared()
    [example] = [plain(e) for e in ready.examples if e.word == "unlockable"]
    assert [gold.weight for gold in example.golds] == [0.5, 0.5]
    weights = random_weights(ready)
    check(ready, [example], weights)
    engine = engine_for(ready, weights)
    readings = [replace(example, golds=(gold._replace(weight=1.0),)) for gold in example.golds]
    batch = engine.packer.pack([example, *readings])
    _, (both, first, second) = engine.gradients(batch, np.arange(3, dtype=np.int32))
    assert both == pytest.approx((first + second) / 2, abs=CLOSE)
    assert first != pytest.approx(second, abs=1e-3)


@pytest.mark.parametrize("features", ["full", "paper"])
def test_a_flat_gold_is_the_sum_of_all_trees_with_its_leaves(features: str) -> None:
    ready = prepared(COMPOUNDS, features=features)
    tree = Tree.parse("[[[black] [bird]] s]")
    same = derivations(ready.structure.grammar, tree.morphemes)
    assert len(same) == len(set(same)) == 12  # three ways to join two, to the left or the right
    example = Example("blackbirds", (tree.form, "blackbird"), (flat_gold(tree.morphemes, 1.0),))
    check(ready, [example], random_weights(ready))


def test_flat_and_full_golds_may_stand_side_by_side() -> None:
    ready = prepared()
    [example] = [plain(e) for e in ready.examples if e.word == "untestable"]
    flat = flat_gold(("un", "test", "able"), 0.25)
    golds = (example.golds[0]._replace(weight=0.75), flat)
    check(ready, [replace(example, golds=golds)], random_weights(ready))


@pytest.mark.parametrize("case", ["full", "paper", "chain"])
@pytest.mark.parametrize(
    "word", ["n\u00e4ver", "\u00fcn-t\u00e9st", "\u00e4\u00f6", "\U0001f600ly"]
)
def test_letters_that_the_model_does_not_know_are_only_copied(case: str, word: str) -> None:
    ready = prepared(TRAIN, **CASES[case][1])
    forms = (word, word + "e", word[:1] + "e" + word[1:], word[1:], "e" + word[1:], word[::-1])
    gold = flat_gold((word,), 1.0)
    weights = random_weights(ready)
    example = Example(word, tuple(dict.fromkeys(forms)), (gold,))
    check(ready, [example], weights)
    joint = joint_model(ready, weights).distribution(word, Candidates.of(forms))
    lost = [term.form for term in joint.terms if term.log_edit == -np.inf]
    assert word[1:] in lost or word[0] in ready.edits.alphabet  # or the test shows nothing


def test_offsets_weigh_the_forms() -> None:
    ready = prepared()
    rng = np.random.default_rng(5)
    examples = [
        plain(example, offsets=rng.normal(scale=3.0, size=len(example.forms)))
        for example in ready.examples[::9]
    ]
    check(ready, examples, random_weights(ready))


def test_a_form_that_no_tree_derives_has_no_weight() -> None:
    ready = prepared()  # affixes are a closed class, so a flat gold may be impossible
    weights = random_weights(ready)
    engine = engine_for(ready, weights)
    example = Example("unkind", ("unkind",), (flat_gold(("unk", "i", "nd"), 1.0),))
    batch = engine.packer.pack([example])
    entries, log_probs = engine.gradients(batch, np.zeros(1, np.int32), learn=False)
    assert log_probs[0] == -np.inf
    del entries


def test_closed_labels_spell_nothing_but_their_strings() -> None:
    ready = prepared()
    model = joint_model(ready, random_weights(ready))
    chart = model.parser("unkind", "unkindly")
    closed = ready.spans.knowledge.closed
    assert "ly" in closed["SUFFIX"]
    assert "indly" not in closed["SUFFIX"]
    assert chart.score(Tree.parse("[[un [kind]] ly]")) > -np.inf
    assert chart.score(Tree.parse("[[un [k]] indly]")) == -np.inf
    for item in chart.top_k(50):
        for leaf in item.structure.leaves():
            assert leaf.string in closed.get(leaf.label, {leaf.string})


def test_the_result_does_not_depend_on_threads_bit_for_bit(ready: Prepared) -> None:
    weights = random_weights(ready)
    words = np.random.default_rng(3).permutation(ready.usable)
    results = []
    for jobs in (1, 2, 3, 7, len(words) + 2):
        engine = engine_for(ready, weights, jobs)
        batch = engine.packer.pack(ready.examples)
        for _ in range(2):  # also with a workspace that has been used
            entries, log_probs = engine.gradients(batch, words)
            results.append((dense(len(weights), entries).tobytes(), log_probs.tobytes()))
    assert len(set(results)) == 1
    assert np.isfinite(np.frombuffer(results[0][1])).all()


@pytest.mark.parametrize("most", [1 << 26, 1 << 12, 0])
def test_stored_matches_change_no_bit(
    most: int, ready: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("morphtree.joint.engine.MOST_RUNS", most)  # some words, or none, fit
    weights = random_weights(ready)
    words = np.random.default_rng(3).permutation(ready.usable)
    results = []
    for jobs in (1, 3):
        engine = engine_for(ready, weights, jobs)
        engine.capacity = Capacity(3, 50, 2, 1, 8, 8, 1 << 14, 64)
        batch = engine.packer.pack(ready.examples)
        for _ in range(2):  # first without them
            entries, log_probs = engine.gradients(batch, words)
            results.append((dense(len(weights), entries).tobytes(), log_probs.tobytes()))
            engine.match(batch)
    assert len(set(results)) == 1


@pytest.mark.parametrize("stored", [False, True])
def test_forms_with_an_offset_of_minus_infinity_are_left_out(stored: bool, ready: Prepared) -> None:
    weights = random_weights(ready)
    engine = engine_for(ready, weights)
    less = [Example(e.word, (e.golds[0].form,), e.golds) for e in ready.examples]
    more = [
        replace(e, forms=(*e.forms, f"{e.word}s"), offsets=np.array([0.0, -np.inf])) for e in less
    ]
    batch = engine.packer.pack(more)
    if stored:
        engine.match(batch)
    words = np.arange(len(less), dtype=np.int32)
    entries, log_probs = engine.gradients(batch, words)
    found = dense(len(weights), entries)
    entries, expected = engine.gradients(engine.packer.pack(less), words)
    assert log_probs.tobytes() == expected.tobytes()
    assert found.tobytes() == dense(len(weights), entries).tobytes()


def test_too_little_capacity_grows_and_changes_nothing(ready: Prepared) -> None:
    weights = random_weights(ready)
    words = ready.usable
    results = []
    for capacity in (
        Capacity(),
        Capacity(1, 1, 1, 1, 1, 1, 1, 1),
        Capacity(3, 50, 2, 1, 8, 8, 1 << 14, 64),
    ):
        engine = engine_for(ready, weights, jobs=2)
        engine.capacity = capacity
        batch = engine.packer.pack(ready.examples)
        entries, log_probs = engine.gradients(batch, words)
        results.append((dense(len(weights), entries).tobytes(), log_probs.tobytes()))
    assert results[0] == results[1] == results[2]


def test_two_threads_that_need_more_capacity_at_once_both_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready = prepared()
    engine = engine_for(ready, random_weights(ready), jobs=2)

    def slow() -> Any:
        size = engine.capacity.word
        time.sleep(0.05)
        return size

    monkeypatch.setattr(engine, "_workspace", slow)
    engine.workspaces(10, 10, 10)
    given = [0, 0]

    def use(number: int) -> None:
        time.sleep(0.02 * number)
        given[number] = engine.workspaces(60, 65, 10)[number]

    threads = [threading.Thread(target=use, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(given) >= 60  # a smaller one is written past its end


def listed(decoder: Decoder, forms: Sequence[Sequence[str]]) -> CandidateForms:
    """Given forms, as a generator lists them."""
    flat = [form for row in forms for form in row]
    _, letters, _ = decoder.packer.text(flat)
    lengths, counts = (np.array([*map(len, rows)], np.int32) for rows in (flat, forms))
    return CandidateForms(letters, lengths, np.full(len(flat), np.nan), counts)


@pytest.mark.parametrize("seed", range(3))
def test_the_decoder_finds_the_best_analysis_of_the_joint_sum(ready: Prepared, seed: int) -> None:
    weights = random_weights(ready, seed=seed, scale=1.0)
    decoder, model = Decoder(model_of(ready, weights), jobs=2), model_of(ready, weights).joint
    lists = {example.word: example.forms[::-1] for example in ready.examples}
    lists |= {"n\u00e4ver": ("n\u00e4ver", "never", "n\u00e4ve"), "ab": ("\u00fc",), "no": ()}
    given = listed(decoder, [*lists.values()])
    found = [item.best for item in decoder.decode_candidates([*lists], given)]
    for (word, forms), best in zip(lists.items(), found, strict=True):
        joint = model.distribution(word, Candidates.of(forms))
        if joint.log_partition() == -np.inf:
            assert (best.structure, best.form, best.prob) == (None, "", 0.0)
            assert word in ("ab", "no", "n\u00e4ver")
            continue
        reading = joint.argmax()
        assert best.prob == pytest.approx(np.exp(joint.log_prob(reading)), abs=CLOSE)
        if isinstance(best.structure, Tree):  # of several best trees it may be another one
            parse = Parse(best.form, best.structure)
            assert np.exp(joint.log_prob(parse)) == pytest.approx(best.prob)
        else:
            strings = tuple(segment.string for segment in reading.structure)
            assert (best.form, best.structure) == (reading.form, strings)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_the_n_best_analyses_are_those_of_the_joint_sum(ready: Prepared, n: int) -> None:
    """Scores by the definition, each analysis once; the fewer are a prefix."""
    weights = random_weights(ready, seed=n, scale=0.5)
    decoder, model = Decoder(model_of(ready, weights), jobs=2), model_of(ready, weights).joint
    lists = {example.word: example.forms[:9] for example in ready.examples[::3]}
    given = listed(decoder, [*lists.values()])
    found = decoder.decode_candidates([*lists], given, n=n)
    fewer = decoder.decode_candidates([*lists], given, n=max(1, n // 2))
    for (word, forms), item, some in zip(lists.items(), found, fewer, strict=True):
        joint = model.distribution(word, Candidates.of(forms))
        probs = [np.exp(score - joint.log_partition()) for _, score in joint.top_k(n)]
        assert [h.prob for h in item.hypotheses] == pytest.approx(probs, abs=CLOSE)
        assert item.hypotheses[: len(some.hypotheses)] == some.hypotheses
        if not ready.structure.chain:  # of equally good ones they may be others
            assert len({one[:2] for one in item.hypotheses}) == len(item.hypotheses)
            for _, (structure, form, prob) in zip(range(5), item.hypotheses, strict=False):
                parse = Parse(form, structure)
                assert np.exp(joint.log_prob(parse)) == pytest.approx(prob, abs=CLOSE)


WORDS = ["readability", "x", "unhappily", "\u00fc", "reusable", "windows" * 5, "tests"]


def test_a_words_analysis_does_not_depend_on_its_neighbours_or_on_threads(ready: Prepared) -> None:
    model = model_of(ready, random_weights(ready))
    together = [item.hypotheses for item in Decoder(model, jobs=1).decode(WORDS, n=3)]
    assert [item.hypotheses for item in Decoder(model, jobs=3).decode(WORDS, n=3)] == together
    alone = Decoder(model, jobs=2)
    assert [next(alone.decode([word], n=3)).hypotheses for word in WORDS] == together
    assert [item.hypotheses for item in alone.decode(reversed(WORDS), n=3)] == together[::-1]
    assert list(alone.decode([])) == []


def test_the_mass_of_a_list_does_not_depend_on_its_neighbours() -> None:
    ready = prepared()
    decoder = Decoder(model_of(ready, random_weights(ready)), jobs=1)
    masses = decoder.candidates(WORDS, NBest(20)).coverage()
    alone = [decoder.candidates([word], NBest(20)).coverage()[0] for word in WORDS]
    assert masses.tolist() == alone


def test_two_decoders_share_nothing() -> None:
    """An engine's workspace belongs to it: interleaved use gives the same answers."""
    one, two = prepared(), prepared(features="paper")
    decoders = [Decoder(model_of(r, random_weights(r)), jobs=1) for r in (one, two)]
    words = [item.word for item in one.data.items]
    apart = [list(decoder.decode(words)) for decoder in decoders]
    mixed = list(zip(*(decoder.decode(words) for decoder in decoders), strict=True))
    assert [list(column) for column in zip(*mixed, strict=True)] == apart
