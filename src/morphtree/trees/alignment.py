"""Where the letters of a canonical form are in the word."""

from __future__ import annotations

import numpy as np

from morphtree import _kernels as kernels
from morphtree._util.hashing import code_points


def align(word: str, form: str) -> list[int]:
    """Return where each boundary of the form, from 0 to its length, is in the word."""
    if word == form:
        return [*range(len(word) + 1)]
    steps = np.zeros((len(word) + 1, len(form) + 1), np.int32)
    position = np.zeros(len(form) + 1, np.int32)
    kernels.constituents.align(code_points(word), code_points(form), steps, position)
    places: list[int] = position.tolist()
    return places
