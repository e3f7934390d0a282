"""The saves that can be taken back, as the file remembers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from morphtree.web.editor.records import Record, Step

State = tuple[object, ...]


class Save(NamedTuple):
    """What somebody saved at once: for each word the state before and after."""

    steps: tuple[Step, ...]

    @property
    def who(self) -> str:
        """Whose save it is."""
        return self.steps[0].after.fields.who

    def is_current(self, records: Mapping[str, Record]) -> bool:
        """Whether nobody has changed its words since."""
        return all(_state(records.get(s.word)) == _state(s.after) for s in self.steps)

    def takes_back(self, earlier: Save) -> bool:
        """Whether every word is again as it was before an earlier save."""
        before = {s.word: (_state(s.before), _state(s.after)) for s in earlier.steps}
        return before == {s.word: (_state(s.after), _state(s.before)) for s in self.steps}


class Saves:
    """The saves of everybody that count: a save and the one that takes it back are both gone."""

    def __init__(self) -> None:
        self._by_author: dict[str, list[Save]] = {}

    def add(self, steps: Sequence[Step]) -> None:
        """Add lines that the editor has written, in their order."""
        begun: list[Step] = []
        for step in steps:
            if begun and step.more != begun[-1].more - 1:  # somebody has deleted lines
                begun = []
            begun.append(step)
            if not step.more:
                self._add(Save(tuple(begun)))
                begun = []

    def _add(self, save: Save) -> None:
        found = self._by_author.setdefault(save.who, [])
        if found and save.takes_back(found[-1]):
            found.pop()
        else:
            found.append(save)

    def last(self, who: str, records: Mapping[str, Record]) -> Save | None:
        """Return somebody's last save that still is the state of all its words."""
        found = reversed(self._by_author.get(who, ()))
        return next((save for save in found if save.is_current(records)), None)


def _state(record: Record | None) -> State:
    if record is None:
        return (), "", ""
    return record.entry.readings, record.fields.note, record.fields.prov
