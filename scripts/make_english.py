"""Train the English model that comes with the package, on the train part of treebank/en.

    python scripts/make_english.py [OUTPUT] [--no-silver] [--without GROUP] [--paper] [--every N]

Needs ``morphtree[train]``; takes about a quarter of an hour on two cores. The settings were chosen
on the dev part. The test parts are read only to keep their families out of the silver words; the
published data are not read.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from morphtree.attested import Facts, gather
from morphtree.derivations import gather_derivations
from morphtree.respell import spellings
from morphtree.silver import silver_words
from morphtree.train import Settings, Trainer, json_line
from morphtree.training_data import Source
from morphtree.tree import SUFFIX, WORD, Tree
from morphtree.treebank import Treebank
from morphtree.treebank_affixes import read_inventory
from morphtree.treebank_entry import Entry

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "treebank" / "en"
HELD_OUT = "dev", "test", "test-random", "mixed", "examples"
MODEL = ROOT / "src" / "morphtree" / "models" / "en.model"
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
COINED, HYPHENATED, SEED = 6000, 600, 5
LEAST = 0.01  # of a weight; what is left out changes no decision on dev and weighs a megabyte
# What other words of the treebank say of a stem is left out: dev has no word of a known stem.
SETTINGS = Settings(
    estimator="nbest:10:6", dropout=(0.3, 0.4), stacking=0.2, hidden=0.7, epochs=5, patience=4,
    near=0, decode="nbest:4:3", without="family",
    related=str(ROOT / "knowledge" / "related-en.tsv.gz"),
)  # fmt: skip


def read(name: str) -> Source:
    """Read a part of the treebank."""
    return Source(name, Treebank.read(TREEBANK / "parts" / f"{name}.brackets", "brackets").entries)


def coin(stem: str, rng: random.Random) -> str:
    """Change two letters of a stem, a vowel to a vowel and a consonant to a consonant."""
    letters = [*stem]
    for place in rng.sample(range(len(stem)), 2):
        same = VOWELS if letters[place] in VOWELS else CONSONANTS
        letters[place] = rng.choice(same)
    return "".join(letters)


class Stems:
    """Stems of the treebank by what they can be, to put in each other's place."""

    def __init__(self, entries: Sequence[Entry], facts: Mapping[str, Facts]) -> None:
        self.speech = {word: facts[word].pos for word in sorted(facts) if facts[word].pos}
        self.alike: dict[int, list[str]] = defaultdict(list)
        for stem in sorted({leaf.string for e in entries for leaf in e.readings[0].leaves()}):
            if stem in self.speech and usual(stem):
                self.alike[self.speech[stem]].append(stem)

    def swap(self, stem: str, rng: random.Random) -> str:
        """Return another stem with the same parts of speech; the stem itself if there is none."""
        return rng.choice(self.alike.get(self.speech.get(stem, 0)) or [stem])


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


def coined(entries: Sequence[Entry], facts: Mapping[str, Facts], count: int) -> list[Entry]:
    """Make words that do not exist, built and spelt like words of the treebank.

    Half of them have another stem that does exist (*unbloggable*), half one that does not
    (*wugless*). Without them the model would see no unknown words.
    """
    rng = random.Random(SEED)
    stems = Stems(entries, facts)
    by_affix, by_affixes = alike(entries)
    found: dict[str, Entry] = {}
    while len(found) < count:
        # of three words one is like any, one has any affix, one has any several affixes together
        like = (entries, rng.choice(by_affix), rng.choice(by_affixes))[len(found) % 3]
        tree = rng.choice(like).readings[0]
        old = [leaf.string for leaf in tree.leaves() if leaf.label == WORD]
        if len(old) > 1 or not usual(old[0]) or not spellings(tree)[0].isalpha():
            continue
        real = len(found) % 4 < 2 and not tree.is_leaf
        stem = stems.swap(old[0], rng) if real else coin(old[0], rng)
        made = _with_stem(tree, stem)
        word = spellings(made)[0]
        if (stem in facts) == real and word not in facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def _with_stem(tree: Tree, stem: str) -> Tree:
    if tree.is_leaf:
        return replace(tree, string=stem) if tree.label == WORD else tree
    return replace(tree, children=tuple(_with_stem(child, stem) for child in tree.children))


def silver(train: Sequence[Entry], facts: dict[str, Facts]) -> tuple[Entry, ...]:
    """Return the silver words, and say how many listed steps belong to families held out."""
    held = [entry for name in HELD_OUT for entry in read(name).entries]
    affixes = read_inventory(TREEBANK / "affixes.tsv")
    found = silver_words(gather_derivations("en"), train, held, affixes, facts)
    print(
        f"silver: {len(found.entries)} words; {found.held_out} steps of held-out families left out"
    )
    return found.entries


def training_words(*, with_silver: bool, every: int = 1) -> Source:
    """Return all words to train on, or every so manieth: the treebank's and made-up ones."""
    train, facts = read("train").entries, gather("en")
    more = silver(train, facts) if with_silver else ()
    words = (*train, *coined(train, facts, COINED), *hyphenated(train, HYPHENATED), *more)
    return Source("train", words[::every])


def main() -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, nargs="?", default=MODEL)
    parser.add_argument("--no-silver", action="store_true", help="treebank and coined words only")
    parser.add_argument("--without", default=SETTINGS.without, help="features to leave out")
    parser.add_argument("--paper", action="store_true", help="the paper's features")
    parser.add_argument("--every", type=int, default=1, help="train on every so manieth word")
    parser.add_argument("--epochs", type=int, default=SETTINGS.epochs)
    options = parser.parse_args()
    settings = replace(SETTINGS, without=options.without, epochs=options.epochs)
    if options.paper:
        settings = Settings(features="paper", estimator=settings.estimator, epochs=options.epochs)
    words = training_words(with_silver=not options.no_silver, every=options.every)
    trainer = Trainer(settings, words, read("dev"))
    for epoch in trainer.run():
        print(json_line(epoch), flush=True)
    trainer.model().pruned(LEAST).save(options.output)


if __name__ == "__main__":
    main()
