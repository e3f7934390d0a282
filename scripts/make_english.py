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
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from weak_supervision import silver_words

from morphtree.lexicon.resources import gather, gather_derivations
from morphtree.lexicon.word_facts import NAME, ORDINARY, Facts
from morphtree.model.complexity import LEVELS, read_complexity, with_complexity
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model
from morphtree.training.data import signature
from morphtree.training.dev_set import calibrated, measured
from morphtree.training.settings import Settings, current_names
from morphtree.training.trainer import Trainer, json_line
from morphtree.treebank.affixes import Affix, read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import SUFFIX, WORD, Tree

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "treebank" / "en"
HELD_OUT = "dev", "test", "test-random", "mixed", "examples"
CHOSEN = "everyday", "everyday-dev", "coined", "coined-dev"  # no stem is taken from them, either
MODEL = ROOT / "src" / "morphtree" / "models" / "en.model"
VOWELS = "aeiou"
SHORTEST, LONGEST_NAME = 3, 9  # letters of a stem that replaces another
SHORT = 6  # letters of a stem whose onset or rhyme invented ones have
USUAL = 10  # stems that an onset must have
SYNTHETIC, COMPOUNDS, NAMES, HYPHENATED, SEED = 10_000, 2500, 2000, 600, 5
LONGEST_SUFFIX = 5
KNOWN_NAME = 2.5  # how frequent a name must be, as a power of ten in a billion words
COMPLEXITY = ROOT / "knowledge" / "complexity-en.tsv.gz"
CLASSIFIER_WEIGHT = 0.8
COINED = 3  # how often a coined word counts when the temperature is fitted: they are few
PRUNED = 0.015  # smaller weights take megabytes and change next to nothing on dev
# Known stems are left out: dev has no word of a known stem.
SETTINGS = Settings(
    estimator="nbest:10:6", l2=3.0, dropout=(0.3, 0.4), stacking=0.2, epochs=5,
    patience=4, neighbour_proposals=0, decode="nbest:4:3", without="treebank",
    related=str(ROOT / "knowledge" / "related-en.tsv.gz"),
)  # fmt: skip


def read(name: str) -> Treebank:
    """Read a part of the treebank, or a list of chosen words."""
    folder = TREEBANK / ("chosen" if name in CHOSEN else "parts")
    return Treebank(name, Treebank.read(folder / f"{name}.brackets", "brackets").entries)


def onset(stem: str) -> str:
    """Return the consonants that a stem begins with."""
    return stem[: next((k for k, c in enumerate(stem) if c in VOWELS or (k and c == "y")), 0)]


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
        short = [stem for stem in sorted(stems_of(entries)) if is_usual(stem, SHORT)]
        onsets = Counter(onset(stem) for stem in short)
        self.onsets = [onset(stem) for stem in short if onsets[onset(stem)] >= USUAL]
        self.rhymes = [stem.removeprefix(onset(stem)) for stem in short if onset(stem)]
        known = stems_of(entries) | stems_of(held) | {entry.word for entry in held}
        self.names = [
            word for word in sorted(facts)
            if facts[word].dictionary != ORDINARY and facts[word].zipf >= KNOWN_NAME
            and is_usual(word, LONGEST_NAME) and word not in known
        ]  # fmt: skip

    def real(self, stem: str, rng: random.Random) -> str:
        """Return another stem with the same parts of speech; the stem itself if there is none."""
        pos = self.facts[stem].pos if stem in self.facts else 0
        return rng.choice(self.by_pos.get(pos) or [stem])

    def invented(self, stem: str, rng: random.Random) -> str:
        """Return a stem that does not exist, of an onset and a rhyme of two that do.

        Half of the rhymes are of the stem itself: they decide how affixes are spelt after it.
        """
        rhyme = stem.removeprefix(onset(stem))
        if rng.random() < 0.5 or len(stem) > SHORT:
            rhyme = rng.choice(self.rhymes)
        made = rng.choice(self.onsets) + rhyme
        return stem if made in self.facts or len(made) < SHORTEST else made

    def name(self, stem: str, rng: random.Random) -> str:
        """Return any name."""
        return rng.choice(self.names)


def stems_of(entries: Sequence[Entry]) -> set[str]:
    """Return the stems of some words."""
    leaves = (leaf for entry in entries for leaf in entry.readings[0].leaves())
    return {leaf.string for leaf in leaves if leaf.label == WORD}


def is_usual(stem: str, longest: int = 7) -> bool:
    """Whether a stem is neither short nor long nor odd."""
    return SHORTEST <= len(stem) <= longest and stem.isascii() and stem.isalpha()


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

    Of five, one has another stem that does exist (*unbloggable*), one a name (*bidenesque*), and
    three a stem that does not exist (*wugless, wuggable*). Without them the model would see no
    unknown words.
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
        kind = len(found) % 5
        new = (stems.real, stems.name, *[stems.invented] * 3)[kind]
        made = _with_stems(tree, lambda stem, new=new: new(stem, rng))  # type: ignore[misc]
        word = spellings(made)[0]
        wanted = kind > 1 or not tree.is_leaf
        if wanted and made != tree and word.isalpha() and word not in stems.facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def whole_names(stems: Stems, affixes: Sequence[Affix], count: int) -> list[Entry]:
    """Return names that are simple, however they look (*thatcher*).

    Those that may be derived from other names (*texan*) are left out.
    """
    suffixes = {affix.string for affix in affixes if affix.label == SUFFIX}

    def is_derived(name: str) -> bool:
        cuts = range(max(2, len(name) - LONGEST_SUFFIX), len(name))
        return any(
            name[cut:] in suffixes and is_name(stems.facts, name[:cut] + end)
            for cut in cuts for end in ("", "a", "e", "y")
        )  # fmt: skip

    plain = [n for n in stems.names if is_name(stems.facts, n) and not is_derived(n)]
    chosen = random.Random(SEED).sample(plain, count)
    return [Entry(name, (Tree.stem(name),)) for name in chosen]


def is_name(facts: Mapping[str, Facts], word: str) -> bool:
    """Whether the dictionary has a word with a capital only."""
    return word in facts and facts[word].dictionary == NAME


def synthetic_compounds(entries: Sequence[Entry], stems: Stems, count: int) -> list[Entry]:
    """Make compounds that do not exist, with stems of the treebank.

    Compounds with stems in two parts of the treebank are in none, so too few are left.
    """
    rng = random.Random(SEED)
    like = [entry.readings[0] for entry in entries if is_compound(entry)]
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
    chosen = [entry for name in CHOSEN for entry in read(name).entries]
    stems = Stems(train, facts, [*held, *chosen])
    words = (
        *train,
        *made_words(train, stems, {entry.word for entry in (*train, *held, *chosen)}),
        *hyphenated(train, HYPHENATED),
        *(silver(train, held, facts) if with_silver else ()),
    )
    return Treebank("train", words[::every])


def made_words(train: Sequence[Entry], stems: Stems, without: set[str]) -> list[Entry]:
    """Return synthetic words, the compounds a second time, and names.

    Every other compound of the language has stems in two parts and is in none of them: the second
    copy gives compounds the share that they have in the language.
    """
    affixes = read_inventory(TREEBANK / "affixes.tsv")
    made = (
        *synthetic_words(train, stems, SYNTHETIC),
        *synthetic_compounds(train, stems, COMPOUNDS),
        *whole_names(stems, affixes, NAMES),
    )
    compounds = [entry for entry in train if is_compound(entry)]
    return [*compounds, *(entry for entry in made if entry.word not in without)]


def is_compound(entry: Entry) -> bool:
    """Whether a word has several stems."""
    return sum(leaf.label == WORD for leaf in entry.readings[0].leaves()) > 1


def classified(model: Model, known: Sequence[Entry]) -> Model:
    """Add the morphological-complexity classifier to a model, and calibrate it anew.

    Of words that the model was trained on the treebank says whether they are complex. In training
    it must not, as it cannot for other words.
    """
    levels = read_complexity(COMPLEXITY) | known_levels(known)
    return calibrated(with_complexity(model, levels, CLASSIFIER_WEIGHT), calibration_words())


def known_levels(entries: Sequence[Entry]) -> dict[str, int]:
    """Return the levels of words whose trees are known: the lowest for a simple word."""
    return {e.word: 0 if e.readings[0].is_leaf else len(LEVELS) for e in entries}


def calibration_words() -> list[Entry]:
    """Return the words that the temperature is fitted on: known ones, and some unknown ones."""
    return [*read("dev").entries, *(read("coined-dev").entries * COINED)]


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
        model = classified(model, read("train").entries)
    measured(with_treebank(model), read("dev").entries).save(options.output)


if __name__ == "__main__":
    main()
