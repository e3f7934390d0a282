"""Analyzer: what users hold; words in, their readings out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import numpy as np

from morphtree.decoder import CHUNK, Decoded, Decoder
from morphtree.estimators import Candidates, Importance, NBest, parse_estimator
from morphtree.model import Model
from morphtree.tree import WORD, Tree
from morphtree.treebank_entry import normalise

LONGEST_WORD = 64  # code points
Status = Literal["ok", "whole", "refused"]


@dataclass(frozen=True)
class Reading:
    """One analysis of a word: its tree, its canonical form, its probability in the list.

    A flat model has segments in place of a tree.
    """

    tree: Tree | tuple[str, ...]
    form: str
    prob: float


@dataclass(frozen=True)
class Analysis:
    """A word and its readings, best first.

    ``whole``: the word was not analysed and is left in one piece; ``refused``: there was no word.
    ``list_mass`` says how much of the transducer's probability the candidate forms hold.
    """

    word: str
    status: Status
    readings: tuple[Reading, ...]
    list_mass: float = 1.0
    reason: str = ""


class Analyzer:
    """A model that takes words as people write them."""

    def __init__(self, model: Model, name: str = "", *, jobs: int | None = None) -> None:
        self.model = model
        self.name = name
        self._jobs = jobs

    @cached_property
    def decoder(self) -> Decoder:
        """What finds the best analyses of many words."""
        return Decoder(self.model, jobs=self._jobs)

    def parse(
        self,
        word: str,
        n: int = 1,
        *,
        decode: NBest | Importance | None = None,
        seed: int = 1,
    ) -> Analysis:
        """Return the n best readings of a word; ``seed`` is for decoding by sampling."""
        plain = normalise(word)
        problem = _problem(plain)
        if problem:
            return self._unread(word, plain, *problem)
        return self._best(word, plain, n, decode or parse_estimator(self.model.decode), seed)

    def pipe(
        self,
        words: Iterable[str],
        *,
        decode: NBest | Importance | None = None,
        jobs: int | None = None,
        seed: int = 1,
    ) -> Iterator[Analysis]:
        """Yield the best reading of each word of a stream, in order."""
        decoder = self.decoder if jobs is None else Decoder(self.model, jobs=jobs)
        how = decode or parse_estimator(self.model.decode)
        stream = iter(words)
        while chunk := list(islice(stream, CHUNK)):
            plain = [normalise(word) for word in chunk]
            problems = [_problem(word) for word in plain]
            good = [w for w, problem in zip(plain, problems, strict=True) if not problem]
            decoded = iter(decoder.decode(good, how, seed=seed))
            for word, spelt, problem in zip(chunk, plain, problems, strict=True):
                if problem:
                    yield self._unread(word, spelt, *problem)
                else:
                    yield self._read(word, spelt, next(decoded))

    def _read(self, word: str, plain: str, best: Decoded) -> Analysis:
        if best.structure is None:
            return self._unread(word, plain, "whole", NO_ANALYSIS)
        reading = Reading(best.structure, best.form, best.prob)
        return Analysis(word, "ok", (reading,), best.list_mass)

    def _best(self, word: str, plain: str, n: int, how: NBest | Importance, seed: int) -> Analysis:
        """Find several readings, by the definition in joint.py over the same list of forms."""
        listed = self.decoder.lists([plain], how, seed)
        forms = tuple(self.decoder.lister.strings(listed)[0])
        priors = self.decoder.priors([plain], listed)
        candidates = Candidates(forms, np.zeros(len(forms)), priors=priors)
        joint = self.model.joint.sum(plain, candidates)
        if joint.log_partition() == -np.inf:
            return self._unread(word, plain, "whole", NO_ANALYSIS)
        readings = tuple(
            Reading(_shape(item.structure), item.form, item.prob) for item in joint.top_k(n)
        )
        return Analysis(word, "ok", readings, float(listed.list_mass()[0]))

    def _unread(self, word: str, plain: str, status: Status, reason: str) -> Analysis:
        if status == "refused":
            return Analysis(word, status, (), 0.0, reason)
        whole: Tree | tuple[str, ...] = Tree(WORD, string=plain)
        if self.model.structure.chain:
            whole = (plain,)
        return Analysis(word, status, (Reading(whole, plain, 1.0),), 1.0, reason)


NO_ANALYSIS = "no candidate form has a tree"


def _shape(structure: Any) -> Tree | tuple[str, ...]:
    """Return a tree as it is, a segmentation as its strings."""
    if isinstance(structure, Tree):
        return structure
    return tuple(segment.string for segment in structure)


def _problem(word: str) -> tuple[Status, str] | None:
    """Say why a word cannot be analysed, if it cannot."""
    if not word:
        return "refused", "the word is empty"
    if any(letter.isspace() or unicodedata.category(letter) == "Cc" for letter in word):
        return "refused", "a word has no blanks or control characters"
    if len(word) > LONGEST_WORD:
        return "whole", f"it has more than {LONGEST_WORD} letters"
    if not any(letter.isalpha() for letter in word):
        return "whole", "it has no letter"
    return None
