"""The page with several languages, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from tests.language_packages import install
from tests.serving import needed, running
from tests.web.test_browser import ROOT, look

playwright = needed("playwright.sync_api")

pytestmark = pytest.mark.browser
expect = playwright.expect
Page = Any  # playwright may be absent


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        install(patch, "de", "id")
        with running(languages=("en", "de", "id")) as address:
            yield address


def choose(page: Page, name: str) -> None:
    page.get_by_label("Language").select_option(label=name)


def test_choosing_a_language_shows_one_of_its_words(page: Page) -> None:
    page.goto("/")
    expect(page.locator(ROOT)).to_have_text("unlockable")
    expect(page).to_have_title("unlockable \u2013 English \u2013 morphtree")
    assert page.locator("#lang option").all_text_contents() == ["English", "German", "Indonesian"]
    choose(page, "German")
    first = page.locator("#examples button").first
    expect(first).not_to_have_text("unlockable")
    expect(page.locator(ROOT)).to_have_text(first.text_content())
    expect(page).to_have_title(f"{first.text_content()} \u2013 German \u2013 morphtree")
    assert page.locator("#word").get_attribute("lang") == "de"
    assert first.locator("bdi").get_attribute("lang") == "de"
    assert page.locator("html").get_attribute("lang") == "en"  # the sentences of the page


def test_a_word_of_the_user_stays_when_the_language_changes(page: Page) -> None:
    page.goto("/")
    look(page, "gekauft")
    expect(page.locator(ROOT)).to_have_text("gekauft")
    expect(page.locator("#tree .mt-text")).to_have_count(1)
    choose(page, "German")
    expect(page.locator("#tree .mt-text")).to_have_text(["gekauft", "ge-", "kaufen", "-t"])
    expect(page).to_have_url("/?word=gekauft&lang=de")


def test_links_and_the_way_back_keep_the_language(page: Page, base: str) -> None:
    page.goto("/?word=gekauft&lang=de")
    expect(page.locator("#tree .mt-text")).to_have_count(4)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{base}/?word=gekauft&lang=de"
    choose(page, "English")
    expect(page.locator("#tree .mt-text")).to_have_count(1)
    page.go_back()
    expect(page.locator("#tree .mt-text")).to_have_count(4)
    expect(page.get_by_label("Language")).to_have_value("de")


def test_the_history_keeps_the_language_of_each_word(page: Page) -> None:
    page.goto("/?lang=de")
    look(page, "gekauft")
    expect(page.locator("#history button")).to_have_text(["gekauft"])
    choose(page, "English")
    look(page, "gekauft")
    expect(page.locator("#history button")).to_have_text(["gekauft", "gekauft"])
    page.reload()
    page.locator("#history button[title=German]").click()
    expect(page.locator("#tree .mt-text")).to_have_count(4)
    expect(page.get_by_label("Language")).to_have_value("de")


def test_a_word_asked_for_while_the_language_changes_is_of_the_new_one(page: Page) -> None:
    page.goto("/?word=gekauft&lang=de")
    expect(page.locator("#tree .mt-text")).to_have_count(4)
    late: list[Any] = []
    page.route("**/v1/model?lang=en", lambda route: late.append(route))
    choose(page, "English")
    look(page, "cats")
    page.wait_for_timeout(300)  # the word is asked for, and the language has not come
    for route in late:
        route.continue_()
    expect(page.locator(ROOT)).to_have_text("cats")
    expect(page.locator("#history button[title=English]")).to_have_text(["cats"])
    expect(page).to_have_url("/?word=cats&lang=en")
    assert page.get_by_label("Word", exact=True).input_value() == "cats"


def test_the_legend_names_links_where_a_tree_has_one(page: Page) -> None:
    legend = page.get_by_role("list", name="Colours").get_by_role("listitem")
    page.goto("/?word=Arbeitszimmer&lang=de")
    expect(legend).to_have_text(["prefix", "stem", "suffix", "link"])
    look(page, "gekauft")
    expect(legend).to_have_text(["prefix", "stem", "suffix"])


def test_a_page_of_one_language_has_no_choice(browser: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        install(patch, "de")
        with running(languages=("de",)) as address:
            page = browser.new_page(base_url=address)
            page.goto("/?word=gekauft")
            expect(page.locator("#tree .mt-text")).to_have_count(4)
            expect(page.get_by_label("Language")).to_be_hidden()
            expect(page).to_have_title("gekauft \u2013 German \u2013 morphtree")
            expect(page).to_have_url("/?word=gekauft")
            page.goto("/?word=cats&lang=en")
            expect(page.get_by_role("alert")).to_contain_text("'en' is not served")
            page.close()
