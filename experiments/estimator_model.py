"""What the study of the estimators works on: a trained model, and words to ask about."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from morphtree._util.files import replacing
from morphtree._util.hashing import hash_text
from morphtree.joint.exact import Exact
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.resources import attested_words
from morphtree.model.model import Model
from morphtree.reproduction.experiment import read_split
from morphtree.training.prepare import make_model
from morphtree.training.settings import Settings
from morphtree.training.trainer import NEGLIGIBLE, Trainer
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import PAPER
from morphtree.trees.tree import WORD, Tree

LENGTHS = (3, 4, 5, 6, 7)
LONGEST = 8
ATTESTED = 50_000  # most frequent words
WHOLE, SMALL = "whole", "small"  # the model as trained, and what the study uses of it
SEED = 7


def train(folder: Path, cache: Path) -> None:
    """Train a model with the paper's features, unless the cache has it.

    As in a finished model, the study leaves features out that hardly weigh anything. Of the
    attested words it keeps the most frequent.
    """
    if (cache / f"{SMALL}.txt").exists():
        return
    settings = Settings(features="paper", language="en", grammar="paper", estimator="importance:10")
    trainer = Trainer(settings, read_split(folder, "train0"), read_split(folder, "dev0"))
    for epoch in trainer.run():
        print(f"epoch {epoch.epoch + 1}: {epoch.dev['accuracy']:.3f}", file=sys.stderr)
    forms = {form for example in trainer.prepared.examples for form in example.forms}
    strings = {f[i:j] for f in forms for i in range(len(f)) for j in range(i + 1, len(f) + 1)}
    keep(make_model(trainer.prepared, trainer.best_weights, {}), strings, cache)


def keep(model: Model, strings: set[str], cache: Path) -> None:
    """Write the model, and one with fewer features and attested words, each with its strings."""
    from wordfreq import top_n_list

    cache.mkdir(parents=True, exist_ok=True)
    words = attested_words("en")
    keep_one(model, strings, words, cache, WHOLE)
    frequent = words.intersection(top_n_list("en", ATTESTED, wordlist="large"))
    model = model.pruned(NEGLIGIBLE)
    knowledge = replace(model.spans.knowledge, lexicon=Lexicon(frequent))
    parts = model.structure.features(model.spans.templates, knowledge, model.spans.index)
    keep_one(model.changed(spans=parts), strings, frequent, cache, SMALL)


def keep_one(model: Model, strings: set[str], words: set[str], cache: Path, name: str) -> None:
    """Write one model and the strings that matter to it."""
    spans, index = model.spans.templates.spans, model.spans.index
    by_string = [(n, span) for n, span in enumerate(spans) if span.attributes == "string"]
    known = set(index.contexts.tolist())
    named = {
        s
        for s in strings
        if any(t.context({"string": hash_text(s)}, n) in known for n, t in by_string)
    }
    model.save(cache / f"{name}.model")
    with replacing(cache / f"{name}.txt") as stream:
        stream.write("\n".join(sorted(named | words)).encode())


def read(cache: Path, name: str) -> tuple[Model, Exact, dict[str, float]]:
    """Read a model and make its exact sum; say how many strings there are and what they took."""
    model = Model.load(cache / f"{name}.model")
    strings = (cache / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    began = time.process_time()
    exact = Exact(model.joint, strings, LONGEST)
    seconds = round(time.process_time() - began, 1)
    return model, exact, {"strings": int(exact.table.own.sum()), "once": seconds}


def choose(folder: Path, count: int) -> Iterator[tuple[Tree, str, str]]:
    """Yield trees, their words and names for them, lengths in turn; the longest are for the clock.

    The data have hardly any words of three and four letters, so stems of test words help out.
    """
    rng = np.random.default_rng(SEED)
    entries = Treebank.read(folder / "test0").entries
    words = {e.word: e.readings[0] for e in entries if PAPER.derives(e.readings[0])}
    leaves = (leaf for tree in words.values() for leaf in tree.leaves() if leaf.label == WORD)
    stems = {leaf.string: leaf for leaf in leaves if leaf.string not in words}
    picked: dict[int, list[str]] = {}
    for length in (*LENGTHS, LONGEST):
        found = [_of_length(pool, length) for pool in (words, stems)]
        shuffled = [word for pool in found for word in rng.permutation(pool).tolist()]
        picked[length] = shuffled[: count if length < LONGEST else 2]
    for number in range(count):
        for length, chosen in picked.items():
            if number < len(chosen):
                word = chosen[number]
                yield (words | stems)[word], word, f"{length}-{number}"


def _of_length(words: Iterable[str], length: int) -> list[str]:
    return sorted(w for w in words if len(w) == length and w.isascii() and w.isalpha())
