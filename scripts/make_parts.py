"""Write the parts of the English treebank: train, dev, test, test-random, mixed, examples.

    python scripts/make_parts.py [FOLDER]

``stems.tsv`` says which part a stem belongs to, so that parts stay as they are when
the treebank grows; a new stem gets a part by its hash. A word with stems in two parts is mixed.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from morphtree.treebank.entry import Entry
from morphtree.treebank.split import stems
from morphtree.treebank.treebank import Treebank

HOME = Path(__file__).parents[1] / "treebank" / "en"
PARTS = ("train", "dev", "test", "test-random", "mixed", "examples")
DEV_PERCENT = 10


def new_part(stem: str) -> str:
    """Deal a new stem to train or dev; test does not grow."""
    digest = hashlib.sha256(stem.encode()).digest()
    return "dev" if int.from_bytes(digest[:4], "big") % 100 < DEV_PERCENT else "train"


def read_stems(path: Path) -> dict[str, str]:
    """Read which part each stem belongs to."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = (line.partition("\t") for line in lines)
    return {stem: part for stem, _, part in pairs}


def part_of(entry: Entry, parts: dict[str, str], drawn: set[str]) -> str:
    """Name the part of a word; the words that were drawn at random are one of their own."""
    if entry.word in drawn:
        return "test-random"
    homes = {parts[stem] for stem in stems(entry)}
    return homes.pop() if len(homes) == 1 else "mixed"


def main(folder: Path) -> None:
    """Write all parts."""
    treebank = Treebank.read(folder / "entries")
    drawn = set((folder / "made" / "random-words.txt").read_text(encoding="utf-8").split())
    known = read_stems(folder / "stems.tsv")
    every = sorted({stem for entry in treebank.entries for stem in stems(entry)})
    parts = {stem: new_part(stem) for stem in every} | known
    text = "".join(f"{stem}\t{part}\n" for stem, part in sorted(parts.items()))
    (folder / "stems.tsv").write_text(text, encoding="utf-8")
    (folder / "parts").mkdir(exist_ok=True)
    held: dict[str, list[Entry]] = {name: [] for name in PARTS}
    for entry in treebank.entries:
        held[part_of(entry, parts, drawn)].append(entry)
    for name, chosen in held.items():
        path = folder / "parts" / f"{name}.brackets"
        Treebank(name, tuple(chosen)).write(path, "brackets")
        print(f"{name}: {len(chosen)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else HOME)
