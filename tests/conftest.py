"""What several files share: a running service, a client, a browser; a table of campaigns."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest
from hypothesis import settings

# Tests of elapsed time have a marker of their own, perf; a busy machine fails no other test.
settings.register_profile("morphtree", deadline=None)
settings.load_profile("morphtree")

Page = Any  # playwright may be absent
Tally = Callable[[int, "int | Collection[object]"], None]


def pytest_configure() -> None:
    """Let programs that tests start be interrupted, also where a shell started pytest by ``&``."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Note how many things a campaign tried and how many failed, which must be none."""

    def note(tries: int, failures: int | Collection[object]) -> None:
        record_property("tries", tries)
        record_property("failures", failures if isinstance(failures, int) else len(failures))
        assert tries
        assert not failures

    return note


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Count a campaign that does not count for itself."""
    counted = "tries" in dict(item.user_properties)
    if call.when == "call" and item.get_closest_marker("campaign") and not counted:
        given = getattr(item, "callspec", None)
        item.user_properties.append(("tries", given.params.get("count", 1) if given else 1))
        item.user_properties.append(("failures", int(call.excinfo is not None)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print a table of the campaigns that were run."""
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.getreports(kind)]
    told = [(r.nodeid.split("::")[-1], dict(r.user_properties)) for r in reports]
    rows = [(name, found) for name, found in told if "tries" in found]
    if rows:
        terminalreporter.section("campaigns")
        terminalreporter.write_line("| campaign | tries | failures |\n|---|---:|---:|")
        for name, found in rows:
            words = name.removeprefix("test_").replace("_", " ")
            terminalreporter.write_line(f"| {words} | {found['tries']} | {found['failures']} |")


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    from tests.serving import running

    with running() as address:
        yield address


@pytest.fixture(scope="session")
def client(base: str) -> Iterator[Any]:
    import httpx

    with httpx.Client(base_url=base, timeout=30) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.serving import find_browser, needed

    path = find_browser()
    playwright = needed("playwright.sync_api")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, base: str) -> Iterator[Page]:
    """A page that fails the test if it asks elsewhere, complains, or throws."""
    from tests.serving import watch

    context = browser.new_context(base_url=base, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base)
    opened = context.new_page()
    opened.set_default_timeout(60000)
    faults = watch(opened, base, f"blob:{base}")
    yield opened
    context.close()
    assert not faults
