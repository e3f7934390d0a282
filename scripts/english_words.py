"""The words that the English model is trained on: treebank, synthetic and silver words.

Silver words are of no family that is held out, and no synthetic word has a stem of one; the test
parts are read for that only. The published data are not read.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from weak_supervision import silver_words

from morphtree.lexicon.resources import gather, gather_derivations
from morphtree.lexicon.word_facts import NAME, ORDINARY, Facts
from morphtree.treebank.affixes import Affix, read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import SUFFIX, WORD, Tree

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "treebank" / "en"
PARTS = "train", "dev", "test", "test-random", "mixed", "examples"
CHOSEN = "everyday", "everyday-dev", "coined", "coined-dev"  # no stem is taken from them, either
VOWELS = "aeiou"
SHORTEST, LONGEST_NAME = 3, 9  # letters of a stem that replaces another
SHORT = 6  # letters of a stem whose onset or rhyme invented ones have
USUAL = 10  # stems that an onset must have
SYNTHETIC, COMPOUNDS, NAMES, HYPHENATED, SEED = 10_000, 2500, 2000, 600, 5
LONGEST_SUFFIX = 5
PARTICLES = "in", "out", "up", "down", "over", "under", "off", "on"
KNOWN_NAME = 2.5  # how frequent a name must be, as a power of ten in a billion words


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
    three a stem that does not exist (*wugless*), every tenth one doubled (*wuggable*). Without
    them the model would see no unknown words, and would not know that *wugg* is no stem.
    """
    rng = random.Random(SEED)
    one_affix, several_affixes = by_affix(entries)
    roots = [math.sqrt(len(words)) for words in one_affix]  # productive affixes more often

    found: dict[str, Entry] = {}
    while len(found) < count:
        # in turn: a random word, a word of a random affix, a word of a random set of affixes
        one = rng.choices(one_affix, roots)[0]
        like = (entries, one, rng.choice(several_affixes))[len(found) % 3]
        tree = rng.choice(like).readings[0]
        old = [leaf.string for leaf in tree.leaves() if leaf.label == WORD]
        if len(old) > 1 or not is_usual(old[0]):
            continue
        kind = len(found) % 5
        new = (stems.real, stems.name, *[stems.invented] * 3)[kind]
        made = _with_stems(tree, lambda stem, new=new: new(stem, rng))  # type: ignore[misc]
        word = spellings(made)[0]
        wanted = kind > 1 or not tree.is_leaf
        if len(found) % 10 == 9:
            wanted = is_doubled(made, word)
        if wanted and made != tree and word.isalpha() and word not in stems.facts:
            found[word] = Entry(word, (made,))
    return list(found.values())


def is_doubled(tree: Tree, word: str) -> bool:
    """Whether a word is written with the last letter of its stem doubled."""
    [stem] = (leaf.string for leaf in tree.leaves() if leaf.label == WORD)
    return stem + stem[-1] in word and stem + stem[-1] not in tree.form


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

    Compounds with stems in two parts of the treebank are in none, so too few are left. One in six
    begins with a particle: that is a closed class (docs/treebank.md), but each particle is a stem
    of one part, and the words of most of them are in no part to learn from.
    """
    rng = random.Random(SEED)
    like = [entry.readings[0] for entry in entries if is_compound(entry)]
    particles = [tree for tree in like if next(tree.leaves()).string in PARTICLES]

    def new(stem: str) -> str:
        if stem in PARTICLES:
            return rng.choice(PARTICLES)
        return rng.choice((stem, stems.real(stem, rng)))

    found: dict[str, Entry] = {}
    while len(found) < count:
        tree = rng.choice(like if len(found) % 6 else particles)
        made = _with_stems(tree, new)
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


def parts(names: Iterable[str]) -> list[Entry]:
    """Return the words of some parts of the treebank, or of lists of chosen words."""
    return [entry for name in names for entry in read(name).entries]


def training_words(names: Sequence[str], *, with_silver: bool = True, every: int = 1) -> Treebank:
    """Return the words to train on, given the parts of the treebank; or every so manieth."""
    train, facts = parts(names), gather("en")
    held = parts(name for name in PARTS if name not in names)
    chosen = parts(CHOSEN)
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
