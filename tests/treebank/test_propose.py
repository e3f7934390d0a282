"""Proposing steps of word formation."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import DataError
from morphtree.lexicon.word_facts import ADJ, NAME, NOUN, ORDINARY, VERB, Facts
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.propose import StepProposer, with_bases
from morphtree.treebank.treebank import Treebank
from tests.treebanks import make, run

WORDS = {
    "happy": ADJ, "unhappy": ADJ, "happiness": NOUN, "bake": VERB, "baker": NOUN, "sky": NOUN,
    "scrape": VERB, "scraper": NOUN, "city": NOUN, "bear": NOUN | VERB, "bearable": ADJ,
    "corn": NOUN, "corner": NOUN,
}  # fmt: skip


def proposer(inventory: Path) -> StepProposer:
    facts = {word: Facts(4.0, ORDINARY, pos) for word, pos in WORDS.items()}
    facts["unhappine"] = Facts(4.0, NAME, 0)
    return StepProposer(read_inventory(inventory), facts)


def first(inventory: Path, word: str) -> str:
    return str(proposer(inventory).propose(word)[0])


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("cities", "cities = city + -s"), ("baker", "baker = bake + -er"),
        ("unbearable", "unbearable = un- + bearable"), ("skyscraper", "skyscraper = sky + scraper"),
        ("unhappiness", "unhappiness = unhappy + -ness"), ("xyzzy", "xyzzy"),
        ("corner", "corner = corn + -er"),
    ],
)  # fmt: skip
def test_the_likeliest_step_comes_first(inventory: Path, word: str, step: str) -> None:
    assert first(inventory, word) == step


def test_other_ways_follow_and_categories_count(inventory: Path) -> None:
    found = [*map(str, proposer(inventory).propose("unhappiness"))]
    assert found == ["unhappiness = unhappy + -ness", "unhappiness = un- + happiness"]


def test_bases_come_before_what_is_made_of_them(inventory: Path) -> None:
    words = [word for word, _ in with_bases(proposer(inventory), ["bakers", "skyscraper", "bake"])]
    assert words == ["bake", "baker", "bakers", "sky", "scrape", "scraper", "skyscraper"]


def test_the_command_works_for_any_language(inventory: Path, tmp_path: Path) -> None:
    lexicon = tmp_path / "lexicon"
    lexicon.write_text("cat\t4\tn\nbaker\nbake\n", encoding="utf-8")
    result = run("propose", inventory, "--lexicon", lexicon, text="cats\n\nBakers\n")
    code, out = result.exit_code, result.output
    assert (code, out.splitlines()) == (
        0, ["cat", "cats = cat + -s", "bake", "baker = bake + -er", "bakers = baker + -s"],
    )  # fmt: skip
    (tmp_path / "out").write_text(out, encoding="utf-8")
    assert len(Treebank.read(tmp_path / "out").entries) == 5


def test_the_command_needs_to_know_words(inventory: Path) -> None:
    result = run("propose", inventory, text="cats\n")
    code, out = result.exit_code, result.output
    assert code == 2
    assert "either --language or --lexicon" in out


def test_a_line_too_long_to_be_a_word_is_refused_with_its_number(
    tmp_path: Path, inventory: Path
) -> None:
    lexicon = make(tmp_path, "happy\n", "lexicon.tsv")
    words = make(tmp_path, "unhappy\n" + "a\u0315\u0300" * 9000 + "\n", "words.txt")
    with pytest.raises(DataError, match=r"words\.txt:2: a word or form of 27000 letters"):
        run("propose", inventory, words, "--lexicon", lexicon)
