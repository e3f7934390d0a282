"""Train the English model that comes with the package, on the train part of treebank/en.

    python scripts/make_english.py [OUTPUT] [--no-silver] [--without GROUP] [--paper] [--every N]
                                   [--no-complexity]

Needs ``morphtree[train]``; takes about seven minutes on two cores. The settings were chosen
on the dev part. The test parts are read only to keep their families out of the silver words; the
published data are not read. At the end a morphological-complexity classifier
(`morphtree.model.complexity`, knowledge/complexity-en.tsv.gz) is set beside the trained model.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from morphtree.lexicon.attested import ORDINARY, Facts, gather
from morphtree.lexicon.derivations import gather_derivations
from morphtree.model.complexity import read_complexity, with_complexity
from morphtree.model.model import Model
from morphtree.training.data import Source
from morphtree.training.dev_set import calibrated
from morphtree.training.silver import silver_words
from morphtree.training.trainer import Settings, Trainer, json_line
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
COINED, COMPOUNDS, HYPHENATED, SEED = 8000, 1500, 600, 5
KNOWN_NAME = 2.5  # how frequent a name must be, as a power of ten in a billion words
COMPLEXITY = ROOT / "knowledge" / "complexity-en.tsv.gz"
CLASSIFIER = 0.5  # its weight
LEAST = 0.015  # of a weight; what is left out changes next to nothing on dev and weighs megabytes
SETTINGS = Settings(
    estimator="nbest:10:6", l2=3.0, dropout=(0.3, 0.4), stacking=0.2, epochs=5,
    patience=4, near=0, decode="nbest:4:3",
    related=str(ROOT / "knowledge" / "related-en.tsv.gz"),
)  # fmt: skip


def read(name: str) -> Source:
    """Read a part of the treebank."""
    return Source(name, Treebank.read(TREEBANK / "parts" / f"{name}.brackets", "brackets").entries)


def coin(stem: str, rng: random.Random) -> str:
    """Change two letters of a stem, a vowel to a vowel and a consonant to a consonant.

    Its last two stay, if it has four: they decide how it is spelt before an affix.
    """
    letters = [*stem]
    for place in rng.sample(range(max(2, len(stem) - 2)), 2):
        same = VOWELS if letters[place] in VOWELS else CONSONANTS
        letters[place] = rng.choice(same)
    return "".join(letters)


class Stems:
    """Stems to put in each other's place: those of the treebank, by what they can be, and names."""

    def __init__(
        self, entries: Sequence[Entry], facts: Mapping[str, Facts], held: Sequence[Entry]
    ) -> None:
        self.facts = facts
        self.alike: dict[int, list[str]] = defaultdict(list)
        for stem in sorted(stems_of(entries)):
            if stem in facts and facts[stem].pos and usual(stem):
                self.alike[facts[stem].pos].append(stem)
        known = stems_of(entries) | stems_of(held)
        self.names = [
            word for word in sorted(facts)
            if facts[word].dictionary != ORDINARY and facts[word].zipf >= KNOWN_NAME
            and usual(word) and word not in known
        ]  # fmt: skip

    def real(self, stem: str, rng: random.Random) -> str:
        """Return another stem with the same parts of speech; the stem itself if there is none."""
        pos = self.facts[stem].pos if stem in self.facts else 0
        return rng.choice(self.alike.get(pos) or [stem])

    def invented(self, stem: str, rng: random.Random) -> str:
        """Return a stem that looks like this one and does not exist; the stem itself if it does."""
        made = coin(stem, rng)
        return stem if made in self.facts else made

    def name(self, stem: str, rng: random.Random) -> str:
        """Return any name."""
        return rng.choice(self.names)


def stems_of(entries: Sequence[Entry]) -> set[str]:
    """Return the stems of some words."""
    leaves = (leaf for entry in entries for leaf in entry.readings[0].leaves())
    return {leaf.string for leaf in leaves if leaf.label == WORD}


def usual(stem: str) -> bool:
    """Whether a stem is neither short nor long nor odd."""
    return 3 <= len(stem) <= 7 and stem.isascii() and stem.isalpha()


def alike(entries: Sequence[Entry]) -> tuple[list[list[Entry]], list[list[Entry]]]:
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


def coined(entries: Sequence[Entry], stems: Stems, count: int) -> list[Entry]:
    """Make words that do not exist, built and spelt like words of the treebank.

    Of four, one has another stem that does exist (*unbloggable*), one a name (*bidenesque*), and
    two a stem that does not exist (*wugless*), of which one is respelt (*wuggable*). Without them
    the model would see no unknown words.
    """
    rng = random.Random(SEED)
    by_affix, by_affixes = alike(entries)
    found: dict[str, Entry] = {}
    while len(found) < count:
        # of three words one is like any, one has any affix, one has any several affixes together
        like = (entries, rng.choice(by_affix), rng.choice(by_affixes))[len(found) % 3]
        tree = rng.choice(like).readings[0]
        old = [leaf.string for leaf in tree.leaves() if leaf.label == WORD]
        if len(old) > 1 or not usual(old[0]):
            continue
        kind = len(found) % 4
        new = (stems.real, stems.name, stems.invented, stems.invented)[kind]
        made = _with_stems(tree, lambda stem, new=new: new(stem, rng))  # type: ignore[misc]
        word = spellings(made)[0]
        wanted = (not tree.is_leaf or kind == 2) and (kind != 3 or word != made.form)
        if wanted and made != tree and word.isalpha() and word not in stems.facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def coined_compounds(entries: Sequence[Entry], stems: Stems, count: int) -> list[Entry]:
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


def training_words(*, with_silver: bool, every: int = 1) -> Source:
    """Return all words to train on, or every so manieth: the treebank's and made-up ones."""
    train, facts = read("train").entries, gather("en")
    held = [entry for name in HELD_OUT for entry in read(name).entries]
    stems = Stems(train, facts, held)
    words = (
        *train,
        *coined(train, stems, COINED),
        *coined_compounds(train, stems, COMPOUNDS),
        *hyphenated(train, HYPHENATED),
        *(silver(train, held, facts) if with_silver else ()),
    )
    return Source("train", words[::every])


def classify(path: Path) -> None:
    """Set the classifier beside a model, and calibrate it anew."""
    classified = with_complexity(Model.load(path), read_complexity(COMPLEXITY), CLASSIFIER)
    calibrated(classified, read("dev").entries).save(path)


def main() -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, nargs="?", default=MODEL)
    parser.add_argument("--no-silver", action="store_true", help="treebank and coined words only")
    parser.add_argument("--without", default=SETTINGS.without, help="features to leave out")
    parser.add_argument("--paper", action="store_true", help="the paper's features")
    parser.add_argument("--every", type=int, default=1, help="train on every so manieth word")
    parser.add_argument("--epochs", type=int, default=SETTINGS.epochs)
    parser.add_argument("--no-complexity", action="store_true", help="without the classifier")
    options = parser.parse_args()
    settings = replace(SETTINGS, without=options.without, epochs=options.epochs)
    if options.paper:
        settings = Settings(features="paper", estimator=settings.estimator, epochs=options.epochs)
    words = training_words(with_silver=not options.no_silver, every=options.every)
    trainer = Trainer(settings, words, read("dev"))
    for epoch in trainer.run():
        print(json_line(epoch), flush=True)
    trainer.model().pruned(LEAST).save(options.output)
    if not options.no_complexity and not options.paper:
        classify(options.output)


if __name__ == "__main__":
    main()
