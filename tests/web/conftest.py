"""A page of the editor, for all tests that annotate in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

WORDS = ("sana", "malsana", "malsanulo", "lernejo", "kaj")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eo.brackets"


@pytest.fixture
def editor(browser: Any, path: Path) -> Iterator[Callable[..., Any]]:
    """Open the editor on a file; a page that complains or asks elsewhere fails the test."""
    from morphtree.web.editor.editor import Setup
    from tests.annotating import SECRET, editing
    from tests.serving import needed, watch

    expect = needed("playwright.sync_api").expect
    seen: list[tuple[list[str], list[str]]] = []  # faults, and what a test provokes
    with ExitStack() as stack:

        def start(setup: Any = None, expected: Sequence[str] = (), **options: Any) -> Any:
            setup = setup or Setup(words=WORDS, who="anna")
            base = stack.enter_context(editing(path, setup))
            context = browser.new_context(base_url=base, **options)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(60000)
            seen.append((watch(page, base, is_bad=is_bad), [*expected]))
            page.goto(f"/#{SECRET}")
            expect(page.locator("#count")).not_to_be_empty()
            return page

        yield start
    assert [(faults, expected) for faults, expected in seen if faults != expected] == []


def is_bad(said: Any) -> bool:
    """Whether a page complains of anything but conflicts and requests that a test stops."""
    from tests.serving import is_error

    return is_error(said) and not any(text in said.text for text in ("409", "ERR_FAILED"))
