"""Editor: what the page of an annotator asks for, answered as plain data."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import morphtree
from morphtree._util.text import normalise
from morphtree.analyzer import Analyzer
from morphtree.errors import MorphtreeError
from morphtree.treebank.entry import Entry, need_word
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD, Tree
from morphtree.web.editor.checks import Guidelines, check_tree
from morphtree.web.editor.compare import Comparing, Comparison
from morphtree.web.editor.family import FamilyIndex, check_family
from morphtree.web.editor.following import Complaints, Following
from morphtree.web.editor.frequency import NO_LIST, FrequencyList
from morphtree.web.editor.journal import Change, Journal
from morphtree.web.editor.proposals import Counts, inventory, offers, proposed
from morphtree.web.editor.queue import DISAGREEMENT, LIST, MARGIN, agreement, margin
from morphtree.web.editor.readiness import why_not_train
from morphtree.web.editor.records import Record
from morphtree.web.editor.shape import Data, to_data
from morphtree.web.editor.training import Training
from morphtree.web.editor.words_inside import is_common, words_inside
from morphtree.web.editor.worklist import Scorer, WorkList

FINDINGS, SKIPPED, DIFFERENCES, ANNOTATED = "findings", "skipped", "differences", "annotated"
REVISED = (DIFFERENCES, FINDINGS, SKIPPED, ANNOTATED)  # queues of words that the file has
SETTLED = "settled"  # the provenance of an entry that two annotators have agreed on


@dataclass(frozen=True)
class Setup:
    """What whoever starts the editor decides."""

    words: Sequence[str] = ()
    frequency: FrequencyList = NO_LIST
    guidelines: Guidelines = field(default_factory=Guidelines)
    analyzer: Analyzer | None = None
    against: Analyzer | None = None  # a second model
    who: str = ""
    other: str = ""  # the file of a second annotator, to compare with
    training: Sequence[str] = ()  # options of `morphtree train`


def _state(path: Path) -> list[tuple[int, int]]:
    """Return sizes and times of a file, or of a folder and its files; none if it is gone."""
    try:
        return [(s.st_size, s.st_mtime_ns) for s in (p.stat() for p in (path, *path.glob("*")))]
    except OSError:
        return []


class Editor:
    """The file, the model, the queue, and the answers to what the page asks."""

    def __init__(self, journal: Journal, setup: Setup) -> None:
        self.journal = journal
        self.setup = setup
        self.analyzer = setup.analyzer
        self.training = Training(journal.path, setup.training, self.use_model)
        self.visited: set[str] = set()  # since the start, for queues of finished words
        self._lock = threading.RLock()
        self._families = FamilyIndex()
        self._counts = Counts((), is_word=partial(is_common, guidelines=setup.guidelines))
        self._file = Following(journal, self._families, self._counts)
        self.list = WorkList(journal, setup.words, setup.frequency, self._counts)
        self._follow_complaints()
        self._follow_other({})
        self._other_state: list[tuple[int, int]] | None = None

    @property
    def guidelines(self) -> Guidelines:
        """What was agreed on; without a lexicon of its own, that of the model, if it has one."""
        given = self.setup.guidelines
        if self.analyzer is None:
            return given
        knowledge = self.analyzer.model.spans.knowledge
        usual = frozenset((label, s) for label, found in knowledge.closed.items() for s in found)
        lexicon = knowledge.lexicon if len(knowledge.lexicon) else None
        return replace(given, lexicon=given.lexicon or lexicon, usual=usual)

    def prepare(self) -> None:
        """Learn from the file what the first request would wait for."""
        self._catch_up()
        order = self.orders()[0]
        if order in (FINDINGS, DIFFERENCES):
            self.ahead(order, 1)

    def close(self) -> None:
        """End what goes on beside."""
        self.training.stop()
        self.list.rank_anew()

    def use_model(self, path: Path) -> None:
        """Let a new model propose, and order the queue anew."""
        analyzer = morphtree.load(str(path), jobs=1)
        with self._lock:
            self.analyzer = analyzer
            self.list.rank_anew()
            self._follow_complaints()

    def _follow_complaints(self) -> None:
        self._complaints = Complaints(self.guidelines)
        self._checked = Following(self.journal, self._complaints)

    def _follow_other(self, theirs: dict[str, Entry]) -> None:
        self._comparing = Comparing(theirs)
        self._beside = Following(self.journal, self._comparing)

    # -- what there is ---------------------------------------------------------------------

    def state(self, who: str = "") -> Data:
        """Describe the file, the model and the queue."""
        records = self._catch_up()
        progress = self.list.progress
        last = self.journal.last_save(who or self.setup.who)
        return {
            "name": self.journal.path.name,
            "who": self.setup.who,
            "model": Path(self.analyzer.name).name if self.analyzer else "",
            "other": Path(self.setup.other).name if self.setup.other else "",
            "labels": self.setup.guidelines.grammar.labels,
            "orders": self.orders(),
            "entries": len(progress.annotated),
            "listed": len(self.list.words),
            "words": len(self.list.words or records),
            "done": len(progress.done),
            "training": self.training_state(),
            "undo": last.steps[0].word if last else "",
        }

    def training_state(self) -> Data:
        """Say how far a training is, or why none can be started."""
        state = self.training.state
        try:
            self._catch_up()
            entries = len(self.list.progress.annotated)
            problem = why_not_train(entries, self.setup.training, state["running"])
        except MorphtreeError as error:  # the file, as somebody else has left it
            problem = str(error)
        return {**state, "problem": problem}

    def choices(self) -> Data:
        """Say what there is to annotate: the queues with their lengths, and frequent words."""
        with self._lock:
            left = len(self.list.words) - len(self._done()) if self.list.words else 0
            return {
                "queues": {
                    order: len(self._to_revise(order)) if order in REVISED else left
                    for order in self.orders()
                },
                "frequent": self.list.frequent(),
            }

    def add(self, words: Sequence[str]) -> Data:
        """Queue words that somebody has typed."""
        with self._lock:
            return self.list.add(words)

    def add_frequent(self, letters: int) -> Data:
        """Queue the next words of the frequency list that have so many letters, or more."""
        with self._lock:
            return self.list.add_frequent(letters)

    def orders(self) -> list[str]:
        """Name the queues that there are, the most useful first."""
        found = [DIFFERENCES] if self.setup.other else []
        if self.list.words:
            found += [MARGIN] if self.analyzer else []
            found += [DISAGREEMENT] if self.analyzer and self.setup.against else []
            found += [LIST]
        return [*found, FINDINGS, SKIPPED, ANNOTATED]

    def ahead(self, order: str, count: int) -> list[str]:
        """Return the next words of a queue."""
        if order in (LIST, MARGIN, DISAGREEMENT):
            with self._lock:
                done = self._done()
                ranking = self.list.ranking(order, lambda: self._scorer(order))
            return ranking.ahead(count, done)
        return [word for word in self._to_revise(order) if word not in self.visited][:count]

    def _done(self) -> dict[str, None]:
        with self._lock:
            self._catch_up()
            return self.list.progress.done.copy()

    def _to_revise(self, order: str) -> list[str]:
        """Return the words of a queue of finished ones."""
        with self._lock:
            if order == DIFFERENCES:
                result, records = self._compare()
                words = [difference.word for difference in result.differences]
                return [word for word in words if records[word].fields.prov != SETTLED]
            self._catch_up()
            if order == SKIPPED:
                return [*self.list.progress.skipped]
            if order == ANNOTATED:
                return [*self.list.progress.annotated]
            self._checked.catch_up()
            return [*self._complaints.words]

    def _scorer(self, order: str) -> Scorer | None:
        if order == LIST or self.analyzer is None:
            return None
        own = self.analyzer.copy(jobs=1)
        if order == MARGIN:
            return lambda word: margin(own, word)
        against = self.setup.against
        other = against.copy(jobs=1) if against else own
        return lambda word: agreement(own, other, word)

    # -- a word ----------------------------------------------------------------------------

    def word(self, word: str) -> Data:
        """Return all that the editor needs for a word: entry, readings, affixes, respellings."""
        with self._lock:  # an analyzer has one workspace
            word = self._plain(word)
            record = self._catch_up().get(word)
            theirs = self._theirs().get(word)
            found = proposed(word, self.analyzer, self._counts)
            return {
                "word": word,
                "record": record and self.record(record),
                "readings": offers(word, record, theirs, found),
                **inventory(self._counts, self.guidelines.affixes or (), self.analyzer),
                "steps": self.guidelines.grammar.steps(WORD),
                "words": words_inside(
                    word, self._counts, self.list.progress.annotated, self.guidelines
                ),
            }

    def _plain(self, text: str) -> str:
        """Return a word as the file has it; a new one must be such as `parse` takes."""
        word = normalise(text)
        return word if word in self._catch_up() else need_word(text)

    def record(self, record: Record) -> Data:
        """Describe the newest line of a word."""
        word, fields = record.entry.word, record.fields
        return {
            "version": record.version,
            "trees": [to_data(word, tree) for tree in record.entry.readings],
            "notations": [*map(str, record.entry.readings)],
            **{name: getattr(fields, name) for name in ("who", "when", "note", "prov")},
        }

    def _catch_up(self) -> Mapping[str, Record]:
        """Bring up to date what the file teaches; return its records."""
        with self._lock:
            self.list.catch_up()
            return self._file.catch_up()

    # -- checking, saving, comparing -------------------------------------------------------

    def check(self, word: str, trees: Sequence[Tree]) -> list[Data]:
        """Return what the guidelines and the family say of an entry that is being made."""
        guidelines = self.guidelines
        with self._lock:
            records = self._catch_up()
            found = [f for tree in trees for f in check_tree(word, tree, guidelines, self._counts)]
            found += check_family(word, trees, self._families, records)
        return [finding._asdict() for finding in dict.fromkeys(found)]

    def family(self, word: str, tree: Tree) -> list[Data]:
        """Return what would change in other entries if they analysed the parts of a tree alike."""
        with self._lock:
            found = [*self._families.corrections(word, tree, self._catch_up())]
        return [
            {
                "word": correction.record.entry.word,
                "base": correction.record.version,
                "note": correction.record.fields.note,
                "prov": correction.record.fields.prov,
                "part": correction.part,
                "before": [*map(str, correction.before)],
                "after": [*map(str, correction.after)],
                "was": [to_data(correction.record.entry.word, t) for t in correction.before],
                "trees": [to_data(correction.record.entry.word, t) for t in correction.after],
            }
            for correction in found
        ]

    def save(self, changes: Sequence[Change], who: str) -> list[Data]:
        """Append the changes; they are on the disk when this returns."""
        plain = [replace(change, word=self._plain(change.word)) for change in changes]
        saved = self.journal.save(plain, who or self.setup.who)
        self.visited |= {change.word for change in plain}
        return [self.record(record) for record in saved]

    def last_save(self, who: str) -> Data | None:
        """Describe somebody's last save that was not taken back: each word before and after."""
        save = self.journal.last_save(who or self.setup.who)
        if save is None:
            return None
        nothing = Record(Entry(""), "")
        return {
            "when": save.steps[0].after.fields.when,
            "writes": [
                {
                    "word": step.word,
                    "old": self.record(step.before or nothing),
                    "now": self.record(step.after),
                }
                for step in save.steps
            ],
        }

    def _theirs(self) -> Mapping[str, Entry]:
        """Return the second annotator's entries, read again if a file has changed."""
        with self._lock:
            if self.setup.other and self._other_state != (state := _state(Path(self.setup.other))):
                entries = Treebank.read(self.setup.other).entries
                self._follow_other({entry.word: entry for entry in entries})
                self._other_state = state
            return self._comparing.theirs

    def _compare(self) -> tuple[Comparison, Mapping[str, Record]]:
        """Compare with the second annotator; return also the records that were compared."""
        with self._lock:
            self._theirs()
            records = self._beside.catch_up()
            return self._comparing.result(), records

    def comparison(self) -> Data:
        """Describe the agreement of the two annotators, and each difference."""
        result, records = self._compare()
        rows = [
            {
                "word": difference.word,
                "kind": difference.kind,
                "first": [*map(str, difference.first)],
                "second": [*map(str, difference.second)],
                "settled": records[difference.word].fields.prov == SETTLED,
            }
            for difference in result.differences
        ]
        names = {"first": self.journal.path.name, "second": Path(self.setup.other).name}
        return {**result.counts, "differences": rows, **names}
