"""Statistics of a treebank, and their figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry
from morphtree.treebank.stats import Statistics, branching, kind, scope
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from tests.treebanks import make, run


@pytest.mark.parametrize(
    ("tree", "kind_", "scope_", "depth_"),
    [
        ("[window]", "simple", None, 0),
        ("[[cat] s]", "one affix", None, 1),
        ("[[[care] less] ness]", "several affixes", None, 2),
        ("[[re [place]] ment]", "several affixes", "prefix first", 2),
        ("[un [[bear] able]]", "several affixes", "suffix first", 2),
        ("[[un [[test] able]] ly]", "several affixes", "suffix first", 3),
        ("[[black] [bird]]", "compound", None, 1),
        ("[ge [kaufen] t]", "one affix", None, 1),
        ("[ab [ge [holen] t]]", "several affixes", None, 2),
        ("[un [ge [kaufen] t]]", "several affixes", None, 2),
        ("[[arbeit] [LINK: s] [zimmer]]", "compound", None, 1),
        ("[un re [test]]", "irregular", None, 1),
    ],
)
def test_kinds_and_scopes(tree: str, kind_: str, scope_: str | None, depth_: int) -> None:
    parsed = Tree.parse(tree)
    assert (kind(parsed), scope(parsed), parsed.depth) == (kind_, scope_, depth_)


def test_statistics_count_repetitions_and_readings() -> None:
    one, other = Tree.parse("[[re [lock]] s]"), Tree.parse("[[relock] s]")
    entries = (
        Entry("a", (one,)),
        Entry("a", (other,)),
        Entry("b", (one, other)),
        Entry("b", (one, other)),
    )
    counted = Statistics(Treebank("bank", entries))
    assert (counted.entries, counted.words, counted.repeated, counted.conflicting) == (4, 2, 2, 1)
    assert counted.readings == {1: 2, 2: 2}
    assert counted.morphemes == {2: 1, 3: 3}
    assert counted.affixes == {"-s": 4, "re-": 3}


def test_stats_prints_a_table(tmp_path: Path) -> None:
    result = run("stats", make(tmp_path, "cat\ncats = cat + -s\n"))
    rows = dict(line.split("  ", 1) for line in result.stdout.splitlines() if line[0] != " ")
    assert rows["distinct words"].strip() == "2"
    assert rows["morphemes a word"].strip() == "1.50"
    assert rows["most frequent affixes"].strip() == "-s 1"


def test_branching_and_scope_by_prefix(tmp_path: Path) -> None:
    path = tmp_path / "bank.derivation"
    steps = ("do", "doable = do + -able", "undoable = un- + doable", "undo = un- + do",
             "undoer = undo + -er", "undoers = undoer + -s")  # fmt: skip
    path.write_text("\n".join(steps), encoding="utf-8")
    counts = Statistics(Treebank.read(path))
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
        result = run("stats", bank, "--plot", file)
        code, out = result.exit_code, result.output
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
