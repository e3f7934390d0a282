"""Store the words of a treebank in a model: the weight of stored steps, odds between readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from morphtree._util.arrays import Floats
from morphtree._util.hashing import hash_text
from morphtree._util.text import normalise
from morphtree.decoding.decoder import Decoded, Decoder
from morphtree.joint.estimators import Candidates
from morphtree.joint.joint_model import Parse
from morphtree.lexicon.stored import Stored, can_store
from morphtree.model.model import Model
from morphtree.treebank.entry import Entry
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import WORD, Tree

WEIGHTS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
READINGS = 10  # of a dev word, among which its gold tree is looked for
LEAST_LOG_PROB = -20.0  # of a gold tree that is not among them


def derivations(entries: Iterable[Entry]) -> dict[str, tuple[Tree, ...]]:
    """Return the readings of words, as an analyzer looks words up."""
    return {normalise(entry.word): entry.readings for entry in entries if entry.readings}


def with_derivations(model: Model, entries: Iterable[Entry], weight: float) -> Model:
    """Return the model with stored words; it weighs their readings against each other."""
    words = {
        word: [tree for tree in trees if can_store(tree, model.structure.grammar)
               and len(tree.form) <= len(word) + model.max_extra_letters]
        for word, trees in derivations(entries).items()
        if any(map(str.isalpha, word))
    }  # fmt: skip
    made = model.with_stored(Stored.of(words, model.structure.grammar, weight))
    order = sorted((word for word in words if word in made.stored), key=hash_text)
    probs = [prob for word in order for prob in _odds(made, word, words[word])]
    return made.with_stored(made.stored.with_probs(np.array(probs)))


def _odds(model: Model, word: str, trees: Sequence[Tree]) -> Floats:
    """Return the probabilities of some readings of a word, if no others are possible."""
    if len(trees) == 1:
        return np.ones(1)
    joint = model.joint.distribution(word, Candidates.of(()))
    scores = np.array([joint.score(Parse(tree.form, tree)) for tree in trees])
    best = scores.max()
    odds = (
        np.exp(np.maximum(scores - best, LEAST_LOG_PROB)) if best > -np.inf else np.ones(len(trees))
    )
    probs: Floats = odds / odds.sum()
    return probs


def fit_weight(model: Model, known: Sequence[Entry], dev: Sequence[Entry]) -> float:
    """Return the weight of stored steps that makes dev words likeliest.

    Stored are the known words and the dev words that other dev words are built on, scored are
    the others: dev words are new, and their bases are not.
    """
    inner = {text for entry in dev for tree in entry.readings for text in _inner_words(tree)}
    bases = [entry for entry in dev if normalise(entry.word) in inner]
    base_words = {*derivations(bases)}
    scored = [entry for entry in dev if _is_built_on(entry, base_words)]
    stored = Stored.of(derivations([*known, *bases]), model.structure.grammar)
    words = [normalise(entry.word) for entry in scored]

    def likelihood(weight: float) -> float:
        decoder = Decoder(model.with_stored(stored.with_weight(weight)))
        decoded = decoder.decode(words, n=READINGS)
        return sum(_log_prob(e, found) for e, found in zip(scored, decoded, strict=True))

    return max(WEIGHTS, key=likelihood)


def _inner_words(tree: Tree) -> set[str]:
    """Return how the words inside a tree may be written."""
    nodes = (node for node in tree.nodes() if node.label == WORD and node is not tree)
    return {text for node in nodes for text in spellings(node)}


def _is_built_on(entry: Entry, bases: set[str]) -> bool:
    """Whether a word has some of these words inside, and is none of them."""
    inner = {text for tree in entry.readings for text in _inner_words(tree)}
    return normalise(entry.word) not in bases and bool(inner & bases)


def _log_prob(entry: Entry, decoded: Decoded) -> float:
    """Return the log probability of the gold readings of a word."""
    found = sum(h.prob for h in decoded.hypotheses if h.structure in entry.readings)
    return max(float(np.log(found)), LEAST_LOG_PROB) if found > 0 else LEAST_LOG_PROB
