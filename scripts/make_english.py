"""Make the English model: the held-out build, which is measured, and the release, which ships.

    python scripts/make_english.py [--build held-out|release|both]
                                   [--held-out FILE] [--release FILE]
                                   [--no-silver] [--without GROUP] [--paper] [--every N]
                                   [--no-classifier] [--epochs N]

Needs ``morphtree[train]``; takes about six minutes a build on two cores. *Held-out* is trained on
the train part of treebank/en and stores its words; settings, temperatures and the weight of
stored derivations are chosen on dev, and every published figure comes from it. *Release* is trained
on all parts with the same settings, temperatures and weights, and stores all words.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from english_words import PARTS, ROOT, TREEBANK, parts, read, training_words

from morphtree.model.complexity import (
    LEVELS,
    read_complexity,
    with_complexity,
    with_known_stems,
    with_usual_ends,
)
from morphtree.model.model import SCORES, Model
from morphtree.training.dev_set import calibrated, calibrated_new, measured
from morphtree.training.settings import Settings
from morphtree.training.storing import fit_weight, with_derivations
from morphtree.training.trainer import Trainer, json_line
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank

RELEASE = ROOT / "src" / "morphtree" / "models" / "en.model"
HELD_OUT = ROOT / "build" / "en-held-out.model"
COMPLEXITY = ROOT / "knowledge" / "complexity-en.tsv.gz"
CLASSIFIER_WEIGHT = 0.8
STEM_WEIGHT = 3.0  # train would allow 9; dev has one word that it changes
DOUBLED = tuple(2 * letter for letter in "bdgkmnprtv")  # stems hardly end in these
END_WEIGHT = 2.0  # no dev word changes; coined dev words have it so from 1.5 to 3
PRUNED = 0.015  # smaller weights take megabytes and change next to nothing on dev
PRUNED_RELEASE = 0.0125  # for a file under 15 MB; of scores that a temperature has divided
INFLECTIONS = "s", "ed", "ing", "est"
# Known stems are left out: dev has no word of a known stem.
SETTINGS = Settings(
    language="en", estimator="nbest:10:6", l2=3.0, dropout=(0.3, 0.4), stacking=0.2, epochs=5,
    patience=4, neighbour_proposals=0, decode="nbest:4:3", without="treebank",
    related=str(ROOT / "knowledge" / "related-en.tsv.gz"),
)  # fmt: skip


def train(names: Sequence[str], settings: Settings, options: argparse.Namespace) -> Model:
    """Return a model trained on some parts, without small weights."""
    words = training_words(names, with_silver=not options.no_silver, every=options.every)
    trainer = Trainer(settings, words, read("dev"))
    for epoch in trainer.run():
        print(json_line(epoch), flush=True)
    return trainer.model().pruned(PRUNED)


def chosen_settings(options: argparse.Namespace) -> Settings:
    """Return the settings, but for what the options change."""
    if options.paper:
        return Settings(
            features="paper", language="en", estimator=SETTINGS.estimator, epochs=options.epochs
        )
    return replace(SETTINGS, without=options.without, epochs=options.epochs)


def classified(model: Model, known: Sequence[Entry]) -> Model:
    """Add the morphological-complexity classifier to a model.

    Of words that the model was trained on the treebank says whether they are complex. In training
    it must not, as it cannot for other words.
    """
    levels = read_complexity(COMPLEXITY) | {
        entry.word: 0 if entry.readings[0].is_leaf else len(LEVELS) for entry in known
    }
    return with_complexity(model, levels, CLASSIFIER_WEIGHT)


def with_fixed_weights(model: Model, known: Sequence[Entry], options: argparse.Namespace) -> Model:
    """Add what is not learned with the other weights; the paper has none of it."""
    if options.paper:
        return model
    if not options.no_classifier:
        model = classified(model, known)
    return with_usual_ends(with_known_stems(model, STEM_WEIGHT), DOUBLED, END_WEIGHT)


def with_treebank(model: Model) -> Model:
    """Add what the treebank says of words and affixes and the model does not score."""
    affixes = read_inventory(TREEBANK / "affixes.tsv")
    entries = Treebank.read(TREEBANK / "entries").entries
    return replace(model.with_morphology(entries, affixes), inflections=INFLECTIONS)


def held_out(options: argparse.Namespace) -> Model:
    """Make the held-out build; what is fitted on dev is noted in its header."""
    model, known = train(PARTS[:1], chosen_settings(options), options), parts(PARTS[:1])
    first = model.temperature
    model = calibrated(with_fixed_weights(model, known, options), read("dev").entries)
    new = parts(("dev", "everyday-dev", "coined-dev"))
    model = calibrated_new(model, new)
    weight = fit_weight(model, known, read("dev").entries)
    stored = with_derivations(with_treebank(model), known, weight)
    about = {
        **stored.header, "build": "held-out", "epochs": 1 + model.header["epoch"],
        "temperature_before_classifier": first,
    }  # fmt: skip
    return measured(replace(stored, header=about), read("dev").entries)


def release(like: Model, options: argparse.Namespace) -> Model:
    """Make the release build, with all that the held-out build was fitted to."""
    about: dict[str, Any] = dict(like.header)
    known = parts(PARTS)
    settings = replace(chosen_settings(options), epochs=about["epochs"])
    model = train(PARTS, settings, options)
    model = model.at_temperature(about["temperature_before_classifier"] / model.temperature)
    model = with_fixed_weights(model, known, options)
    model = replace(
        model.at_temperature(like.temperature / model.temperature),
        new_word_temperature=like.new_word_temperature,
        new_stem_temperature=like.new_stem_temperature,
    )
    stored = with_derivations(with_treebank(model), known, like.stored.weight)
    measured_on = {"digest": like.digest, SCORES: about[SCORES]}
    header = {k: v for k, v in stored.header.items() if k != SCORES}
    header |= {"build": "release", "held_out": measured_on}
    return replace(stored, header=header).pruned(PRUNED_RELEASE)


def main() -> None:
    """Make and write the builds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", choices=["held-out", "release", "both"], default="both")
    parser.add_argument("--held-out", type=Path, default=HELD_OUT, metavar="FILE")
    parser.add_argument("--release", type=Path, default=RELEASE, metavar="FILE")
    parser.add_argument(
        "--no-silver", action="store_true", help="treebank and synthetic words only"
    )
    parser.add_argument("--without", default=SETTINGS.without, help="features to leave out")
    parser.add_argument("--paper", action="store_true", help="the paper's features")
    parser.add_argument("--every", type=int, default=1, help="train on every so manieth word")
    parser.add_argument("--epochs", type=int, default=SETTINGS.epochs)
    parser.add_argument("--no-classifier", action="store_true", help="no complexity classifier")
    options = parser.parse_args()
    if options.build != "release":
        options.held_out.parent.mkdir(exist_ok=True)
        held_out(options).save(options.held_out)
    if options.build != "held-out":
        release(Model.load(options.held_out), options).save(options.release)


if __name__ == "__main__":
    main()
