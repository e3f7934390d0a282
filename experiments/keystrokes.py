"""How many keys an expert needs for a word: the fewest from the proposals to the gold tree.

    python experiments/keystrokes.py [--words 100] [--model en] [--seed 1]

Opens the editor on words of the dev part, finds for each the cheapest sequence of the editor's own
keys, and types it in a real browser: a word counts only if the file then has the gold trees. Prints
the mean and writes experiments/results/keystrokes.json. Needs ``morphtree[serve,browser]`` and a
chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from playwright.sync_api import Page, sync_playwright

from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.web.editor.shape import to_data

ROOT = Path(__file__).parents[1]
DEV = ROOT / "treebank" / "en" / "parts" / "dev.brackets"
RESULTS = Path(__file__).parent / "results" / "keystrokes.json"
SEARCH = (Path(__file__).parent / "keystrokes.js").read_text(encoding="utf-8")
ASK = """async (word) => (await import("/static/editor.js")).word(word)"""
ARROWS = {" ": "Space"}


def least_keys(page: Page, entry: Entry) -> list[str] | None:
    """Return the fewest keys for a word, or None if the search gives up."""
    data = page.evaluate(ASK, entry.word)
    gold = [to_data(entry.word, tree) for tree in entry.readings]
    found: list[str] | None = page.evaluate(SEARCH, {"data": data, "gold": gold})
    return found


def type_keys(page: Page, keys: Sequence[str], done: int) -> None:
    """Type the keys, and wait until the page has the next word."""
    for key in keys:
        page.keyboard.press(ARROWS.get(key, key))
    page.wait_for_function(
        "done => document.getElementById('count').textContent.startsWith(`${done} of`)", arg=done
    )


def measure(page: Page, entries: Sequence[Entry]) -> list[list[str]]:
    """Annotate all words, each with the fewest keys."""
    used = []
    for number, entry in enumerate(entries, 1):
        page.wait_for_function(
            "word => document.getElementById('headword').textContent === word", arg=entry.word
        )
        keys = least_keys(page, entry)
        if keys is None:
            sys.exit(f"no sequence of keys was found for {entry.word}")
        type_keys(page, keys, number)
        used.append(keys)
        print(f"{len(keys):2}  {entry.word}  {' '.join(keys)}")
    return used


def annotate(entries: Sequence[Entry], folder: Path, model: str) -> list[list[str]]:
    """Open the editor and the browser, and work through the words."""
    words = folder / "words.txt"
    words.write_text("".join(f"{entry.word}\n" for entry in entries), encoding="utf-8")
    chromium = shutil.which("chromium") or sys.exit("install chromium")
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "annotate",
               str(folder / "gold.brackets"), "--queue", str(words), "--model", model,
               "--port", "0"]  # fmt: skip
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            address = service.stdout.readline().split()[1]
            with sync_playwright() as started:
                browser = started.chromium.launch(executable_path=chromium, args=arguments)
                page = browser.new_page()
                page.set_default_timeout(120_000)
                page.goto(address)
                page.locator("#order").select_option("list")
                return measure(page, entries)
        finally:
            service.terminate()


def summary(used: Sequence[Sequence[str]], model: str) -> dict[str, Any]:
    """Return the figures."""
    counts = Counter(map(len, used))
    return {
        "model": model,
        "words": len(used),
        "mean": mean(map(len, used)),
        "one_key": counts[1] / len(used),
        "most": max(counts),
        "keys": dict(sorted(counts.items())),
    }


def main() -> None:
    """Draw words, annotate them, compare the file with the gold trees."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--model", default="en")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    entries = random.Random(options.seed).sample(Treebank.read(DEV).entries, options.words)
    with tempfile.TemporaryDirectory() as name:
        used = annotate(entries, Path(name), options.model)
        made = {e.word: e for e in Treebank.read(Path(name) / "gold.brackets").entries}
    wrong = [e.word for e in entries if set(made[e.word].readings) != set(e.readings)]
    if wrong:
        sys.exit(f"not as the gold trees: {', '.join(wrong)}")
    found = summary(used, options.model)
    print(json.dumps(found))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
