"""Columns of Arrow hold what objects say."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import morphtree
import morphtree.arrow
from morphtree.analyzer import Analyzer
from morphtree.arrow.columns import ColumnWriter, row
from morphtree.arrow.types import MISSING, analysis_type
from morphtree.errors import NotAWordError
from morphtree.segment.rows import ROWS
from tests import fuzz
from tests.small_training import NOUN_TREES, NOUNS, model_of, prepared, random_weights

pa: Any = pytest.importorskip("pyarrow")

WORDS = ("cats", "Cats", "CATS", "untestably", "happily", "unlockables", "blackbirds", "mice",
         "secularnesses", "xqzt", "x")  # fmt: skip
STRANGE = ("", "two words", "don't", "PhDs", "well-known", "naïve", "x" * 70, "1990s", "42",
           "O'Neill's", "walkin'", "McCall", "\u00e9clair", "e\u0301clair", "日本")  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "tree": {}, "chain": {"structure": "chain"}, "compounds": {"grammar": "compounds"},
}  # fmt: skip


def expected(analyzer: Analyzer, words: list[str | None]) -> list[dict[str, Any]]:
    rows = ({"reason": MISSING} if w is None else row(analyzer.parse(w)) for w in words)
    found: list[dict[str, Any]] = pa.array(rows, analysis_type()).to_pylist()
    return found


def check(analyzer: Analyzer, words: list[str | None]) -> None:
    found = ColumnWriter(analyzer)(pa.array(words, pa.string())).to_pylist()
    assert found == expected(analyzer, words)


def test_every_kind_of_word_in_any_order() -> None:
    analyzer = morphtree.load(jobs=1)
    words = [*WORDS, *STRANGE, None] * 2
    random.Random(1).shuffle(words)
    check(analyzer, words)


def test_strange_words() -> None:
    rng = random.Random(1)
    words = [make(rng) for make in (fuzz.any_plane, fuzz.bent) for _ in range(60)]
    fit = [w for w in words if w.isprintable() and w.encode(errors="ignore").decode() == w]
    check(morphtree.load(jobs=1), [*fit, *WORDS])


def test_no_words() -> None:
    writer = ColumnWriter(morphtree.load(jobs=1))
    assert writer(pa.array([], pa.string())).to_pylist() == []
    assert writer(pa.array([None], pa.string())).to_pylist()[0]["reason"] == MISSING
    assert (
        writer(pa.chunked_array([["cats"], ["mice", "cats"]])).to_pylist()[2]["tree"] == "[[cat] s]"
    )


def test_a_column_of_nulls_has_no_type() -> None:
    writer = ColumnWriter(morphtree.load(jobs=1))
    nulls = pa.nulls(2)
    for words in (nulls, pa.chunked_array([nulls[:1], nulls[1:]]), nulls.dictionary_encode()):
        assert [cell["reason"] for cell in writer(words).to_pylist()] == [MISSING] * 2


@pytest.mark.parametrize("kind", ["large_string", "string_view", "dictionary"])
def test_strings_of_every_kind(kind: str) -> None:
    words = pa.array(["cats", None, "cats"])
    words = words.dictionary_encode() if kind == "dictionary" else words.cast(getattr(pa, kind)())
    found = ColumnWriter(morphtree.load(jobs=1))(words).to_pylist()
    assert [cell["tree"] for cell in found] == ["[[cat] s]", None, "[[cat] s]"]


@pytest.mark.parametrize(
    ("words", "kind"), [([1], "int64"), ([b"cats"], "binary"), ([["cats"]], "list<")]
)
def test_a_column_of_anything_else_is_refused(words: list[Any], kind: str) -> None:
    with pytest.raises(NotAWordError, match=f"a column of the type {kind}.* has no words; give"):
        ColumnWriter(morphtree.load(jobs=1))(pa.array(words))


def test_more_words_than_are_decoded_together() -> None:
    analyzer = morphtree.load(jobs=1)
    stems = ("cat", "govern", "test", "quick", "lock", "nation", "read")
    firsts, middles = ("", "un", "re"), ("", "able", "ize", "er")
    lasts = ("", "s", "ness", "ly", "ment", "ing", "ful")
    words = ["".join(parts) for parts in product(firsts, stems, middles, lasts)]
    assert len(words) > 512
    check(analyzer, [*words])


SMALL = ("unhappily", "readers", "tests", "Tests", "runners", "co-run", "run", "i" * 64, None, "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_prob", [0.0, 0.6])
def test_models_of_every_structure(kind: str, min_prob: float) -> None:
    ready = prepared(**KINDS[kind])
    analyzer = Analyzer(model_of(ready, random_weights(ready)), jobs=1, min_prob=min_prob)
    check(analyzer, [*SMALL])


def test_a_grammar_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "nouns").write_text(NOUNS, encoding="utf-8")
    ready = prepared(NOUN_TREES, grammar=str(tmp_path / "nouns"))
    check(Analyzer(model_of(ready, random_weights(ready)), jobs=1), [*SMALL])


def test_overrides_and_doubts_are_those_of_the_analyzer() -> None:
    analyzer = morphtree.load(overrides={"cats": "[cats]"}, min_prob=0.9, jobs=1)
    check(analyzer, ["cats", "Cats", "unlockable", "mice"])
    found = ColumnWriter(analyzer)(pa.array(["unlockable"])).to_pylist()[0]
    assert found["reason"] == "no reading has a probability of 0.9"


def test_the_same_bits_as_segment() -> None:
    analyzer = morphtree.load(jobs=1)
    words = [word for word in WORDS if word.islower()]
    found = morphtree.arrow.parse(words)
    for word, cell in zip(words, found.to_pylist(), strict=True):
        morphemes = " ".join(morpheme["form"] for morpheme in cell["morphemes"])
        line = f"{word}\t{morphemes}\t{cell['tree']}\t{cell['prob']:.4f}"
        assert line == ROWS["tsv"](analyzer.parse(word), 1)
