"""How often a blind second reading agrees with a treebank.

    python experiments/second_reading.py [CODE ...] [--list]

Compares treebank/CODE/made/second-reading.brackets with treebank/CODE/entries: the share of words
with the same segments, and of these with the same tree. A word that the guidelines or the list of
affixes mention was read by somebody who may have seen its analysis there, so the shares are given
without these words, too. Prints a table in Markdown and, without CODE, puts it into
docs/languages.md; ``--list`` prints the disagreements after it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from marks import insert

from morphtree._util.text import normalise
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree, without_hyphens

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "languages.md"
READING = Path("made") / "second-reading.brackets"
HEAD = """\
| language | words | same segments | same tree of these | words not shown | same segments | same tree of these |
|---|---:|---:|---:|---:|---:|---:|"""  # noqa: E501


class Pair(NamedTuple):
    """A word as the treebank has it, in one or more readings, and as it was read again."""

    word: str
    first: tuple[Tree, ...]
    second: Tree

    @property
    def same_segments(self) -> bool:
        """Whether some reading of the treebank has these segments."""
        return self.second.morphemes in {tree.morphemes for tree in self.first}

    @property
    def same_tree(self) -> bool:
        """Whether the tree is one of the treebank's."""
        return self.second in self.first


def pair_up(treebank: Iterable[Entry], again: Iterable[Entry]) -> list[Pair]:
    """Put the readings of the words that were read again side by side."""
    known = {entry.word: entry for entry in treebank}
    return [
        Pair(entry.word, tuple(_bare(known[entry.word])), next(_bare(entry))) for entry in again
    ]


def _bare(entry: Entry) -> Iterator[Tree]:
    """Yield the trees of a word; where its hyphens stay is no part of an analysis."""
    return map(without_hyphens, entry.readings)


def shown_words(texts: Iterable[str]) -> set[str]:
    """Return all that may be a word in the texts that the second reader had."""
    return {found.strip("-") for text in texts for found in re.findall(r"[\w-]+", normalise(text))}


def not_shown(pairs: Iterable[Pair], shown: set[str]) -> list[Pair]:
    """Leave words out that the second reader may have seen an analysis of."""
    return [pair for pair in pairs if pair.word not in shown]


def row(name: str, pairs: Sequence[Pair], blind: Sequence[Pair]) -> str:
    """Write a line of the table."""
    return f"| {' | '.join((name, *_cells(pairs), *_cells(blind)))} |"


def _cells(pairs: Sequence[Pair]) -> tuple[str, str, str]:
    same = [pair for pair in pairs if pair.same_segments]
    trees = sum(pair.same_tree for pair in same)
    return str(len(pairs)), _share(len(same), len(pairs)), _share(trees, len(same))


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} ({count}/{of})" if of else ""


def read(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Return all words of a language that were read again, and those that were not shown."""
    again = Treebank.read(folder / READING).entries
    pairs = pair_up(Treebank.read(folder / "entries").entries, again)
    texts = (folder / name for name in ("GUIDELINES.md", "affixes.tsv"))
    shown = shown_words(path.read_text(encoding="utf-8") for path in texts)
    return pairs, not_shown(pairs, shown)


def read_all(codes: Iterable[str]) -> dict[str, tuple[list[Pair], list[Pair]]]:
    """Read several languages, by code."""
    return {code: read(ROOT / "treebank" / code) for code in codes}


def disagreements(code: str, pairs: Iterable[Pair]) -> Iterator[str]:
    """Write the words whose trees differ, the treebank's first."""
    for pair in pairs:
        if not pair.same_tree:
            first = " or ".join(map(str, pair.first))
            yield f"{code}\t{pair.word}\t{first}\t{pair.second}"


def table(found: Mapping[str, tuple[list[Pair], list[Pair]]]) -> str:
    """Write the table: a row for each language and, if there are several, one for all."""
    rows = [row(f"`{code}`", *both) for code, both in found.items()]
    if len(found) > 1:
        rows.append(row("all", *map(_joined, zip(*found.values(), strict=True))))
    return "\n".join((HEAD, *rows))


def _joined(parts: Iterable[Sequence[Pair]]) -> list[Pair]:
    return [pair for part in parts for pair in part]


def language_codes() -> list[str]:
    """Return the languages that have a second reading."""
    return sorted(path.parts[-3] for path in (ROOT / "treebank").glob(f"*/{READING}"))


def main() -> None:
    """Compare what is asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("codes", nargs="*", metavar="CODE")
    parser.add_argument("--list", action="store_true", help="print the disagreements")
    options = parser.parse_args()
    found = read_all(options.codes or language_codes())
    print(table(found))
    if options.list:
        print(*(line for code, (all_, _) in found.items() for line in disagreements(code, all_)),
              sep="\n")  # fmt: skip
    if not options.codes:
        insert(DOCUMENT, {"agreement": table(found)})


if __name__ == "__main__":
    main()
