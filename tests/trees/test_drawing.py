"""Pictures of trees."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import morphtree
from morphtree.analysis import Analysis, Reading, Told
from morphtree.trees.drawing import to_dot, to_latex, to_svg
from morphtree.trees.nodes import describe, node_of
from morphtree.trees.notebook import percent
from morphtree.trees.picture import GAP, HEIGHT, picture
from morphtree.trees.text_width import text_width
from morphtree.trees.tree import Tree

SVG = "{http://www.w3.org/2000/svg}"
UNTESTABLY = Tree.parse("[[un [[test] able]] ly]")
letters = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def elements(svg: str, kind: str) -> list[ElementTree.Element]:
    """Return the elements of a picture that have a class."""
    return [e for e in ElementTree.fromstring(svg).iter() if kind in e.get("class", "").split()]


def reading(tree: Tree, *, attested: tuple[bool, ...] = ()) -> Reading:
    return Reading(tree, tree.form, 0.5, known=Told(attested))


def test_pictures_are_well_formed_and_safe() -> None:
    evil = Tree.word(Tree("WORD", string='<script>&"%#{'), Tree("SUFFIX", string="s"))
    bad = Reading(evil, evil.form, 0.5, '<script>&"%#{s')
    svg = to_svg(bad)
    ElementTree.fromstring(svg)
    assert "<script" not in svg
    assert r"\%\#\{" in to_latex(bad)
    assert r"\"" in to_dot(bad)


@given(st.lists(letters, min_size=2, max_size=4), letters, letters)
@settings(max_examples=60)
def test_any_word_and_label_can_be_drawn(strings: list[str], label: str, word: str) -> None:
    tree = Tree(label, tuple(Tree(label, string=string) for string in strings))
    told = ElementTree.fromstring(to_svg(Reading(tree, tree.form, 0.5, word), [label]))
    assert len([*told.iter(f"{SVG}g")]) == len(strings) + 1
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", "".join(told.itertext()))


def test_a_picture_shows_every_step() -> None:
    texts = [text.text for text in elements(to_svg(UNTESTABLY), "mt-text")]
    assert texts == ["untestably", "untestable", "un-", "testable", "test", "-able", "-ly"]
    roles = [text.text for text in elements(to_svg(UNTESTABLY), "mt-role")]
    assert roles == ["prefix", "stem", "suffix", "suffix"]
    flat = Reading(("cat", "s"), "cats", 0.5, "cats")
    assert [text.text for text in elements(to_svg(flat), "mt-role")] == ["segment"] * 2


def test_a_picture_says_itself_in_words() -> None:
    told = ElementTree.fromstring(to_svg(UNTESTABLY))
    assert told.get("role") == "img"
    assert told.get("aria-label") == (
        "untestably is made of untestable and the suffix -ly. "
        "untestable is made of the prefix un- and testable. "
        "testable is made of test and the suffix -able."
    )
    assert describe(node_of(Tree.stem("window"))) == "window is one piece."
    assert describe(node_of(Tree.stem("window"), "N")) == "window (noun) is one piece."


def test_nodes_are_numbered_parents_first() -> None:
    groups = elements(to_svg(UNTESTABLY), "mt-node")
    assert [group.get("data-node") for group in groups] == [*map(str, range(7))]
    assert groups[0].get("class") == "mt-node mt-word mt-root"


def test_categories_are_tags_with_names() -> None:
    assert not elements(to_svg(UNTESTABLY), "mt-category")
    tags = elements(to_svg(UNTESTABLY, ["R", "A", "A", "V"]), "mt-category")
    assert ["".join(tag.itertext()) for tag in tags] == ["adverbR", *["adjectiveA"] * 2, "verbV"]
    assert r"{testable\textsubscript{A}}" in to_latex(UNTESTABLY, ["R", "A", "A", "V"])
    assert 'label="test (V)"' in to_dot(UNTESTABLY, ["R", "A", "A", "V"])


def test_words_that_are_not_known_have_dashed_frames_but_for_the_whole() -> None:
    svg = to_svg(reading(UNTESTABLY, attested=(False, False, True, True)))
    (unknown,) = elements(svg, "mt-unknown")
    assert "".join(unknown.itertext()) == "untestable"
    assert svg.count("stroke-dasharray") == 1


@pytest.mark.parametrize("tree", ["[[un [[test] able]] ly]", "[[a] [b] [c] [d]]", "[w]"])
def test_frames_stand_apart_and_inside_the_picture(tree: str) -> None:
    drawn = picture(node_of(Tree.parse(tree)))
    frames = [part for group in drawn.children for part in getattr(group, "children", ())]
    boxes = [
        {name: float(part.attributes[name]) for name in ("x", "y", "width")}
        for part in frames
        if not isinstance(part, str) and part.attributes.get("class") == "mt-frame"
    ]
    assert len(boxes) == len([*Tree.parse(tree).nodes()])
    for number, one in enumerate(boxes):
        assert one["x"] >= 0
        assert one["x"] + one["width"] <= float(drawn.attributes["width"])
        assert one["y"] + HEIGHT <= float(drawn.attributes["height"])
        for other in boxes[number + 1 :]:
            if one["y"] == other["y"]:
                left, right = sorted((one, other), key=lambda box: box["x"])
                assert right["x"] - left["x"] - left["width"] >= GAP - 0.2


def test_a_file_has_plain_colours_for_light_ground_and_others_for_dark() -> None:
    (style,) = ElementTree.fromstring(to_svg(UNTESTABLY)).iter(f"{SVG}style")
    light, dark = (style.text or "").split("@media (prefers-color-scheme:dark)")
    assert "var(" not in light + dark
    assert "light-dark" not in light + dark
    colours = [set(re.findall("#[0-9a-f]{6}", part)) for part in (light, dark)]
    assert len(colours[0]) == len(colours[1]) == 12
    assert not colours[0] & colours[1]
    assert "font-family" not in dark
    used = {kind for e in ElementTree.fromstring(to_svg(UNTESTABLY)).iter()
            for kind in e.get("class", "").split()}  # fmt: skip
    assert all(kind == "morphtree" or kind.startswith("mt-") for kind in used)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, by the definition of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_words_are_readable_on_their_frames_and_the_rest_on_any_ground() -> None:
    (style,) = ElementTree.fromstring(to_svg(UNTESTABLY)).iter(f"{SVG}style")
    grounds = "#ffffff", "#0d1117", "#1e1e1e"  # paper; a dark page; a dark notebook
    for part in (style.text or "").split("@media"):
        colours = dict(re.findall(r"([^{}]+)\{[^{}]*?fill: (#[0-9a-f]{6})", part))
        for role in ("prefix", "stem", "suffix"):
            text, frame = (colours[f".mt-{role} .mt-{kind}"] for kind in ("text", "frame"))
            assert contrast(text, frame) > 4.5
        assert contrast(colours[".mt-text"], colours[".mt-frame"]) > 7
        assert contrast(colours[".mt-category rect"], colours[".mt-category text"]) > 7
        assert all(contrast(colours[".mt-role"], ground) > 2.9 for ground in grounds)


def test_text_is_measured_by_its_letters() -> None:
    assert text_width("ill", 20) < text_width("mow", 20)
    assert text_width("e\u0301", 20) == text_width("\u00e9", 20) == text_width("e", 20)
    assert text_width("\u4e2d\u6587", 20) == 40
    assert text_width("\u0436", 20) > 10


# -- notebooks ----------------------------------------------------------------------------------


def test_results_draw_themselves() -> None:
    analysis = morphtree.load().parse("untestably")
    (best,) = analysis.readings
    assert best._repr_svg_() == analysis._repr_svg_() == to_svg(best, best.categories)
    assert best.to_svg(categories=False) == to_svg(best)
    assert UNTESTABLY._repr_svg_() == UNTESTABLY.to_svg() == to_svg(UNTESTABLY)
    assert Analysis("", "refused", ())._repr_svg_() is None


def test_a_notebook_shows_all_readings() -> None:
    shown = morphtree.load().parse("unlockable", 2)._repr_html_()
    assert shown.count("<img ") == 2
    assert shown.count("treebank") == 2
    assert "<strong>54 %</strong>" in shown
    assert "alt='unlockable (adjective) is made of unlock (verb) and the suffix -able." in shown
    assert "A adjective, V verb" in shown
    ElementTree.fromstring(shown)


def test_where_there_is_only_text_readings_are_lines() -> None:
    analyzer, printer = morphtree.load(), Printer()
    for word in ("unlockable", "a b"):
        analyzer.parse(word, 2)._repr_pretty_(printer, False)
    UNTESTABLY._repr_pretty_(printer, False)
    assert printer.texts == [
        "unlockable\n  54 %  [[un [lock]] able]  treebank\n  46 %  [un [[lock] able]]  treebank",
        "a b is refused: a word has no blanks or control characters",
        "[[un [[test] able]] ly]",
    ]
    assert [*map(percent, (0, 0.001, 0.5, 0.999, 1))] == ["0 %", "<1 %", "50 %", ">99 %", "100 %"]


class Printer:
    """What IPython gives to objects to print themselves."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def text(self, text: str) -> None:
        self.texts.append(text)


def test_a_notebook_says_why_there_is_no_tree() -> None:
    analyzer = morphtree.load()
    assert "''</strong> is refused: the word is empty" in analyzer.parse("")._repr_html_()
    assert "is refused: a word has no blanks" in analyzer.parse("a b")._repr_html_()
    assert "is whole: it has no letter" in analyzer.parse("1234")._repr_html_()


def test_a_hostile_word_does_no_harm_in_a_notebook() -> None:
    word = "<img/src='x'onerror=evil()>\u202e"
    shown = Analysis(word, "ok", (Reading(Tree.stem(word), word, 1.0, word),))._repr_html_()
    assert shown.count("<img") == 1  # the picture
    assert "\u202e" not in shown
    assert "onerror" not in re.sub("<bdi>[^<>]*</bdi>|alt='[^']*'", "", shown)
