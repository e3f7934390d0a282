"""What tests do on a page of the editor: press keys, and wait for what they lead to."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.annotating import lines
from tests.serving import needed

expect = needed("playwright.sync_api").expect
expect.set_options(timeout=30000)
Page = Any  # playwright may be absent
Open = Callable[..., Page]
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def press(page: Page, keys: str) -> None:
    """Press keys, written with blanks between them."""
    for key in keys.split():
        page.keyboard.press(key)


def at(page: Page, word: str) -> None:
    expect(page.locator("#headword")).to_have_text(word)


def shown(page: Page, tree: str) -> None:
    expect(page.locator("#tree svg")).to_be_visible()
    script = """async () => {
        const {session} = await import('/static/session.js');
        return (await import('/static/shape.js')).brackets(session.state.tree);
    }"""
    for _ in range(100):
        if (found := page.evaluate(script)) == tree:
            expect(page.locator("#tree[aria-busy=false]")).to_be_visible()  # it is drawn
            return
        time.sleep(0.05)
    assert found == tree, found


def has(path: Path, *wanted: str) -> None:
    """Wait until the file has these lines, without who and when."""
    for _ in range(200):
        if (found := lines(path)) == [*wanted]:
            return
        time.sleep(0.05)
    assert found == [*wanted], found
