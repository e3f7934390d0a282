"""The kernels read lines and write rows as Python does."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import morphtree
from morphtree import _kernels as kernels
from morphtree._util.text import normalise
from morphtree.analysis import Reading
from morphtree.analyzer import Analyzer
from morphtree.decoding.analyses import Analyses
from morphtree.segment.rows import OF_ONE_READING, ROWS, is_of_objects
from morphtree.segment.writer import (
    CODE_POINTS,
    LETTER,
    OTHER,
    PlainRows,
    RowWriter,
    plain_characters,
    read_lines,
    read_word,
)
from morphtree.structures.structure import Structure
from morphtree.trees.chain import FLAT
from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree
from tests import fuzz
from tests.small_training import NOUN_TREES, NOUNS, model_of, prepared, random_weights

PLAIN = [style for style in ROWS if not is_of_objects(style, 1)]
KINDS: dict[str, dict[str, Any]] = {
    "tree": {},
    "chain": {"structure": "chain"},
    "compounds": {"grammar": "compounds"},
}
LETTERS = "abxyz-'äßж"
LABELS = (WORD, PREFIX, SUFFIX, "N", "a b]")


# -- probabilities ------------------------------------------------------------------------------


def probabilities() -> Iterator[float]:
    rng = random.Random(1)
    yield from (0.0, 1.0, np.nextafter(1.0, 2.0), 5e-324, 1e-300, 0.99995, 0.00005)
    yield from (rng.random() for _ in range(20_000))
    yield from (10 ** rng.uniform(-8, 0) for _ in range(5_000))
    yield from (k / 65536 for k in range(65537))  # many of them in the middle of two answers
    for k in range(10_000):
        half = (k + 0.5) / 10_000
        yield from (np.nextafter(half, 0.0), half, np.nextafter(half, 1.0))


def test_probabilities_are_rounded_as_python_does() -> None:
    for p in map(float, probabilities()):
        number = kernels.rows.four_digits(p)
        assert f"{number // 10_000}.{number % 10_000:04d}" == f"{p:.4f}", p.hex()


# -- lines --------------------------------------------------------------------------------------


def kinds() -> Any:
    made = np.zeros(CODE_POINTS, np.uint8)
    for letter in LETTERS:
        made[ord(letter)] = LETTER if letter.isalpha() else OTHER
    return made


def check_lines(chunk: bytes) -> None:
    """A word is plain if and only if reading and normalising it changes nothing."""
    lines = read_lines(chunk, kinds())
    found = [chunk[a:b] for a, b in pairwise(lines.starts)]
    assert found == BytesIO(chunk).readlines()
    for line, number in zip(found, lines.numbers.tolist(), strict=True):
        word, fault = read_word(line)
        plain = not fault and set(word) <= set(LETTERS) and any(map(str.isalpha, word))
        assert (plain and b"\xef\xbb\xbf" not in line) == (number >= 0), line
        assert number < 0 or lines.words[number] == word == normalise(word)
    assert len(set(lines.words)) == len(lines.words)


@given(st.lists(st.text(LETTERS + "Aé \r\t\ufeff", max_size=70), max_size=20))
def test_plain_lines_are_found(lines: list[str]) -> None:
    check_lines("\n".join(lines).encode())


NOT_UTF8 = (
    b"\xc1\xa1",
    b"\xe0\x81\xa1",
    b"a\xc3",
    b"\xf0\x80\x81\xa1",
    b"\xff",
    b"\xf8\x88",
    b"\x80",
)


def test_any_bytes_are_cut_into_lines() -> None:
    check_lines(b"\n".join(fuzz.lines(500, seed=1)))
    for odd in (b"", b"\n", *NOT_UTF8):
        check_lines(odd)
        check_lines(b"ab\n" + odd + b"\nab")


def test_characters_that_change_beside_others_are_not_plain() -> None:
    assert plain_characters("abA -\tß") == ["a", "b", "ß"]
    assert plain_characters("aé\u0301") == ["a"]  # an accent makes another letter of an a
    assert plain_characters("a\u1100\u1161") == ["a"]  # and two of these make one
    assert plain_characters("жшя") == ["ж", "ш", "я"]


# -- trees --------------------------------------------------------------------------------------


def trees() -> st.SearchStrategy[Tree]:
    strings = st.text("ab:[]\\# ä𝔞", min_size=1, max_size=4)
    leaves = st.builds(lambda label, s: Tree(label, string=s), st.sampled_from(LABELS), strings)
    return st.recursive(
        leaves,
        lambda below: st.builds(
            lambda label, parts: Tree(label, tuple(parts)),
            st.sampled_from(LABELS),
            st.lists(below, min_size=1, max_size=4),
        ),
        max_leaves=12,
    )


def nodes_of(tree: Tree, at: int = 0) -> list[list[int]]:
    """The nodes of a tree as a chart has them: at most two children, by labels of its own."""
    label, size = LABELS.index(tree.label), len(tree.form)
    rows, parts = [[label, at, at + size, min(2, len(tree.children))]], tree.children
    for number, child in enumerate(parts):
        if 0 < number < len(parts) - 1:
            rows.append([len(LABELS), at, 0, 2])
        rows += nodes_of(child, at)
        at += len(child.form)
    return rows


def best_of(rows: list[list[int]], form: str, prob: float) -> Analyses:
    one = np.zeros((1, 1), np.int32)
    return Analyses(
        one, one + len(form), np.array([[[*map(ord, form)]]], np.int64),
        np.log(np.array([[prob]])), np.array([[rows]], np.int32), one + len(rows), np.ones(1),
        np.zeros(1, np.uint8),
    )  # fmt: skip


class Labels:
    """As much of a grammar as rows need."""

    labels = LABELS

    def __init__(self, silent: bool) -> None:
        self.has_silent_start = silent


@pytest.mark.parametrize("style", PLAIN)
@given(tree=trees(), word=st.text("abä", min_size=1, max_size=9), silent=st.booleans())
def test_rows_of_any_tree(style: str, tree: Tree, word: str, silent: bool) -> None:
    structure: Any = type("Structure", (), {"grammar": Labels(silent), "chain": None})
    rows = [[0, 0, len(tree.form), 1]] * silent + nodes_of(tree)
    codes = np.array([*map(ord, word)], np.int64)
    starts = np.array([0, len(word)], np.int32)
    best = best_of(rows, tree.form, 0.25)
    text, ends = PlainRows(style, structure).write(codes, starts, best, 0.0)
    analysis = morphtree.Analysis(word, "ok", (Reading(tree, tree.form, 0.25, word),))
    assert text.decode() == f"{ROWS[style](analysis, 1)}\n"
    assert ends.tolist() == [len(text)]


@pytest.mark.parametrize("structure", [Structure(COMPOUNDS), Structure(FLAT.grammar, FLAT)])
def test_a_word_without_a_likely_reading_is_whole(structure: Structure) -> None:
    best = best_of([[0, 0, 1, 0]], "a", 0.5)._replace(lengths=np.array([[-1]], np.int32))
    codes, starts = np.array([97, 98, 58], np.int64), np.array([0, 3], np.int32)
    text, _ = PlainRows("tsv", structure).write(codes, starts, best, 0.0)
    tree = "ab:" if structure.chain else "[ab\\:]"
    assert text.decode() == f"ab:\tab:\t{tree}\t1.0000\n"


# -- all together -------------------------------------------------------------------------------


def expected(analyzer: Analyzer, lines: list[bytes], style: str, n: int = 1) -> bytes:
    """The rows as one word after the other gives them."""
    rows = []
    for line in lines:
        word, fault = read_word(line)
        refused = morphtree.Analysis(word, "refused", (), 0.0, fault)
        rows.append(ROWS[style](refused if fault else analyzer.parse(word, n), n))
    return "".join(f"{text}\n" for text in rows).encode()


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    words = ["unhappily", "readers", "tests", "zzz", "Tests", "runners", "co-run", "näher", "b'"]
    return [*(word.encode() for word in words * 2), b"", b"\xff", b"x" * 65, b"i" * 64, b" run\t"]


@pytest.mark.parametrize("style", ROWS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_prob", [0.0, 0.6])
def test_rows_of_any_model(kind: str, style: str, min_prob: float, lines: list[bytes]) -> None:
    ready = prepared(**KINDS[kind])
    analyzer = Analyzer(model_of(ready, random_weights(ready)), jobs=1, min_prob=min_prob)
    done = RowWriter(analyzer, style)(b"\n".join(lines))
    assert done.rows == expected(analyzer, lines, style)
    assert [number for number, _ in done.errors] == [18, 19, 20]
    assert done.lines == len(lines)
    if style not in OF_ONE_READING:
        several = RowWriter(analyzer, style, 3)(b"\n".join(lines))
        assert several.rows == expected(analyzer, lines, style, 3)
        assert several.errors == done.errors


@pytest.mark.parametrize("style", PLAIN)
def test_rows_of_a_grammar_of_ones_own(style: str, lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "nouns").write_text(NOUNS, encoding="utf-8")
    ready = prepared(NOUN_TREES, grammar=str(tmp_path / "nouns"))
    analyzer = Analyzer(model_of(ready, random_weights(ready)), jobs=1)
    assert RowWriter(analyzer, style)(b"\n".join(lines)).rows == expected(analyzer, lines, style)


def test_overrides_win(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("corner\t[[corn] er]\n", encoding="utf-8")
    analyzer = morphtree.load(overrides=str(tmp_path / "own"))
    rows = RowWriter(analyzer, "tsv")(b"cats\ncorner\ncorner").rows.decode().splitlines()
    assert rows[1:] == ["corner\tcorn er\t[[corn] er]\t1.0000"] * 2
    assert rows[0].startswith("cats\tcat s\t[[cat] s]\t")


# -- lines that cannot be segmented, and several readings ---------------------------------------

ODD = {  # what is in the line, and the word that is shown
    b"": "",
    b"\xff": "\\xff",
    b" b\xc3d ": "b\\xc3d",
    b"two words": "two words",
    b"a\tb": "a\\tb",
    b"a\rb\x00c": "a\\rb\\x00c",
    "a\u2028b\x85c\u2029d".encode(): "a\\u2028b\\x85c\\u2029d",
    b"x" * 65: "x" * 65,
}


@pytest.mark.parametrize("style", ["tsv", "sigmorphon"])
@pytest.mark.parametrize("n", [1, 3])
def test_a_failed_row_keeps_its_word_and_is_one_row(style: str, n: int) -> None:
    if n > 1 and style in OF_ONE_READING:
        return
    done = RowWriter(morphtree.load(), style, n)(b"\n".join(ODD))
    rows = done.rows.decode().removesuffix("\n").split("\n")
    assert [row.split("\t")[0] for row in rows] == [*ODD.values()]
    assert rows == done.rows.decode().splitlines()  # by whatever ends a line in Python
    assert all("".join(row.split("\t")[1:]) == "" for row in rows)
    assert {row.count("\t") for row in rows} == {1 if style == "sigmorphon" else 3 * n}
    assert [number for number, _ in done.errors] == [*range(len(ODD))]


def test_a_failed_row_of_json_says_why() -> None:
    done = RowWriter(morphtree.load(), "jsonl")(b"\n".join(ODD))
    found = [morphtree.Analysis.from_dict(json.loads(row)) for row in done.rows.splitlines()]
    assert [a.word for a in found][4] == "a\tb"  # JSON can hold it
    assert {(a.status, a.readings) for a in found} == {("refused", ())}
    assert [(n, a.reason) for n, a in enumerate(found)] == done.errors


def test_the_first_of_several_readings_is_the_only_one() -> None:
    words = b"unlockable\ncats\n\nleaves"
    one = RowWriter(morphtree.load(), "tsv")(words).rows.decode().splitlines()
    rows = [
        r.split("\t")
        for r in RowWriter(morphtree.load(), "tsv", 4)(words).rows.decode().splitlines()
    ]
    assert ["\t".join(row[:4]) for row in rows] == one
    assert {len(row) for row in rows} == {1 + 3 * 4}
    assert {rows[0][2], rows[0][5]} == {"[un [[lock] able]]", "[[un [lock]] able]"}
    for row in rows:
        probs = [float(cell) for cell in row[3::3] if cell]
        assert probs == sorted(probs, reverse=True)
