"""Words that would do harm, in a real browser: none may run, and none may break the layout."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from tests.hostile import hostile_words
from tests.serving import needed
from tests.web.test_browser import HEALTHY, PHONE, ROOT, TREE, Page, look

pytestmark = pytest.mark.browser
expect = needed("playwright.sync_api").expect


def survive(page: Page, words: list[str]) -> None:
    """Look at each word; none may run, and none may break the layout."""
    page.set_viewport_size(PHONE)
    page.goto("/")
    expect(page.locator(TREE)).to_be_visible()
    for word in words:
        with page.expect_response("**/v1/view") as answered:
            look(page, word)
        assert answered.value.status == 200, repr(word)
        expect(page.locator("#notice, #result").locator("visible=true").first).to_be_visible()
        assert page.evaluate(HEALTHY), repr(word)
    assert page.locator("#examples").bounding_box()["y"] > 0
    assert page.locator("main script, main iframe, main img, svg script").count() == 0


def test_hostile_words_do_nothing(page: Page) -> None:
    survive(page, hostile_words(80))


@pytest.mark.slow
def test_two_thousand_hostile_words_do_nothing(page: Page) -> None:
    survive(page, hostile_words(2000))


def test_a_hostile_address_and_history_do_nothing(page: Page) -> None:
    page.goto("/?word=%3Cimg%20src%3Dx%20onerror%3Dwindow.evil%3D1%3E&reading=%3Cb%3E")
    expect(page.get_by_role("alert")).to_contain_text("no blanks")
    kept = [
        {"text": "<img/src=x>", "lang": "en"},
        {"text": "<b>", "lang": "<i>"},
        "<u>",
        7,
        {"a": 1},
    ]
    page.evaluate("kept => localStorage.setItem('morphtree.history', kept)", json.dumps(kept))
    page.reload()
    expect(page.locator("#history button")).to_have_text(["<img/src=x>"])
    page.evaluate("localStorage.setItem('morphtree.history', '{broken')")
    page.goto("/?word=cats")
    expect(page.locator(ROOT)).to_have_text("cats")
    assert page.evaluate(HEALTHY)


def test_markup_from_strings_is_forbidden(browser: Any, base: str) -> None:
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.goto("/")
    attempt = "try { document.body.innerHTML = '<b>x</b>'; 'done' } catch (e) { e.name }"
    assert page.evaluate(attempt) == "TypeError"
    context.close()
