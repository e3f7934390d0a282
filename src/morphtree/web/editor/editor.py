"""Editor: what the page of an annotator asks for, answered as plain data."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import morphtree
from morphtree._util.text import normalise
from morphtree.analyzer import Analyzer
from morphtree.treebank.check import check_file
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from morphtree.web.editor.checks import Guidelines, check_tree
from morphtree.web.editor.compare import Comparison, compare
from morphtree.web.editor.family import FamilyIndex, check_family
from morphtree.web.editor.journal import Change, Journal, Record
from morphtree.web.editor.proposals import Counts, inventory, offers, proposed
from morphtree.web.editor.queue import DISAGREEMENT, LIST, MARGIN, Ranking, agreement, margin
from morphtree.web.editor.shape import Data, to_data
from morphtree.web.editor.training import Training

FINDINGS, SKIPPED, DIFFERENCES = "findings", "skipped", "differences"
SKIP = "skipped"  # the note of a word that was put off
SETTLED = "settled"  # the provenance of an entry that two annotators have agreed on


@dataclass(frozen=True)
class Setup:
    """What whoever starts the editor decides."""

    words: Sequence[str] = ()
    guidelines: Guidelines = field(default_factory=Guidelines)
    analyzer: Analyzer | None = None
    against: Analyzer | None = None  # a second model
    who: str = ""
    other: str = ""  # the file of a second annotator, to compare with
    training: Sequence[str] = ()  # options of `morphtree train`


def _is_done(record: Record | None) -> bool:
    """Whether a word need not be asked for: it has a reading, or somebody has put it off."""
    return record is not None and bool(record.entry.readings or record.fields.note.startswith(SKIP))


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
        self._families = FamilyIndex()
        self._counts = Counts(())
        self._revision = -1
        self._other: dict[str, Entry] = {}  # of the second annotator
        self._other_state: list[tuple[int, int]] | None = None
        self._lock = threading.RLock()
        self._rankings: dict[str, Ranking] = {}

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

    def close(self) -> None:
        """End what goes on beside."""
        self.training.stop()
        for ranking in self._rankings.values():
            ranking.stop()

    def use_model(self, path: Path) -> None:
        """Let a new model propose, and order the queue anew."""
        analyzer = morphtree.load(str(path), jobs=1)
        with self._lock:
            self.analyzer = analyzer
            for ranking in self._rankings.values():
                ranking.stop()
            self._rankings = {}

    # -- what there is ---------------------------------------------------------------------

    def state(self) -> Data:
        """Describe the file, the model and the queue."""
        records = self.journal.records()
        listed = self.setup.words or records.keys()
        readings = [record for record in records.values() if record.entry.readings]
        return {
            "name": self.journal.path.name,
            "who": self.setup.who,
            "model": Path(self.analyzer.name).name if self.analyzer else "",
            "other": Path(self.setup.other).name if self.setup.other else "",
            "orders": self.orders(),
            "entries": len(readings),
            "words": len(listed),
            "done": sum(_is_done(records.get(word)) for word in listed),
            "training": self.training.state,
        }

    def orders(self) -> list[str]:
        """Name the queues that there are, the most useful first."""
        found = [DIFFERENCES] if self.setup.other else []
        if self.setup.words:
            found += [MARGIN] if self.analyzer else []
            found += [DISAGREEMENT] if self.analyzer and self.setup.against else []
            found += [LIST]
        return [*found, FINDINGS, SKIPPED]

    def ahead(self, order: str, count: int) -> list[str]:
        """Return the next words of a queue."""
        records = self.journal.records()
        if order in (LIST, MARGIN, DISAGREEMENT):
            return self._ranking(order).ahead(count, lambda word: _is_done(records.get(word)))
        with self._lock:
            if order == DIFFERENCES:
                words = [d.word for d in self.compared().differences]
                words = [w for w in words if records[w].fields.prov != SETTLED]
            elif order == SKIPPED:
                words = [w for w, r in records.items() if r.fields.note.startswith(SKIP)]
            else:
                words = self._found()
        return [word for word in words if word not in self.visited][:count]

    def _ranking(self, order: str) -> Ranking:
        with self._lock:
            if order not in self._rankings:
                records = self.journal.records()
                waiting = [w for w in self.setup.words if not _is_done(records.get(w))]
                self._rankings[order] = Ranking(waiting, self._scorer(order))
            return self._rankings[order]

    def _scorer(self, order: str) -> Callable[[str], float] | None:
        if order == LIST or self.analyzer is None:
            return None
        own = self.analyzer.copy(jobs=1)
        if order == MARGIN:
            return lambda word: margin(own, word)
        against = self.setup.against
        other = against.copy(jobs=1) if against else own
        return lambda word: agreement(own, other, word)

    def _found(self) -> list[str]:
        """Return the words of which a check complains, in the order of the file."""
        if not self.journal.entries():
            return []
        guidelines = self.guidelines
        treebank, findings = check_file(self.journal.path, "brackets", affixes=guidelines.affixes)
        lines = {f.line for f in findings if guidelines.english or f.code != "respell"}
        _, counts, _ = self._knowledge()
        return [
            entry.word
            for entry in treebank.entries
            if entry.line in lines
            or any(
                finding.level != "hint"
                for tree in entry.readings
                for finding in check_tree(entry.word, tree, guidelines, counts)
            )
        ]

    # -- a word ----------------------------------------------------------------------------

    def word(self, word: str) -> Data:
        """Return all that the editor needs for a word: entry, readings, affixes, respellings."""
        word = normalise(word)
        record = self.journal.get(word)
        _, counts, _ = self._knowledge()
        return {
            "word": word,
            "record": record and self.record(record),
            "readings": self._readings(word, record, counts),
            **inventory(counts, self.guidelines.affixes or (), self.analyzer),
        }

    def record(self, record: Record) -> Data:
        """Describe the newest line of a word."""
        word, fields = record.entry.word, record.fields
        return {
            "version": record.version,
            "trees": [to_data(word, tree) for tree in record.entry.readings],
            "notations": [*map(str, record.entry.readings)],
            **{name: getattr(fields, name) for name in ("who", "when", "note", "prov")},
        }

    def _readings(self, word: str, record: Record | None, counts: Counts) -> list[Data]:
        theirs = self._theirs().get(word)
        with self._lock:  # an analyzer has one workspace
            return offers(word, record, theirs, proposed(word, self.analyzer, counts))

    def _knowledge(self) -> tuple[FamilyIndex, Counts, dict[str, Record]]:
        """Return what the file teaches, brought up to date."""
        with self._lock:
            records = self.journal.records()
            if self._revision != self.journal.revision:
                self._revision = self.journal.revision
                self._families.update(records)
                self._counts = Counts(self.journal.entries(), frozenset(self.setup.words))
            return self._families, self._counts, records

    # -- checking, saving, comparing -------------------------------------------------------

    def check(self, word: str, trees: Sequence[Tree]) -> list[Data]:
        """Return what the guidelines and the family say of an entry that is being made."""
        families, counts, records = self._knowledge()
        guidelines = self.guidelines
        found = [f for tree in trees for f in check_tree(word, tree, guidelines, counts)]
        with self._lock:
            found += check_family(word, trees, families, records)
        return [finding._asdict() for finding in dict.fromkeys(found)]

    def family(self, word: str, tree: Tree) -> list[Data]:
        """Return what would change in other entries if they analysed the parts of a tree alike."""
        families, _, records = self._knowledge()
        with self._lock:
            found = [*families.corrections(word, tree, records)]
        return [
            {
                "word": correction.record.entry.word,
                "base": correction.record.version,
                "note": correction.record.fields.note,
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
        plain = [replace(change, word=normalise(change.word)) for change in changes]
        saved = self.journal.save(plain, who or self.setup.who)
        self.visited |= {change.word for change in plain}
        return [self.record(record) for record in saved]

    def _theirs(self) -> dict[str, Entry]:
        """Return the second annotator's entries, read again if a file has changed."""
        with self._lock:
            if self.setup.other and self._other_state != (state := _state(Path(self.setup.other))):
                entries = Treebank.read(self.setup.other).entries
                self._other = {entry.word: entry for entry in entries}
                self._other_state = state
            return self._other

    def compared(self) -> Comparison:
        """Compare with the second annotator."""
        return compare({entry.word: entry for entry in self.journal.entries()}, self._theirs())

    def comparison(self) -> Data:
        """Describe the agreement of the two annotators, and each difference."""
        result, records = self.compared(), self.journal.records()
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
