"""What the documents report of languages: shared task, learning curve, second reading."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.languages.card import Scored
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import languages_curve  # noqa: E402
import marks  # noqa: E402
import planted_errors  # noqa: E402
import second_reading  # noqa: E402
import sigmorphon_languages  # noqa: E402

HAPPY = Tree.stem("happy")
UNHAPPY = Tree.word(Tree(PREFIX, string="un"), HAPPY)
NESS = Tree(SUFFIX, string="ness")
UNHAPPY_NESS = Tree.word(UNHAPPY, NESS)
UN_HAPPYNESS = Tree.word(Tree(PREFIX, string="un"), Tree.word(HAPPY, NESS))


# -- SIGMORPHON 2022 ---------------------------------------------------------------------------


def shared_task(folder: Path) -> Path:
    """Write development words of a language that has no treebank."""
    lines = (f"Wort{k}s\twort{k} @@s\t100" for k in range(40))
    text = "\n".join((*lines, "zwei Worte\tzwei @@ worte\t001"))
    (folder / "lat.word.dev.tsv").write_text(text + "\n", encoding="utf-8")
    return folder


def test_words_of_the_shared_task_are_read_without_those_of_several_words(tmp_path: Path) -> None:
    entries = sigmorphon_languages.read(shared_task(tmp_path) / "lat.word.dev.tsv")
    assert len(entries) == 40
    assert all(entry.segments == (entry.word[:-1], "s") for entry in entries)


def test_no_word_that_is_scored_is_learnt_from(tmp_path: Path) -> None:
    words = sigmorphon_languages.split(shared_task(tmp_path), "lat", train=20, test=10)
    names = [{entry.word for entry in part.entries} for part in words]
    assert [len(part) for part in names] == [0, 18, 2, 10]
    assert sum(map(len, names)) == len(set.union(*names))


def test_a_training_file_takes_the_place_of_the_first_half(tmp_path: Path) -> None:
    shared_task(tmp_path)
    known = "wort0s\twort0 @@s\t100\nneues\tneu @@es\t100\n"
    (tmp_path / "lat.word.train.tsv").write_text(known, encoding="utf-8")
    words = sigmorphon_languages.split(tmp_path, "lat", train=20, test=100)
    assert len(words.test.entries) == 40
    assert [entry.word for entry in words.half.entries] == ["neues"]


def test_the_table_of_the_shared_task_is_that_of_the_results() -> None:
    results = json.loads(sigmorphon_languages.RESULTS.read_text(encoding="utf-8"))
    table = sigmorphon_languages.table(results)
    assert marks.standing(ROOT / "docs" / "flat.md")["sigmorphon"] == table
    assert {*sigmorphon_languages.OURS} <= {*results}


# -- learning curve ----------------------------------------------------------------------------


class NothingToLearn:
    """A recipe without words: nothing can be built."""

    def known(self, size: int | None) -> list[Entry]:
        """Return as many words as asked for."""
        return [Entry("a", (Tree.stem("a"),))] * (size or 0)

    def held_out(self, *, hand: int | None) -> None:
        """Fail as training does."""
        raise TreebankError("it is empty")


def test_a_size_is_a_number_or_all() -> None:
    assert [*map(languages_curve.size_of, ("0", "200", "all"))] == [0, 200, None]


def test_a_row_of_the_curve_has_the_columns_of_its_head() -> None:
    entry = Entry("unhappiness", (UNHAPPY_NESS,))
    right, wrong = Scored([entry], [UNHAPPY_NESS]), Scored([entry], [UN_HAPPYNESS])
    row = languages_curve.row(1500, [right, wrong])
    assert row.startswith("| 1,500 | 100.0 | 100.0 | ")
    lines = languages_curve.head().splitlines()
    assert {line.count("|") for line in (*lines, row)} == {row.count("|")}


def test_without_silver_there_is_no_model_of_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    recipe = NothingToLearn()
    row = languages_curve.measured_row(recipe, 0)  # type: ignore[arg-type]
    assert row.count("|") == languages_curve.head().splitlines()[0].count("|")
    assert "no model of 0 words" in capsys.readouterr().err
    with pytest.raises(TreebankError):
        languages_curve.measured_row(recipe, 2)  # type: ignore[arg-type]


# -- second reading ----------------------------------------------------------------------------


def test_readings_agree_in_segments_and_then_in_trees() -> None:
    first = [
        Entry("unhappiness", (UNHAPPY_NESS,)), Entry("happy", (HAPPY,)),
        Entry("unhappy", (Tree.stem("unhappy"), UNHAPPY)), Entry("co-op", (Tree.stem("co-op"),)),
    ]  # fmt: skip
    again = [
        Entry("unhappiness", (UN_HAPPYNESS,)), Entry("happy", (Tree.stem("hap"),)),
        Entry("unhappy", (UNHAPPY,)), Entry("co-op", (Tree.stem("coop"),)),
    ]  # fmt: skip
    pairs = second_reading.pair_up(first, again)
    assert [pair.same_segments for pair in pairs] == [True, False, True, True]
    assert [pair.same_tree for pair in pairs] == [False, False, True, True]
    assert second_reading.row("x", pairs, pairs[:1]) == (
        "| x | 4 | 75.0 (3/4) | 66.7 (2/3) | 1 | 100.0 (1/1) | 0.0 (0/1) |"
    )
    listed = [*second_reading.disagreements("x", pairs)]
    assert listed[0] == "x\tunhappiness\t[[un [happy]] ness]\t[un [[happy] ness]]"
    assert len(listed) == 2


def test_a_word_that_the_guidelines_show_is_only_partly_blind() -> None:
    shown = second_reading.shown_words(["`Unhappy = un- + happy`", "un-\tprefix\tunkind unfair"])
    assert {"unhappy", "un", "happy", "unkind", "unfair"} <= shown
    pairs = second_reading.pair_up(
        *[[Entry("happy", (HAPPY,)), Entry("sad", (Tree.stem("sad"),))]] * 2
    )
    assert [pair.word for pair in second_reading.not_shown(pairs, shown)] == ["sad"]


@pytest.mark.parametrize("code", second_reading.language_codes())
def test_a_hundred_words_of_each_treebank_were_read_again(code: str) -> None:
    folder = ROOT / "treebank" / code
    words = {entry.word for entry in Treebank.read(folder / second_reading.READING).entries}
    assert len(words) >= 100
    assert words <= {entry.word for entry in Treebank.read(folder / "entries").entries}


def test_the_table_of_the_second_reading_is_in_the_document() -> None:
    found = second_reading.read_all(second_reading.language_codes())
    standing = marks.standing(ROOT / "docs" / "languages.md")["agreement"]
    assert standing == second_reading.table(found)


# -- planted errors ----------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["fr", "id"])
def test_planted_lines_are_wrong_and_the_others_are_of_the_treebank(code: str) -> None:
    folder = ROOT / "treebank" / code
    known = {step.word: str(step) for step in reversed(Treebank.read(folder / "entries").steps())}
    lines = planted_errors.draw(folder, "seed")
    assert len(lines) == planted_errors.LINES + planted_errors.PLANTED
    assert len({line.line.split()[0] for line in lines}) == len(lines)
    for line in lines:
        right = known[line.line.split()[0]]
        assert (line.line == right) == (line.kind == planted_errors.AS_IS)
    counts = Counter(line.kind for line in lines)
    assert {counts[kind] for kind in planted_errors.KINDS} == {10}


def test_words_of_the_test_are_not_shown_to_readers() -> None:
    folder = ROOT / "treebank" / "fr"
    drawn = set((folder / "made" / "random-words.txt").read_text(encoding="utf-8").split())
    lines = planted_errors.draw(folder, "seed")
    assert not drawn & {line.line.split()[0] for line in lines}


def test_answers_are_counted_by_what_was_planted_and_what_was_mended() -> None:
    lines = [
        planted_errors.Line("left-whole", "cats", "cats = cat + -s"),
        planted_errors.Line("wrong-base", "dogs = do + -s"),
        planted_errors.Line("treebank", "redo", "redo = re- + do", "mended"),
        planted_errors.Line("treebank", "undo", "undo = un- + do", "kept"),
        planted_errors.Line("treebank", "do"),
    ]
    assert planted_errors.row("x", lines) == "| `x` | 5 | 2 | 1 (50.0 %) | 2 | 1 |"


def test_the_table_of_planted_errors_is_in_the_document() -> None:
    standing = marks.standing(ROOT / "docs" / "languages.md")["planted"]
    assert standing == planted_errors.table()
