"""Linking elements and circumfixes: in every format, in drawings, in what is counted."""

from __future__ import annotations

import pytest

from morphtree.analysis import Analysis, Reading, attested, derivation
from morphtree.integrations.nltk_trees import from_nltk, to_nltk
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.word_facts import ORDINARY, Facts, pack
from morphtree.training.prepare import choose_structure
from morphtree.training.settings import Settings
from morphtree.treebank.affixes import Inventory, read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.formats import READERS, WRITERS
from morphtree.treebank.formats.steps import parse_step
from morphtree.trees.drawing import to_dot, to_latex, to_svg
from morphtree.trees.grammar import COMPOUNDS, LINKS, PAPER, Grammar, smallest
from morphtree.trees.nodes import describe, node_of
from morphtree.trees.tree import LINK, ROLES, Tree
from morphtree.web.service.view import view

STEPS = {
    "arbeitszimmer = arbeit + -s- + zimmer": "[[arbeit] [LINK: s] [zimmer]]",
    "arbeitslos = arbeit + -s- + -los": "[[arbeit] [LINK: s] los]",
    "gekauft = ge- + kaufen + -t": "[ge [kaufen] t]",
    "abzuholen = ab- + -zu- + holen": "[ab [LINK: zu] [holen]]",
}
SIMPLE = "arbeit\nzimmer\nkaufen\nholen\n"


@pytest.mark.parametrize(("line", "tree"), STEPS.items())
def test_a_step_of_three_operands_is_one_node(line: str, tree: str) -> None:
    parsed = READERS["derivation"](f"{SIMPLE}{line}\n")
    assert not parsed.problems
    entry = parsed.entries[-1]
    assert str(entry.readings[0]) == tree
    assert Tree.parse(tree) == entry.readings[0]
    assert line in WRITERS["derivation"](parsed.entries).lines
    assert LINKS.derives(entry.readings[0])
    assert not COMPOUNDS.derives(entry.readings[0])


@pytest.mark.parametrize("format_", ["brackets", "2016"])
@pytest.mark.parametrize("line", STEPS)
def test_other_formats_give_the_tree_back(format_: str, line: str) -> None:
    entry = READERS["derivation"](f"{SIMPLE}{line}\n").entries[-1]
    written = WRITERS[format_]([entry])
    [again] = READERS[format_]("\n".join(written.lines) + "\n").entries
    assert again.readings == entry.readings


def test_flat_segments_have_the_link() -> None:
    entry = READERS["derivation"](f"{SIMPLE}arbeitszimmer = arbeit + -s- + zimmer\n").entries[-1]
    assert WRITERS["flat"]([entry]).lines == ("arbeitszimmer\tarbeitszimmer\tarbeit s zimmer",)


@pytest.mark.parametrize(
    "line", ["a = -s- + b", "a = b + -s-", "a = x- + b + c", "a = b + c + d", "a = b + -x + -y"]
)
def test_other_triples_are_no_steps(line: str) -> None:
    with pytest.raises(ValueError, match="a step is"):
        parse_step(1, line)


def test_a_tree_with_a_link_is_drawn_and_described() -> None:
    tree = Tree.parse("[[arbeit] [LINK: s] [zimmer]]")
    for drawn in (to_svg(tree), to_latex(tree), to_dot(tree)):
        assert "-s-" in drawn
    assert "mt-link" in to_svg(tree)
    said = describe(node_of(tree))
    assert said == "arbeitszimmer is made of arbeit, the linking element -s- and zimmer."


BOUGHT = "[[ge [kaufen] t] es]"


@pytest.mark.parametrize(
    ("word", "notation", "inner"),
    [
        ("gekauftes", BOUGHT, "gekauft"),
        ("Gekauftes", BOUGHT, "gekauft"),
        ("arbeitszimmers", "[[[arbeit] [LINK: s] [zimmer]] s]", "arbeitszimmer"),
        ("hilfsmittels", "[[[hilfe] [LINK: s] [mittel]] s]", "hilfsmittel"),
        ("explanations", "[[[explain] ation] s]", "explanation"),
        ("happinesses", "[[[happy] ness] es]", "happiness"),
    ],
)
def test_inner_words_are_drawn_as_they_are_spelt(word: str, notation: str, inner: str) -> None:
    tree = Tree.parse(notation)
    reading = Reading(tree, tree.form, 1.0, word)
    assert [node.text for node in node_of(reading).all()][:2] == [word, inner]
    for drawn in (to_svg(reading), to_latex(reading), to_dot(reading)):
        assert inner in drawn
        assert "gekaufent" not in drawn
    assert f"-> {inner} -> {word.lower()}" in derivation(tree, word)
    [first, *_] = view(reading)["steps"]
    assert first["word"] == inner


def test_an_inner_word_is_attested_as_it_is_spelt() -> None:
    known = Lexicon({"gekauft": pack(Facts(3.0, ORDINARY, 0))})
    assert attested(Tree.parse(BOUGHT), "gekauftes", known) == (False, True, False)


def test_bases_get_lines_as_they_are_spelt() -> None:
    entries = [Entry("gekauftes", (Tree.parse(BOUGHT),))]
    lines = WRITERS["derivation"](entries).lines
    assert lines == ("kaufen", "gekauft = ge- + kaufen + -t", "gekauftes = gekauft + -es")
    assert READERS["derivation"]("\n".join(lines)).entries[-1].readings == entries[0].readings


@pytest.mark.parametrize("notation", STEPS.values())
def test_programs_get_the_same_tree(notation: str) -> None:
    tree = Tree.parse(notation)
    reading = Reading(tree, tree.form, 1.0, tree.form)
    data = Analysis(tree.form, "ok", (reading,)).to_dict()
    assert Analysis.from_dict(data).readings[0].tree == tree
    roles = [morpheme["role"] for morpheme in data["readings"][0]["morphemes"]]
    assert roles == [ROLES[leaf.label] for leaf in tree.leaves()]
    pytest.importorskip("nltk")
    assert from_nltk(to_nltk(tree)) == tree


# -- which grammar trees need ----------------------------------------------------------------------

PLAIN, COMPOUND, LINKED = "[[kauf] t]", "[[haus] [tür]]", "[[arbeit] [LINK: s] [zimmer]]"


@pytest.mark.parametrize(
    ("trees", "grammar"),
    [
        ([PLAIN], PAPER),
        ([PLAIN, COMPOUND], COMPOUNDS),
        ([PLAIN] * 2000 + [LINKED], LINKS),
        ([PLAIN, BOUGHT], LINKS),
        ([PLAIN] * 2000 + [COMPOUND, BOUGHT], COMPOUNDS),  # one among thousands is an error
        ([PLAIN, "[X: [a] [b]]"], PAPER),
    ],
)
def test_the_smallest_grammar_of_trees(trees: list[str], grammar: Grammar) -> None:
    assert smallest(map(Tree.parse, trees)) == grammar


def test_training_takes_circumfixes_without_being_told() -> None:
    words = [Entry(f"ge{stem}t", (Tree.parse(f"[ge [{stem}en] t]"),)) for stem in ("kauf", "hol")]
    assert choose_structure(Settings(), words).grammar == LINKS


def test_a_link_is_no_stem() -> None:
    tree = Tree.parse("[[arbeit] [LINK: s] [zimmer]]")
    assert tree.root == "zimmer"
    assert [leaf.string for leaf in tree.leaves() if not leaf.is_affix] == ["arbeit", "zimmer"]
    assert tree.steps() == ("arbeit", "zimmer", "arbeitszimmer")


def test_the_inventory_has_links(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "affixes.tsv"
    path.write_text("-s-\tlink\t\t\t\tarbeitszimmer\tlinking element\n", encoding="utf-8")
    [row] = read_inventory(path)
    assert (row.label, row.string, str(row)) == (LINK, "s", "-s-")
    assert (LINK, "s") in Inventory([row]).rows


def test_offsets_of_a_link() -> None:
    spans = [*Tree.parse("[[arbeit] [LINK: s] [zimmer]]").spans()]
    assert [(s.label, s.start, s.end) for s in spans][2] == (LINK, 6, 7)


def test_an_entry_with_a_circumfix_keeps_its_place() -> None:
    entry = Entry("gekauft", (Tree.parse("[ge [kaufen] t]"),))
    assert entry.segments == ("ge", "kaufen", "t")
