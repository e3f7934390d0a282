"""Words that are held out, to say when to stop training."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry
from morphtree.treebank.given import as_treebank
from morphtree.treebank.split import hold_out, stems
from morphtree.treebank.treebank import Treebank

ESPERANTO = Path(__file__).parents[2] / "examples" / "esperanto.brackets"


def families(count: int) -> Treebank:
    """So many words, two of each stem."""
    names = [f"b{'aeiou'[n % 5] * (n // 5 + 1)}" for n in range(count)]
    pairs = [(w, f"[{w}]") for w in names] + [(f"{w}s", f"[[{w}] s]") for w in names]
    return as_treebank(sorted(pairs)[:count], "bank")


def test_families_are_held_out_whole_and_nothing_is_lost() -> None:
    bank = Treebank.read(ESPERANTO)
    train, dev, by = hold_out(bank, seed=1)
    assert by == "family"
    assert sorted(map(str, train.entries + dev.entries)) == sorted(map(str, bank.entries))
    assert 31 <= len(dev.entries) <= 40  # 15 % of 207
    simple = [entry for entry in train.entries if len(stems(entry)) == 1]
    held = {stem for entry in dev.entries for stem in stems(entry)}
    assert held.isdisjoint(stem for entry in simple for stem in stems(entry))
    assert train.name == bank.name
    order = {entry.word: n for n, entry in enumerate(bank.entries)}
    assert [order[e.word] for e in train.entries] == sorted(order[e.word] for e in train.entries)


def test_the_same_seed_holds_the_same_words_out() -> None:
    bank = Treebank.read(ESPERANTO)
    assert hold_out(bank, seed=1) == hold_out(bank, seed=1)
    assert hold_out(bank, seed=1).dev != hold_out(bank, seed=2).dev


@pytest.mark.parametrize(
    ("words", "held"), [(2, 1), (10, 2), (30, 6), (50, 10), (60, 10), (100, 15)]
)
def test_a_fifth_of_few_words_is_held_out_and_less_of_many(words: int, held: int) -> None:
    dev = hold_out(families(words), seed=3).dev
    assert held <= len(dev.entries) <= held + 1  # families are not cut


def test_flat_words_and_one_family_are_held_out_by_word() -> None:
    flat = Treebank("flat", tuple(Entry(f"w{n}", segments=("w", str(n))) for n in range(20)))
    train, dev, by = hold_out(flat, seed=1)
    assert (len(train.entries), len(dev.entries), by) == (16, 4, "word")
    family = as_treebank([(f"ca{'t' * n}", f"[[ca] {'t' * n}]") for n in range(1, 21)], "one")
    train, dev, by = hold_out(family, seed=1)
    assert (len(train.entries), len(dev.entries), by) == (16, 4, "word")


def test_of_one_word_none_can_be_held_out() -> None:
    with pytest.raises(TreebankError, match="bank has too few words to hold some out; give dev"):
        hold_out(families(1), seed=1)
