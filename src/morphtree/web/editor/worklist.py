"""The list of words to annotate: it can grow, and has an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from morphtree.treebank.entry import need_word
from morphtree.web.editor.following import Following, Progress
from morphtree.web.editor.frequency import FrequencyList, how_to_get_one
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.queue import Ranking
from morphtree.web.editor.shape import Data

FREQUENT, FEW = 100, 6  # words of the frequency list that are queued at once, and shown before
LENGTHS = (1, 7)  # letters at least: all words, and those that are seldom simple
Scorer = Callable[[str], float]


class WorkList:
    """The words that are to be annotated, and which of them are done; callers hold a lock."""

    def __init__(
        self, journal: Journal, words: Sequence[str], frequency: FrequencyList, counts: Counts
    ) -> None:
        self._journal = journal
        self._frequency = frequency
        self._counts = counts
        self._rankings: dict[str, Ranking] = {}
        self._take(words)

    def _take(self, words: Sequence[str]) -> None:
        self.words = [*words]
        self.progress = Progress(words)
        self._file = Following(self._journal, self.progress)
        self._counts.words = frozenset(words)
        self.rank_anew()

    def catch_up(self) -> None:
        """Look at what the file has now."""
        self._file.catch_up()

    def rank_anew(self) -> None:
        """Forget the orders; also ends the threads that work them out."""
        for ranking in self._rankings.values():
            ranking.stop()
        self._rankings = {}

    def ranking(self, order: str, scorer: Callable[[], Scorer | None]) -> Ranking:
        """Return the words in an order; only some are scored, so those that are done come last."""
        if order not in self._rankings:
            score, done = scorer(), self.progress.done
            words = sorted(self.words, key=done.__contains__) if score else self.words
            self._rankings[order] = Ranking(words, score)
        return self._rankings[order]

    # -- growing -----------------------------------------------------------------------------

    def add(self, texts: Sequence[str]) -> Data:
        """Put words at the head of the list; say how many of them nobody has dealt with yet."""
        words = [*dict.fromkeys(need_word(text) for text in texts)]
        self.catch_up()
        done = {*self.progress.annotated, *self.progress.skipped}
        new = [word for word in words if word not in done]
        if new:
            self._take([*dict.fromkeys((*new, *self.words))])
        return {"words": words, "new": len(new)}

    def add_frequent(self, letters: int) -> Data:
        """Put the next words of the frequency list that are so long at the end of the list."""
        words = self._frequent(FREQUENT, letters)
        if words:
            self._take([*self.words, *words])
        return {"words": words, "new": len(words)}

    def _frequent(self, count: int, letters: int) -> list[str]:
        """Return frequent words that are neither annotated, skipped nor listed."""
        self.catch_up()
        done = {*self.progress.annotated, *self.progress.skipped, *self.words}
        long = (word for word in self._frequency.missing(done) if len(word) >= letters)
        return [*islice(long, count)]

    def frequent(self) -> Data:
        """Describe what the frequency list offers, or how to get one."""
        offers = [{"letters": least, "words": self._frequent(FEW, least)} for least in LENGTHS]
        return {
            "name": self._frequency.name,
            "count": FREQUENT,
            "offers": [offer for offer in offers if offer["words"]],
            "hint": "" if self._frequency.words else how_to_get_one(),
        }
