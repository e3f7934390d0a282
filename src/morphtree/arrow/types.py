"""The type of an analysis in a column of Arrow."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from morphtree.errors import needs_extra

MISSING = "there is no word"  # why a null has no analysis


@cache
def arrow() -> Any:
    """Return the library pyarrow."""
    with needs_extra("arrow", "for columns of Arrow"):
        return import_module("pyarrow")


@cache
def analysis_type() -> Any:
    """Return the type of an analysis: of its best reading, or of the reason why there is none."""
    pa = arrow()
    morpheme = pa.struct(
        [("form", pa.string()), ("role", pa.string()), ("start", pa.int32()), ("end", pa.int32())]
    )
    return pa.struct(
        [
            ("tree", pa.string()), ("morphemes", pa.list_(morpheme)), ("prob", pa.float64()),
            ("category", pa.string()), ("source", pa.string()), ("reason", pa.string()),
        ]
    )  # fmt: skip
