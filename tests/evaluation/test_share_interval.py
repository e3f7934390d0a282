"""The interval of a share of words, known to be right for few of them."""

from __future__ import annotations

import pytest

from morphtree.evaluation.significance import share_interval


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [  # Newcombe 1998, table I: method 3
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718), (5, 5, 0.5655, 1.0),
    ],
)  # fmt: skip
def test_wilsons_interval(right: int, total: int, low: float, high: float) -> None:
    assert share_interval(right, total) == pytest.approx((low, high), abs=5e-5)
    mirrored = share_interval(total - right, total)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)
