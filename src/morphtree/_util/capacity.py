"""Capacity: how much the buffers of the kernels hold, and the retry where that is too little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from morphtree import _kernels as kernels

Result = TypeVar("Result")
MANY_READINGS = 20  # times what is asked for: more are not kept
ENOUGH, FEW_ROWS, FEW_MATCHES, FEW_ENTRIES = kernels.capacity.STATES


@dataclass
class Capacity:
    """Sizes of the buffers of a workspace."""

    word: int = 32  # letters
    form: int = 40
    forms: int = 64  # of a word
    readings: int = 1  # of a word
    rows: int = 1 << 12  # of span features, and their features
    features: int = 1 << 16
    matches: int = 1 << 14  # of edit features
    entries: int = 1 << 18  # of gradients

    def cover(self, word: int, form: int, forms: int, readings: int = 1) -> None:
        """Make sure of the capacity for such words and forms, and so many readings."""
        self.word = max(self.word, word)
        self.form = max(self.form, form)
        self.forms = max(self.forms, forms)
        if not readings <= self.readings <= MANY_READINGS * readings:  # many take much memory
            self.readings = readings

    def retry(self, attempt: Callable[[], tuple[int, Result]]) -> Result:
        """Return the result of the first attempt whose buffers were large enough.

        An attempt makes its buffers by these sizes, and reports what there was too little of.
        """
        while True:
            shortage, result = attempt()
            if shortage == ENOUGH:
                return result
            self._double(shortage)

    def _double(self, shortage: int) -> None:
        if shortage == FEW_ROWS:
            self.rows *= 2
            self.features *= 2
        elif shortage == FEW_MATCHES:
            self.matches *= 2
        else:
            self.entries *= 2
