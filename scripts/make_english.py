"""Train the English model that comes with the package, on the train part of treebank/en.

    python scripts/make_english.py [OUTPUT] [--no-silver] [--without GROUP] [--paper] [--every N]
                                   [--no-classifier] [--header-only]

Needs ``morphtree[train]``; takes about seven minutes on two cores. The settings were chosen
on the dev part. The test parts are read only to keep their families out of the silver words; the
published data are not read. At the end the morphological-complexity classifier
(`morphtree.model.complexity`, knowledge/complexity-en.tsv.gz) is added to the trained model.
``--header-only`` trains nothing: it measures OUTPUT on dev and writes its header anew.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from weak_supervision import silver_words

from morphtree.lexicon.resources import gather, gather_derivations
from morphtree.lexicon.word_facts import ORDINARY, Facts
from morphtree.model.complexity import read_complexity, with_complexity
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model
from morphtree.training.data import signature
from morphtree.training.dev_set import calibrated, measured
from morphtree.training.settings import Settings, current_names
from morphtree.training.trainer import Trainer, json_line
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import SUFFIX, WORD, Tree

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "treebank" / "en"
HELD_OUT = "dev", "test", "test-random", "mixed", "examples"
MODEL = ROOT / "src" / "morphtree" / "models" / "en.model"
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
SYNTHETIC, COMPOUNDS, HYPHENATED, SEED = 8000, 1500, 600, 5
KNOWN_NAME = 2.5  # how frequent a name must be, as a power of ten in a billion words
COMPLEXITY = ROOT / "knowledge" / "complexity-en.tsv.gz"
CLASSIFIER_WEIGHT = 0.5
PRUNED = 0.015  # smaller weights take megabytes and change next to nothing on dev
# Known stems are left out: dev has no word of a known stem.
SETTINGS = Settings(
    estimator="nbest:10:6", l2=3.0, dropout=(0.3, 0.4), stacking=0.2, epochs=5,
    patience=4, neighbour_proposals=0, decode="nbest:4:3", without="treebank",
    related=str(ROOT / "knowledge" / "related-en.tsv.gz"),
)  # fmt: skip


def read(name: str) -> Treebank:
    """Read a part of the treebank."""
    return Treebank(
        name, Treebank.read(TREEBANK / "parts" / f"{name}.brackets", "brackets").entries
    )


def alter(stem: str, rng: random.Random) -> str:
    """Change two letters of a stem, a vowel to a vowel and a consonant to a consonant.

    Its last two stay, if it has four: they decide how it is spelt before an affix.
    """
    letters = [*stem]
    for place in rng.sample(range(max(2, len(stem) - 2)), 2):
        same = VOWELS if letters[place] in VOWELS else CONSONANTS
        letters[place] = rng.choice(same)
    return "".join(letters)


class Stems:
    """Stems that can replace each other: those of the treebank by part of speech, and names."""

    def __init__(
        self, entries: Sequence[Entry], facts: Mapping[str, Facts], held: Sequence[Entry]
    ) -> None:
        self.facts = facts
        self.by_pos: dict[int, list[str]] = defaultdict(list)
        for stem in sorted(stems_of(entries)):
            if stem in facts and facts[stem].pos and is_usual(stem):
                self.by_pos[facts[stem].pos].append(stem)
        known = stems_of(entries) | stems_of(held)
        self.names = [
            word for word in sorted(facts)
            if facts[word].dictionary != ORDINARY and facts[word].zipf >= KNOWN_NAME
            and is_usual(word) and word not in known
        ]  # fmt: skip

    def real(self, stem: str, rng: random.Random) -> str:
        """Return another stem with the same parts of speech; the stem itself if there is none."""
        pos = self.facts[stem].pos if stem in self.facts else 0
        return rng.choice(self.by_pos.get(pos) or [stem])

    def invented(self, stem: str, rng: random.Random) -> str:
        """Return a stem that looks like this one and does not exist; the stem itself if it does."""
        made = alter(stem, rng)
        return stem if made in self.facts else made

    def name(self, stem: str, rng: random.Random) -> str:
        """Return any name."""
        return rng.choice(self.names)


def stems_of(entries: Sequence[Entry]) -> set[str]:
    """Return the stems of some words."""
    leaves = (leaf for entry in entries for leaf in entry.readings[0].leaves())
    return {leaf.string for leaf in leaves if leaf.label == WORD}


def is_usual(stem: str) -> bool:
    """Whether a stem is neither short nor long nor odd."""
    return 3 <= len(stem) <= 7 and stem.isascii() and stem.isalpha()


def by_affix(entries: Sequence[Entry]) -> tuple[list[list[Entry]], list[list[Entry]]]:
    """Return the words with each affix, and those with each set of two or more affixes."""
    one: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    several: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    for entry in entries:
        affixes = [str(leaf) for leaf in entry.readings[0].leaves() if leaf.label != WORD]
        for affix in affixes:
            one[affix,].append(entry)
        if len(affixes) > 1:
            several[tuple(affixes)].append(entry)
    return [one[key] for key in sorted(one)], [several[key] for key in sorted(several)]


def hyphenated(entries: Sequence[Entry], count: int) -> list[Entry]:
    """Write a hyphen into words that begin with a prefix or are compounds."""
    found = []
    for entry in random.Random(SEED).sample(entries, len(entries)):
        tree = entry.readings[0]
        while not tree.is_leaf and tree.children[-1].label == SUFFIX:
            tree = tree.children[0]
        first = "" if tree.is_leaf else spellings(tree.children[0])[0]
        if first and entry.word.startswith(first) and entry.word.isalpha():
            word = f"{first}-{entry.word.removeprefix(first)}"
            found.append(replace(entry, word=word, fields=()))
    return found[:count]


def synthetic_words(entries: Sequence[Entry], stems: Stems, count: int) -> list[Entry]:
    """Make words that do not exist, built and spelt like words of the treebank.

    Of four, one has another stem that does exist (*unbloggable*), one a name (*bidenesque*), and
    two a stem that does not exist (*wugless*), of which one is respelt (*wuggable*). Without them
    the model would see no unknown words.
    """
    rng = random.Random(SEED)
    one_affix, several_affixes = by_affix(entries)
    found: dict[str, Entry] = {}
    while len(found) < count:
        # in turn: a random word, a word of a random affix, a word of a random set of affixes
        like = (entries, rng.choice(one_affix), rng.choice(several_affixes))[len(found) % 3]
        tree = rng.choice(like).readings[0]
        old = [leaf.string for leaf in tree.leaves() if leaf.label == WORD]
        if len(old) > 1 or not is_usual(old[0]):
            continue
        kind = len(found) % 4
        new = (stems.real, stems.name, stems.invented, stems.invented)[kind]
        made = _with_stems(tree, lambda stem, new=new: new(stem, rng))  # type: ignore[misc]
        word = spellings(made)[0]
        wanted = (not tree.is_leaf or kind == 2) and (kind != 3 or word != made.form)
        if wanted and made != tree and word.isalpha() and word not in stems.facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def synthetic_compounds(entries: Sequence[Entry], stems: Stems, count: int) -> list[Entry]:
    """Make compounds that do not exist, with stems of the treebank.

    Compounds with stems in two parts of the treebank are in none, so too few are left.
    """
    rng = random.Random(SEED)
    like = [entry.readings[0] for entry in entries if len(stems_of([entry])) > 1]
    found: dict[str, Entry] = {}
    while len(found) < count:
        tree = rng.choice(like)
        made = _with_stems(tree, lambda stem: rng.choice((stem, stems.real(stem, rng))))
        word = spellings(made)[0]
        if made != tree and word.isalpha() and word not in stems.facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def _with_stems(tree: Tree, new: Callable[[str], str]) -> Tree:
    """Return the tree with other stems."""
    if tree.is_leaf:
        return replace(tree, string=new(tree.string)) if tree.label == WORD else tree
    return replace(tree, children=tuple(_with_stems(child, new) for child in tree.children))


def silver(
    train: Sequence[Entry], held: Sequence[Entry], facts: dict[str, Facts]
) -> tuple[Entry, ...]:
    """Return the silver words, and say how many listed steps belong to families held out."""
    affixes = read_inventory(TREEBANK / "affixes.tsv")
    found = silver_words(gather_derivations("en"), train, held, affixes, facts)
    print(
        f"silver: {len(found.entries)} words; {found.held_out} steps of held-out families left out"
    )
    return found.entries


def training_words(*, with_silver: bool, every: int = 1) -> Treebank:
    """Return the training words, or every so manieth: treebank, synthetic and silver words."""
    train, facts = read("train").entries, gather("en")
    held = [entry for name in HELD_OUT for entry in read(name).entries]
    stems = Stems(train, facts, held)
    words = (
        *train,
        *synthetic_words(train, stems, SYNTHETIC),
        *synthetic_compounds(train, stems, COMPOUNDS),
        *hyphenated(train, HYPHENATED),
        *(silver(train, held, facts) if with_silver else ()),
    )
    return Treebank("train", words[::every])


def classified(model: Model) -> Model:
    """Add the morphological-complexity classifier to a model, and calibrate it anew."""
    model = with_complexity(model, read_complexity(COMPLEXITY), CLASSIFIER_WEIGHT)
    return calibrated(model, read("dev").entries)


def with_treebank(model: Model) -> Model:
    """Add what the treebank says of words and affixes and the model does not score."""
    affixes = read_inventory(TREEBANK / "affixes.tsv")
    return model.with_morphology(Treebank.read(TREEBANK / "entries").entries, affixes)


def write_header(path: Path) -> None:
    """Measure a finished model on dev and rewrite its header; every array stays as it is."""
    header, arrays = read_arrays(path)
    about = header["about"]
    about.pop("temperature", None)  # of older files; it stands beside the weights
    about["settings"] = current_names(about["settings"])
    dev = read("dev").entries
    about["data"]["dev"] = signature(dev)
    about["dev"] = dict(measured(Model.load(path), dev).header["dev"])
    write_arrays(path, header, {name: array.copy() for name, array in arrays.items()})


def main() -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, nargs="?", default=MODEL)
    parser.add_argument(
        "--no-silver", action="store_true", help="treebank and synthetic words only"
    )
    parser.add_argument("--without", default=SETTINGS.without, help="features to leave out")
    parser.add_argument("--paper", action="store_true", help="the paper's features")
    parser.add_argument("--every", type=int, default=1, help="train on every so manieth word")
    parser.add_argument("--epochs", type=int, default=SETTINGS.epochs)
    parser.add_argument("--no-classifier", action="store_true", help="no complexity classifier")
    parser.add_argument("--header-only", action="store_true", help="measure OUTPUT, train nothing")
    options = parser.parse_args()
    if options.header_only:
        write_header(options.output)
        return
    settings = replace(SETTINGS, without=options.without, epochs=options.epochs)
    if options.paper:
        settings = Settings(features="paper", estimator=settings.estimator, epochs=options.epochs)
    words = training_words(with_silver=not options.no_silver, every=options.every)
    trainer = Trainer(settings, words, read("dev"))
    for epoch in trainer.run():
        print(json_line(epoch), flush=True)
    model = trainer.model().pruned(PRUNED)
    if not options.no_classifier and not options.paper:
        model = classified(model)
    measured(with_treebank(model), read("dev").entries).save(options.output)


if __name__ == "__main__":
    main()
