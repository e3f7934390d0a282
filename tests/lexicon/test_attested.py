"""What is known about words: three sources for English, frequencies elsewhere, a user's file."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.errors import ModelError
from morphtree.lexicon import attested
from morphtree.lexicon.attested import (
    ADJ,
    ADV,
    NAME,
    NOUN,
    ORDINARY,
    UNKNOWN,
    VERB,
    Facts,
    attested_words,
    gather,
    pack,
    read_lexicon,
    unpack,
)

WHY = "needs pip install 'morphtree[train]'"


@pytest.fixture(scope="module")
def english() -> dict[str, Facts]:
    for package in ("wordfreq", "lemminflect", "spylls"):
        pytest.importorskip(package, reason=WHY)
    return gather("en")


@pytest.mark.parametrize(
    ("word", "dictionary", "pos"),
    [
        ("achieve", ORDINARY, VERB),
        ("achievable", ORDINARY, ADJ),  # achieve/B in the dictionary
        ("running", ORDINARY, NOUN | VERB),
        ("fast", ORDINARY, NOUN | VERB | ADJ | ADV),
        ("quickly", ORDINARY, ADV),
        ("could", ORDINARY, VERB),
        ("unhappiness", ORDINARY, NOUN),
        ("polish", ORDINARY, NOUN | VERB),  # not Polish
        ("dolores", NAME, 0),
        ("patagonian", NAME, NOUN | ADJ),
        ("colourless", UNKNOWN, ADJ),  # the dictionary is American
        ("grey", UNKNOWN, NOUN | VERB | ADJ),  # though it knows the name Grey
        ("teh", UNKNOWN, 0),
    ],
)
def test_english_words(english: dict[str, Facts], word: str, dictionary: int, pos: int) -> None:
    assert english[word][1:] == (dictionary, pos)


def test_frequencies_are_those_of_wordfreq(english: dict[str, Facts]) -> None:
    wordfreq = pytest.importorskip("wordfreq", reason=WHY)
    for word in ["don't", "dolores", *sorted(filter(str.isalpha, english))[::500]]:
        assert english[word].zipf == wordfreq.zipf_frequency(word, "en", "large")


def test_expansion_agrees_with_looking_up(english: dict[str, Facts]) -> None:
    hunspell = pytest.importorskip("spylls.hunspell", reason=WHY)
    with pytest.warns(ResourceWarning):  # spylls leaves its files open
        dictionary = hunspell.Dictionary.from_files("en_US")
    for word in sorted(filter(str.isalpha, english))[::200]:
        assert (english[word].dictionary == ORDINARY) == dictionary.lookup(word)


def test_words_are_sorted_and_made_of_letters(english: dict[str, Facts]) -> None:
    assert len(english) > 300_000
    assert list(english) == sorted(english)
    assert all(0 < len(word) <= 40 and word == word.lower() for word in english)
    assert not any(set("0123456789 ._@") & set(word) for word in english)
    assert not {"", "'", "-", "4th", "flat foot"} & english.keys()
    assert {"don't", "easy-going", "née"} <= english.keys()


def test_nothing_depends_on_the_hash_seed(english: dict[str, Facts]) -> None:
    code = "import zlib, morphtree.lexicon.attested as a\n"
    code += "print(zlib.crc32(repr(a.gather('en')).encode()))"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    output = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert int(output) == zlib.crc32(repr(english).encode())


def test_other_languages_have_frequencies_only() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason=WHY)
    swedish = gather("sv")
    assert swedish["hund"] == (wordfreq.zipf_frequency("hund", "sv"), UNKNOWN, 0)
    assert "हिन्दी" in gather("hi")  # its vowel signs are marks
    assert attested_words("sv") >= swedish.keys()
    assert gather("none") == {}
    assert attested_words("none") == set()
    with pytest.raises(ModelError, match=r"'xx'.* de, .*en"):
        gather("xx")


def test_attested_words_are_the_large_list() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason=WHY)
    words = attested_words("en")
    assert len(words) == len(set(wordfreq.iter_wordlist("en", "large")))
    assert "achieve" in words


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(ModelError, match=r"pip install 'morphtree\[train\]'.*wordfreq"):
        gather("en")


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


@given(st.builds(Facts, st.floats(0, attested.MAX_ZIPF), KINDS, st.integers(0, 15)))
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
