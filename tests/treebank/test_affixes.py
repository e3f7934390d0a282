"""The inventory of affixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.lexicon.word_facts import ADJ, NOUN, VERB
from morphtree.treebank.affixes import Affix, Inventory, read_inventory
from morphtree.trees.tree import PREFIX, SUFFIX


def test_a_row_may_have_two_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "affixes.tsv"
    path.write_text("un-\tprefix\n", encoding="utf-8")
    assert read_inventory(path) == (Affix("un", "PREFIX"),)
    path.write_text("un-\tinfix\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"affixes\.tsv:1: expected"):
        read_inventory(path)


def test_what_is_too_long_for_an_affix_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "affixes.tsv"
    for text in ("a" * 300 + "\tsuffix", "a\tsuffix\t\t\t\t" + "\u0315\u0300" * 9000):
        path.write_text(f"un-\tprefix\n{text}\n", encoding="utf-8")
        with pytest.raises(
            TreebankError, match=r"affixes\.tsv:2: a word .* letters, more than 256"
        ):
            read_inventory(path)


def test_an_inventory_knows_what_all_rows_of_an_affix_take_and_make() -> None:
    rows = [Affix("s", SUFFIX, "N", "N"), Affix("s", SUFFIX, "V", "V"), Affix("un", PREFIX, "A")]
    inventory = Inventory(rows)
    assert inventory.takes(SUFFIX, "s") == inventory.makes(SUFFIX, "s") == NOUN | VERB
    assert (inventory.takes(PREFIX, "un"), inventory.makes(PREFIX, "un")) == (ADJ, 0)
    assert inventory.takes(SUFFIX, "un") == 0
