"""What to look at next: a list, what the model is least sure of, or what a check complains of."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Container, Iterable
from itertools import chain, islice
from pathlib import Path

from morphtree._util.files import read_text
from morphtree._util.text import content_lines
from morphtree.analyzer import Analyzer
from morphtree.treebank.formats import READERS, detect
from morphtree.treebank.formats.lines import read_words as listed_words

LOG = logging.getLogger(__name__)
LIST, MARGIN, DISAGREEMENT = "list", "margin", "disagreement"
MOST_SCORED = 2000  # words that are scored at a time: enough for days
FIRST, PATIENCE = 50, 1.0  # words that the first answer waits for, and how many seconds at most


def read_words(path: str | Path) -> list[str]:
    """Read words, one a line, or those of a treebank without its trees."""
    text = read_text(Path(path))
    lines = [*content_lines(text)]
    if any("\t" in line or " = " in line for _, line in lines):
        parsed = READERS[detect(text)](text)
        return [*dict.fromkeys(entry.word for entry in parsed.entries)]
    return [*dict.fromkeys(listed_words(lines, str(path)))]


def margin(analyzer: Analyzer, word: str) -> float:
    """Return how far the best reading of a word is ahead of the next."""
    probs = [reading.prob for reading in analyzer.parse(word, 2).readings]
    return (probs[0] if probs else 0.0) - (probs[1] if len(probs) > 1 else 0.0)


def agreement(first: Analyzer, second: Analyzer, word: str) -> float:
    """Return a number below 0 if two models disagree: the surer they are, the lower it is."""
    left, right = first.parse(word).readings, second.parse(word).readings
    if not left or not right:
        return 0.0
    sure = min(left[0].prob, right[0].prob)
    return 1 - sure if left[0].tree == right[0].tree else -sure


class Ranking:
    """Words in the order of a score that a thread works out; until then, in their own order."""

    def __init__(self, words: Iterable[str], score: Callable[[str], float] | None) -> None:
        self.words = [*words]
        self.scores: dict[str, float] = {}
        self._score = score
        self._stopped = threading.Event()
        self.begun = threading.Event()  # enough words are scored for a first answer
        self._thread: threading.Thread | None = None
        if score is not None:
            self._thread = threading.Thread(target=self._work, name="rank", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        assert self._score is not None
        for word in self.words[:MOST_SCORED]:
            if self._stopped.is_set():
                break
            try:
                self.scores[word] = self._score(word)
            except Exception as error:  # it keeps its place after those with a score
                LOG.warning("%r has no score: %s", word, error)
            if len(self.scores) >= FIRST:
                self.begun.set()
        self.begun.set()

    def stop(self) -> None:
        """Let the thread end."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def ahead(self, count: int, done: Container[str]) -> list[str]:
        """Return the next words that are not done: scored ones first, the lowest score ahead."""
        if self._thread is not None:
            self.begun.wait(PATIENCE)
        scores = self.scores.copy()
        ranked = sorted(scores, key=lambda word: (scores[word], word))
        rest = (word for word in self.words if word not in scores)
        return [*islice((word for word in chain(ranked, rest) if word not in done), count)]
