from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree.errors import TreeError
from morphtree.trees.grammar import COMPOUNDS, PAPER
from morphtree.trees.tree import MAX_DEPTH, Span, Tree

STRINGS = st.text("abc[] \t\\#:éß\n", min_size=1, max_size=4)
LABELS = st.sampled_from(["WORD", "PREFIX", "SUFFIX", "N", "a b", "x:", "\\"])
LEAVES = st.builds(lambda label, string: Tree(label, string=string), LABELS, STRINGS)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda label, children: Tree(label, tuple(children)),
        LABELS,
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(TREES)
def test_brackets_round_trip(tree: Tree) -> None:
    assert Tree.parse(str(tree)) == tree
    assert eval(repr(tree)) == tree


@given(TREES)
def test_spans_tile_the_form(tree: Tree) -> None:
    for span in tree.spans():
        assert tree.form[span.start : span.end] == span.string
    leaves = [s for s, node in zip(tree.spans(), tree.nodes(), strict=True) if node.is_leaf]
    assert [s.start for s in leaves] == [0, *(s.end for s in leaves[:-1])]


def test_the_papers_example() -> None:
    tree = Tree.parse("[[un [[test] able]] ly]")
    assert tree == Tree.word(
        Tree.word(Tree.prefix("un"), Tree.word(Tree.stem("test"), Tree.suffix("able"))),
        Tree.suffix("ly"),
    )
    assert tree.form == "untestablely"
    assert tree.morphemes == ("un", "test", "able", "ly")
    assert tree.root == "test"
    assert list(tree.spans()) == [
        Span("WORD", 0, 12, "untestablely"),
        Span("WORD", 0, 10, "untestable"),
        Span("PREFIX", 0, 2, "un"),
        Span("WORD", 2, 10, "testable"),
        Span("WORD", 2, 6, "test"),
        Span("SUFFIX", 6, 10, "able"),
        Span("SUFFIX", 10, 12, "ly"),
    ]
    assert [node.form for node in tree.derivation()] == [
        "test",
        "testable",
        "untestable",
        "untestablely",
    ]
    assert tree.steps() == ("test", "testable", "untestable", "untestably")
    assert tree.in_grammar(PAPER)


def test_compounds_need_their_grammar_and_are_headed_on_the_right() -> None:
    tree = Tree.parse("[[black] [bird]]")
    assert not tree.in_grammar(PAPER)
    assert tree.in_grammar(COMPOUNDS)
    assert tree.root == "bird"
    assert Tree.parse("[[[sun] [flower]] s]").root == "flower"


@pytest.mark.parametrize("text", ["[[test]]", "[un [test] able]", "[N: [test] able]"])
def test_trees_outside_the_grammar_are_still_trees(text: str) -> None:
    tree = Tree.parse(text)
    assert str(tree) == text
    assert not tree.in_grammar(COMPOUNDS)


def test_trees_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Tree.stem("test").string = "rest"  # type: ignore[misc]
    assert {Tree.stem("test"), Tree.stem("test")} == {Tree.stem("test")}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must start with '[' at character 1"),
        ("test", "must start with '[' at character 1"),
        ("[test", "']' is missing at character 6"),
        ("[[test] able]]", "after the tree at character 14"),
        ("[]", "empty node"),
        ("[un ly]", "needs a stem in brackets"),
        ("[test\\", "escapes nothing"),
        ("[" * (MAX_DEPTH + 1), "nested deeper"),
    ],
)
def test_bad_brackets_say_what_and_where(text: str, complaint: str) -> None:
    with pytest.raises(TreeError) as caught:
        Tree.parse(text)
    assert complaint in str(caught.value)


def test_a_node_needs_children_or_a_string() -> None:
    with pytest.raises(TreeError):
        Tree("WORD")
    with pytest.raises(TreeError, match="label"):
        Tree("", string="a")
    with pytest.raises(TreeError):
        Tree("WORD", (Tree.stem("a"),), "a")
