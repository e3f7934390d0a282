"""Linking elements, circumfixes and reduplication in the editor, by keys and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from morphtree.treebank.check import check_file
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import LINKS
from morphtree.trees.tree import Tree
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.editor import Setup
from tests.annotating_pages import FITS, Open, Page, at, expect, has, press, shown

pytestmark = pytest.mark.browser
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
ROOM, BOUGHT = "[[arbeit] [LINK: s] [zimmer]]", "[ge [kaufen] t]"
CHILDREN = "[[anak] [anak]]"


def linked(*words: str) -> Setup:
    return Setup(words=words, who="anna", guidelines=Guidelines(grammar=LINKS))


def left(page: Page, letters: int, *then: str) -> None:
    """Move the caret, then press keys."""
    press(page, " ".join((*["ArrowLeft"] * letters, *then)))


def reads_back(path: Path, **trees: str) -> None:
    """The file is read as these trees, and the check has nothing to say against them."""
    entries = Treebank.read(path).entries
    found = {entry.word.replace("-", "_"): entry.readings for entry in entries}
    assert found == {word: (Tree.parse(tree),) for word, tree in trees.items()}
    assert not [p for p in check_file(path, grammar=LINKS)[1] if p.is_error]


# -- by keyboard -----------------------------------------------------------------------------------


def test_a_piece_becomes_a_linking_element_by_its_label(editor: Open, path: Path) -> None:
    page = editor(linked("arbeitszimmer", "gastzimmer"))
    at(page, "arbeitszimmer")
    left(page, 5, "Space")
    shown(page, "[[arbeits] [zimmer]]")
    left(page, 1, "Space")
    shown(page, "[[[arbeit] s] [zimmer]]")
    press(page, "l")
    shown(page, ROOM)
    expect(page.locator("#tree .mt-link.mt-node")).to_contain_text("-s-")
    expect(page.locator("#legend")).to_contain_text("linking element")
    for tree in (
        "[[arbeit [s]] [zimmer]]",
        "[[[arbeit] [s]] [zimmer]]",
        "[[[arbeit] s] [zimmer]]",
        ROOM,
    ):
        press(page, "l")
        shown(page, tree)
    press(page, "Enter")
    at(page, "gastzimmer")
    has(path, f"arbeitszimmer\t{ROOM}")
    reads_back(path, arbeitszimmer=ROOM)


def test_a_link_that_was_seen_is_one_again_when_it_is_cut(editor: Open, path: Path) -> None:
    path.write_text(f"arbeitszimmer\t{ROOM}\nzug\t[zug]\n", "utf-8")
    page = editor(linked("hoffnungszug"))
    at(page, "hoffnungszug")
    press(page, "0")
    expect(page.locator("#start")).to_contain_text("nothing left")  # the word is saved
    press(page, "g")
    page.keyboard.type("hoffnungszug")
    press(page, "Enter")
    shown(page, "[hoffnungszug]")
    left(page, 2, "Space", "l")
    shown(page, "[[hoffnungs] [zug]]")
    left(page, 1, "Space")
    shown(page, "[[hoffnung] [LINK: s] [zug]]")
    press(page, "Space")
    shown(page, "[[hoffnungs] [zug]]")
    press(page, "u . Space")
    shown(page, "[[hoffnung] [szug]]")


def test_the_halves_of_a_circumfix_are_attached_at_once(editor: Open, path: Path) -> None:
    page = editor(linked("gekauft", "geholt"))
    at(page, "gekauft")
    press(page, "Space")
    shown(page, "[[gekauf] t]")
    left(page, 4, "Space")
    shown(page, "[[ge [kauf]] t]")
    press(page, "ArrowUp")
    shown(page, BOUGHT.replace("kaufen", "kauf"))
    press(page, "ArrowUp")
    shown(page, "[ge [[kauf] t]]")
    press(page, "ArrowDown . /")
    page.keyboard.type("en")
    press(page, "Enter")
    shown(page, BOUGHT)
    expect(page.locator("#letters")).to_contain_text("written ge · kauf · t")
    expect(page.locator("#checks")).to_contain_text("ge- occurs for the first time")
    expect(page.locator("#checks")).not_to_contain_text("respell")
    press(page, "Enter")
    at(page, "geholt")
    shown(page, "[ge [hol] t]")  # by the circumfix that was seen
    press(page, ". ;")
    shown(page, "[ge [holen] t]")  # by the stem end
    press(page, "Enter")
    expect(page.locator("#start")).to_be_visible()
    reads_back(path, gekauft=BOUGHT, geholt="[ge [holen] t]")


def test_a_circumfix_can_be_cut_joined_and_moved(editor: Open, path: Path) -> None:
    path.write_text(f"gekauftes\t[[ge [kaufen] t] es]\ngemacht\t{BOUGHT[:4]}[machen] t]\n", "utf-8")
    page = editor(linked("gesagt"))
    at(page, "gesagt")
    shown(page, "[ge [sag] t]")
    press(page, "0 g")
    page.keyboard.type("gesagt")
    press(page, "Enter")
    shown(page, "[gesagt]")
    press(page, "Space")
    left(page, 3, "Space")
    shown(page, "[ge [sag] t]")  # as soon as both halves are cut
    press(page, "Space")
    shown(page, "[[gesag] t]")
    press(page, "u . Space")
    shown(page, "[ge [sagt]]")
    press(page, "u , Shift+ArrowRight")
    shown(page, "[ges [ag] t]")


def test_reduplication_is_a_compound_without_its_hyphen(editor: Open, path: Path) -> None:
    page = editor(linked("anak-anak", "ibu-ibu"))
    at(page, "anak-anak")
    shown(page, CHILDREN)  # is proposed
    press(page, "Space")
    shown(page, "[anak-anak]")
    for keys in ("ArrowRight Space", "Space"):  # after the hyphen, and before it
        press(page, keys)
        shown(page, CHILDREN)
        press(page, "Space")
    press(page, "Space Enter")
    at(page, "ibu-ibu")
    press(page, "Enter")
    expect(page.locator("#start")).to_be_visible()
    reads_back(path, anak_anak=CHILDREN, ibu_ibu="[[ibu] [ibu]]")


def test_capitals_are_stored_in_lower_case(editor: Open, path: Path) -> None:
    page = editor(linked())
    page.keyboard.type("Arbeitszimmer")
    press(page, "Enter")
    at(page, "arbeitszimmer")
    press(page, "s")
    has(path, "arbeitszimmer\t[arbeitszimmer]")


# -- without links ---------------------------------------------------------------------------------


def test_without_the_grammar_nothing_of_it_is_offered(editor: Open) -> None:
    page = editor(Setup(words=["arbeitszimmer"], who="anna"))
    expect(page.locator("#legend")).not_to_contain_text("linking")
    left(page, 5, "Space")
    left(page, 1, "Space")
    seen = ["[[[arbeit] s] [zimmer]]", "[[arbeit [s]] [zimmer]]", "[[[arbeit] [s]] [zimmer]]"]
    for tree in (*seen, seen[0]):
        shown(page, tree)
        press(page, "l")
    press(page, "l ArrowUp")
    shown(page, "[[arbeit] [[s] [zimmer]]]")


# -- on a phone ------------------------------------------------------------------------------------


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).tap()


def test_a_phone_makes_links_circumfixes_and_reduplication(editor: Open, path: Path) -> None:
    page = editor(linked("arbeitszimmer", "gekauft", "anak-anak"), **PHONE)
    at(page, "arbeitszimmer")
    for letter in (6, 7):
        tap(page, f"Cut after letter {letter}")
    shown(page, "[[arbeit] [s [zimmer]]]")
    tap(page, "Relabel")
    shown(page, ROOM)
    page.locator("#tree .mt-link.mt-node").tap()
    tap(page, "Relabel")
    shown(page, "[[arbeit] [[s] [zimmer]]]")
    tap(page, "Undo")
    shown(page, ROOM)
    assert page.evaluate(FITS)
    tap(page, "Accept")
    at(page, "gekauft")
    for letter in (2, 6):
        tap(page, f"Cut after letter {letter}")
    tap(page, "Wider")
    shown(page, "[ge [kauf] t]")
    tap(page, "Respell")
    page.locator("#text").fill("kaufen")
    page.locator("#text").press("Enter")
    shown(page, BOUGHT)
    assert page.evaluate(FITS)
    tap(page, "Accept")
    at(page, "anak-anak")
    tap(page, "Accept")
    expect(page.locator("#start")).to_be_visible()
    reads_back(path, arbeitszimmer=ROOM, gekauft=BOUGHT, anak_anak=CHILDREN)
