"""Print the figures of quality of the English treebank, from the records of how it was made.

python scripts/treebank_quality.py
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from morphtree.treebank.stats import scope
from morphtree.treebank.treebank import Treebank

MADE = Path(__file__).parents[1] / "treebank" / "en" / "made"


def table(name: str) -> list[dict[str, str]]:
    """Read a table with a header."""
    with (MADE / name).open(encoding="utf-8", newline="") as stream:
        return [*csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]


def percent(part: int, whole: int) -> str:
    """Write a share."""
    return f"{part} of {whole}, {100 * part / whole:.1f} %"


def reading(number: str) -> Iterator[str]:
    """Say how many planted lines one round of reading caught."""
    batches = [row for row in table("batches.tsv") if row["batch"].startswith(f"{number}-")]
    lines, changed, planted, caught = (
        sum(int(row[column]) for row in batches)
        for column in ("lines", "changed", "planted", "caught")
    )
    yield f"round {number}: {len(batches)} batches, {lines} proposals, {changed} changed"
    yield f"round {number}: planted lines caught: {percent(caught, planted)}"
    rows = [row for row in table("planted.tsv") if row["batch"].startswith(f"{number}-")]
    every = Counter(row["kind"] for row in rows)
    found = Counter(row["kind"] for row in rows if row["answer"])
    for kind in sorted(every):
        yield f"round {number}:   {kind}: {percent(found[kind], every[kind])}"


def agreement() -> Iterator[str]:
    """Compare the two blind annotations."""
    one, two = (Treebank.read(MADE / f"blind-{name}.brackets", "brackets") for name in "ab")
    pairs = [(a.readings[0], b.readings[0]) for a, b in zip(one.entries, two.entries, strict=True)]
    same = [(a, b) for a, b in pairs if a.morphemes == b.morphemes]
    yield f"blind: same segments: {percent(len(same), len(pairs))}"
    equal = sum(a == b for a, b in same)
    yield f"blind: same tree, given the segments: {percent(equal, len(same))}"
    scopes = [(scope(a), scope(b)) for a, b in same if scope(a) or scope(b)]
    equal = sum(a == b for a, b in scopes)
    yield f"blind: same scope, given the segments: {percent(equal, len(scopes))}"


def second_annotation() -> Iterator[str]:
    """Compare words of the second edition with an annotation of the words alone.

    300 were annotated; those that have left the treebank since do not count.
    """
    entries = {entry.word: entry for entry in Treebank.read(MADE.parent / "entries").entries}
    blind = Treebank.read(MADE / "blind-new.brackets", "brackets").entries
    pairs = [(e.readings[0], entries[e.word].readings) for e in blind if e.word in entries]
    same = [(a, b) for a, b in pairs if a.morphemes in {tree.morphemes for tree in b}]
    yield f"second edition, blind: same segments: {percent(len(same), len(pairs))}"
    equal = sum(a in b for a, b in same)
    yield f"second edition, blind: same tree, given the segments: {percent(equal, len(same))}"
    rows = table("blind-categories.tsv")
    for sample in sorted({row["sample"] for row in rows}):
        chosen = [row for row in rows if row["sample"] == sample]
        equal = sum(
            row["category"] in {fields.pos for fields in entries[row["word"]].fields}
            for row in chosen
        )
        yield f"categories, sample {sample}: same category: {percent(equal, len(chosen))}"


def audit() -> Iterator[str]:
    """Count the verdicts on random lines."""
    verdicts = Counter(row["verdict"] for row in table("audit.tsv"))
    total = sum(verdicts.values())
    for name in ("error", "debatable"):
        yield f"audit: {name}: {percent(verdicts[name], total)}"


def main() -> None:
    """Print everything."""
    for lines in (*map(reading, "1234"), agreement(), second_annotation(), audit()):
        print(*lines, sep="\n")


if __name__ == "__main__":
    main()
