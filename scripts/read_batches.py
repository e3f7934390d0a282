"""Cut proposals into batches for reading, some lines made wrong on purpose, and join the answers.

    morphtree treebank propose affixes.tsv words.txt --language en > proposals.derivation
    python scripts/read_batches.py cut proposals.derivation planted.derivation batches/
    python scripts/read_batches.py join batches/ > read.derivation

A batch is a file of numbered proposals in alphabetical order. Whoever reads it writes, beside it,
``NAME.answers`` with ``number<TAB>right line`` for each line that is wrong ("-" drops it). Joining
prints what was accepted or corrected, without the planted lines, and how many of those were
caught on standard error. The planted lines are kept in ``planted.key``, away from readers' eyes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from morphtree._util.files import read_text
from morphtree._util.text import content_lines

BATCH = 200
ENOUGH = 0.9  # of the planted lines; a batch with fewer caught is read again
KEY = "planted.key"


def word_of(line: str) -> str:
    """Return the word that a line is about."""
    return line.partition(" = ")[0].partition("\t")[0]


def cut(proposals: Path, planted: Path, folder: Path) -> None:
    """Write the batches and the key."""
    lines = {word_of(line): line for _, line in content_lines(read_text(proposals))}
    wrong = {word_of(line): line for _, line in content_lines(read_text(planted))}
    lines |= wrong
    folder.mkdir(parents=True, exist_ok=True)
    words = sorted(lines)
    for start in range(0, len(words), BATCH):
        chosen = words[start : start + BATCH]
        text = "".join(f"{n}\t{lines[word]}\n" for n, word in enumerate(chosen, 1))
        (folder / f"{start // BATCH + 1:03d}.batch").write_text(text, encoding="utf-8")
    key = "".join(f"{word}\n" for word in sorted(wrong))
    (folder / KEY).write_text(key, encoding="utf-8")


def numbered(path: Path) -> dict[int, str]:
    """Read numbered lines."""
    rows = (line.partition("\t") for _, line in content_lines(read_text(path)))
    return {int(number): line for number, _, line in rows}


def join(folder: Path) -> None:
    """Print what the readers accepted or corrected."""
    planted = set(read_text(folder / KEY).split())
    for batch in sorted(folder.glob("*.batch")):
        lines, answers = numbered(batch), numbered(batch.with_suffix(".answers"))
        wrong = [n for n, line in lines.items() if word_of(line) in planted]
        caught = sum(answers.get(n, lines[n]) != lines[n] for n in wrong)
        again = "; READ IT AGAIN" if caught < ENOUGH * len(wrong) else ""
        print(f"{batch.name}: {caught} of {len(wrong)} caught{again}", file=sys.stderr)
        for number, line in lines.items():
            answer = answers.get(number, line)
            if number not in wrong and answer != "-":
                print(answer)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    tasks = parser.add_subparsers(dest="task", required=True)
    cutting = tasks.add_parser("cut")
    for name in ("proposals", "planted", "folder"):
        cutting.add_argument(name, type=Path)
    tasks.add_parser("join").add_argument("folder", type=Path)
    options = parser.parse_args()
    if options.task == "cut":
        cut(options.proposals, options.planted, options.folder)
    else:
        join(options.folder)


if __name__ == "__main__":
    main()
