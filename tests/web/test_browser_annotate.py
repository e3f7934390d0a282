"""The editor in a real browser: by keyboard alone, by mouse; conflicts, families, training."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import morphtree
from morphtree._util.text import normalise, why_no_word
from morphtree.trees.tree import Tree
from morphtree.web.editor.editor import Setup
from morphtree.web.editor.journal import Change, Journal
from tests.annotating import ESPERANTO, SECRET, change, client, editing, lines, saved
from tests.annotating_pages import FITS, Open, at, expect, has, press, shown
from tests.hostile import hostile_words
from tests.serving import needed

pytestmark = pytest.mark.browser


# -- by keyboard alone -----------------------------------------------------------------------------


def test_words_are_cut_labelled_and_accepted_by_keys(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space")  # the caret is before the last letter
    shown(page, "[[san] a]")
    press(page, "Enter")
    at(page, "malsana")
    shown(page, "[[malsan] a]")  # from the affix seen
    press(page, ", ArrowLeft ArrowLeft ArrowLeft Space")
    shown(page, "[[mal [san]] a]")  # as san is a stem
    press(page, "l l l")
    shown(page, "[[mal [san]] a]")
    press(page, "Enter")
    at(page, "malsanulo")
    press(page, "s")
    at(page, "lernejo")
    has(path, "sana\t[[san] a]", "malsana\t[[mal [san]] a]", "malsanulo\t[malsanulo]")


def test_scope_cuts_and_spelling_change_by_arrows(editor: Open) -> None:
    page = editor()
    at(page, "sana")
    press(page, "g")
    page.keyboard.type("unlockable")
    press(page, "Enter")
    at(page, "unlockable")
    press(page, "ArrowLeft ArrowLeft ArrowLeft Space")
    shown(page, "[[unlock] able]")
    press(page, "ArrowLeft ArrowLeft ArrowLeft ArrowLeft Space")
    shown(page, "[[un [lock]] able]")
    press(page, "ArrowUp")
    shown(page, "[un [[lock] able]]")
    press(page, "ArrowDown")
    shown(page, "[[un [lock]] able]")
    press(page, "Shift+ArrowRight")
    shown(page, "[[unl [ock]] able]")
    press(page, "Shift+ArrowLeft . /")
    page.keyboard.type("er")
    press(page, "Enter")
    shown(page, "[[un [locker]] able]")
    press(page, "Space")
    shown(page, "[un [lockable]]")


def test_readings_are_accepted_by_number_and_browsed(editor: Open, path: Path) -> None:
    page = editor(Setup(words=["unlockable", "cats"], analyzer=morphtree.load(), who="anna"))
    page.locator("#order").select_option("list")
    at(page, "unlockable")
    expect(page.locator(".offer")).to_have_count(2)
    first, second = (page.locator(".offer .brackets").nth(k).text_content() for k in range(2))
    press(page, "j")
    shown(page, second)
    press(page, "k + 2")
    at(page, "cats")
    press(page, "1")
    has(path, f"unlockable\t{first}\t{second}", "cats\t[[cat] s]")
    expect(page.locator("#start")).to_contain_text("nothing left")


def test_everything_can_be_undone_and_done_again(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space Enter s")
    at(page, "malsanulo")
    press(page, "u")
    at(page, "malsana")
    has(path, "sana\t[[san] a]", "malsana\t[malsana]", "malsana\t[]")
    press(page, "u")
    at(page, "sana")
    shown(page, "[[san] a]")
    press(page, "u")
    shown(page, "[sana]")
    assert Journal(path).entries() == []
    press(page, "r r")
    at(page, "malsana")
    press(page, "r")
    at(page, "malsanulo")
    assert [e.word for e in Journal(path).entries()] == ["sana", "malsana"]
    press(page, "u u u u u")
    at(page, "sana")
    assert Journal(path).entries() == []


def test_notes_and_skips_are_kept(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")
    press(page, "n")
    page.keyboard.type("ask who=Ben")
    press(page, "Enter")
    expect(page.locator("#record")).to_contain_text("Note: ask who=Ben")
    press(page, "s")
    at(page, "malsana")
    press(page, "x")
    at(page, "malsanulo")
    text = path.read_text("utf-8")
    assert "sana\t[sana]\tnote=ask who =Ben who=anna when=" in text
    assert "malsana\t[]\tnote=skipped who=anna when=" in text
    expect(page.locator("#count")).to_contain_text("2 of 5")
    press(page, "s s s")
    expect(page.locator("#speed")).to_contain_text("a minute")


def test_fast_hands_lose_no_key(editor: Open, path: Path) -> None:
    words = [f"vorto{number}" for number in range(12)]
    page = editor(Setup(words=words, who="anna"))
    at(page, "vorto0")
    for _ in words:
        page.keyboard.press("s")
    expect(page.locator("#start")).to_contain_text("nothing left")
    has(path, *(f"{word}\t[{word}]" for word in words))


def test_fast_hands_type_before_the_line_is_there(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")

    def late(route: Any) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/edit/save", late)
    page.keyboard.press("s")
    page.keyboard.press("n")
    page.keyboard.type("Who knows")
    press(page, "Enter s")
    at(page, "malsanulo")
    assert "malsana\t[malsana]\tnote=Who knows who=anna" in path.read_text("utf-8")


# -- by mouse --------------------------------------------------------------------------------------


def test_the_mouse_does_it_too(editor: Open, path: Path) -> None:
    page = editor()
    page.get_by_role("button", name="Cut after letter 3").click()
    shown(page, "[[san] a]")
    page.get_by_role("button", name="Accept").click()
    at(page, "malsana")
    page.get_by_role("button", name="Cut after letter 3").click()
    shown(page, "[[mal [san]] a]")
    page.get_by_role("button", name="Relabel").click()
    shown(page, "[[[mal] [san]] a]")
    page.get_by_role("button", name="Undo").click()
    shown(page, "[[mal [san]] a]")
    page.locator("#tree .mt-root").click()
    page.get_by_role("button", name="Narrower").click()
    shown(page, "[mal [[san] a]]")
    page.locator("#tree .mt-prefix.mt-node").click()
    page.get_by_role("button", name="Narrower").click()
    shown(page, "[[mal [san]] a]")
    page.get_by_role("button", name="Undo").click()
    shown(page, "[mal [[san] a]]")
    page.locator(".offer").first.click()
    shown(page, "[[malsan] a]")
    page.get_by_role("button", name="Join after letter 6").click()
    shown(page, "[malsana]")
    page.get_by_role("button", name="Simple").click()
    has(path, "sana\t[[san] a]", "malsana\t[malsana]")
    expect(page.locator("#speed")).to_contain_text("2 saved")


# -- checks, families, conflicts -------------------------------------------------------------------


def test_a_correction_goes_to_the_whole_family_after_it_was_shown(editor: Open, path: Path) -> None:
    trees = ("malsanulo", "[[malsanul] o]"), ("malsanulejo", "[[[malsanul] ej] o]")
    Journal(path).save([Change(word, (Tree.parse(tree),)) for word, tree in trees], "ben")
    page = editor(Setup(words=["malsanula"], who="anna"))
    at(page, "malsanula")
    press(page, "Space , ArrowLeft ArrowLeft Space , ArrowLeft ArrowLeft ArrowLeft Space l")
    shown(page, "[[[mal [san]] ul] a]")
    expect(page.locator("#checks")).to_contain_text("malsanul is analysed differently in")
    press(page, "f")
    expect(page.locator("#panel")).to_contain_text("Change the family of malsanula?")
    expect(page.locator("#panel tbody tr")).to_have_count(2)
    assert len(lines(path)) == 2
    press(page, "Enter")
    before = ["\t".join(pair) for pair in trees]
    changed = ["malsanula\t[[[mal [san]] ul] a]", "malsanulejo\t[[[[mal [san]] ul] ej] o]",
               "malsanulo\t[[[mal [san]] ul] o]"]  # fmt: skip
    has(path, *before, *changed)
    expect(page.locator("#start")).to_contain_text("nothing left")
    press(page, "u")
    back = ["malsanula\t[]", *reversed(before)]
    has(path, *before, *changed, *back)
    at(page, "malsanula")
    press(page, "r")
    has(path, *before, *changed, *back, *changed)


def test_two_tabs_meet_in_a_conflict(editor: Open, path: Path) -> None:
    page = editor()
    with client(page.url) as other:
        at(page, "sana")
        first = saved(other, change("sana", "[sana]"), who="ben")[0]
        press(page, "Space Enter")
        expect(page.locator("#panel")).to_contain_text("Somebody else has saved this word")
        expect(page.locator("#panel")).to_contain_text("Saved by ben")
        has(path, "sana\t[sana]")
        press(page, "m")
        at(page, "malsana")
        has(path, "sana\t[sana]", "sana\t[[san] a]")
        assert first["version"].startswith("1.")
        saved(other, change("malsana", "[malsana]"), who="ben")
        press(page, "Enter")
        expect(page.locator("#panel")).to_be_visible()
        press(page, "t")
        at(page, "malsanulo")
        assert len(lines(path)) == 3


def test_a_service_that_is_gone_is_not_a_save(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")
    page.route("**/edit/save", lambda route: route.abort())
    press(page, "Space Enter")
    expect(page.get_by_role("alert")).to_contain_text("nothing was saved")
    at(page, "sana")
    shown(page, "[[san] a]")
    assert path.read_bytes() == b""
    page.unroute("**/edit/save")
    press(page, "Enter")
    at(page, "malsana")
    has(path, "sana\t[[san] a]")


def test_a_second_annotator_works_blind_and_both_are_compared(
    editor: Open, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "second.brackets"
    Journal(other).save([Change("sana", (Tree.parse("[sana]"),)),
                         Change("kaj", (Tree.parse("[kaj]"),))], "ben")  # fmt: skip
    Journal(path).save([Change("sana", (Tree.parse("[[san] a]"),)),
                        Change("kaj", (Tree.parse("[kaj]"),))], "anna")  # fmt: skip
    page = editor(Setup(who="anna", other=str(other)))
    at(page, "sana")
    press(page, "c")
    expect(page.locator("#panel .figures")).to_contain_text("50 %")
    expect(page.locator("#panel tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Settle", exact=True).click()
    at(page, "sana")
    expect(page.locator(".offer .source").nth(1)).to_contain_text("ben")
    press(page, "2")
    for _ in range(100):
        if "prov=settled" in path.read_text("utf-8"):
            break
        time.sleep(0.05)
    assert "sana\t[sana]\tprov=settled who=anna" in path.read_text("utf-8")
    expect(page.locator("#start")).to_contain_text("nothing left")


def test_training_is_started_on_the_page_and_its_model_proposes(editor: Open, path: Path) -> None:
    text = "".join(ESPERANTO.read_text("utf-8").splitlines(keepends=True)[:62])
    path.write_text(text, "utf-8")
    words = ["bonulo", "lernistino"]
    page = editor(Setup(words=words, who="anna", training=("--language", "none")))
    expect(page.locator("#count")).to_contain_text("no model yet")
    press(page, "t")
    expect(page.locator("#panel")).to_contain_text("There are 60 words")
    press(page, "Enter")
    expect(page.locator("#panel")).to_contain_text("Training on")
    expect(page.locator("#panel")).to_contain_text("eo.model proposes now", timeout=300000)
    expect(page.locator("#panel .figures")).to_contain_text("segments right")
    press(page, "Escape")
    expect(page.locator("#count")).to_contain_text("model eo.model")
    expect(page.locator("#order")).to_have_value("margin")


# -- for everybody, and against harm ---------------------------------------------------------------


def test_without_the_token_the_page_says_what_to_do(browser: Any, path: Path) -> None:
    with editing(path) as base:
        context = browser.new_context(base_url=base)
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("alert")).to_contain_text("open the address")
        page.goto(f"/#{SECRET}")
        page.reload()
        expect(page.locator("#count")).not_to_be_empty()
        assert SECRET not in page.url
        context.close()


def test_hostile_words_and_notes_do_nothing(editor: Open, path: Path) -> None:
    harm = '<img/src=x/onerror="window.evil=1">'
    words = [harm, *(w for w in hostile_words(60) if w.strip() and w == w.strip())][:25]
    usable = [w for w in words if len(w) <= 64 and "#" not in w and not why_no_word(w)]
    page = editor(Setup(words=usable, who=harm), viewport={"width": 360, "height": 740})
    for _ in {*map(normalise, usable)}:
        press(page, "n")
        page.keyboard.type(harm)
        press(page, "Enter ArrowLeft Space Enter")
        expect(page.locator("#saved")).not_to_be_empty()
        assert page.evaluate(f"() => window.evil === undefined && {FITS}")
    assert page.locator("main script, main iframe, main img").count() == 0
    assert path.read_bytes()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(editor: Open, path: Path, scheme: str) -> None:
    axe = needed("axe_playwright_python.sync_playwright")
    path.write_text("".join(f"vorto{n}x\t[vorto{n}x]\n" for n in range(20)), "utf-8")
    page = editor(color_scheme=scheme, reduced_motion="reduce")
    press(page, "Space n")
    expect(page.locator("#checks")).to_contain_text("first time")
    for keys, opened in (
        ("", "#work"),
        ("Escape t", "#panel"),
        ("Escape w", "#panel"),
        ("d", "#start"),
    ):
        press(page, keys)
        expect(page.locator(opened)).to_be_visible()
        result = axe.Axe().run(page)
        found = result.response["violations"]
        assert {v["id"]: [n["html"][:120] for n in v["nodes"]] for v in found} == {}


def test_a_phone_shows_it_all_without_scrolling_sideways(editor: Open) -> None:
    long = Setup(words=["antaŭenmalsanulejestrinoj", "sana"], who="anna")
    page = editor(long, viewport={"width": 360, "height": 740})
    expect(page.locator("#tree svg")).to_be_visible()
    assert page.evaluate(FITS)
