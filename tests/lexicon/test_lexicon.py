"""What is known of words: lexicon, derivations, meaning, families, and the table behind them."""

from __future__ import annotations

from morphtree.features.templates import HashTable
from morphtree.lexicon.lexicon import LISTED, Derivation, Family, Lexicon
from tests.models import KNOWN


def test_a_lexicon_knows_its_words() -> None:
    lexicon = Lexicon(["able", "test", "able"])
    assert len(lexicon) == 2
    assert "able" in lexicon
    assert "abl" not in lexicon
    assert len(Lexicon()) == 0
    assert "" not in Lexicon(["a"])
    assert lexicon.get("able") == LISTED
    assert lexicon.get("abl") == 0
    assert Lexicon({"able": 77}).get("able") == 77


def test_a_lexicon_lists_derivations() -> None:
    lexicon = KNOWN.lexicon
    again = Lexicon.of_hashes(lexicon.hashes, lexicon.facts, lexicon.links, lexicon.kin)
    for known in (lexicon, again):
        assert known.derives("testable", "test")
        assert not known.derives("testable", "tes")
        assert known.get("happy") >> 14 & 3 == 0
        assert known.get("testable") >> 14 & 3 == 1
        assert known.get("blackbird") >> 14 & 3 == 2
        assert known.get("untestably") >> 14 & 3 == 3
    assert not Lexicon(["able"]).derives("able", "able")
    assert len(Lexicon(["able"], [Derivation("ably", "able", False)]).links) == 0  # not a word


def test_a_lexicon_knows_which_words_are_near_in_meaning() -> None:
    lexicon = KNOWN.lexicon
    again = Lexicon.of_hashes(lexicon.hashes, lexicon.facts, lexicon.links, lexicon.kin)
    for known in (lexicon, again, lexicon.extended({"zwork": 77})):
        assert known.kinship("happily", "happy") == (5, 3)
        assert known.kinship("testably", "test") == (2, 2)
        assert known.kinship("test", "testably") == (1, 1)  # compared, but not as its base
        assert known.kinship("blackbird", "bird") == (0, 2)  # without a vector
        assert known.kinship("blackbird", "unknown") == (0, 0)


def test_derivations_have_a_direction() -> None:
    assert not KNOWN.lexicon.derives("test", "testable")


def test_a_hash_table_finds_its_keys() -> None:
    """Also where they want the same place."""
    keys = [*range(1, 500), *(k << 40 for k in range(1, 500))]
    table = HashTable(keys)
    assert [table.find(key) for key in keys] == [*range(len(keys))]
    assert table.find(0) == table.find(1 << 63) == -1
    assert HashTable([]).find(7) == -1


def test_a_family_counts_each_word_once() -> None:
    family = KNOWN.family
    assert family.get("happy") == (2, 0, 0)
    assert family.get("test") == (2, 0, 0)
    assert family.get("testable") == (0, 2, 2)
    assert family.get("happily") == (0, 1, 0)  # unhappily without its prefix
    assert family.get("happyly") == (0, 0, 1)
    assert family.get("happiness") == (0, 1, 0)
    assert family.get("happen") == (0, 0, 0)
    assert Family.of([[(7, 0), (7, 0)], [(7, 0)]]).counts.tolist() == [[2, 0, 0]]
