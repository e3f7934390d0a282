"""Following the file: what is derived from it is brought up to date by the words that changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from morphtree.web.editor.checks import Guidelines, complains
from morphtree.web.editor.journal import Journal
from morphtree.web.editor.records import Record

SKIP = "skipped"  # the note of a word that was put off


class Follower(Protocol):
    """Something that is derived from the records of words, each by itself."""

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Look again at some words, which may be gone."""


class Following:
    """Followers of a journal, and up to where they have followed it."""

    def __init__(self, journal: Journal, *followers: Follower) -> None:
        self._journal = journal
        self._followers = followers
        self._revision = 0

    def catch_up(self) -> Mapping[str, Record]:
        """Tell the followers what has changed; return the records that they know now."""
        news = self._journal.news(self._revision)
        if news.words:
            for follower in self._followers:
                follower.update(news.words, news.records)
        self._revision = news.revision
        return news.records


class Progress:
    """Which words have a reading, which need not be asked for, and which were put off."""

    def __init__(self, listed: Iterable[str]) -> None:
        self._listed = frozenset(listed)
        self.annotated: dict[str, None] = {}  # in the order of their newest lines
        self.done: dict[str, None] = {}  # only words of the list, if there is one
        self.skipped: dict[str, None] = {}

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Look again at some words."""
        for word in words:
            record = records.get(word)
            is_annotated = record is not None and bool(record.entry.readings)
            is_skipped = record is not None and record.fields.note.startswith(SKIP)
            is_listed = not self._listed or word in self._listed
            _put(self.annotated, word, is_annotated)
            _put(self.skipped, word, is_skipped)
            _put(self.done, word, is_listed and (is_annotated or is_skipped))


class Complaints:
    """The words of which a check complains, in the order in which their lines were read."""

    def __init__(self, guidelines: Guidelines) -> None:
        self._guidelines = guidelines
        self.words: dict[str, None] = {}

    def update(self, words: Iterable[str], records: Mapping[str, Record]) -> None:
        """Look again at some words."""
        for word in words:
            record = records.get(word)
            is_faulty = record is not None and complains(record, self._guidelines)
            _put(self.words, word, is_faulty)


def _put(found: dict[str, None], word: str, belongs: bool) -> None:
    """Put a word at the end, or take it out."""
    found.pop(word, None)
    if belongs:
        found[word] = None
