"""What is known about words: frequencies, dictionaries, parts of speech."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib

import pytest

from morphtree.errors import ModelError
from morphtree.lexicon.resources import (
    DICTIONARIES,
    attested_words,
    gather,
    has_dictionary,
    shown_pos,
)
from morphtree.lexicon.word_facts import (
    ADJ,
    ADV,
    NAME,
    NOUN,
    ORDINARY,
    UNKNOWN,
    VERB,
    Facts,
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
    code = "import zlib, morphtree.lexicon.resources as a\n"
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


@pytest.mark.parametrize(
    ("word", "flags", "speech"),
    [("Haus", "Tpmij", NOUN), ("anordnen", "DIXY", VERB), ("schnell", "ACke", ADJ), ("ab", "", 0)],
)
def test_german_flags_tell_the_part_of_speech(word: str, flags: str, speech: int) -> None:
    assert shown_pos(DICTIONARIES["de"], word, flags) == speech


def test_german_words_are_known_with_a_sharp_s() -> None:
    pytest.importorskip("wordfreq")
    facts = gather("de")
    sharp = "\N{LATIN SMALL LETTER SHARP S}"
    assert facts[f"stra{sharp}e"].zipf == facts["strasse"].zipf > 4
    assert f"ha{sharp}" in facts  # as it was spelt until 1996


def test_dictionaries_name_the_words_that_others_are_built_on() -> None:
    if not has_dictionary("id"):
        pytest.skip("needs pip install 'morphtree[dictionaries]'")
    facts = gather("id")
    assert facts["asuransi"].dictionary == ORDINARY
    assert facts["menjadi"].dictionary != ORDINARY  # frequent, but built on jadi
    assert not has_dictionary("xx")
