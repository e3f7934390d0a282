"""Annotate fifty Esperanto words in the editor, from nothing to a model, and take its pictures.

    python scripts/picture_annotate.py

What docs/annotate.md tells is done here by keyboard: cuts by hand, proposals from affixes,
training, proposals of the model. Needs ``morphtree[serve,train,browser]`` and a chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.web.editor.shape import to_data

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WORDS = ROOT / "examples" / "esperanto.brackets"
SEARCH = (ROOT / "experiments" / "keystrokes.js").read_text(encoding="utf-8")
ASK = """async (word) => (await import("/static/editor.js")).word(word)"""
COUNT = 50
SIZE = {"width": 1180, "height": 940}
HEAD = "word => document.getElementById('headword').textContent === word"


def take(page: Page, name: str) -> None:
    """Save what is seen."""
    page.wait_for_timeout(1500)  # until "saved" is gone and the checks are there
    page.screenshot(path=DOCS / name, animations="disabled")


def annotate(page: Page, entry: Entry) -> int:
    """Type the fewest keys that lead to the gold tree; return how many."""
    page.wait_for_function(HEAD, arg=entry.word)
    data = page.evaluate(ASK, entry.word)
    gold = [to_data(entry.word, tree) for tree in entry.readings]
    keys: list[str] = page.evaluate(SEARCH, {"data": data, "gold": gold})
    for key in keys:
        page.keyboard.press("Space" if key == " " else key)
    return len(keys)


def cut_by_hand(page: Page, entry: Entry) -> int:
    """Cut the second word, *malsana*, take a picture of that, and save it."""
    page.wait_for_function(HEAD, arg=entry.word)
    keys = [*["ArrowLeft"] * len("san"), "Space"]
    for key in keys:
        page.keyboard.press(key)
    take(page, "annotate-cut.png")
    page.keyboard.press("Enter")
    return len(keys) + 1


def work(page: Page, entries: list[Entry]) -> None:
    """Annotate, train, and look at what the model proposes."""
    used = []
    for number, entry in enumerate(entries[:COUNT]):
        if number == 1:
            used.append(cut_by_hand(page, entry))
            continue
        if number == 13:
            page.wait_for_function(HEAD, arg=entry.word)
            take(page, "annotate-affixes.png")
        used.append(annotate(page, entry))
    page.wait_for_function(HEAD, arg=entries[COUNT].word)
    page.keyboard.press("t")
    page.get_by_role("button", name="Train").last.click()
    page.get_by_text("proposes now").wait_for(timeout=600_000)
    take(page, "annotate-train.png")
    page.keyboard.press("Escape")
    page.locator("#count", has_text="model eo.model").wait_for()
    take(page, "annotate-model.png")
    page.emulate_media(color_scheme="dark")
    take(page, "annotate-dark.png")
    for first in range(0, COUNT, 10):
        part = used[first : first + 10]
        print(f"words {first + 1}-{first + 10}: {sum(part) / len(part):.1f} keys a word")


@contextmanager
def editing(treebank: Path, *options: str) -> Iterator[Page]:
    """Open the page of an editor."""
    chromium = shutil.which("chromium") or sys.exit("install chromium")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "annotate",
               str(treebank), *options, "--who", "ludoviko", "--port", "0"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            address = service.stdout.readline().split()[1]
            with sync_playwright() as started:
                browser = started.chromium.launch(executable_path=chromium, args=arguments)
                page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
                page.set_default_timeout(120_000)
                page.goto(address)
                yield page
        finally:
            service.terminate()


def main() -> None:
    """Open the editor on an empty file, and do it all."""
    entries = [*Treebank.read(WORDS).entries]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with editing(folder / "nl.brackets", "--language", "nl") as page:
            page.locator("#start").wait_for()
            page.set_viewport_size({"width": SIZE["width"], "height": 560})
            take(page, "annotate-start.png")
        listed = folder / "words.txt"
        listed.write_text("".join(f"{entry.word}\n" for entry in entries), encoding="utf-8")
        with editing(folder / "eo.brackets", "--queue", str(listed)) as page:
            work(page, entries)
        print((folder / "eo.brackets").read_text("utf-8")[:400])


if __name__ == "__main__":
    main()
