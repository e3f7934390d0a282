"""Words of many texts are counted as words of one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.corpus.counting import AT_ENDS, SEPARATORS, counted_words
from morphtree.running_text.formats import type_of
from morphtree.running_text.tokens import find_tokens
from tests.running_text.test_tokens import LETTERS

pa: Any = pytest.importorskip("pyarrow")

PIECES = [*LETTERS, *AT_ENDS, *SEPARATORS, "\x85", "\t", "cats", "Cats", "www", "http", "www.a",
          "://", "U.S", "e.g", "isn't", "well-known", "The", "THE", "McCall", "a@b.c",
          "--"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def plainly(texts: list[str]) -> Counter[str]:
    return Counter(type_of(token.text) for text in texts for token in find_tokens(text))


@given(st.lists(TEXTS, max_size=6))
def test_words_are_those_of_running_text(texts: list[str]) -> None:
    assert counted_words(texts) == plainly(texts)


@given(st.lists(st.text(max_size=40), max_size=4))
def test_words_of_any_text(texts: list[str]) -> None:
    assert counted_words(texts) == plainly(texts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cats, the (cats)!", {"the": 2, "cats": 2}),
        ("see http://a.org/cats www.cats.org www. cats@a.org", {"see": 1}),
        ("U.S. e.g. 'tis isn't.", {"u.s.": 1, "e.g.": 1, "tis": 1, "isn't": 1}),
        ("a\x1cb 42", {"a": 1, "b": 1}),
        ("", {}),
    ],
)
def test_some_texts(text: str, words: dict[str, int]) -> None:
    assert counted_words([text]) == words == plainly([text])
