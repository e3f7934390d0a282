"""The text with its morphemes marked, lines of JSON, a table of types."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import morphtree
from morphtree.errors import DataError
from morphtree.running_text.formats import is_mark, json_lines, marked, table, unmarked

PARTS = [
    "cats", "unhappily", "untestably", "e-mails", "col·lecció", "U.S.", " ", "·", "··", "-", ",",
    "|", "'s", "\n", "naïvely", "👍", "cafe\u0301s", "un\u00adhappy", "\u00ad",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)


def mark(text: str, sign: str = "·") -> str:
    return "".join(marked([text], morphtree.load().pipe, sign))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The cats sat, unhappily.\r\n", "The cat·s sat, un·happi·ly.\r\n"),
        ("untestably CATS e-mails", "un·test·abl·y CAT·S e-·mail·s"),
        ("a · b cats··", "a ·· b cat·s····"),
        ("col·lecció's", "col··lecció's"),  # has a mark of its own
        ("don't 42 https://cats.org", "don't 42 https://cats.org"),
        ("", ""),
    ],
)
def test_morphemes_are_marked(text: str, shown: str) -> None:
    assert mark(text) == shown
    assert unmarked(shown) == text


@settings(max_examples=300)
@given(TEXTS, st.sampled_from("·|-'.+"))
def test_marks_come_off_again(text: str, sign: str) -> None:
    assert unmarked(mark(text, sign), sign) == text


def test_a_mark_is_one_sign() -> None:
    assert all(map(is_mark, "·|-+'_"))
    for bad in ("", "ab", "a", "1", " ", "\u0301", "··"):
        with pytest.raises(DataError, match="is no mark"):
            mark("cats", bad)


@settings(max_examples=100)
@given(TEXTS)
def test_lines_of_json_have_places_in_the_whole_text(text: str) -> None:
    analyzer = morphtree.load()
    lines = "".join(json_lines([text[:7], text[7:]], analyzer.pipe)).splitlines()
    for line, word in zip(map(json.loads, lines), analyzer.text(text), strict=True):
        reading = word.analysis.readings[0]
        assert line == {
            "start": word.start, "end": word.end, "word": text[word.start : word.end],
            "status": word.analysis.status, "tree": reading.notation, "prob": reading.prob,
            "source": reading.source, "morphemes": [m._asdict() for m in word.morphemes],
        }  # fmt: skip
        spans = [(m["start"], m["end"]) for m in line["morphemes"]]
        assert all(word.start <= start <= end <= word.end for start, end in spans)


def test_a_table_counts_types() -> None:
    text = "Cats and cats. CATS and iPhones: untestably iphones U.S. u.s. Cafe\u0301 café"
    rows = [row.rstrip("\n").split("\t") for row in table([text], morphtree.load().pipe)]
    assert {row[0]: row[1] for row in rows} == {
        "cats": "3", "and": "2", "café": "2", "u.s.": "2", "iPhones": "1", "iphones": "1",
        "untestably": "1",
    }  # fmt: skip
    assert rows[0] == ["cats", "3", "[[cat] s]", "cat s", "1.0000"]
    assert [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
