"""What is known of words: lexicon, derivations, meaning, and the table behind them."""

from __future__ import annotations

from morphtree._kernels._layout import BITS, ONLY_LISTED, WIDTH, pack, unpack
from morphtree._util.hashing import HashTable
from morphtree.lexicon.lexicon import Derivation, Lexicon
from tests.models import KNOWN
from tests.span_oracle import derives, kinship


def test_a_lexicon_knows_its_words() -> None:
    lexicon = Lexicon(["able", "test", "able"])
    assert len(lexicon) == 2
    assert "able" in lexicon
    assert "abl" not in lexicon
    assert len(Lexicon()) == 0
    assert "" not in Lexicon(["a"])
    assert lexicon.get("able") == ONLY_LISTED
    assert lexicon.get("abl") == 0
    assert Lexicon({"able": 77}).get("able") == 77


def test_a_lexicon_lists_derivations() -> None:
    lexicon = KNOWN.lexicon
    again = Lexicon.of_hashes(lexicon.hashes, lexicon.facts, lexicon.links, lexicon.kin)
    for known in (lexicon, again):
        assert derives(known, "testable", "test")
        assert not derives(known, "testable", "tes")
        assert known.get("happy") >> 14 & 3 == 0
        assert known.get("testable") >> 14 & 3 == 1
        assert known.get("blackbird") >> 14 & 3 == 2
        assert known.get("untestably") >> 14 & 3 == 3
    assert not derives(Lexicon(["able"]), "able", "able")
    assert len(Lexicon(["able"], [Derivation("ably", "able", False)]).links) == 0  # not a word


def test_a_lexicon_knows_which_words_are_near_in_meaning() -> None:
    lexicon = KNOWN.lexicon
    again = Lexicon.of_hashes(lexicon.hashes, lexicon.facts, lexicon.links, lexicon.kin)
    for known in (lexicon, again, lexicon.extended({"zwork": 77})):
        assert kinship(known, "happily", "happy") == (5, 3)
        assert kinship(known, "testably", "test") == (2, 2)
        assert kinship(known, "test", "testably") == (1, 1)  # compared, but not as its base
        assert kinship(known, "blackbird", "bird") == (0, 2)  # without a vector
        assert kinship(known, "blackbird", "unknown") == (0, 0)


def test_derivations_have_a_direction() -> None:
    assert not derives(KNOWN.lexicon, "test", "testable")


def test_a_hash_table_finds_its_keys() -> None:
    """Also where they want the same place."""
    keys = [*range(1, 500), *(k << 40 for k in range(1, 500))]
    table = HashTable(keys)
    assert [table.find(key) for key in keys] == [*range(len(keys))]
    assert table.find(0) == table.find(1 << 63) == -1
    assert HashTable([]).find(7) == -1


def test_facts_are_packed_side_by_side() -> None:
    facts = {name: (1 << width) - 1 - width % 2 for name, width in WIDTH.items()}
    packed = pack(**facts)
    assert {name: unpack(packed, name) for name in facts} == facts
    assert sum(BITS.values()) == (1 << sum(WIDTH.values())) - 1 < 1 << 31
