"""What a check of a treebank finds."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One fault; a warning does not make a check fail."""

    line: int
    code: str
    message: str
    is_error: bool = True
