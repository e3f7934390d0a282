"""The words of a text with their analyses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest

import morphtree
from morphtree.analysis import Morpheme
from morphtree.errors import NotAWordError
from morphtree.running_text import blocks, words
from morphtree.running_text.words import answered

TEXT = "The cats sat, un\u00adhappily. Cats' e-mails: naïvely untestable!\r\n"


def test_an_analyzer_takes_a_text() -> None:
    analyzer = morphtree.load()
    found = [*analyzer.text(TEXT)]
    assert [word.text for word in found] == [
        "The", "cats", "sat", "un\u00adhappily", "Cats", "e-mails", "naïvely", "untestable",
    ]  # fmt: skip
    for word in found:
        assert TEXT[word.start : word.end] == word.text
        assert word.analysis == analyzer.parse(word.text)
    assert found[1].morphemes == (
        Morpheme("cat", "stem", 4, 7),
        Morpheme("s", "suffix", 7, 8),
    )
    assert len(next(analyzer.text("leaves", 2)).analysis.readings) == 2


def test_a_text_may_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    analyzer = morphtree.load()
    whole = [*analyzer.text(TEXT * 3)]
    assert [*analyzer.text(TEXT[n : n + 5] for n in range(0, len(TEXT), 5))] == whole[:8]
    assert [*analyzer.text(TEXT * 3)] == whole


def test_each_distinct_word_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    asked: list[str] = []

    def ask(new: list[str]) -> Iterable[str]:
        asked.extend(new)
        return map(str.upper, new)

    found = [*answered(TEXT * 5, ask)]
    assert len(found) > 10
    assert sorted(asked) == sorted({token.text for block in found for token in block.words})
    answers = chain.from_iterable(block.answers for block in found)
    tokens = chain.from_iterable(block.words for block in found)
    assert [*answers] == [token.text.upper() for token in tokens]


def test_memory_is_bounded_and_frequent_words_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 64)
    monkeypatch.setattr(words, "REMEMBERED", 20)
    asked: list[str] = []

    def ask(new: list[str]) -> list[str]:
        asked.extend(new)
        return new

    recent = words.Recent(ask)
    most = 0
    for n in range(100):
        batch = ["the", f"word{n}", f"rare{n}"]
        assert recent.answers(batch) == batch
        most = max(most, len(recent._young) + len(recent._old))
    assert asked.count("the") == 1
    assert most <= 2 * (20 + 3)
    assert recent.answers(["word0"]) == ["word0"]
    assert asked.count("word0") == 2  # it was forgotten


@pytest.mark.parametrize("text", [None, b"The cats", 5, ["The", None]])
def test_what_is_no_text_is_one_sentence(text: Any) -> None:
    with pytest.raises(NotAWordError, match="and a text is a string, or strings that follow"):
        [*morphtree.load().text(text)]
