"""The words of a text: Unicode's word boundaries, and what is added to them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morphtree.running_text.tokens import Token, find_tokens

# Every class of the standard, and what this tool treats in its own way.
LETTERS = [
    *"abZ1_'\u2019.,;-\"·: \n/@", "\u0308", "\u200d", "\u00ad", "\u0915\u094d", "א", "״", "カ",
    "ひ", "漢", "ก", "👩", "🏽", "🇫", "é", "²", "Ⅷ", "ª", "\u200b", "\u2028", "ー", "\ufe4d",
    "\u0660", "\u066b",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(LETTERS), max_size=12).map("".join)


def words(text: str) -> list[str]:
    return [token.text for token in find_tokens(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cats, (cats) “cats”!", "The cats cats cats"),
        (
            "can't don\u2019t ma'am O'Brien's rock'n'roll",
            "can't don\u2019t ma'am O'Brien's rock'n'roll",
        ),
        ("'cats' the cats' tails 'tis", "cats the cats tails tis"),
        ("e-mail well-known 20-year-old co\u2011op", "e-mail well-known 20-year-old co\u2011op"),
        ("wait -- what -no- x\u2013y a—b", "wait what no x y a b"),  # dashes separate
        ("U.S. and the U.S.A., e.g. 5 a.m.", "U.S. and the U.S.A. e.g. a.m."),
        ("etc. Mr. end.", "etc Mr end"),
        ("COVID-19 1990s 4th mp3 42 3,14 1990-2000", "COVID-19 1990s 4th mp3"),
        ("note:this and/or snake_case _so_", "note this and or snake_case _so_"),
        ("see https://a.org/un-happy?x=y, www.a.org or me.x+y@mail.a.org.", "see or"),
        ("<https://a.org/cats> (http://a.org) cats", "cats"),
        ("@me #tag https: mail@ @home", "me tag https mail home"),
        ("naïve cafe\u0301s un\u00adhappy", "naïve cafe\u0301s un\u00adhappy"),
        ("👩‍👩‍👧cats 🇫🇷France 👍🏽ok", "cats France ok"),
        ("日本 ひら カタカナ ภา", "日 本 ひ ら カタカナ ภ า"),
        ("Привет, κόσμε! हिन्दी שלום", "Привет κόσμε हिन्दी שלום"),
        ("col·lecció", "col·lecció"),
        ("", ""),
        (" \n\t42 ... ", ""),
    ],
)
def test_words_are_found(text: str, found: str) -> None:
    assert words(text) == found.split()


@given(TEXTS)
def test_a_word_stands_where_it_says(text: str) -> None:
    end = 0
    for token in find_tokens(text):
        assert token.start >= end
        assert text[token.start : token.end] == token.text
        assert any(map(str.isalpha, token.text))
        end = token.end
    assert [*find_tokens(text, 100)] == [
        Token(word, start + 100, end + 100) for word, start, end in find_tokens(text)
    ]


@given(TEXTS)
def test_a_letter_is_in_a_word_or_in_an_address(text: str) -> None:
    text = text.replace("@", "")
    covered = {place for token in find_tokens(text) for place in range(token.start, token.end)}
    assert covered >= {place for place, letter in enumerate(text) if letter.isalpha()}


@settings(max_examples=1000)
@given(TEXTS)
def test_words_are_those_of_the_standard(text: str) -> None:
    """But for hyphens, colons, addresses, full stops of abbreviations, and emoji after a ZWJ."""
    library = pytest.importorskip("uniseg.wordbreak")
    text = text.translate(dict.fromkeys(map(ord, "-:@."))).replace("\u200d👩", "")
    expected = [word for word in library.words(text) if any(map(str.isalpha, word))]
    assert words(text) == expected


@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "a+", "a-", "a@", "a\u0308", "_", "1,", "א", 'א"', "http:/", "a.b@c.", "www."],
)
def test_no_text_takes_long(piece: str) -> None:
    began = time.perf_counter()
    for _ in find_tokens(piece * 100_000):
        pass
    assert time.perf_counter() - began < 20  # a quadratic pattern would take hours
