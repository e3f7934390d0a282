"""Where numbers, lengths and grammars stop being nice: a right answer or one clear exception."""

from __future__ import annotations

import json
import math
import os
import string
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from morphtree import _kernels as kernels
from morphtree._util.parallel import in_processes, in_threads
from morphtree.errors import GrammarError, ModelError
from morphtree.features.potentials import Bigrams, ChainPotentials, EditPotentials, TreePotentials
from morphtree.features.sets import FULL
from morphtree.joint.estimators import Importance, NBest
from morphtree.joint.joint_model import JointModel
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.segment_chain import SegmentChain
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.chain import FLAT, Chain
from morphtree.trees.grammar import COMPOUNDS, PAPER, Grammar
from tests import oracle
from tests.models import KNOWN, joint_model
from tests.potentials import chain_potentials, edit_potentials, tree_potentials

LETTERS = string.ascii_lowercase + "-"


def lattice(
    n: int, *, scale: float = 1.0, blocked: float = 0.0, logs: bool | None = None, seed: int = 0
) -> EditLattice:
    rng = np.random.default_rng(seed)
    potentials = edit_potentials(rng, n, len(LETTERS), blocked, scale)
    return EditLattice(potentials, LETTERS, n + 5, logs=logs)


@pytest.mark.parametrize("n", [0, 1, 2, 60])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 1e6])
def test_lattices_of_any_length_and_weight_agree_with_log_space(n: int, scale: float) -> None:
    auto, logs = lattice(n, scale=scale), lattice(n, scale=scale, logs=True)
    assert math.isfinite(auto.log_partition())
    assert auto.log_partition() == pytest.approx(logs.log_partition(), rel=1e-12, abs=1e-9)
    forms = auto.sample(3, rng=np.random.default_rng(1))
    for form in forms:
        assert auto.score(form) == pytest.approx(logs.score(form), rel=1e-12, abs=1e-9)
        assert auto.score(form) <= auto.log_partition() + 1e-9 * max(1.0, scale)
    for mine, theirs in zip(auto.marginals(), logs.marginals(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-12 * max(1.0, scale))
    consumed = auto.marginals().substitute.sum((1, 2)) + auto.marginals().delete.sum(1)
    np.testing.assert_allclose(consumed, 1.0, rtol=1e-6)
    ranking = auto.top_k(2, cap=300)
    assert [item.score for item in ranking] == sorted((i.score for i in ranking), reverse=True)


def test_underflow_sends_a_word_to_log_space() -> None:
    """The cheap paths are hundreds of nats below the others, and then turn out to be needed."""
    n, size = 2, 2
    p = EditPotentials(
        np.array([[-290.0, 290.0], [-290.0, 290.0]]),
        np.full((n + 1, size), -290.0),
        np.array([-290.0, -290.0]),
        np.zeros(n, np.int32),
        Bigrams(
            np.array([[[-290.0, 290.0], [-290.0, -290.0], [0.0, 0.0]]]),
            np.full((size + 1, size), -290.0),
            np.full((1, size + 1), -290.0),
        ),
    )
    scaled = EditLattice(p, "ab", 4, logs=False)
    with pytest.raises(ModelError, match="log space"):
        scaled.log_partition()
    scores = oracle.form_scores(p, "ab", 4)
    auto = EditLattice(p, "ab", 4)
    assert auto.log_partition() == pytest.approx(
        np.logaddexp.reduce(list(scores.values())), abs=1e-9
    )
    for form, score in scores.items():
        assert auto.score(form) == pytest.approx(score, abs=1e-9)
    assert scores[auto.argmax()] == pytest.approx(max(scores.values()), abs=1e-9)


def test_charts_go_to_log_space_too() -> None:
    m = 5
    for scale in (100.0, 1e6):
        p = tree_potentials(np.random.default_rng(3), m, COMPOUNDS, scale=scale)
        scores = oracle.tree_scores(p, COMPOUNDS, "abcde")
        chart = TreeChart(p, "abcde", COMPOUNDS)
        log_z = np.logaddexp.reduce(list(scores.values()))
        assert chart.log_partition() == pytest.approx(log_z, rel=1e-12)
        assert chart.argmax() == max(scores, key=lambda tree: scores[tree])
        assert np.isfinite(chart.marginals().leaf).all()
    with pytest.raises(ModelError, match="log space"):
        TreeChart(p, "abcde", COMPOUNDS, logs=False).log_partition()


@pytest.mark.parametrize("m", [1, 65])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e6])
def test_charts_of_any_length(m: int, scale: float) -> None:
    p = tree_potentials(np.random.default_rng(0), m, PAPER, scale=scale)
    form = (LETTERS * 3)[:m]
    auto, logs = TreeChart(p, form, PAPER), TreeChart(p, form, PAPER, logs=True)
    assert auto.log_partition() == pytest.approx(logs.log_partition(), rel=1e-12, abs=1e-9)
    assert auto.log_count() == pytest.approx((m - 1) * math.log(3), abs=1e-9)
    tree = auto.argmax()
    assert tree.form == form
    assert auto.score(tree) == pytest.approx(auto.top_k(3)[0].score, rel=1e-12, abs=1e-9)
    assert auto.sample(1, rng=np.random.default_rng(0))[0].form == form


def test_empty_strings() -> None:
    rng = np.random.default_rng(0)
    for grammar in (PAPER, COMPOUNDS):
        chart = TreeChart(tree_potentials(rng, 0, grammar), "", grammar)
        assert chart.log_partition() == -math.inf
        assert chart.log_count() == -math.inf
        assert len(chart.top_k(3)) == 0
        with pytest.raises(ModelError, match="no tree is possible"):
            chart.argmax()
    chain = SegmentChain(chain_potentials(rng, 0, FLAT), "")
    with pytest.raises(ModelError, match="no segmentation is possible"):
        chain.sample(1, rng=rng)


def test_a_grammar_that_cannot_derive_the_form() -> None:
    grammar = Grammar.parse("S -> A B\nA -> <string>\nB -> <string>")
    chart = TreeChart(tree_potentials(np.random.default_rng(0), 1, grammar), "a", grammar)
    assert chart.log_partition() == -math.inf
    for ask in (
        chart.argmax,
        chart.marginals,
        lambda: chart.sample(1, rng=np.random.default_rng()),
    ):
        with pytest.raises(ModelError, match="no tree is possible here"):
            ask()


def test_a_lattice_in_which_nothing_is_possible() -> None:
    rng = np.random.default_rng(0)
    nothing = EditLattice(edit_potentials(rng, 2, 2, blocked=1.0), "ab", 4)
    assert nothing.log_partition() == -math.inf
    assert nothing.log_count() == -math.inf
    assert len(nothing.top_k(5)) == 0
    assert nothing.score("ab") == -math.inf
    for ask in (nothing.argmax, nothing.marginals, lambda: nothing.counts("ab")):
        with pytest.raises(ModelError):
            ask()


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_bad_potentials_are_refused(bad: float) -> None:
    rng = np.random.default_rng(0)
    p = edit_potentials(rng, 2, 2)
    with pytest.raises(ModelError, match="NaN or"):
        EditPotentials(np.full((2, 2), bad), p.insert, p.delete, p.classes, p.bigrams)
    with pytest.raises(ModelError, match="NaN or"):
        Bigrams(p.bigrams.substitute, np.full((3, 2), bad), p.bigrams.delete)
    with pytest.raises(ModelError, match="shape"):
        EditPotentials(p.substitute[:, :1], p.insert, p.delete, p.classes, p.bigrams)
    with pytest.raises(ModelError, match="below 2"):
        EditPotentials(p.substitute, p.insert, p.delete, np.array([0, 5]), p.bigrams)
    t = tree_potentials(rng, 2, PAPER)
    with pytest.raises(ModelError, match="NaN or"):
        TreePotentials(np.full_like(t.leaf, bad), t.span, t.rules)
    with pytest.raises(ModelError, match="do not fit"):
        TreeChart(t, "abc", PAPER)
    c = chain_potentials(rng, 2, FLAT)
    with pytest.raises(ModelError, match="NaN or"):
        SegmentChain(ChainPotentials(np.full_like(c.segments, bad), c.bigrams), "ab")


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("", "written like"),
        ("*", "written like"),
        ("A* B*", "without a star"),
        ("A B A", "twice"),
        ("@1 B", "start with @"),
    ],
)
def test_bad_chains_are_refused(pattern: str, complaint: str) -> None:
    with pytest.raises(GrammarError, match=complaint):
        Chain(pattern)


def test_impossible_structures_score_nothing() -> None:
    from morphtree.trees.chain import Segment
    from morphtree.trees.tree import Tree

    rng = np.random.default_rng(0)
    chart = TreeChart(tree_potentials(rng, 2, PAPER), "ab", PAPER)
    for text in ("[ba]", "[[a] [b]]", "[N: ab]"):
        assert chart.score(Tree.parse(text)) == -math.inf
        with pytest.raises(ModelError, match="not a possible tree"):
            chart.counts(Tree.parse(text))
    chain = SegmentChain(chain_potentials(rng, 2, FLAT), "ab")
    for segments in (
        (),
        (Segment("WORD", "b"),),
        (Segment("PREFIX", "ab"),),
        (Segment("X", "ab"),),
    ):
        assert chain.score(segments) == -math.inf
        with pytest.raises(ModelError, match="not a segmentation"):
            chain.counts(segments)
    small = EditLattice(edit_potentials(rng, 1, 2), "ab", 2)
    for form in ("abc", "é", "aba"):
        assert small.score(form) == -math.inf
        with pytest.raises(ModelError, match="impossible"):
            small.counts(form)
    for sampled in (chart, chain, small):
        with pytest.raises(ModelError, match="asked for -1 samples"):
            sampled.sample(-1, rng=rng)
    for verb in (chart.top_k, chain.top_k, small.top_k):
        with pytest.raises(ModelError, match="asked for"):
            verb(0)


def test_a_capped_search_says_what_it_left_out() -> None:
    flat = lattice(8, scale=0.1)
    ranking = flat.top_k(20, cap=10)
    assert not ranking.complete
    assert flat.log_partition() - 1 < ranking.log_rest <= flat.log_partition()
    seen = np.logaddexp.reduce([item.score for item in ranking])
    assert np.logaddexp(seen, ranking.log_rest) <= flat.log_partition() + 1e-9
    for item in ranking:
        assert flat.score(item.structure) == pytest.approx(item.score, abs=1e-9)


def joint_with(weight: float, features: str) -> JointModel[Any]:
    words = ["a", "ab" * 30]
    closed = {"PREFIX": frozenset("ab"), "SUFFIX": frozenset(("a", "b", "ab"))}
    known = Knowledge(Lexicon(["ab", "abab"]), closed, ("b", "a"), KNOWN.stems)
    more: dict[str, Any] = {"templates": FULL, "knowledge": known} if features == "full" else {}
    model = joint_model(PAPER, words, ["a", "ab", "abab"], "ab", ["ab"], longer=2, **more)
    weights = type(model.weights)(*(weight * np.sign(v) for v in model.weights))
    return model.with_weights(weights)


@pytest.mark.parametrize("word", ["a", "ab" * 30, "", "éa", "Ω" * 5])
@pytest.mark.parametrize("weight", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("features", ["paper", "full"])
def test_joint_models_answer_or_complain(word: str, weight: float, features: str) -> None:
    check_joint(joint_with(weight, features), word)


@pytest.mark.perf
@pytest.mark.parametrize("features", ["paper", "full"])
def test_joint_models_take_no_long_time(features: str) -> None:
    model = joint_with(1.0, features)
    started = time.monotonic()
    check_joint(model, "ab" * 30)
    assert time.monotonic() - started < 20


def check_joint(model: JointModel[Any], word: str) -> None:
    for estimator in (NBest(3), Importance(3)):
        joint = model.distribution(word, estimator, rng=np.random.default_rng(0))
        if joint.log_partition() == -math.inf:
            with pytest.raises(ModelError):
                joint.argmax()
            continue
        assert math.isfinite(joint.log_partition())
        listed = np.logaddexp.reduce([term.log_mass - term.offset for term in joint.terms])
        rounding = 1e-9 * max(1.0, abs(float(listed)))  # log Z of sampled ones is an estimate
        assert joint.score(joint.argmax()) <= listed + rounding
        assert all(np.isfinite(part).all() for part in joint.marginals())


SAME = """
import json, sys, numpy as np
from morphtree import _kernels
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.grammar import COMPOUNDS
from morphtree.structures.edit_lattice import EditLattice
from tests.potentials import edit_potentials, tree_potentials
out = [_kernels.COMPILED]
for logs in (False, True):
    for blocked in (0.0, 0.2):
        rng = np.random.default_rng(11)
        lattice = EditLattice(edit_potentials(rng, 4, 3, blocked, 2.0), "abc", 6, logs=logs)
        forms = lattice.sample(20, rng=rng)
        out += [lattice.log_partition(), lattice.log_count(), forms]
        out += [lattice.score(form) for form in forms]
        out += [list(item) for item in lattice.top_k(10)]
        out += [array.ravel().tolist() for array in lattice.marginals()]
        out += [array.ravel().tolist() for array in lattice.counts(forms[0])]
        potentials = tree_potentials(rng, 5, COMPOUNDS, blocked)
        chart = TreeChart(potentials, "abcde", COMPOUNDS, logs=logs)
        out += [chart.log_partition(), str(chart.argmax())]
        out += [str(tree) for tree in chart.sample(10, rng=rng)]
        out += [array.ravel().tolist() for array in chart.marginals()]
json.dump(out, sys.stdout)
"""


def test_compiled_and_uncompiled_kernels_agree() -> None:
    def run(pure: str, baseline: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SAME],
            env={**os.environ, "MORPHTREE_PURE": pure, "MORPHTREE_BASELINE": baseline},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    compiled, *fast = run("", "")
    uncompiled, *slow = run("1", "")
    assert compiled == kernels.COMPILED
    assert not uncompiled
    check_same(fast, slow)
    check_same(run("", "1")[1:], slow)


def check_same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            check_same(x, y)
    elif isinstance(a, float):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-300)
    else:
        assert a == b


@pytest.mark.skipif(not kernels.COMPILED, reason="needs the compiled kernels")
def test_kernels_release_the_lock() -> None:
    """While a long sum runs in one thread, another one makes progress."""
    slow = lattice(40, logs=True)
    worker = threading.Thread(target=slow.log_partition)
    worker.start()
    steps = 0
    while worker.is_alive():
        steps += 1
        time.sleep(0)
    assert steps > 100


def test_threads_change_nothing() -> None:
    seeds = range(100)
    alone = [lattice(6, seed=seed).log_partition() for seed in seeds]
    with ThreadPoolExecutor(5) as pool:
        assert [*pool.map(lambda s: lattice(6, seed=s).log_partition(), seeds)] == alone


def make_inverse() -> Callable[[int], float]:
    return inverse


def inverse(number: int) -> float:
    return 1 / number


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("spread", [in_processes, in_threads])
def test_results_come_in_order(spread: Callable[..., Iterator[float]], jobs: int) -> None:
    numbers = range(1, 200)
    assert [*spread(make_inverse, numbers, jobs=jobs)] == [1 / number for number in numbers]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("spread", [in_processes, in_threads])
def test_an_error_elsewhere_is_raised_where_it_is_read(
    spread: Callable[..., Iterator[float]], jobs: int
) -> None:
    with pytest.raises(ZeroDivisionError):
        [*spread(make_inverse, [1] * 10 + [0] + [1] * 100, jobs=jobs)]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("spread", [in_processes, in_threads])
def test_others_take_only_a_little_ahead(spread: Callable[..., Iterator[float]], jobs: int) -> None:
    taken = []
    items = (taken.append(n) or n for n in range(1, 100_000))  # type: ignore[func-returns-value]
    results = spread(make_inverse, items, jobs=jobs)
    assert next(results) == 1
    assert len(taken) < 20
    results.close()  # type: ignore[attr-defined]
