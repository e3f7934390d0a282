"""Fit the demonstration model to models/demo.derivation and write models/demo.tsv (a minute)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import morphtree.demo as demo
from morphtree.edit_features import Edit, named_features
from morphtree.edits import EditMarginals
from morphtree.estimators import NBest
from morphtree.features import Feature
from morphtree.grammar import COMPOUNDS
from morphtree.joint import JointModel, Weights
from morphtree.lattice import EditLattice
from morphtree.lexicon import Lexicon
from morphtree.part_features import named_rule_features, named_span_features
from morphtree.respell import respell
from morphtree.tree import Tree
from morphtree.treebank import Treebank

MODELS = Path(__file__).parents[1] / "src" / "morphtree" / "models"
EPOCHS, RATE, PENALTY, LIKELY, SMALLEST = 30, 0.5, 0.05, 0.01, 0.05
Named = dict[Feature, str]


def starter() -> JointModel[Tree]:
    """A model that only knows that copying is good; it finds plausible alignments."""
    edits: Named = {}
    for edit in (Edit(0, True, "a"), Edit(0, True, "b"), Edit(0, True, ""), Edit(0, False, "a")):
        edits.update(named_features(demo.TEMPLATES.edits[:1], "a", edit))
    features = demo.make_features(edits, (), ())
    scores = {"copy": 4.0, "change": -3.0, "delete": -2.0, "insert": -3.0}
    weights = np.array([scores[edits[f]] for f in features[0].index.features])
    return JointModel(*features, Weights(weights, np.zeros(0)))


def likely_edits(lattice: EditLattice, word: str, form: str) -> list[Edit]:
    """The edits of the alignments of a word with its form that are not far-fetched."""
    pair = lattice.pair_marginals(form)
    last = ["", *form]
    edits = [Edit(i, True, form[j], last[j]) for i, j in np.argwhere(pair.substitute > LIKELY)]
    edits += [Edit(i, False, form[j], last[j]) for i, j in np.argwhere(pair.insert > LIKELY)]
    return edits + [Edit(i, True, "", last[j]) for i, j in np.argwhere(pair.delete > LIKELY)]


def gold_features(words: dict[str, tuple[Tree, ...]], lexicon: Lexicon) -> tuple[Named, Named]:
    """All features that fire on an annotated word."""
    edits: Named = {}
    parts: Named = {}
    start = starter()
    for rule in COMPOUNDS.rules:
        parts.update(named_rule_features(demo.TEMPLATES.rules, *rule))
    for word, readings in words.items():
        for tree in readings:
            for edit in likely_edits(start.lattice(word), word, tree.form):
                edits.update(named_features(demo.TEMPLATES.edits, word, edit))
            for span in tree.spans():
                where = span.start, span.end, span.label
                parts.update(named_span_features(demo.TEMPLATES.spans, lexicon, tree.form, *where))
    return edits, parts


def fit(model: JointModel[Tree], words: dict[str, tuple[Tree, ...]]) -> JointModel[Tree]:
    """Maximise the penalised likelihood with AdaGrad, one word at a time.

    The exact likelihood of the transducer alone is added to that of the joint model: otherwise
    forms outside the n-best lists would rise unseen.
    """
    rng = np.random.default_rng(1)
    squares = Weights(*(np.full_like(v, 1e-8) for v in model.weights))
    order = sorted(words)
    for epoch in range(EPOCHS):
        total = 0.0
        for number in rng.permutation(len(order)):
            word = order[number]
            step = Weights(*(-PENALTY / len(order) * v for v in model.weights))
            for tree in words[word]:  # a word with several readings counts once
                joint = model.sum(word, NBest(20), keep=tree.form)
                total += joint.log_prob(tree.form, tree) / len(words[word])
                gold = joint.score_gradient(tree.form, tree)
                alone = map(np.subtract, joint.lattice.counts(tree.form), joint.lattice.marginals())
                share = 1 / len(words[word])
                model.edits.add_expected(joint.match, EditMarginals(*alone), step.edits, share)
                for mine, good, all_ in zip(step, gold, joint.gradient(), strict=True):
                    mine += (good - all_) / len(words[word])
            for square, gradient in zip(squares, step, strict=True):
                square += gradient**2
            moved = (
                v + RATE * g / np.sqrt(s)
                for v, g, s in zip(model.weights, step, squares, strict=True)
            )
            model = model.with_weights(Weights(*moved))
        print(f"epoch {epoch + 1}: log likelihood {total:.2f}", flush=True)
    return model


def write(model: JointModel[Tree], names: tuple[Named, Named], words: list[str]) -> None:
    """Write the words and every weight that is not small."""
    lines = ["# made by scripts/make_demo.py", *(f"word\t{word}" for word in words)]
    indexes = model.edits.index, model.parts.index
    halves = zip(("edit", "part"), indexes, model.weights, names, strict=True)
    for kind, index, vector, name in halves:
        for feature, weight in zip(index.features, vector, strict=True):
            if abs(weight) >= SMALLEST:
                context, outcome = f"{feature.context:016x}", f"{feature.outcome:x}"
                lines.append("\t".join((kind, context, outcome, f"{weight:.3f}", name[feature])))
    (MODELS / demo.FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Read, fit, write."""
    entries = Treebank.read(MODELS / "demo.derivation").entries
    words = {entry.word: entry.readings for entry in entries}
    attested = sorted(
        {respell(node) for trees in words.values() for t in trees for node in t.derivation()}
    )
    names = gold_features(words, Lexicon(attested))
    features = demo.make_features(*names, attested)
    print(f"{len(words)} words; features: {len(names[0])} of edits, {len(names[1])} of parts")
    zero = Weights(np.zeros(len(names[0])), np.zeros(len(names[1])))
    write(fit(JointModel(*features, zero), words), names, attested)


if __name__ == "__main__":
    main()
