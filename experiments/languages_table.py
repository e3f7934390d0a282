"""The table of docs/languages.md, from the cards that builds of languages write.

    python experiments/languages_table.py

Reads languages/CODE/card.md of each language and puts the figures into docs/languages.md.
"""

from __future__ import annotations

import re
from pathlib import Path

from marks import insert

from morphtree.languages.description import FILE, Language
from morphtree.languages.parts import RANDOM, TEST

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "languages.md"
HEAD = """\
| language | words read | random: exact tree | segments | simple words whole | held-out families: exact tree | segments | size | licence of the model | command |
|---|---:|---:|---:|---:|---:|---:|---:|---|---|"""  # noqa: E501
PAGES = {"de": "[German](german.md)"}


def figures(card: str, part: str) -> tuple[str, str, str]:
    """Return the exact trees, the segments and the simple words of a part, in percent."""
    [row] = re.findall(rf"^\| `{part}`: .*", card, re.MULTILINE)
    _, _, segments, exact, *_, simple, _ = (cell.strip() for cell in row.strip("|").split("|"))
    return exact, segments, simple.partition(" ")[0]


def licence(language: Language) -> str:
    """Name the terms of the model in short: dictionaries have terms beside those of all others."""
    return "CC BY-SA 4.0" + " and GPL 2 or 3" * any("GPL" in x for x in language.licences.values())


def row(language: Language) -> str:
    """Write the row of a language."""
    card = (language.folder / "card.md").read_text(encoding="utf-8")
    [words] = re.findall(r"(\d+) words read by hand", card)
    exact, segments, simple = figures(card, RANDOM)
    cells = (
        PAGES.get(language.code, language.name), f"{int(words):,}", exact, segments, simple,
        *figures(card, TEST)[:2], f"{language.model_file.stat().st_size / 1e6:.1f} MB",
        licence(language), f"`pip install ./languages/{language.code}`",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def table() -> str:
    """Write the table of all languages."""
    folders = sorted(path.parent for path in (ROOT / "languages").glob(f"*/{FILE}"))
    languages = sorted(map(Language.read, folders), key=lambda language: language.name)
    return "\n".join((HEAD, *map(row, languages)))


if __name__ == "__main__":
    insert(DOCUMENT, {"languages": table()})
