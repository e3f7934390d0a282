"""Rules of consistency: each finds words that are analysed in two ways, and lets others pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from morphtree.errors import TreebankError
from morphtree.treebank.affixes import Affix
from morphtree.treebank.consistency import Rule, check_consistency, read_rules
from morphtree.treebank.formats.steps import read_steps
from morphtree.trees.tree import SUFFIX


def found(text: str, *rules: str, affixes: tuple[Affix, ...] = ()) -> list[str]:
    """Return what the rules find in a treebank."""
    listed = [Rule(kind, tuple(columns)) for kind, *columns in (r.split("\t") for r in rules)]
    return [problem.message for problem in check_consistency(read_steps(text)[0], listed, affixes)]


@pytest.mark.parametrize(
    ("rule", "wrong", "right"),
    [
        ("ending\tical\tic\t-al\tNA", "logic\nlogical = log + -ical",
         "logic\nlogical = logic + -al"),
        ("ending\tically\tic\t-ally\tA", "basic\tpos=A\nbasically = basical + -ly",
         "critic\tpos=N\ncritically = critical + -ly"),
        ("agree\tation ator", "orator = orate + -or\noration = ora + -tion",
         "orator = orate + -or\noration = orate + -ion"),
        ("opposite\tin out", "input = in + put\noutput = out- + put",
         "input = in + put\noutput = out + put"),
        ("alike\tmonday sunday", "monday\nsunday = sun + day", "monday\nsunday"),
        ("variant\tour\tor", "colourful = colour + -ful\ncolorful",
         "honours = honour + -s\nhonors = honor + -s"),
        ("regular\t-s\tN", "cat\tpos=N\ncats", "her\tpos=X\nhers"),
        ("combining\tgiga- mega-", "hertz\ngigahertz", "hertz\ngigahertz = giga- + hertz"),
    ],
)  # fmt: skip
def test_a_rule_finds_what_contradicts_it(rule: str, wrong: str, right: str) -> None:
    assert len(found(wrong, rule)) == 1
    assert not found(right, rule)


@pytest.mark.parametrize("note", ["opaque", "differs"])
def test_a_word_with_a_reason_is_passed_over(note: str) -> None:
    assert not found(f"cat\tpos=N\ncats\tnote={note}", "regular\t-s\tN")


def test_an_irregular_form_is_made_as_its_lemma_is() -> None:
    forms = "hear\nheard\tlemma=hear feature=past\nover\n"
    assert found(f"{forms}overhear = over + hear\noverheard")
    assert not found(f"{forms}overhear = over + hear\noverheard = over + heard")
    assert not found("eat\neaten\tlemma=eat\nthreat\nthreaten = threat + -en")


def test_examples_of_affixes_are_entries_that_have_them() -> None:
    ness = (Affix("ness", SUFFIX, "A", "N", ("kindness",)),)
    assert "no entry" in found("kind", affixes=ness)[0]
    assert "an example of ness" in found("kindness", affixes=ness)[0]
    assert not found("kind\nkindness = kind + -ness", affixes=ness)


@pytest.mark.parametrize(
    "line",
    ["endings\ta", "alike", "ending\tical\tic", "opposite\tin", "variant\t(\tb", "variant\ta\t\\2"],
)
def test_a_table_that_makes_no_sense_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "consistency.tsv"
    path.write_text(f"# rules\n{line}\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"consistency\.tsv:2: "):
        read_rules(path)
