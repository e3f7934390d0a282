"""Families of words that share a stem."""

from __future__ import annotations

from typing import Any

import pytest

import morphtree

daft: Any = pytest.importorskip("daft")
from morphtree.corpus import tables  # noqa: E402


def test_a_hyphen_is_no_part_of_a_stem() -> None:
    words = ["well-known", "well", "wells", "well-being-well", "un-", "two words"]
    found = daft.from_pydict({"word": words, "count": [1, 2, 4, 8, 1, 1]})
    found = found.with_column("found", morphtree.daft.parse("word"))
    found = found.select("word", "count", daft.col("found")["morphemes"].alias("morphemes"))
    families = {f["stem"]: [*f.values()][1:] for f in tables.families(found).to_pylist()}
    assert families["well"] == [4, 15, 1]  # each word once
    assert families["known"] == [1, 1, 1]
    assert not any("-" in stem for stem in families)
    forms = {m["form"] for m in tables.morphemes(found).to_pylist()}
    assert {"well", "well-"} <= forms
