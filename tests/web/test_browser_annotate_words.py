"""Where the words of the editor come from, in a browser: a field, a frequency list, the file."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.word_facts import ORDINARY, Facts, pack
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.editor import Setup
from morphtree.web.editor.frequency import FrequencyList
from tests.annotating import change, client, rows, saved
from tests.annotating_pages import FITS, Open, Page, at, expect, has, press, shown

pytestmark = pytest.mark.browser
PHONE = {"width": 360, "height": 740}
REFUSED = (
    "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
)
ALONE = Setup(who="anna")
DUTCH = FrequencyList("nl", [*(f"woord{letter}" for letter in "abcdefghij"), "woordenboek"])
ENGLISH = Guidelines(
    lexicon=Lexicon({w: pack(Facts(5.0, ORDINARY, 0)) for w in ("foot", "ball", "window")})
)


def started(page: Page, text: str) -> None:
    expect(page.locator("#start")).to_contain_text(text)


# -- which words -----------------------------------------------------------------------------------


def test_an_empty_file_asks_for_words_and_takes_them_typed(editor: Open, path: Path) -> None:
    page = editor(ALONE)
    started(page, "eo.brackets is empty. Type a word")
    started(page, "start the editor with --language")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("Hundo")
    press(page, "Enter")
    at(page, "hundo")
    expect(page.locator("#start")).to_be_hidden()
    press(page, "Space Enter")
    started(page, "nothing left in the list")
    has(path, "hundo\t[[hund] o]")
    expect(page.locator("#count")).to_contain_text("1 of 1 \u00b7 1 entry")
    page.locator("#words").fill("kato\n birdo \n\nkato")
    page.get_by_role("button", name="Annotate", exact=True).click()
    at(page, "kato")
    expect(page.locator("#count")).to_contain_text("1 of 3")
    press(page, "s")
    at(page, "birdo")


def test_a_word_that_has_an_entry_is_opened(editor: Open, path: Path) -> None:
    path.write_text("hundo\t[[hund] o]\nkato\t[[kat] o]\n", "utf-8")
    page = editor(ALONE)
    started(page, "eo.brackets has 2 entries")
    page.keyboard.type("kato")
    press(page, "Enter")
    at(page, "kato")
    shown(page, "[[kat] o]")
    press(page, "w")
    page.get_by_role("button", name="2 annotated words").click()
    at(page, "hundo")
    press(page, "Enter")
    at(page, "kato")
    press(page, "Enter")
    started(page, "nothing left in the queue \u201cannotated\u201d")


def test_keys_go_to_the_word_as_soon_as_it_is_shown(editor: Open, path: Path) -> None:
    path.write_text("hundo\t[[hund] o]\n", "utf-8")
    page = editor(ALONE)
    started(page, "eo.brackets has 1 entry")
    # An observer runs before the next frame, when a browser takes the focus off what is hidden.
    page.evaluate("""() => {
        const look = () => { window.focused = document.activeElement.id; };
        const card = document.getElementById("start");
        new MutationObserver(look).observe(card, { attributes: true });
    }""")
    page.get_by_role("button", name="1 annotated word").click()
    at(page, "hundo")
    assert page.evaluate("window.focused") == "work"


def test_frequent_words_are_offered_and_queued(editor: Open) -> None:
    page = editor(Setup(who="anna", frequency=DUTCH))
    started(page, "nl: woorda, woordb, woordc")
    started(page, "nl: woordenboek, ")
    page.get_by_role("button", name="The 100 most frequent words of 7 letters or more").click()
    at(page, "woordenboek")
    press(page, "s")
    started(page, "nothing left in the list")
    page.get_by_role("button", name="The 100 most frequent words").click()
    at(page, "woorda")
    expect(page.locator("#count")).to_contain_text("1 of 11")
    for _ in range(10):
        press(page, "s")
    started(page, "nothing left in the list")
    started(page, "All words of the frequency list")


@pytest.mark.parametrize("how", ["g", "w"])
def test_blanks_are_refused_in_the_words_of_parse(editor: Open, path: Path, how: str) -> None:
    page = editor(expected=[REFUSED])
    at(page, "sana")
    press(page, how)
    expect(page.locator("#text" if how == "g" else "#words")).to_be_focused()
    page.keyboard.type("mal sana")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "'mal sana' is refused: a word has no blanks or control characters"
    )
    assert path.read_bytes() == b""


# -- what a cut gives ------------------------------------------------------------------------------


def test_football_is_two_stems(editor: Open) -> None:
    page = editor(Setup(words=["football", "windowball"], guidelines=ENGLISH, who="anna"))
    at(page, "football")
    shown(page, "[[foot] [ball]]")  # proposed
    press(page, "Space")
    shown(page, "[football]")
    press(page, "Space")
    shown(page, "[[foot] [ball]]")  # and cut
    press(page, "l")
    shown(page, "[[foot] ball]")
    press(page, "l")
    shown(page, "[foot [ball]]")


ROLES = [
    ("foot", "ball", "WW", "words"),
    ("window", "ball", "WW", "words of any length"),
    ("un", "able", "PW", "a prefix before a word, though able is a suffix"),
    ("drink", "able", "WS", "a suffix of this side"),
    ("xyz", "able", "WS", "a suffix after what nobody knows"),
    ("un", "xyzxyz", "PW", "a prefix before what nobody knows"),
    ("able", "un", "WS", "affixes of the other side are none"),
    ("foot", "xy", "WS", "what stands after a word"),
    ("xy", "foot", "PW", "what stands before a word"),
    ("klmn", "opqr", "WW", "two long pieces"),
    ("klmnop", "qr", "WS", "a short piece at the end"),
    ("kl", "mnopqr", "PW", "a short piece at the start"),
]


def test_roles_follow_what_is_known(editor: Open) -> None:
    page = editor()
    words = ["foot", "ball", "window", "able", "drink"]
    known = {"prefixes": ["un"], "suffixes": ["able"], "words": words}
    script = """async ({rows, known}) => {
        const {labels} = await import('/static/edits.js');
        return rows.map(([left, right]) => labels(left, right, known).map((l) => l[0]).join(''));
    }"""
    found = page.evaluate(script, {"rows": ROLES, "known": known})
    assert found == [row[2] for row in ROLES]


# -- changes that are not saved --------------------------------------------------------------------


def test_a_word_that_was_not_changed_is_left_without_asking(editor: Open) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space u")
    shown(page, "[sana]")
    press(page, "x")
    at(page, "malsana")
    expect(page.locator("#panel")).to_be_hidden()
    page.reload()
    at(page, "malsana")


@pytest.mark.parametrize(("key", "now"), [("s", "saved"), ("d", "dropped"), ("Escape", "here")])
def test_leaving_a_changed_word_asks(editor: Open, path: Path, key: str, now: str) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space g")
    page.keyboard.type("kaj")
    press(page, "Enter")
    expect(page.locator("#panel")).to_contain_text("sana is not saved")
    expect(page.locator("#panel")).to_be_focused()
    expect(page.locator("#panel .brackets")).to_have_text("[[san] a]")
    press(page, key)
    expect(page.locator("#panel")).to_be_hidden()
    at(page, "sana" if now == "here" else "kaj")
    if now == "here":
        shown(page, "[[san] a]")
    has(path, *(["sana\t[[san] a]"] if now == "saved" else []))


def test_another_queue_and_a_skip_ask_too(editor: Open) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space")
    page.locator("#order").select_option("skipped")
    expect(page.locator("#panel")).to_contain_text("sana is not saved")
    press(page, "Escape")
    expect(page.locator("#order")).to_have_value("list")
    press(page, "x")
    expect(page.locator("#panel")).to_contain_text("sana is not saved")
    press(page, "d")
    at(page, "malsana")
    press(page, "n")
    page.keyboard.type("rare")
    press(page, "Enter x")  # the note goes along
    at(page, "malsanulo")


def test_closing_a_changed_word_asks(editor: Open) -> None:
    page = editor(expected=[""])  # a dialog of the browser, without words of ours
    at(page, "sana")
    press(page, "Space")
    shown(page, "[[san] a]")
    with page.expect_event("dialog") as asked:
        page.evaluate("() => { setTimeout(() => location.reload(), 0); }")
    assert asked.value.type == "beforeunload"
    shown(page, "[[san] a]")  # dismissed: the page is still there


# -- undo, training, a phone -----------------------------------------------------------------------


def test_a_save_is_undone_after_a_reload(editor: Open, path: Path) -> None:
    page = editor()
    at(page, "sana")
    press(page, "Space Enter x s")  # the second one is put off
    at(page, "lernejo")
    page.reload()
    at(page, "lernejo")
    press(page, "u")
    at(page, "malsanulo")
    expect(page.get_by_role("alert")).to_contain_text("The save of malsanulo (2")
    trees = ["sana\t[[san] a]", "malsana\t[]", "malsanulo\t[malsanulo]",
             "malsanulo\t[]", "malsana\t[]", "sana\t[]"]  # fmt: skip
    page.reload()
    press(page, "u")
    at(page, "malsana")
    press(page, "u")
    at(page, "sana")
    shown(page, "[[san] a]")
    expect(page.locator("#count")).to_contain_text("0 entries")
    assert [row.rpartition("\t")[0] for row in rows(path)] == trees
    expect(page.locator("[data-key=u]")).to_be_disabled()
    press(page, "r")
    at(page, "malsana")
    assert [row.rpartition("\t")[0] for row in rows(path)] == [*trees, trees[0]]


def test_the_saves_of_others_are_not_undone(editor: Open) -> None:
    page = editor()
    at(page, "sana")
    with client(page.url) as other:
        saved(other, change("kaj", "[kaj]"), who="ben")
    page.reload()
    at(page, "sana")
    expect(page.locator("[data-key=u]")).to_be_disabled()


def test_training_is_offered_only_when_it_can_work(editor: Open, path: Path) -> None:
    path.write_text("".join(f"vorto{n}x\t[[vorto{n}] x]\n" for n in range(18)), "utf-8")
    page = editor()
    train = page.locator("#show-train")
    at(page, "sana")
    expect(train).to_be_disabled()
    expect(page.locator("#train-note")).to_have_text("Annotate 2 more words to train a model.")
    press(page, "s")
    at(page, "malsana")
    press(page, "t")
    expect(page.get_by_role("alert")).to_have_text("Annotate 1 more word to train a model.")
    expect(page.locator("#panel")).to_be_hidden()
    press(page, "s")
    expect(train).to_be_enabled()
    expect(page.locator("#train-note")).to_be_empty()
    at(page, "malsanulo")
    press(page, "Space t")
    expect(page.locator("#panel")).to_contain_text("There are 20 words")
    press(page, "Enter")
    expect(page.locator("#panel")).to_contain_text("malsanulo is not saved")
    expect(page.locator("#panel")).to_contain_text("Train without it")
    press(page, "Escape")
    shown(page, "[[malsanul] o]")


def test_on_a_phone_readings_come_before_keys(editor: Open) -> None:
    page = editor(viewport=PHONE)
    at(page, "sana")
    tops = [page.locator(name).bounding_box()["y"] for name in ("#readings", "#checks", "#keys")]
    assert tops == sorted(tops)
    press(page, "w")
    started(page, "5 words of the list are left")
    assert page.evaluate(FITS)


def test_a_finger_annotates_on_a_phone(editor: Open, path: Path) -> None:
    long = "antaŭenmalsanulejestrinoj"
    page = editor(Setup(words=["sana", long], who="anna"), viewport=PHONE, has_touch=True,
                  is_mobile=True)  # fmt: skip
    place = page.get_by_role("button", name="Cut after letter 3")
    assert place.bounding_box()["width"] >= 20
    place.tap()
    shown(page, "[[san] a]")
    page.get_by_role("button", name="Accept").tap()
    at(page, long)
    assert page.evaluate(FITS)
    page.get_by_role("button", name="Words").tap()
    started(page, "1 word of the list is left")
    expect(page.locator("#words")).not_to_be_focused()  # which would open a keyboard
    page.locator("#words").fill("kato")
    page.get_by_role("button", name="Annotate", exact=True).tap()
    at(page, "kato")
    page.locator(".offer").first.tap()
    expect(page.locator(".offer").first).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Simple").tap()
    has(path, "sana\t[[san] a]", "kato\t[kato]")
