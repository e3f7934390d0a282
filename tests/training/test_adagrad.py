"""AdaGrad against a dense definition, and importance sampling without bias."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from morphtree._util.arrays import Floats, Ints
from morphtree.joint.estimators import Candidates, Importance
from morphtree.joint.joint_model import JointModel
from morphtree.training.adagrad import AdaGrad
from morphtree.training.importance_sampling import BLOCK, ImportanceSampler, count_samples
from tests.small_training import (
    SOURCE,
    TINY,
    engine_for,
    generator_of,
    joint_model,
    plain,
    prepared,
    random_weights,
)

RATE, L2, BATCH = 0.3, 2.0, 8
CLOSE = 1e-12


class Dense:
    """AdaGrad with a proximal L2 step by its definition; every weight in every step."""

    def __init__(self, weights: Floats, *, rate: float, l2: float, words: int) -> None:
        self.weights = weights.copy()
        self.accumulator = np.zeros(len(weights))
        self.rate, self.l2, self.words = rate, l2, words
        self.movable = np.ones(len(weights), bool)

    def step(self, gradient: Floats, words: int) -> None:
        gradient = np.where(self.movable, gradient, 0.0)
        self.accumulator += gradient**2
        moves = self.accumulator > 0  # what has never had a gradient has no rate
        rate = self.rate / np.sqrt(
            self.accumulator, where=moves, out=np.ones_like(self.accumulator)
        )
        share = self.l2 * words / self.words
        self.weights[moves] += (rate * gradient)[moves]
        self.weights[moves] /= 1 + (rate * share)[moves]


class Gradients:
    """Gradients of random words at ever other weights: what touches what changes all the time."""

    def __init__(self, seed: int) -> None:
        self.ready = prepared()
        self.rng = np.random.default_rng(seed)
        self.size = len(random_weights(self.ready))
        self.words = len(self.ready.examples)
        self.engine = engine_for(self.ready, np.zeros(self.size), jobs=2)
        self.batch = self.engine.packer.pack(self.ready.examples)

    def draw(self, count: int) -> tuple[list[Any], Floats]:
        self.engine.weights[:] = random_weights(self.ready, seed=int(self.rng.integers(99)))
        self.engine.refresh()
        some = self.words // 2  # so that features of the others stay untouched
        words = self.rng.choice(some, count, replace=False).astype(np.int32)
        entries, _ = self.engine.gradients(self.batch, words)
        return entries, dense_gradient(self.size, entries)


def dense_gradient(size: int, entries: list[Any]) -> Floats:
    """The summed gradient: a first step without regularisation shows its squares and signs."""
    weights = np.zeros(size)
    first = AdaGrad(weights, learning_rate=1.0, l2=0.0, words=1, batch_size=1)
    first.step(entries, 1)
    return np.sign(weights) * np.sqrt(first.accumulator)


def adagrad_for(source: Gradients, weights: Floats, l2: float = L2, **options: Any) -> AdaGrad:
    return AdaGrad(
        weights, learning_rate=RATE, l2=l2, words=source.words, batch_size=BATCH, **options
    )


def batches(words: int, epochs: int) -> list[int]:
    """The sizes of all batches; the last of an epoch is short."""
    short = [words % BATCH] if words % BATCH else []
    return epochs * (words // BATCH * [BATCH] + short)


@pytest.mark.parametrize("l2", [0.0, L2, 50.0])
def test_steps_are_those_of_the_definition(l2: float) -> None:
    source = Gradients(seed=1)
    assert source.words % BATCH  # some batches are short
    weights = np.random.default_rng(0).normal(size=source.size)
    dense = Dense(weights, rate=RATE, l2=l2, words=source.words)
    adagrad = adagrad_for(source, weights, l2=l2)
    for size in batches(source.words, 6):
        entries, gradient = source.draw(size)
        adagrad.step(entries, size)
        dense.step(gradient, size)
        np.testing.assert_allclose(adagrad.weights, dense.weights, rtol=CLOSE, atol=CLOSE)
        np.testing.assert_allclose(adagrad.accumulator, dense.accumulator, rtol=CLOSE)
    assert (dense.accumulator == 0).any()  # some weights were never touched


def test_steps_go_on_after_a_pause() -> None:
    whole, halves = Gradients(seed=2), Gradients(seed=2)
    one = adagrad_for(whole, np.ones(whole.size))
    two = adagrad_for(whole, np.ones(whole.size))
    for number, size in enumerate(batches(whole.words, 2)):
        one.step(whole.draw(size)[0], size)
        two.step(halves.draw(size)[0], size)
        if number % 5 == 4:
            accumulator, weights = two.accumulator, two.weights
            two = adagrad_for(whole, weights.copy())
            two.resume(accumulator)
        assert (one.weights == two.weights).all()


def test_untouched_and_dropped_weights_take_the_proximal_step() -> None:
    source = Gradients(seed=3)
    adagrad = AdaGrad(
        np.zeros(source.size), learning_rate=RATE, l2=L2, words=source.words, batch_size=BATCH
    )
    entries, gradient = source.draw(BATCH)
    adagrad.step(entries, BATCH)
    before, rate = adagrad.weights.copy(), RATE / np.sqrt(gradient**2 + (gradient == 0))
    short = source.words % BATCH
    rest: Ints = np.zeros(0, np.int32)
    nothing, _ = source.engine.gradients(source.batch, rest)
    none, rates = np.zeros(source.size, np.float32), np.full(source.size, 0.5)
    kept = np.ones(source.size)
    for size in (BATCH, BATCH, short, BATCH):
        adagrad.step(nothing, size)
    adagrad.drop(none + 0.5, rates, kept)
    assert (kept == 0).all()
    for size in (BATCH, BATCH, short):
        adagrad.step(entries, size)
    whole = 1 + rate * L2 * BATCH / source.words
    last = 1 + rate * L2 * short / source.words
    np.testing.assert_allclose(adagrad.weights, before / (whole**5 * last**2), rtol=CLOSE)
    adagrad.drop(none, rates, kept)
    assert (kept == adagrad.weights).all()
    adagrad.step(entries, BATCH)  # what was dropped once can move again
    assert (adagrad.weights != before / (whole**6 * last**2))[gradient != 0].all()


def test_a_first_step_is_the_learning_rate_shrunk_by_the_proximal_step() -> None:
    source = Gradients(seed=4)
    adagrad = AdaGrad(
        np.zeros(source.size), learning_rate=RATE, l2=L2, words=source.words, batch_size=BATCH
    )
    entries, gradient = source.draw(BATCH)
    adagrad.step(entries, BATCH)
    touched = gradient != 0
    size = np.abs(gradient[touched])
    share = L2 * BATCH / source.words
    expected = RATE * np.sign(gradient[touched]) / (1 + RATE * share / size)
    np.testing.assert_allclose(adagrad.weights[touched], expected, rtol=CLOSE)
    assert (adagrad.weights[~touched] == 0).all()


def test_frozen_weights_stay() -> None:
    source = Gradients(seed=5)
    weights = np.random.default_rng(1).normal(size=source.size)
    frozen = np.random.default_rng(2).random(source.size) < 0.5
    dense = Dense(weights, rate=RATE, l2=L2, words=source.words)
    dense.movable = ~frozen
    adagrad = AdaGrad(
        weights, learning_rate=RATE, l2=L2, words=source.words, batch_size=BATCH, frozen=frozen
    )
    before = weights.copy()
    for size in batches(source.words, 2):
        entries, gradient = source.draw(size)
        adagrad.step(entries, size)
        dense.step(gradient, size)
    assert (weights[frozen] == before[frozen]).all()
    assert (adagrad.accumulator[frozen] == 0).all()
    np.testing.assert_allclose(weights, dense.weights, rtol=CLOSE, atol=CLOSE)
    assert (weights[~frozen] != before[~frozen]).any()


def test_a_batch_is_the_same_step_however_its_words_are_shared_out() -> None:
    ready = prepared()
    weights = random_weights(ready)
    words = np.arange(len(ready.examples), dtype=np.int32)
    results = []
    for jobs in (1, 2, 5):
        engine = engine_for(ready, weights, jobs)
        entries, _ = engine.gradients(engine.packer.pack(ready.examples), words)
        adagrad = AdaGrad(
            engine.weights, learning_rate=RATE, l2=L2, words=len(words), batch_size=len(words)
        )
        adagrad.step(entries, len(words))
        results.append(adagrad.weights.tobytes())
    assert len(set(results)) == 1


PROGRAM = """
import numpy as np
from morphtree.decoding.decoder import Decoder
from morphtree.training.adagrad import AdaGrad
from tests.small_training import TINY, engine_for, model_of, prepared, random_weights
ready = prepared(TINY)
weights = np.random.default_rng(0).normal(size=len(random_weights(ready)))
engine = engine_for(ready, weights, 2)
words = np.arange(len(ready.examples), dtype=np.int32)
entries, log_probs = engine.gradients(engine.packer.pack(ready.examples), words)
adagrad = AdaGrad(engine.weights, learning_rate=0.1, l2=1.0, words=3, batch_size=2)
adagrad.step(entries, 2)
adagrad.step(entries, 1)
print(log_probs.tobytes().hex(), engine.weights.tobytes().hex())
print(*Decoder(model_of(ready, weights)).decode(["ab", "ba", "\\u00fcb"]), sep="\\n")
"""


def test_uncompiled_kernels_give_the_same_bits() -> None:
    """Candidate lists, gradients, a step and decoding; AVX2 rounds otherwise, so without it."""
    root = Path(__file__).parents[2]
    paths = os.pathsep.join((str(SOURCE), str(root)))
    outputs = []
    for mode in ("MORPHTREE_PURE", "MORPHTREE_BASELINE"):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONPATH": paths, mode: "1"},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("Decoded(") == 3


# -- forms sampled for every epoch -------------------------------------------------------------


def exact_log_z(model: JointModel[Any], word: str) -> float:
    """Log of the sum over all forms there are."""
    forms = tuple(
        "".join(letters)
        for size in range(1, len(word) + model.longer + 1)
        for letters in itertools.product(model.edits.alphabet, repeat=size)
    )
    return model.distribution(word, Candidates.of(forms)).log_partition()


@pytest.mark.parametrize("word", ["ab", "ba", "aab"])
def test_samples_are_unbiased(word: str) -> None:
    """The mean of Z over many epochs is Z, and the gold form counts exactly once."""
    longer, m = 1, 4
    ready = prepared(TINY, features="paper", language="none")
    rng = np.random.default_rng(8)
    weights, other = rng.normal(scale=0.7, size=(2, len(random_weights(ready))))
    generator = generator_of(ready, other, longer=longer)
    number = [e.word for e in ready.examples].index(word)
    base, [gold_tree] = [plain(ready.examples[number])], ready.data.items[number].trees
    sampler = ImportanceSampler([generator], [0], m, seed=5)
    engine = engine_for(ready, weights)
    model = replace(joint_model(ready, weights), longer=longer)
    values = []
    for epoch in range(150 * BLOCK):
        [example] = sampler.examples(base, epoch, engine)
        gold = {g.form for g in example.golds}
        assert example.offsets is not None
        assert len(example.forms) == len(set(example.forms)) <= m + len(gold)
        assert gold <= set(example.forms)
        assert all(o == 0 for f, o in zip(example.forms, example.offsets, strict=True) if f in gold)
        _, log_probs = engine.gradients(engine.packer.pack([example]), np.zeros(1, np.int32))
        values.append(math.exp(-log_probs[0]))  # Z over the score of the gold reading
    log_gold = model.score(word, gold_tree.form, gold_tree)
    truth = math.exp(exact_log_z(model, word) - log_gold)
    error = float(np.std(values)) / math.sqrt(len(values))
    assert np.mean(values) == pytest.approx(truth, abs=4 * error)
    assert error < 0.1 * truth


def test_an_epochs_samples_depend_on_nothing_but_the_seed_and_the_epoch() -> None:
    ready = prepared(features="paper", estimator="importance:3")
    generators = [generator_of(ready, np.concatenate([w, np.zeros(len(ready.spans.index))]))
               for w in ready.lists.fold_weights]  # fmt: skip
    engine, folds = engine_for(ready, random_weights(ready), jobs=2), ready.lists.folds.tolist()

    def drawn(sampler: ImportanceSampler, epoch: int) -> list[tuple[str, ...]]:
        return [example.forms for example in sampler.examples(ready.examples, epoch, engine)]

    one, two = (ImportanceSampler(generators, folds, 3, seed=1) for _ in range(2))
    first = [drawn(one, epoch) for epoch in range(BLOCK + 2)]
    assert drawn(two, BLOCK + 1) == first[BLOCK + 1]  # as after --resume
    assert drawn(two, 4) == first[4]
    assert first[0] != first[1] != first[BLOCK]
    assert drawn(ImportanceSampler(generators, folds, 3, seed=2), 0) != first[0]


def test_offsets_are_those_of_the_readable_estimator() -> None:
    """Given the same sample, ImportanceSampler and estimators.Importance weigh it alike."""
    ready = prepared(features="paper", estimator="importance:3")
    generator = generator_of(ready, random_weights(ready, scale=0.0))
    example = ready.examples[3]
    sampler = ImportanceSampler([generator], [], 50, seed=1)
    lattice = generator.lattice(example.word)
    rng = np.random.default_rng(7)
    forms = lattice.sample(50, rng=rng)
    mine = sampler.example(example, count_samples(lattice, forms, 50), 0)
    [keep] = {gold.form for gold in example.golds}
    theirs = Importance(50).candidates(
        example.word, lattice, rng=np.random.default_rng(7), keep=keep
    )
    assert mine.forms == theirs.forms
    assert mine.offsets == pytest.approx(theirs.offsets, abs=1e-12)
