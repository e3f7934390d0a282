from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from morphtree.errors import GrammarError
from morphtree.structures.tree_chart import TreeChart
from morphtree.trees.grammar import COMPOUNDS, PAPER, Grammar, Rule
from morphtree.trees.tree import Tree
from tests import oracle
from tests.potentials import tree_potentials


def test_the_papers_grammar_is_data() -> None:
    assert PAPER.start == "ROOT"
    assert PAPER.labels == ("ROOT", "WORD", "PREFIX", "SUFFIX")
    assert PAPER.has_silent_start
    assert Rule("WORD", ("WORD", "WORD")) not in PAPER.rules
    assert Rule("WORD", ("WORD", "WORD")) in COMPOUNDS.rules
    assert Grammar.parse(str(PAPER)) == PAPER


def test_built_in_grammars_have_names_and_others_files(tmp_path: Path) -> None:
    assert Grammar.load("paper") == PAPER
    path = tmp_path / "mine.txt"
    path.write_text(
        "# my own\nN -> V AFFIX | <string>\nV -> <string>  # verbs\nAFFIX -> <string>\n"
    )
    grammar = Grammar.load(str(path))
    assert grammar.start == "N"
    assert not grammar.has_silent_start
    assert grammar.derives(Tree.parse("[N: [V: test] [AFFIX: er]]"))
    assert not grammar.derives(Tree.parse("[V: test]"))


def test_longer_rules_become_binary_ones() -> None:
    grammar = Grammar.parse("S -> A B C | A C C | B\nA -> <string>\nB -> <string>\nC -> <string>")
    binary = grammar.binarised
    assert binary.labels == ("S", "A", "B", "C", "@B+C", "@C+C")
    assert [rule[3] for rule in binary.binary] == [-1, 0, -1, 1]
    assert binary.unary == ((0, 2, 2),)


def test_labels_with_odd_names_are_kept_apart() -> None:
    text = "S -> X B C+D | Y B+C D\n" + "\n".join(
        f"{label} -> <string>" for label in ("X", "Y", "B", "D", "B+C", "C+D")
    )
    labels = Grammar.parse(text).binarised.labels
    assert labels.count("@B+C+D") == 2
    text = "S -> X A B | @A+B X\n@A+B -> A | B B\nA -> <string>\nB -> <string>\nX -> <string>"
    grammar = Grammar.parse(text)
    rng = np.random.default_rng(0)
    potentials = tree_potentials(rng, 4, grammar)
    chart = TreeChart(potentials, "abcd", grammar)
    assert chart.log_count() == pytest.approx(np.log(len(oracle.trees(grammar, "abcd"))))


def test_unary_rules_are_ordered_children_first() -> None:
    grammar = Grammar.parse("S -> A\nA -> B\nB -> C | <string>\nC -> <string>")
    assert [rule[:2] for rule in grammar.binarised.unary] == [(2, 3), (1, 2), (0, 1)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no rules"),
        ("S ->", "mine:1: an empty right-hand side"),
        ("S -> A |\nA -> <string>", "mine:1: an empty right-hand side"),
        ("S A B", "mine:1: expected 'LABEL"),
        ("S -> A <string>", "mine:1: <string> must stand alone"),
        ("S -> A", "no rule says what A is"),
        ("S -> A\nA -> B\nB -> A | <string>", "unary rules form a cycle"),
        ("S -> S | <string>", "unary rules form a cycle"),
        ("S -> <string> | <string>", "stands twice"),
        ("S -> <string>\nA -> <string>", "A cannot be reached from S"),
        ("S -> A | <string>\nA -> A A", "A can never end in a string"),
        ("S -> <string>" + "".join(f"\nA{n} -> S S" for n in range(1000)), "more than 1000;"),
        ("S -> <string> |" + " S" * 51, "a rule of S has more than 50 parts"),
    ],
)
def test_bad_grammars_say_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.parse(text, "mine")
    assert complaint in str(caught.value)


def test_a_missing_grammar_file_says_what_to_give() -> None:
    with pytest.raises(GrammarError, match="give a file, or one of paper, compounds"):
        Grammar.load("no-such-grammar")
