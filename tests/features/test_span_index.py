"""The index of span features as the kernels search it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import morphtree
from morphtree.decoding.decoder import Decoder
from morphtree.features import span_features, span_index
from morphtree.features.sets import FULL
from morphtree.features.span_index import _merged, _place_rows
from tests.small_training import model_of, prepared, random_weights

WORDS = ["readability", "unhappily", "reusable", "tests", "windows", "re-reads", "üb"]


@given(st.lists(st.sets(st.integers(0, 300), min_size=1, max_size=9), min_size=1, max_size=60))
def test_rows_share_no_cell_and_no_base(rows: list[set[int]]) -> None:
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    values = np.array([value for row in rows for value in sorted(row)], np.int32)
    bases = _place_rows(starts, values)
    cells = [base + value for base, row in zip(bases.tolist(), rows, strict=True) for value in row]
    assert len(set(cells)) == len(cells)
    assert len(set(bases.tolist())) == len(bases)
    assert min(cells) > 0  # the first cell is nobody's


def test_every_template_without_letters_is_part_of_a_table() -> None:
    templates = [template for template in FULL.spans if not template.letters]
    tables = [set(table) for table in _merged(templates)]
    assert all(any({*t.digits} <= table for table in tables) for t in templates)
    assert len(tables) < len(templates) / 3


@pytest.mark.parametrize("entries", [1, 200, 100_000])
def test_how_templates_are_put_into_tables_changes_nothing(
    entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = prepared()
    model = model_of(ready, random_weights(ready))
    before = [item.hypotheses for item in Decoder(model, jobs=1).decode(WORDS, n=3)]
    monkeypatch.setattr(span_index, "LARGEST_TABLE", entries)
    for ours, theirs in zip(Decoder(model, jobs=1).decode(WORDS, n=3), before, strict=True):
        assert [h[:2] for h in ours.hypotheses] == [h[:2] for h in theirs]
        assert [h.prob for h in ours.hypotheses] == pytest.approx([h.prob for h in theirs])


def test_lists_that_are_forgotten_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two lists, spans with other letters replace them all the time."""
    model = morphtree.load().model
    before = list(Decoder(model, jobs=1).decode(WORDS, n=2))
    monkeypatch.setattr(span_features, "LISTS", 2)
    monkeypatch.setattr(span_features, "LISTED_ROWS", 1)
    assert list(Decoder(model, jobs=1).decode(WORDS, n=2)) == before
