"""Proposing steps, checking categories, drawing figures: the commands and their rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from morphtree.cli.treebank import treebank
from morphtree.errors import TreebankError
from morphtree.lexicon.word_facts import ADJ, NAME, NOUN, ORDINARY, VERB, Facts
from morphtree.treebank.affixes import Affix, read_inventory
from morphtree.treebank.propose import StepProposer, close
from morphtree.treebank.stats import branching, statistics
from morphtree.treebank.treebank import Treebank

INVENTORY = """\
affix\tside\tattaches\tmakes\tallomorphs\texamples
un-\tprefix\tA\tA\t\tunhappy unfair untestable
-able\tsuffix\tV\tA\t-ible\treadable washable usable
-ness\tsuffix\tA\tN\t\thappiness kindness illness
-s\tsuffix\tN\tN\t\tcats boxes cities
-er\tsuffix\tV\tN\t\tsinger baker runner
"""
WORDS = {
    "happy": ADJ, "unhappy": ADJ, "happiness": NOUN, "bake": VERB, "baker": NOUN, "sky": NOUN,
    "scrape": VERB, "scraper": NOUN, "city": NOUN, "bear": NOUN | VERB, "bearable": ADJ,
    "corn": NOUN, "corner": NOUN,
}  # fmt: skip


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    path = tmp_path / "affixes.tsv"
    path.write_text(INVENTORY, encoding="utf-8")
    return path


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
    words = [word for word, _ in close(proposer(inventory), ["bakers", "skyscraper", "bake"])]
    assert words == ["bake", "baker", "bakers", "sky", "scrape", "scraper", "skyscraper"]


def run(*arguments: str | Path, text: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(treebank, [*map(str, arguments)], input=text)
    if isinstance(result.exception, TreebankError):
        raise result.exception
    return result.exit_code, result.output


def test_the_command_works_for_any_language(inventory: Path, tmp_path: Path) -> None:
    lexicon = tmp_path / "lexicon"
    lexicon.write_text("cat\t4\tn\nbaker\nbake\n", encoding="utf-8")
    code, out = run("propose", inventory, "--lexicon", lexicon, text="cats\n\nBakers\n")
    assert (code, out.splitlines()) == (
        0, ["cat", "cats = cat + -s", "bake", "baker = bake + -er", "bakers = baker + -s"],
    )  # fmt: skip
    (tmp_path / "out").write_text(out, encoding="utf-8")
    assert len(Treebank.read(tmp_path / "out").entries) == 5


def test_the_command_needs_to_know_words(inventory: Path) -> None:
    code, out = run("propose", inventory, text="cats\n")
    assert code == 2
    assert "either --language or --lexicon" in out


def checked(tmp_path: Path, inventory: Path, text: str) -> list[str]:
    pytest.importorskip("lemminflect")
    path = tmp_path / "bank.derivation"
    path.write_text(text, encoding="utf-8")
    _, out = run("check", path, "--affixes", inventory, "--language", "en")
    return [line.split(": ")[1] for line in out.splitlines() if str(path) in line]


def test_check_finds_wrong_categories_and_unknown_words(inventory: Path, tmp_path: Path) -> None:
    text = "happy\nhappyable = happy + -able\nwugg\nteach\nteachness = teach + -ness\n"
    found = checked(tmp_path, inventory, text)
    assert found.count("category") == 2
    assert found.count("unattested") == 3


def test_notes_and_fields_answer_the_check(inventory: Path, tmp_path: Path) -> None:
    text = "wugg\tpos=V note=rare\nwuggable = wugg + -able\tnote=rare\n"
    assert checked(tmp_path, inventory, text) == []
    text = "happy\nhappyable = happy + -able\tnote=rare irregular\n"
    assert checked(tmp_path, inventory, text) == []


def test_a_folder_is_read_as_one_treebank(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "a.derivation").write_text("cats = cat + -s", encoding="utf-8")
    (folder / "b.derivation").write_text("cat\nbad = = x\ndogs = dog + -s\n", encoding="utf-8")
    code, out = run("check", folder)
    assert code == 1
    assert f"{folder / 'b.derivation'}:2: malformed" in out
    assert f"{folder / 'b.derivation'}:3: " in out
    assert "cats" not in out
    with pytest.raises(TreebankError, match=r"b\.derivation:2: malformed"):
        Treebank.read(folder)


def test_branching_and_scope_by_prefix(tmp_path: Path) -> None:
    path = tmp_path / "bank.derivation"
    steps = ("do", "doable = do + -able", "undoable = un- + doable", "undo = un- + do",
             "undoer = undo + -er", "undoers = undoer + -s")  # fmt: skip
    path.write_text("\n".join(steps), encoding="utf-8")
    counts = statistics(Treebank.read(path))
    assert counts.branching == {"left": 2, "right": 1, "both": 0}
    assert counts.scope_by_prefix == {"un-": (2, 1)}
    trees = {e.word: e.readings[0] for e in Treebank.read(path).entries}
    assert branching(trees["do"]) is branching(trees["undo"]) is None


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_figures_are_drawn_alike_every_time(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    bank = tmp_path / "bank.derivation"
    bank.write_text("do\ndoable = do + -able\nundoable = un- + doable\n", encoding="utf-8")
    files = [tmp_path / f"{n}{suffix}" for n in "ab"]
    for file in files:
        code, out = run("stats", bank, "--plot", file)
        assert code == 0
        assert "branching: right" in out
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 1000


def test_a_plot_that_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    bank = tmp_path / "bank.derivation"
    bank.write_text("do\n", encoding="utf-8")
    with pytest.raises(TreebankError, match="the plot is a file"):
        run("stats", bank, "--plot", tmp_path / "x.txt")
    pytest.importorskip("matplotlib")
    with pytest.raises(TreebankError, match="cannot be written"):
        run("stats", bank, "--plot", tmp_path / "no" / "x.svg")


def test_a_row_may_have_two_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "affixes.tsv"
    path.write_text("un-\tprefix\n", encoding="utf-8")
    assert read_inventory(path) == (Affix("un", "PREFIX"),)
    path.write_text("un-\tinfix\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"affixes\.tsv:1: expected"):
        read_inventory(path)
