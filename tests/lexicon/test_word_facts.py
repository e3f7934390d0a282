"""Facts about a word: a user's file of them, and 14 bits that hold them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.errors import ModelError
from morphtree.lexicon.word_facts import (
    ADJ,
    ADV,
    MAX_ZIPF,
    NAME,
    NOUN,
    ORDINARY,
    UNKNOWN,
    VERB,
    Facts,
    pack,
    read_lexicon,
    unpack,
)

# -- a user's own lexicon -------------------------------------------------------------------


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "words.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_lexicon_is_read(tmp_path: Path) -> None:
    text = """\ufeff# our words
Haus\t5.25\tn\td

gehen\t\tvv # no frequency
cafe\u0301
ob\r
mother-in-law\t4\t\tn
o'er\t0\tnvar\t
ob\t6
"""
    assert read_lexicon(write(tmp_path, text)) == {
        "haus": (5.25, ORDINARY, NOUN),
        "gehen": (3.0, UNKNOWN, VERB),
        "caf\u00e9": (3.0, UNKNOWN, 0),
        "ob": (6.0, UNKNOWN, 0),
        "mother-in-law": (4.0, NAME, 0),
        "o'er": (0.0, UNKNOWN, NOUN | VERB | ADJ | ADV),
    }


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("two words", "'two words' is not a word"),
        ("\t3", "'' is not a word"),
        ("b2b", "'b2b' is not a word"),
        ("-", "'-' is not a word"),
        ("x" * 41, "at most 40 letters"),
        ("word\tmany", "zipf 'many'"),
        ("word\t-1", "zipf '-1'"),
        ("word\tnan", "zipf 'nan'"),
        ("word\t10", "from 0 to 9"),
        ("word\t3\tnx", "parts of speech 'nx'"),
        ("word\t3\tn\ty", "'y' after the parts of speech"),
        ("word\t3\tn\td\td", "more than four fields"),
        (b"caf\xe9", "not UTF-8"),
    ],
)
def test_a_bad_line_is_refused(tmp_path: Path, line: str | bytes, complaint: str) -> None:
    encoded = line if isinstance(line, bytes) else line.encode()
    path = write(tmp_path, b"# fine\nfine\n" + encoded + b"\n")
    with pytest.raises(ModelError, match=complaint) as caught:
        read_lexicon(path)
    assert str(caught.value).startswith(f"{path}:3: ")


@pytest.mark.parametrize("name", [".", "nowhere.tsv"])
def test_an_unreadable_lexicon_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match=r"the lexicon .* cannot be read"):
        read_lexicon(tmp_path / name)


# -- packing --------------------------------------------------------------------------------

KINDS = st.sampled_from([UNKNOWN, ORDINARY, NAME])


@given(st.builds(Facts, st.floats(0, MAX_ZIPF), KINDS, st.integers(0, 15)))
def test_packing_keeps_all_but_a_little_of_zipf(facts: Facts) -> None:
    packed = pack(facts)
    again = unpack(packed)
    assert 0 <= packed < 1 << 14
    assert again[1:] == facts[1:]
    assert (again.zipf == 0) == (facts.zipf == 0)
    assert abs(again.zipf - facts.zipf) <= (1 / 32 if facts.zipf >= 1 / 32 else 1 / 16)


@given(st.integers(0, 255), KINDS, st.integers(0, 15))
def test_unpacking_is_exact(zipf: int, dictionary: int, pos: int) -> None:
    packed = zipf | dictionary << 8 | pos << 10
    assert pack(unpack(packed)) == packed


def test_a_frequency_beyond_all_bounds_is_clamped() -> None:
    assert unpack(pack(Facts(1e9, NAME, 15))) == (255 / 16, NAME, 15)
