"""How often a cut in the editor gives its two pieces the right roles, by what is known.

    python experiments/cut_roles.py

Every cut of the trees of 4,000 words of the English treebank is made by the page's own function,
with so many other words annotated, without and with the word lists of English.
Needs ``morphtree[serve,train,browser]`` and a chromium.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.resources import gather
from morphtree.lexicon.word_facts import pack
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD, Tree
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.proposals import Counts, inventory
from morphtree.web.editor.words_inside import words_inside

ROOT = Path(__file__).parents[1]
EDITS = (ROOT / "src" / "morphtree" / "web" / "static" / "edits.js").read_text(encoding="utf-8")
TREEBANK = ROOT / "treebank" / "en" / "entries"
SEED, ANNOTATED, TESTED = 1, (0, 200, 1000), slice(5000, 9000)
SCRIPT = """async ({source, rows, known}) => {
    const file = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    const {labels} = await import(file);
    return rows.map(([left, right, words]) => labels(left, right, {...known, words}));
}"""
Cut = tuple[str, str, list[str]]  # two pieces and their labels


def cuts(entry: Entry) -> Iterator[Cut]:
    """Yield the cuts of the first reading."""

    def visit(node: Tree) -> Iterator[Cut]:
        if len(node.children) == 2:
            left, right = node.children
            yield left.form, right.form, [left.label, right.label]
        for child in node.children:
            yield from visit(child)

    for tree in entry.readings[:1]:
        yield from visit(tree)


def measure(page: Page, known: list[Entry], tested: list[Cut], guidelines: Guidelines) -> str:
    """Return how many cuts get the right roles, and how many of the compounds."""
    counts, annotated = Counts(known), {entry.word for entry in known}
    rows = [
        (left, right, words_inside(left + right, counts, annotated, guidelines))
        for left, right, _ in tested
    ]
    affixes = inventory(counts, (), None)
    data = {"source": EDITS, "rows": rows, "known": affixes}
    found = page.evaluate(SCRIPT, data)
    right = [guess == labels for guess, (_, _, labels) in zip(found, tested, strict=True)]
    pairs = [ok for ok, (_, _, labels) in zip(right, tested, strict=True) if labels == [WORD, WORD]]
    return f"{_share(right, 1)}; of compounds, {_share(pairs, 0)}"


def _share(right: list[bool], digits: int) -> str:
    return f"{sum(right) / len(right):.{digits}%} of {len(right)}"


def main() -> None:
    """Print a line for each number of words."""
    entries = [*Treebank.read(TREEBANK).entries]
    random.Random(SEED).shuffle(entries)
    tested = [cut for entry in entries[TESTED] for cut in cuts(entry)]
    facts = gather("en")
    lexicon = Guidelines(lexicon=Lexicon({word: pack(fact) for word, fact in facts.items()}))
    chromium = shutil.which("chromium") or sys.exit("install chromium")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as started:
        page = started.chromium.launch(executable_path=chromium, args=arguments).new_page()
        for count in ANNOTATED:
            for name, guidelines in ("treebank", Guidelines()), ("word lists", lexicon):
                print(f"{count} words, {name}:", measure(page, entries[:count], tested, guidelines))


if __name__ == "__main__":
    main()
